/** The REST contract of notes: the same operations below each type of record. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { NoteAction, NoteListQuery } from "../../core/mutation/Timeline.ts"
import { mergedRedirect, Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { QuotaExceeded } from "../../core/quotas/Quota.ts"
import { PageOf } from "../../core/usecase/Page.ts"
import {
  InvalidCursor,
  InvalidRequest,
  Merged,
  PreconditionRequired,
  ProspectErased,
  ProspectRemoved
} from "../../core/usecase/Problem.ts"
import { NoteCreate, NoteMoveRefused, NoteRevision } from "./Note.ts"

const NotePage = PageOf(NoteAction, "NotePage")

const revisionHeaders = Schema.Struct({
  "if-match": Schema.String.annotate({
    description:
      "The ETag of the note, from its timeline row or its GET. Required: a missing or blank header is 428, an outdated ETag 412, and one that another change outdates while the request runs 409 `concurrency_conflict`. `*` matches any state.",
    examples: ['"v1"']
  }),
  ...requestHeaders("prefer").fields
})

const exampleId = "act_01kb3n7x2ferwt5z8q4j6m9d0c"

const revisedHeaders = (record: string) => ({
  etag: Schema.String.annotate({
    description: "The new ETag of the note; after `supersede`, the ETag of the new revision.",
    examples: ['"v2"']
  }),
  location: Schema.optionalKey(
    Schema.String.annotate({
      description: "After `supersede`, the path of the new revision.",
      examples: [`${record}/notes/${exampleId}`]
    })
  )
})

const idOf = (name: string, example: string) =>
  Schema.String.annotate({ description: `The ${name}'s id.`, examples: [example] })

/** The operations on the notes of one type of records. */
const notesOf = <
  const Group extends string,
  const Path extends `/${string}`,
  Params extends { readonly [name: string]: Schema.String }
>(options: {
  readonly group: Group
  /** The resource that operation ids begin with, such as `contacts`. */
  readonly resource: string
  /** The path of one record, and its parameters. */
  readonly path: Path
  readonly params: Params
  /** The noun for such a record, and the path of an example. */
  readonly name: string
  readonly example: string
  readonly title: string
  /** The effect of a new note on the record, for the description. */
  readonly effect: string
  /** Whether such records can be merged: then reads of a merged one are redirected. */
  readonly mergeable: boolean
  /** The errors of writes that not all types of records have. */
  readonly writeErrors: ReadonlyArray<typeof Merged | typeof ProspectErased | typeof ProspectRemoved>
}) => {
  const record = `a ${options.name}`
  const { params } = options
  const noteParams = {
    ...params,
    noteId: Schema.String.annotate({
      description: "The note's id: that of its row in the timeline.",
      examples: [exampleId]
    })
  }
  /** The answer for a merged record; `rest` follows its path. */
  const redirected = (rest: string) => (options.mergeable ? [mergedRedirect(`${options.example}${rest}`)] : [])
  return HttpApiGroup.make(options.group)
    .add(
      HttpApiEndpoint.get("list", `${options.path}/notes`, {
        params,
        query: NoteListQuery,
        success: NotePage.pipe(responseHeaders("link")),
        error: [...refusals.one, InvalidCursor, ...redirected("/notes")]
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${options.resource}.listNotes`,
          summary: `List the notes on ${record}`,
          description: `The notes of the ${options.name} itself, newest first. Archived and superseded ones are included on request only.`
        })
      ),
      HttpApiEndpoint.post("create", `${options.path}/notes`, {
        params,
        headers: requestHeaders("idempotency-key", "prefer"),
        payload: NoteCreate,
        success: NoteAction.pipe(
          HttpApiSchema.status(201),
          responseHeaders("etag", "location", "idempotency-replayed")
        ),
        error: [...refusals.one, ...refusals.body, ...refusals.repeatable, ...options.writeErrors]
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${options.resource}.addNote`,
          summary: `Add a note to ${record}`,
          description: `Adds the note to the ${options.name}'s timeline. Emits \`note.created\`. ${options.effect}`
        })
      ),
      HttpApiEndpoint.get("get", `${options.path}/notes/:noteId`, {
        params: noteParams,
        headers: requestHeaders("if-none-match"),
        success: orNotModified(NoteAction.pipe(responseHeaders("etag"))),
        error: [...refusals.one, ...redirected(`/notes/${exampleId}`)]
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${options.resource}.getNote`,
          summary: `Get a note on ${record}`,
          description:
            "Returns the note, even if it is archived or superseded. With `If-None-Match`, returns 304 while the note is unchanged."
        })
      ),
      HttpApiEndpoint.patch("revise", `${options.path}/notes/:noteId`, {
        params: noteParams,
        headers: revisionHeaders,
        payload: NoteRevision,
        success: HttpApiSchema.WithHeaders(HttpApiSchema.NoContent, revisedHeaders(options.example)),
        error: [
          InvalidRequest,
          ...refusals.one,
          ...refusals.body,
          ...refusals.conditional,
          PreconditionRequired,
          NoteMoveRefused,
          QuotaExceeded,
          ...options.writeErrors
        ]
      }).annotateMerge(
        OpenApi.annotations({
          identifier: `${options.resource}.updateNote`,
          summary: `Archive, unarchive or supersede a note on ${record}`,
          description:
            "`archive` hides the note from the timeline, and `unarchive` shows it again; an action that changes nothing returns 204 with the same ETag. `supersede` replaces the note by a new revision, dated now and in the name of the caller. `Location` is the path of the revision, which inherits the members that are left out; the replaced note remains as history. Archived and superseded are two independent marks: only an active note can be superseded, and a superseded note can be archived, but not unarchived. `Idempotency-Key` has no effect, because `If-Match` already prevents a second execution."
        })
      )
    )
    .middleware(Authorization)
    .annotateEndpoints(Needs, "broker")
    .annotateMerge(
      OpenApi.annotations({
        title: options.title,
        description: "Notes that people write, as rows of the timeline. All operations need the `broker` capability."
      })
    )
}

const contactExample = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on contacts. */
export const contactNotes = notesOf({
  group: "contactNotes",
  resource: "contacts",
  path: "/api/v1/network/contacts/:id",
  params: { id: idOf("contact", contactExample) },
  title: "Notes on contacts",
  name: "contact",
  example: `/api/v1/network/contacts/${contactExample}`,
  effect: "The contact keeps its ETag.",
  mergeable: true,
  writeErrors: [Merged]
})

const companyExample = "company_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on companies. */
export const companyNotes = notesOf({
  group: "companyNotes",
  resource: "companies",
  path: "/api/v1/network/companies/:id",
  params: { id: idOf("company", companyExample) },
  title: "Notes on companies",
  name: "company",
  example: `/api/v1/network/companies/${companyExample}`,
  effect: "The company keeps its ETag.",
  mergeable: true,
  writeErrors: [Merged]
})

const propertyExample = "property_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on properties. */
export const propertyNotes = notesOf({
  group: "propertyNotes",
  resource: "properties",
  path: "/api/v1/properties/:id",
  params: { id: idOf("property", propertyExample) },
  title: "Notes on properties",
  name: "property",
  example: `/api/v1/properties/${propertyExample}`,
  effect: "The property keeps its ETag.",
  mergeable: false,
  writeErrors: []
})

const projectExample = "project_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on projects. */
export const projectNotes = notesOf({
  group: "projectNotes",
  resource: "projects",
  path: "/api/v1/projects/:id",
  params: { id: idOf("project", projectExample) },
  title: "Notes on projects",
  name: "project",
  example: `/api/v1/projects/${projectExample}`,
  effect: "The project keeps its ETag.",
  mergeable: false,
  writeErrors: []
})

const prospectExample = "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on prospects. */
export const prospectNotes = notesOf({
  group: "prospectNotes",
  resource: "prospects",
  path: "/api/v1/projects/:projectId/prospects/:id",
  params: { projectId: idOf("project", projectExample), id: idOf("prospect", prospectExample) },
  title: "Notes on prospects",
  name: "prospect",
  example: `/api/v1/projects/${projectExample}/prospects/${prospectExample}`,
  effect:
    "The prospect's `noteCount` and ETag change. The project keeps its ETag, and its timeline shows the note as a roll-up.",
  mergeable: false,
  writeErrors: [ProspectRemoved, ProspectErased]
})
