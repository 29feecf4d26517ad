/** A client for the files of a new tenant, which has a contact and a company. */
import * as Tenant from "../../support/Tenant.ts"
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { File } from "../../../src/content/files/File.ts"
import { FilesRepo } from "../../../src/content/files/FilesRepo.ts"
import { FileStore } from "../../../src/platform/fileStore/FileStore.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { type RequestOptions, TestService } from "../../support/TestService.ts"

/** The multipart boundary of the forms in these tests. */
export const boundary = "----boundary7MA4YWxkTrZu0gW"

/** The `Content-Type` of these forms. */
export const formType = { "content-type": `multipart/form-data; boundary=${boundary}` }

const lineEnd = "\r\n"

/** One part of a form. */
export const part = (disposition: string, content: string | Uint8Array, headers = "Content-Type: text/plain") =>
  Buffer.concat([
    Buffer.from(
      [`--${boundary}`, `Content-Disposition: ${disposition}`, ...(headers === "" ? [] : [headers]), "", ""].join(
        lineEnd
      )
    ),
    Buffer.from(content as string),
    Buffer.from(lineEnd)
  ])

/** The part that carries a file. */
export const filePart = (content: string | Uint8Array, name = "terms.txt", headers?: string) =>
  part(`form-data; name="file"; filename="${name}"`, content, headers)

/** A form with these parts. */
export const formOf = (...parts: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([...parts, Buffer.from(`--${boundary}--${lineEnd}`)]))

/** The request that sends a form. */
export const sending = (form: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): RequestOptions => ({
  text: form,
  headers: { ...formType, ...headers }
})

/** Makes the client. */
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
    request: <Body = Record<string, unknown>>(method: string, to: string, ask: RequestOptions = {}) =>
      request<Body>(method, to, { token, ...ask }),
    upload,
    /** Uploads a file, which must succeed. */
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

/** The ids of all objects in the store. */
const storedIds = Effect.gen(function* () {
  const store = yield* FileStore
  const repo = yield* FilesRepo
  return yield* Stream.runCollect(store.list(yield* repo.namespace, new Date("9999-01-01")))
})

/** Runs `act`, and returns the ids of the objects that it left in the store. */
export const leftBy = Effect.fnUntraced(function* <A, E, R>(act: Effect.Effect<A, E, R>) {
  const before = new Set(yield* storedIds)
  const value = yield* act
  const left = (yield* storedIds).filter((id) => !before.has(id))
  return { value, left }
})
