/** The REST handlers of notes. */
import { Effect, Layer } from "effect"
import * as Answer from "../http/Answer.ts"
import * as Door from "../http/Door.ts"
import { companyNotes, contactNotes } from "./api.ts"
import { Notes, type Revised } from "./Notes.ts"

/** Where a note's record is told, as the caller named it. */
const collection = (records: string, id: string) => `/api/v1/network/${records}/${id}/notes`

const revised = (notes: string, { etag, successorId }: Revised) => ({
  ...Answer.noContent,
  headers: { etag, ...(successorId === undefined ? {} : { location: `${notes}/${successorId}` }) }
})

const handlersOf = (type: "contact" | "company", records: string) =>
  Effect.map(Notes, (notes): Door.Handlers<typeof contactNotes> & Door.Handlers<typeof companyNotes> => ({
    create: (request) =>
      Effect.map(notes.create(type, request.params.id, request), (once) =>
        Answer.created(collection(records, request.params.id), once)),
    get: ({ params }) => Effect.map(notes.get(type, params.id, params.noteId), Answer.resource),
    revise: (request) =>
      Effect.map(notes.revise(type, request.params.id, request.params.noteId, request), (done) =>
        revised(collection(records, request.params.id), done))
  }))

/** Serves the notes on each kind of record. */
export const layer = Layer.mergeAll(
  Door.group(contactNotes, handlersOf("contact", "contacts")),
  Door.group(companyNotes, handlersOf("company", "companies"))
)
