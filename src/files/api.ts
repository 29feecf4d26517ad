/** The REST contract of files: the same operations below each kind of record, and those on one file. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../http/Authorization.ts"
import {
  mergedRedirect,
  Needs,
  orDryRunReport,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders
} from "../http/Contract.ts"
import { PageOf } from "../usecase/Page.ts"
import {
  InvalidCursor,
  MalformedMultipart,
  Merged,
  PayloadTooLarge,
  RangeNotSatisfiable,
  RequestTimeout,
  StorageUnavailable,
  UnsupportedMediaType
} from "../usecase/Problem.ts"
import { File, FileForm, FileListQuery } from "./File.ts"

const FilePage = PageOf(File, "FilePage")

const fileForm = FileForm.pipe(HttpApiSchema.asMultipart())

const annotated = {
  title: "Files",
  description: "Files on contacts and companies. All operations need the `broker` capability."
}

/** The operations on the files of the records at `path`. */
const filesOf = <const Group extends string, const Path extends `/${string}`>(options: {
  readonly group: Group
  readonly path: Path
  readonly title: string
  /** The record with its article, and the id of one. */
  readonly record: string
  readonly example: string
}) => {
  const params = { id: Schema.String.annotate({ description: "The record's id.", examples: [options.example] }) }
  return HttpApiGroup.make(options.group)
    .add(
      HttpApiEndpoint.get("list", `${options.path}/:id/files`, {
        params,
        query: FileListQuery,
        success: FilePage.pipe(responseHeaders("link")),
        error: [...refusals.one, InvalidCursor, mergedRedirect(`${options.path}/${options.example}/files`)]
      }).annotateMerge(
        OpenApi.annotations({
          summary: `List the files on ${options.record}`,
          description: "In the order of their upload, without their contents."
        })
      ),
      HttpApiEndpoint.post("upload", `${options.path}/:id/files`, {
        params,
        headers: requestHeaders("idempotency-key", "prefer"),
        payload: fileForm,
        success: orDryRunReport(
          File.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed"))
        ),
        error: [
          ...refusals.one,
          ...refusals.repeatable,
          MalformedMultipart,
          PayloadTooLarge,
          RequestTimeout,
          UnsupportedMediaType,
          Merged,
          StorageUnavailable
        ]
      }).annotateMerge(
        OpenApi.annotations({
          summary: `Add a file to ${options.record}`,
          description:
            "One file in the field `file`, of at most 104,857,600 bytes (413). It is stored while it arrives, and is there only when all of it has: half of an upload leaves nothing. A pause of a minute in what arrives ends it (408). With `Idempotency-Key`, requests are the same when name, type and content are. Leaves a row in the record's timeline (`file.uploaded`); no webhook is called, and the record keeps its ETag."
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
  path: "/api/v1/network/contacts",
  title: "Files on contacts",
  record: "a contact",
  example: "contact_01kb3n7x2ferwt5z8q4j6m9d0c"
})

/** Files on companies. */
export const companyFiles = filesOf({
  group: "companyFiles",
  path: "/api/v1/network/companies",
  title: "Files on companies",
  record: "a company",
  example: "company_01kb3n7x2ferwt5z8q4j6m9d0c"
})

const fileParams = {
  id: Schema.String.annotate({ description: "The file's id.", examples: ["file_01kb3n7x2ferwt5z8q4j6m9d0c"] })
}

const contentRequest = Schema.Struct({
  ...requestHeaders("if-none-match").fields,
  range: Schema.optionalKey(
    Schema.String.annotate({
      description: "A part of the content: one range of bytes, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-500`.",
      examples: ["bytes=0-1023"]
    })
  ),
  "if-range": Schema.optionalKey(
    Schema.String.annotate({
      description: "Answer with the range only while the content has this ETag, and else with all of it.",
      examples: ['"77f2562d5340c7d17dc4f73b8ba2a17e811ec5fe1c975389f1620747ec6e706a"']
    })
  )
})

const contentHeaders = {
  etag: Schema.String.annotate({ description: "The strong validator of the content, made of its SHA-256." }),
  "accept-ranges": Schema.String.annotate({ description: "Parts can be asked for.", examples: ["bytes"] }),
  "content-disposition": Schema.String.annotate({
    description:
      "`attachment`, with the file's name: in `filename*` exactly (RFC 8187), in `filename` in plain letters.",
    examples: ["attachment; filename=\"terms.txt\"; filename*=UTF-8''terms.txt"]
  }),
  "x-content-type-options": Schema.String.annotate({ description: "Always `nosniff`.", examples: ["nosniff"] })
}

const rangeHeaders = {
  ...contentHeaders,
  "content-range": Schema.String.annotate({
    description: "Which part of how many bytes.",
    examples: ["bytes 0-1023/4096"]
  })
}

const bytes = Schema.Uint8Array.annotate({
  description: "The bytes of the file; `Content-Type` is the one that it was sent with."
}).pipe(HttpApiSchema.asUint8Array({ contentType: "*/*" }))

/** One file. */
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
          "What is known of the file, without its content. The files of a deleted contact or company can be read for 30 days more."
      })
    ),
    HttpApiEndpoint.get("content", "/api/v1/files/:id/content", {
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
          "The content, as an attachment. With `Range`, one part of it (206), or 416 with its size in `Content-Range` when the part begins behind its end; several ranges at once are answered with all of it. With `If-None-Match`, 304: a content never changes."
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/v1/files/:id", {
      params: fileParams,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(HttpApiSchema.NoContent),
      error: [...refusals.one, ...refusals.conditional]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a file",
        description: "For good: it has no tombstone. Leaves a row in the record's timeline (`file.deleted`)."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(OpenApi.annotations(annotated))
