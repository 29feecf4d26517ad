/** A tenant of a test's own with a contact, and a client of its files. */
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { File } from "../../src/files/File.ts"
import { FilesRepo } from "../../src/files/FilesRepo.ts"
import { FileStore } from "../../src/files/store/FileStore.ts"
import type { Page } from "../../src/usecase/Page.ts"
import * as Tenant from "../support/Tenant.ts"
import { type Ask, TestService } from "../support/TestService.ts"

/** The boundary of the forms of these tests. */
export const boundary = "----boundary7MA4YWxkTrZu0gW"

/** The type of these forms. */
export const formType = { "content-type": `multipart/form-data; boundary=${boundary}` }

const ends = "\r\n"

/** One part of a form. */
export const part = (disposition: string, content: string | Uint8Array, headers = "Content-Type: text/plain") =>
  Buffer.concat([
    Buffer.from(
      [`--${boundary}`, `Content-Disposition: ${disposition}`, ...(headers === "" ? [] : [headers]), "", ""].join(ends)
    ),
    Buffer.from(content as string),
    Buffer.from(ends)
  ])

/** The part of a file. */
export const filePart = (content: string | Uint8Array, name = "terms.txt", headers?: string) =>
  part(`form-data; name="file"; filename="${name}"`, content, headers)

/** A form of these parts. */
export const formOf = (...parts: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([...parts, Buffer.from(`--${boundary}--${ends}`)]))

/** The request that a form makes. */
export const sending = (form: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Ask => ({
  text: form,
  headers: { ...formType, ...headers }
})

/** The client. */
export const make = Effect.fn("FilesClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const { baseUrl, request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  const { token } = tenant
  const add = (path: string, json: unknown) =>
    Effect.map(request<{ readonly id: string }>("POST", path, { token, json }), ({ body, status, text }) => {
      assert.strictEqual(status, 201, text)
      return body.id
    })
  const contact = yield* add("/api/v1/network/contacts", { firstName: "Anna" })
  const company = yield* add("/api/v1/network/companies", { name: "Berg AB" })
  const path = `/api/v1/network/contacts/${contact}/files`
  const upload = (content: string | Uint8Array, name?: string, headers: Record<string, string> = {}) =>
    request<File>("POST", path, { token, ...sending(formOf(filePart(content, name)), headers) })
  return {
    ...tenant,
    baseUrl,
    contact,
    company,
    path,
    companyPath: `/api/v1/network/companies/${company}/files`,
    add,
    request: <Body = Record<string, unknown>>(method: string, to: string, ask: Ask = {}) =>
      request<Body>(method, to, { token, ...ask }),
    upload,
    /** A file that is there. */
    uploaded: (content: string | Uint8Array, name?: string) =>
      Effect.map(upload(content, name), ({ body, status, text }) => {
        assert.strictEqual(status, 201, text)
        return body
      }),
    list: (query = "", to = path) => request<Page<File>>("GET", `${to}${query}`, { token }),
    download: (id: string, headers: Record<string, string> = {}, method = "GET") =>
      request(method, `/api/v1/files/${id}/content`, { token, headers }),
    delete: (id: string, headers: Record<string, string> = {}) =>
      request("DELETE", `/api/v1/files/${id}`, { token, headers })
  }
})

/** The keys of everything that is in the store. */
const stored = Effect.gen(function* () {
  const store = yield* FileStore
  const repo = yield* FilesRepo
  return yield* Stream.runCollect(store.list(yield* repo.space, new Date("9999-01-01")))
})

/** The contents of the store that `act` left there. */
export const leftBy = Effect.fnUntraced(function* <A, E, R>(act: Effect.Effect<A, E, R>) {
  const before = new Set(yield* stored)
  const value = yield* act
  const left = (yield* stored).filter((key) => !before.has(key))
  return { value, left }
})
