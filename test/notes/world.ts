/** A tenant of a test's own with a record, and a client of the record's notes and timeline. */
import { Effect } from "effect"
import type { Actor } from "../../src/auth/CurrentActor.ts"
import type { Action, NoteAction } from "../../src/changes/Action.ts"
import type { Page } from "../../src/http/Page.ts"
import * as Id from "../../src/Id.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"

/** The kinds of records that have notes: where they are, and what one is made of. */
export const kinds = [
  { type: "contact", path: "/api/v1/network/contacts", record: { firstName: "Anna" } },
  { type: "company", path: "/api/v1/network/companies", record: { name: "Berg & Co" } }
] as const

/** The client. `of` is that of another record of the same tenant, `request` sends anything else. */
export const make = Effect.fn("notes/world.make")(function*(kind: (typeof kinds)[number]) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make()
  const { token } = tenant
  const of = Effect.fnUntraced(function*() {
    // Records of one name are no duplicates here.
    const record = yield* request<{ readonly id: string; readonly etag: string }>("POST", `${kind.path}?force=true`, {
      token,
      json: kind.record
    })
    const { id } = record.body
    const notes = `${kind.path}/${id}/notes`
    const add = (json: unknown, headers = {}, query = "") =>
      request<NoteAction>("POST", `${notes}${query}`, { token, json, headers })
    const revise = (noteId: string, json: unknown, headers = {}, query = "") =>
      request("PATCH", `${notes}/${noteId}${query}`, { token, json, headers })
    const get = (noteId: string, headers = {}) =>
      request<NoteAction>("GET", `${notes}/${noteId}`, { token, headers })
    return {
      id,
      notes,
      read: () => request<{ readonly etag: string }>("GET", `${kind.path}/${id}`, { token }),
      add,
      get,
      revise,
      /** A new note. */
      note: (message = "Called") => Effect.map(add({ message }), ({ body }) => body),
      /** Revises a note as it is now. */
      act: Effect.fnUntraced(function*(noteId: string, json: unknown) {
        const { etag } = (yield* get(noteId)).body
        return yield* revise(noteId, json, { "if-match": etag })
      }),
      actions: (query = "") => request<Page<Action>>("GET", `${kind.path}/${id}/actions${query}`, { token })
    }
  })
  return { ...tenant, ...(yield* of()), request, of }
})

/** A tenant's person as an actor. */
export const actorOf = (tenant: { readonly teamId: string; readonly userId: string }): Actor => ({
  userId: tenant.userId,
  teamId: tenant.teamId,
  clientId: null,
  role: "admin",
  membership: "active",
  broker: "active",
  investor: null,
  scopes: ["api:public"],
  origin: "api"
})

/** The UUID of a contact. */
export const uuidOf = (id: string) => Id.toUuid("contact", id) ?? ""

/** The id at the end of a `Location`. */
export const idAt = (location: string | null): string => location?.split("/").at(-1) ?? ""
