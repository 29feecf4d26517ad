/** A client for the notes and the timeline of a record, in a new tenant. */
import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { Effect } from "effect"
import type { Action, NoteAction } from "../../../src/core/mutation/Timeline.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { TestService } from "../../support/TestService.ts"

/** The records of the network, with their paths and the body of a create. */
export const kinds = [
  { type: "contact", path: "/api/v1/network/contacts", record: { firstName: "Anna" } },
  { type: "company", path: "/api/v1/network/companies", record: { name: "Berg & Co" } }
] as const

/** Projects and prospects. A prospect gets its own project and contact. */
export const project = { type: "project", path: "/api/v1/projects", record: { name: "Via Roma" } } as const
export const prospect = { type: "prospect" } as const

type Kind = (typeof kinds)[number] | typeof project | typeof prospect

/** The members of a record that a note may change; `noteCount` is of prospects. */
interface Versioned {
  readonly etag: string
  readonly updatedUtc: string
  readonly noteCount?: number
}

type Ask = TestService["Service"]["request"]

/** Creates a record. */
const recordOf = Effect.fnUntraced(function* (kind: Kind, request: Ask, token: string) {
  const post = Effect.fnUntraced(function* (path: string, json: object, query = "") {
    const { id } = (yield* request<{ readonly id: string }>("POST", `${path}${query}`, { token, json })).body
    return { id, at: `${path}/${id}` }
  })
  if (kind.type === "project") return { ...(yield* post(kind.path, kind.record)), contact: "", within: "" }
  if (kind.type !== "prospect")
    return { ...(yield* post(kind.path, kind.record, "?force=true")), contact: "", within: "" }
  const contact = yield* post(kinds[0].path, kinds[0].record, "?force=true")
  const { at: within } = yield* post(project.path, project.record)
  return { ...(yield* post(`${within}/prospects`, { contactId: contact.id })), contact: contact.at, within }
})

/** Makes the client. `of` makes one for another record of the same tenant. */
export const make = Effect.fn("notes/fixture.make")(function* (kind: Kind) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make()
  const { token } = tenant
  const of = Effect.fnUntraced(function* () {
    const { at, contact, id, within } = yield* recordOf(kind, request, token)
    const notes = `${at}/notes`
    const add = (json: unknown, headers = {}, query = "") =>
      request<NoteAction>("POST", `${notes}${query}`, { token, json, headers })
    const revise = (noteId: string, json: unknown, headers = {}, query = "") =>
      request("PATCH", `${notes}/${noteId}${query}`, { token, json, headers })
    const get = (noteId: string, headers = {}) => request<NoteAction>("GET", `${notes}/${noteId}`, { token, headers })
    return {
      id,
      /** Paths: of the record, and of a prospect's contact (`contact`) and project (`within`). */
      at,
      contact,
      within,
      notes,
      read: () => request<Versioned>("GET", at, { token }),
      add,
      get,
      revise,
      /** Adds a note. */
      note: (message = "Called") => Effect.map(add({ message }), ({ body }) => body),
      /** Revises a note with its current ETag. */
      act: Effect.fnUntraced(function* (noteId: string, json: unknown) {
        const { etag } = (yield* get(noteId)).body
        return yield* revise(noteId, json, { "if-match": etag })
      }),
      list: (query = "") => request<Page<NoteAction>>("GET", `${notes}${query}`, { token }),
      actions: (query = "") => request<Page<Action>>("GET", `${at}/actions${query}`, { token })
    }
  })
  return { ...tenant, ...(yield* of()), request, of }
})

/** The UUID of a contact. */
export const uuidOf = (id: string) => Id.toUuid("contact", id) ?? ""

/** The id at the end of a `Location`. */
export const idAt = (location: string | null): string => location?.split("/").at(-1) ?? ""
