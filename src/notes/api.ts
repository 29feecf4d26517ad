/** The REST contract of notes: the same operations below each kind of record. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../http/Authorization.ts"
import { NoteAction } from "../changes/Action.ts"
import {
  mergedRedirect,
  Needs,
  orDryRunReport,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders
} from "../http/Contract.ts"
import { InvalidRequest, Merged, PreconditionRequired } from "../usecase/Problem.ts"
import { ProspectRemoved } from "../prospects/Prospect.ts"
import { NoteCreate, NoteMoveRefused, NoteRevision } from "./Note.ts"

const revisionHeaders = Schema.Struct({
  "if-match": Schema.String.annotate({
    description:
      "The note's ETag, as its row or its GET had it. Required: missing or blank is 428, stale 412. `*` is any state.",
    examples: ['"v1"']
  }),
  ...requestHeaders("prefer").fields
})

const exampleId = "act_01kb3n7x2ferwt5z8q4j6m9d0c"

const revisedHeaders = (record: string) => ({
  etag: Schema.String.annotate({
    description: "The note's ETag now; after `supersede`, that of its new revision.",
    examples: ['"v2"']
  }),
  location: Schema.optionalKey(
    Schema.String.annotate({
      description: "After `supersede`: the path of the new revision.",
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
  /** Where one such record is, and the parameters in that. */
  readonly path: Path
  readonly params: Params
  /** What a record is called, and the path of one. */
  readonly name: string
  readonly example: string
  readonly title: string
  /** What a new note does to the record. */
  readonly effect: string
  /** What may be refused besides what all types of records refuse: who reads, and who writes. */
  readonly unread: ReadonlyArray<ReturnType<typeof mergedRedirect>>
  readonly unwritten: ReadonlyArray<typeof Merged | typeof ProspectRemoved>
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
  return HttpApiGroup.make(options.group)
    .add(
      HttpApiEndpoint.post("create", `${options.path}/notes`, {
        params,
        headers: requestHeaders("idempotency-key", "prefer"),
        payload: NoteCreate,
        success: orDryRunReport(
          NoteAction.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed"))
        ),
        error: [...refusals.one, ...refusals.body, ...refusals.repeatable, ...options.unwritten]
      }).annotateMerge(
        OpenApi.annotations({
          summary: `Add a note to ${record}`,
          description: `The note is a row of the ${options.name}'s timeline. It is no event: webhooks are not told of it. ${options.effect}`
        })
      ),
      HttpApiEndpoint.get("get", `${options.path}/notes/:noteId`, {
        params: noteParams,
        headers: requestHeaders("if-none-match"),
        success: orNotModified(NoteAction.pipe(responseHeaders("etag"))),
        error: [...refusals.one, ...options.unread]
      }).annotateMerge(
        OpenApi.annotations({
          summary: `Get a note on ${record}`,
          description:
            "Archived notes, and those that a later revision replaced, are found here too. With `If-None-Match`, 304 while the note is unchanged."
        })
      ),
      HttpApiEndpoint.patch("revise", `${options.path}/notes/:noteId`, {
        params: noteParams,
        headers: revisionHeaders,
        payload: NoteRevision,
        success: orDryRunReport(HttpApiSchema.WithHeaders(HttpApiSchema.NoContent, revisedHeaders(options.example))),
        error: [
          InvalidRequest,
          ...refusals.one,
          ...refusals.body,
          ...refusals.conditional,
          PreconditionRequired,
          NoteMoveRefused,
          ...options.unwritten
        ]
      }).annotateMerge(
        OpenApi.annotations({
          summary: `Archive, unarchive or supersede a note on ${record}`,
          description:
            "`archive` hides the note from the timeline, `unarchive` shows it again; where there is nothing to do, the answer is 204 with the same ETag. `supersede` puts a new revision in its place, at the time and in the name of the one who revises it: `Location` is where it is, members that are left out are as before, and the note itself stays as history. Archived and superseded are two marks: only an active note is superseded; a superseded one can be archived, but not unarchived. Not repeatable by `Idempotency-Key`: `If-Match` sees to it that nothing is done twice."
        })
      )
    )
    .middleware(Authorization)
    .annotateEndpoints(Needs, "broker")
    .annotateMerge(
      OpenApi.annotations({
        title: options.title,
        description: "What people wrote down, as rows of the timeline. All operations need the `broker` capability."
      })
    )
}

const contactExample = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on contacts. */
export const contactNotes = notesOf({
  group: "contactNotes",
  path: "/api/v1/network/contacts/:id",
  params: { id: idOf("contact", contactExample) },
  title: "Notes on contacts",
  name: "contact",
  example: `/api/v1/network/contacts/${contactExample}`,
  effect: "The contact keeps its ETag.",
  unread: [mergedRedirect(`/api/v1/network/contacts/${contactExample}/notes/${exampleId}`)],
  unwritten: [Merged]
})

const companyExample = "company_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on companies. */
export const companyNotes = notesOf({
  group: "companyNotes",
  path: "/api/v1/network/companies/:id",
  params: { id: idOf("company", companyExample) },
  title: "Notes on companies",
  name: "company",
  example: `/api/v1/network/companies/${companyExample}`,
  effect: "The company keeps its ETag.",
  unread: [mergedRedirect(`/api/v1/network/companies/${companyExample}/notes/${exampleId}`)],
  unwritten: [Merged]
})

const projectExample = "project_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on projects. */
export const projectNotes = notesOf({
  group: "projectNotes",
  path: "/api/v1/projects/:id",
  params: { id: idOf("project", projectExample) },
  title: "Notes on projects",
  name: "project",
  example: `/api/v1/projects/${projectExample}`,
  effect: "The project keeps its ETag.",
  unread: [],
  unwritten: []
})

const prospectExample = "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Notes on prospects. */
export const prospectNotes = notesOf({
  group: "prospectNotes",
  path: "/api/v1/projects/:projectId/prospects/:id",
  params: { projectId: idOf("project", projectExample), id: idOf("prospect", prospectExample) },
  title: "Notes on prospects",
  name: "prospect",
  example: `/api/v1/projects/${projectExample}/prospects/${prospectExample}`,
  effect:
    "The prospect's `noteCount` counts it, so that its ETag is another; the project keeps its own, and shows the note rolled up on its timeline.",
  unread: [],
  unwritten: [ProspectRemoved]
})
