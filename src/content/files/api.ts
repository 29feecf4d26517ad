/** The REST contract of files: list and upload below each kind of record, and the operations on one file. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { mergedRedirect, Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../core/usecase/Page.ts"
import {
  InvalidCursor,
  MalformedMultipart,
  Merged,
  PayloadTooLarge,
  RangeNotSatisfiable,
  RequestTimeout,
  StorageUnavailable,
  UnsupportedMediaType
} from "../../core/usecase/Problem.ts"
import { File, FileForm, FileListQuery } from "./File.ts"

const FilePage = PageOf(File, "FilePage")

const fileForm = FileForm.pipe(HttpApiSchema.asMultipart())

const annotated = {
  title: "Files",
  description: "Files on contacts, companies and properties. All operations need the `broker` capability."
}

/** The operations on the files of the records at `path`. */
const filesOf = <const Group extends string, const Path extends `/${string}`>(options: {
  readonly group: Group
  /** The resource that operation ids begin with, such as `contacts`. */
  readonly resource: string
  readonly path: Path
  readonly title: string
  /** The record with its article, such as "a contact", and the id of one. */
  readonly record: string
  readonly example: string
  /** Whether such records can be merged: then reads of a merged one are redirected. */
  readonly mergeable: boolean
}) => {
  const redirects = options.mergeable ? [mergedRedirect(`${options.path}/${options.example}/files`)] : []
  const merged = options.mergeable ? [Merged] : []
  const params = { id: Schema.String.annotate({ description: "The record's id.", examples: [options.example] }) }
  return HttpApiGroup.make(options.group)
    .add(
      HttpApiEndpoint.get("list", `${options.path}/:id/files`, {
        params,
        query: FileListQuery,
        success: FilePage.pipe(responseHeaders("link")),
        error: [...refusals.one, InvalidCursor, ...redirects]
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${options.resource}.listFiles`,
          summary: `List the files on ${options.record}`,
          description: "Lists files in the order of their upload, without their contents."
        })
      ),
      HttpApiEndpoint.post("upload", `${options.path}/:id/files`, {
        params,
        headers: requestHeaders("idempotency-key", "prefer"),
        payload: fileForm,
        success: File.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed")),
        error: [
          ...refusals.one,
          ...refusals.repeatable,
          MalformedMultipart,
          PayloadTooLarge,
          RequestTimeout,
          UnsupportedMediaType,
          ...merged,
          StorageUnavailable
        ]
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${options.resource}.uploadFile`,
          summary: `Add a file to ${options.record}`,
          description:
            "Send one file of at most 104,857,600 bytes (413) in the field `file`. The service stores it while it arrives, and keeps nothing of an upload that does not complete. A pause of a minute ends the upload (408). With `Idempotency-Key`, two requests are the same if name, type and content are. Adds a row to the record's timeline and emits an event (both `file.uploaded`). The record keeps its ETag."
        })
      )
    )
    .middleware(Authorization)
    .annotateEndpoints(Needs, "broker")
    .annotateMerge(
      OpenApi.annotations({
        title: options.title,
        description: annotated.description
      })
    )
}

/** Files on contacts. */
export const contactFiles = filesOf({
  group: "contactFiles",
  resource: "contacts",
  path: "/api/v1/network/contacts",
  title: "Files on contacts",
  record: "a contact",
  example: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
  mergeable: true
})

/** Files on companies. */
export const companyFiles = filesOf({
  group: "companyFiles",
  resource: "companies",
  path: "/api/v1/network/companies",
  title: "Files on companies",
  record: "a company",
  example: "company_01kb3n7x2ferwt5z8q4j6m9d0c",
  mergeable: true
})

/** Files on properties. */
export const propertyFiles = filesOf({
  group: "propertyFiles",
  resource: "properties",
  path: "/api/v1/properties",
  title: "Files on properties",
  record: "a property",
  example: "property_01kb3n7x2ferwt5z8q4j6m9d0c",
  mergeable: false
})

const fileParams = {
  id: Schema.String.annotate({ description: "The file's id.", examples: ["file_01kb3n7x2ferwt5z8q4j6m9d0c"] })
}

const contentRequest = Schema.Struct({
  ...requestHeaders("if-none-match").fields,
  range: Schema.optionalKey(
    Schema.String.annotate({
      description: "One range of bytes, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-500`.",
      examples: ["bytes=0-1023"]
    })
  ),
  "if-range": Schema.optionalKey(
    Schema.String.annotate({
      description: "Return the range only if the content has this ETag; otherwise return the whole content.",
      examples: ['"77f2562d5340c7d17dc4f73b8ba2a17e811ec5fe1c975389f1620747ec6e706a"']
    })
  )
})

const contentHeaders = {
  etag: Schema.String.annotate({ description: "The strong ETag of the content: its SHA-256." }),
  "accept-ranges": Schema.String.annotate({ description: "The content supports range requests.", examples: ["bytes"] }),
  "content-disposition": Schema.String.annotate({
    description:
      "`attachment` with the name of the file: exact in `filename*` (RFC 8187), reduced to ASCII in `filename`.",
    examples: ["attachment; filename=\"terms.txt\"; filename*=UTF-8''terms.txt"]
  }),
  "x-content-type-options": Schema.String.annotate({ description: "Always `nosniff`.", examples: ["nosniff"] })
}

const rangeHeaders = {
  ...contentHeaders,
  "content-range": Schema.String.annotate({
    description: "The range, and the size of the whole content.",
    examples: ["bytes 0-1023/4096"]
  })
}

const bytes = Schema.Uint8Array.annotate({
  description: "The bytes of the file, with the `Content-Type` of its upload."
}).pipe(HttpApiSchema.asUint8Array({ contentType: "*/*" }))

/** The operations on one file. */
export const files = HttpApiGroup.make("files")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/files/:id", {
      params: fileParams,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(File.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a file",
        description:
          "Returns the file without its content. Brokers read the files of their team, and the files of a deleted record for another 30 days; broker and investor read what they shared with each other, and investors what is in a room to which they have access."
      })
    ),
    HttpApiEndpoint.get("download", "/api/v1/files/:id/content", {
      params: fileParams,
      headers: contentRequest,
      success: [
        ...orNotModified(HttpApiSchema.WithHeaders(bytes, contentHeaders)),
        HttpApiSchema.WithHeaders(bytes.pipe(HttpApiSchema.status(206)), rangeHeaders)
      ],
      error: [...refusals.one, RangeNotSatisfiable, StorageUnavailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Download a file",
        description:
          "Returns the content as an attachment, to those who can read the file. With `Range`, returns one range (206), or 416 with the size in `Content-Range` if the range begins after the end. A request for several ranges gets the whole content. With a matching `If-None-Match`, returns 304."
      })
    )
  )
  .annotateEndpoints(Needs, "either-active")
  .add(
    HttpApiEndpoint.delete("delete", "/api/v1/files/:id", {
      params: fileParams,
      headers: requestHeaders("if-match", "prefer"),
      success: HttpApiSchema.NoContent,
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ...refusals.deletion]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a file",
          description:
            "Deletes the file permanently, without a tombstone. Adds a row to the record's timeline (`file.deleted`)."
        })
      )
      .annotate(Needs, "broker")
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations(annotated))
