/** The REST contract of notes: the same operations below each kind of record. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../auth/Authorization.ts"
import { NoteAction } from "../changes/Action.ts"
import { jsonBody, Needs, refusals, requestHeaders, responseHeaders } from "../http/Contract.ts"
import { InvalidRequest, Merged, PreconditionRequired } from "../http/Problem.ts"
import { NoteCreate, NoteMoveRefused, NoteRevision } from "./Note.ts"

const revisionHeaders = Schema.Struct({
  "if-match": Schema.String.annotate({
    description:
      "The note's ETag, as its row or its GET had it. Required: missing or blank is 428, stale 412. `*` is any state.",
    examples: ["\"v1\""]
  }),
  ...requestHeaders("prefer").fields
})

const exampleId = "act_01kb3n7x2ferwt5z8q4j6m9d0c"

const revisedHeaders = (record: string) => ({
  etag: Schema.String.annotate({
    description: "The note's ETag now; after `supersede`, that of its new revision.",
    examples: ["\"v2\""]
  }),
  location: Schema.optionalKey(Schema.String.annotate({
    description: "After `supersede`: the path of the new revision.",
    examples: [`${record}/notes/${exampleId}`]
  }))
})

/** The operations on the notes of the records at `path`. */
const notesOf = <const Group extends string, const Path extends `/${string}`>(options: {
  readonly group: Group
  readonly path: Path
  readonly title: string
  /** What a record is called, and the id of one. */
  readonly name: string
  readonly example: string
}) => {
  const record = `a ${options.name}`
  const params = {
    id: Schema.String.annotate({ description: `The ${options.name}'s id.`, examples: [options.example] })
  }
  const noteParams = {
    ...params,
    noteId: Schema.String.annotate({
      description: "The note's id: that of its row in the timeline.",
      examples: [exampleId]
    })
  }
  return HttpApiGroup.make(options.group).add(
    HttpApiEndpoint.post("create", `${options.path}/:id/notes`, {
      params,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: jsonBody(NoteCreate),
      success: NoteAction.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed")),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable, Merged]
    }).annotateMerge(OpenApi.annotations({
      summary: `Add a note to ${record}`,
      description:
        `The note is a row of the ${options.name}'s timeline. It is no event: webhooks are not told of it, and the ${options.name} keeps its ETag.`
    })),
    HttpApiEndpoint.get("get", `${options.path}/:id/notes/:noteId`, {
      params: noteParams,
      headers: requestHeaders("if-none-match"),
      success: NoteAction.pipe(responseHeaders("etag")),
      error: [...refusals.one, Merged]
    }).annotateMerge(OpenApi.annotations({
      summary: `Get a note on ${record}`,
      description:
        "Archived notes, and those that a later revision replaced, are found here too. With `If-None-Match`, 304 while the note is unchanged."
    })),
    HttpApiEndpoint.patch("revise", `${options.path}/:id/notes/:noteId`, {
      params: noteParams,
      headers: revisionHeaders,
      payload: jsonBody(NoteRevision),
      success: HttpApiSchema.WithHeaders(HttpApiSchema.NoContent, revisedHeaders(`${options.path}/${options.example}`)),
      error: [
        InvalidRequest,
        ...refusals.one,
        ...refusals.body,
        ...refusals.conditional,
        PreconditionRequired,
        NoteMoveRefused,
        Merged
      ]
    }).annotateMerge(OpenApi.annotations({
      summary: `Archive, unarchive or supersede a note on ${record}`,
      description:
        "`archive` hides the note from the timeline, `unarchive` shows it again; where there is nothing to do, the answer is 204 with the same ETag. `supersede` puts a new revision in its place, at the time and in the name of the one who revises it: `Location` is where it is, members that are left out are as before, and the note itself stays as history. Archived and superseded are two marks: only an active note is superseded; a superseded one can be archived, but not unarchived. Not repeatable by `Idempotency-Key`: `If-Match` sees to it that nothing is done twice."
    }))
  ).middleware(Authorization).annotateEndpoints(Needs, "broker").annotateMerge(OpenApi.annotations({
    title: options.title,
    description: "What people wrote down, as rows of the timeline. All operations need the `broker` capability."
  }))
}

/** Notes on contacts. */
export const contactNotes = notesOf({
  group: "contactNotes",
  path: "/api/v1/network/contacts",
  title: "Notes on contacts",
  name: "contact",
  example: "contact_01kb3n7x2ferwt5z8q4j6m9d0c"
})

/** Notes on companies. */
export const companyNotes = notesOf({
  group: "companyNotes",
  path: "/api/v1/network/companies",
  title: "Notes on companies",
  name: "company",
  example: "company_01kb3n7x2ferwt5z8q4j6m9d0c"
})
