/** A tenant with a project, and a client of its prospects. */
import * as RecordsClient from "../../support/RecordsClient.ts"
import { Effect } from "effect"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { Prospect } from "../../../src/deals/prospects/Prospect.ts"
import type { Receipt } from "../../../src/core/records/Batch.ts"

/** The answer of a bulk classification. */
export interface Classified {
  readonly classified: ReadonlyArray<{
    readonly id: string
    readonly classification: string
    readonly noteId: string | null
  }>
  readonly failed: ReadonlyArray<{ readonly id: string; readonly code: string; readonly detail: string }>
}

/** A tenant with a project of its own, and its prospects. */
export const make = Effect.fn("prospects.fixture")(function* () {
  const tenant = yield* RecordsClient.make()
  const { request, token } = tenant
  const ask = <Body = Record<string, unknown>>(method: string, path: string, json?: unknown, headers = {}) =>
    request<Body>(method, path, { token, headers, ...(json === undefined ? {} : { json }) })
  const project = yield* ask<{ readonly id: string; readonly etag: string }>("POST", "/api/v1/projects", {
    name: "Quartier Süd"
  })
  const contact = (json: unknown = { firstName: "Maria", lastName: "Rossi" }) =>
    Effect.map(tenant.contacts.create(json), ({ body }) => body)
  const company = (json: unknown = { name: "Rossi Immobiliare" }) =>
    Effect.map(tenant.companies.create(json), ({ body }) => body)
  /** A client of the prospects of a project. */
  const prospectsOf = (projectId: string) => {
    const path = `/api/v1/projects/${projectId}/prospects`
    const of = (id: string, rest = "") => `${path}/${id}${rest}`
    return {
      path,
      list: (query = "", headers = {}) => ask<Page<Prospect>>("GET", `${path}${query}`, undefined, headers),
      add: (json: unknown, headers = {}) => ask<Prospect>("POST", path, json, headers),
      batch: (items: unknown, headers = {}) =>
        ask<{ readonly results: ReadonlyArray<Receipt<Prospect>> }>("POST", `${path}/batch`, { items }, headers),
      classify: (json: unknown, headers = {}) => ask<Classified>("POST", `${path}/classify`, json, headers),
      get: (id: string, headers = {}) => ask<Prospect>("GET", of(id), undefined, headers),
      patch: (id: string, json: unknown, headers = {}) => ask<Prospect>("PATCH", of(id), json, headers),
      delete: (id: string, headers = {}) => ask("DELETE", of(id), undefined, headers),
      removeFromList: (id: string) => ask("POST", of(id, "/remove")),
      restore: (id: string) => ask<Prospect>("POST", of(id, "/restore")),
      withdraw: (id: string, headers = {}) => ask("DELETE", of(id, "/stage-override"), undefined, headers),
      actions: (id: string, query = "") => ask<Page<RecordsClient.Row>>("GET", of(id, `/actions${query}`)),
      note: (id: string, json: unknown) => ask("POST", of(id, "/notes"), json),
      revise: (id: string, noteId: string, json: unknown, etag = "*") =>
        ask("PATCH", of(id, `/notes/${noteId}`), json, { "if-match": etag }),
      task: (id: string, json: unknown) => ask<{ readonly id: string }>("POST", of(id, "/tasks"), json),
      move: (id: string, taskId: string, move: "complete" | "cancel" | "reopen") =>
        ask("POST", of(id, `/tasks/${taskId}/${move}`))
    }
  }
  const projectId = project.body.id
  const prospects = prospectsOf(projectId)
  return {
    ...tenant,
    ask,
    projectId,
    prospectsOf,
    prospects,
    contact,
    company,
    /** A new contact on the project. */
    prospect: (json: object = {}) =>
      Effect.flatMap(contact(), ({ id }) => Effect.map(prospects.add({ contactId: id, ...json }), ({ body }) => body)),
    /** New contacts on the project, in as many batches as it takes. */
    several: Effect.fnUntraced(function* (count: number, json: (index: number) => object = () => ({})) {
      const ids: Array<string> = []
      for (let from = 0; from < count; from += 100) {
        const indexes = Array.from({ length: Math.min(100, count - from) }, (_, index) => from + index)
        const contacts = yield* tenant.contacts.upsert(indexes.map((index) => ({ lastName: `No ${index}` })))
        const added = yield* prospects.batch(
          contacts.body.results.map(({ id, index }) => ({ contactId: id, ...json(from + index) }))
        )
        ids.push(...added.body.results.flatMap(({ id }) => id ?? []))
      }
      return ids
    }),
    /** The payloads of the events that an effect causes. */
    eventsOf: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const before = (yield* tenant.events).length
        const reply = yield* effect
        return { reply, events: (yield* tenant.events).slice(before) }
      })
  }
})
