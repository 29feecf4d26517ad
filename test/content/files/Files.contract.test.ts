import * as Client from "./client.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { Action } from "../../../src/core/mutation/Timeline.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import type { File } from "../../../src/content/files/File.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex")

layer(TestService.layer, { excludeTestServices: true })("Files", (it) => {
  describe("an upload", () => {
    it.effect("returns the stored file and its location", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const reply = yield* client.upload("Hello", "terms.txt")
        assert.strictEqual(reply.status, 201, reply.text)
        const { id, createdUtc, updatedUtc, ...members } = reply.body
        assert.match(id, /^file_[0-9a-z]{26}$/)
        assert.strictEqual(createdUtc, updatedUtc)
        assert.deepStrictEqual(members, {
          contactId: client.contact,
          companyId: null,
          propertyId: null,
          name: "terms.txt",
          contentType: "text/plain",
          size: 5,
          sha256: sha256("Hello"),
          etag: '"v1"',
          changeType: "created",
          changeOrigin: "api",
          deletedUtc: null
        })
        assert.strictEqual(reply.headers.get("location"), `/api/v1/files/${id}`)
        assert.strictEqual(reply.headers.get("etag"), '"v1"')
        const read = yield* client.request<File>("GET", `/api/v1/files/${id}`)
        assert.deepStrictEqual(read.body, reply.body)
        assert.strictEqual(read.headers.get("etag"), '"v1"')
        const unchanged = yield* client.request("GET", `/api/v1/files/${id}`, { headers: { "if-none-match": '"v1"' } })
        assert.strictEqual(unchanged.status, 304)
      })
    )

    it.effect("works on companies", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const form = Client.formOf(Client.filePart("x", "a.bin", ""))
        const { body, status, text } = yield* client.request<File>("POST", client.companyPath, Client.sending(form))
        assert.strictEqual(status, 201, text)
        assert.deepInclude(body, {
          contactId: null,
          companyId: client.company,
          contentType: "application/octet-stream"
        })
        assert.deepStrictEqual((yield* client.list("", client.companyPath)).body.data, [body])
        assert.deepStrictEqual((yield* client.list()).body.data, [])
      })
    )

    it.effect("accepts an empty file", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const file = yield* client.uploaded("")
        assert.deepInclude(file, { size: 0, sha256: sha256("") })
        const reply = yield* client.download(file.id)
        assert.deepStrictEqual([reply.status, reply.text, reply.headers.get("content-length")], [200, "", "0"])
        assert.strictEqual((yield* client.download(file.id, { range: "bytes=0-" })).status, 416)
      })
    )

    it.effect("accepts the forms that fetch builds", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const form = new FormData()
        form.append("file", new Blob(['{"a":1}'], { type: "application/json" }), 'Größe "5".json')
        const response = yield* Effect.promise(() =>
          fetch(`${client.baseUrl}${client.path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${client.token}` },
            body: form
          })
        )
        const file = (yield* Effect.promise(() => response.json())) as File
        assert.deepInclude(file, { name: 'Größe "5".json', contentType: "application/json", size: 7 })
        const reply = yield* client.download(file.id)
        assert.strictEqual(
          reply.headers.get("content-disposition"),
          "attachment; filename=\"Gr__e _5_.json\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%225%22.json"
        )
      })
    )

    it.effect("adds a row to the timeline, as a deletion does", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { id } = yield* client.uploaded("x", "plan.pdf")
        assert.strictEqual((yield* client.delete(id)).status, 204)
        const actions = yield* client.request<Page<Action>>("GET", `/api/v1/network/contacts/${client.contact}/actions`)
        assert.deepStrictEqual(
          actions.body.data.map(({ details, event }) => [event, "message" in details ? details.message : undefined]),
          [
            ["file.deleted", "plan.pdf"],
            ["file.uploaded", "plan.pdf"],
            ["contact.created", undefined]
          ]
        )
        const sql = yield* Database
        const events = yield* inTeam(client.teamId)(
          sql`select type from events where team_id = ${client.teamId} and type like 'file%' order by seq`
        )
        assert.deepStrictEqual(events, [{ type: "file.uploaded" }, { type: "file.deleted" }])
      })
    )

    const { boundary, filePart, formOf, sending } = Client

    it.effect("returns 403 without the capability and 404 without the record, before it reads the body", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const stranger = yield* Client.make()
        const lacking = yield* Client.make({ broker: "active" })
        const form = sending(formOf())
        assert.strictEqual((yield* stranger.request("POST", client.path, form)).status, 404)
        assert.strictEqual((yield* lacking.request("POST", client.path, { ...form, token: "x" })).status, 401)
        yield* client.request("DELETE", `/api/v1/network/contacts/${client.contact}`)
        assert.strictEqual((yield* client.request("POST", client.path, form)).status, 404)
        assert.strictEqual((yield* client.list()).status, 404)
      })
    )

    it.effect("reports all faults of the request at once", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const reply = yield* client.request(
          "POST",
          `${client.path}?nonsense=1`,
          sending(formOf(filePart("x", "..")), { "idempotency-key": "" })
        )
        assert.deepStrictEqual(faultsOf(reply), [
          "query /nonsense unknown_parameter",
          "header /Idempotency-Key malformed_key",
          "body /file blank"
        ])
      })
    )

    it.effect("runs once per idempotency key, whatever the boundary, and refuses another file under the same key", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const keyed = { "idempotency-key": "k1" }
        const first = yield* client.upload("Hello", "a.txt", keyed)
        const { left, value: again } = yield* Client.leftBy(
          client.request("POST", client.path, {
            text: Buffer.from(
              Buffer.from(formOf(filePart("Hello", "a.txt")))
                .toString()
                .replaceAll(boundary, "other")
            ),
            headers: { "content-type": "multipart/form-data; boundary=other", ...keyed }
          })
        )
        assert.deepStrictEqual([again.status, again.headers.get("idempotency-replayed"), left], [201, "true", []])
        assert.deepStrictEqual(again.body, { ...first.body })
        for (const [content, name] of [
          ["Hallo", "a.txt"],
          ["Hello", "b.txt"]
        ] as const) {
          const { left, value: other } = yield* Client.leftBy(client.upload(content, name, keyed))
          assert.deepStrictEqual(
            [other.status, other.body as object, left],
            [422, { ...other.body, code: "idempotency_key_reused" }, []]
          )
        }
        assert.lengthOf((yield* client.list()).body.data, 1)
        assert.strictEqual((yield* client.download(first.body.id)).text, "Hello")
      })
    )

    it.effect("stores nothing in a dry run", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { left, value: reply } = yield* Client.leftBy(client.upload("Hello", "a.txt", { prefer: "dry-run" }))
        assert.strictEqual(reply.status, 200, reply.text)
        const report = reply.body as unknown as {
          readonly wouldAnswer: number
          readonly result: File
          readonly affected: object
          readonly events: object
        }
        assert.deepInclude(report.result, { name: "a.txt", size: 5, sha256: sha256("Hello") })
        assert.deepInclude(report, {
          wouldAnswer: 201,
          events: [{ event: "file.uploaded", resource_id: report.result.id }],
          affected: [{ type: "file", id: report.result.id, change: "created" }]
        })
        assert.deepStrictEqual(left, [])
        assert.deepStrictEqual((yield* client.list()).body.data, [])
      })
    )
  })

  describe("a download", () => {
    const text = "0123456789"

    it.effect("is an attachment with nosniff", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { id } = yield* client.uploaded(text)
        for (const method of ["GET", "HEAD"]) {
          const { headers, status, text: sent } = yield* client.download(id, {}, method)
          assert.deepStrictEqual([status, sent], [200, method === "GET" ? text : ""])
          const expected = {
            "content-type": "text/plain",
            "content-length": "10",
            "content-disposition": "attachment; filename=\"terms.txt\"; filename*=UTF-8''terms.txt",
            "x-content-type-options": "nosniff",
            "content-security-policy": "sandbox",
            "accept-ranges": "bytes",
            etag: `"${sha256(text)}"`
          }
          for (const [name, value] of Object.entries(expected))
            assert.strictEqual(headers.get(name), value, `${method} ${name}`)
        }
      })
    )

    it.effect("returns the requested range", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { id } = yield* client.uploaded(text)
        const cases: ReadonlyArray<
          readonly [range: string, status: number, text: string, contentRange: string | null]
        > = [
          ["bytes=0-0", 206, "0", "bytes 0-0/10"],
          ["bytes=2-4", 206, "234", "bytes 2-4/10"],
          ["bytes=7-", 206, "789", "bytes 7-9/10"],
          ["bytes=7-99", 206, "789", "bytes 7-9/10"],
          ["bytes=-3", 206, "789", "bytes 7-9/10"],
          ["bytes=-99", 206, text, "bytes 0-9/10"],
          ["BYTES=0-1", 206, "01", "bytes 0-1/10"],
          ["bytes=4-2", 200, text, null],
          ["bytes=0-1,5-6", 200, text, null],
          ["lines=0-1", 200, text, null],
          ["bytes=", 200, text, null],
          ["bytes=10-", 416, "", "bytes */10"],
          ["bytes=-0", 416, "", "bytes */10"]
        ]
        for (const [range, status, expected, contentRange] of cases) {
          const reply = yield* client.download(id, { range })
          assert.deepStrictEqual([reply.status, reply.headers.get("content-range")], [status, contentRange], range)
          if (status === 416) assert.strictEqual(reply.body["code"], "range_not_satisfiable")
          else {
            assert.strictEqual(reply.text, expected, range)
            assert.strictEqual(reply.headers.get("content-length"), String(expected.length), range)
          }
        }
        const head = yield* client.download(id, { range: "bytes=0-0" }, "HEAD")
        assert.deepStrictEqual([head.status, head.headers.get("content-length")], [200, "10"])
      })
    )

    it.effect("returns everything for another If-Range, and 304 for a matching If-None-Match", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { id, sha256: hash } = yield* client.uploaded(text)
        const tag = `"${hash}"`
        const statusOf = (headers: Record<string, string>) =>
          Effect.map(client.download(id, headers), ({ status }) => status)
        const range = "bytes=0-0"
        assert.strictEqual(yield* statusOf({ range, "if-range": tag }), 206)
        assert.strictEqual(yield* statusOf({ range, "if-range": '"other"' }), 200)
        assert.strictEqual(yield* statusOf({ range, "if-range": `W/${tag}` }), 200)
        assert.strictEqual(yield* statusOf({ range, "if-range": "Sat, 21 Nov 2026 09:30:00 GMT" }), 200)
        assert.strictEqual(yield* statusOf({ range, "if-none-match": tag }), 304)
        assert.strictEqual(yield* statusOf({ "if-none-match": `W/${tag}, "x"` }), 304)
        assert.strictEqual(yield* statusOf({ "if-none-match": '"v1"' }), 200)
      })
    )

    it.effect("returns 404 to other teams, and accepts no query parameters", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const stranger = yield* Client.make()
        const { id } = yield* client.uploaded(text)
        for (const path of [`/api/v1/files/${id}`, `/api/v1/files/${id}/content`]) {
          assert.strictEqual((yield* stranger.request("GET", path)).status, 404)
          assert.strictEqual((yield* client.request("GET", `${path}?download=1`)).status, 400)
          assert.strictEqual((yield* client.request("GET", path.replace(id, client.contact))).status, 404)
        }
        assert.strictEqual((yield* stranger.delete(id)).status, 404)
      })
    )
  })

  describe("a list", () => {
    it.effect("pages in the order of upload", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const files: Array<File> = []
        for (const name of ["a", "b", "c"]) files.push(yield* client.uploaded(name, name))
        const first = yield* client.list("?page_size=2")
        assert.deepStrictEqual(first.body.data, files.slice(0, 2))
        const next =
          /^<(.*)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1]?.slice(client.baseUrl.length) ?? ""
        const second = yield* client.list("", next)
        assert.deepStrictEqual([second.body.data, second.body.page.hasMore], [files.slice(2), false])
        const cursor = `?cursor=${first.body.page.nextCursor}`
        assert.strictEqual(
          (yield* client.list(cursor, client.companyPath)).body["code" as "page"],
          "invalid_cursor" as never
        )
      })
    )
  })

  describe("a deletion", () => {
    it.effect("is permanent, and checks If-Match", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { id } = yield* client.uploaded("x")
        assert.strictEqual((yield* client.delete(id, { "if-match": '"v2"' })).status, 412)
        const rehearsed = yield* client.delete(id, { prefer: "dry-run" })
        assert.deepInclude(rehearsed.body, { wouldAnswer: 204, affected: [{ type: "file", id, change: "deleted" }] })
        assert.strictEqual((yield* client.download(id)).text, "x")
        assert.strictEqual((yield* client.delete(id, { "if-match": '"v1"' })).status, 204)
        assert.strictEqual((yield* client.delete(id)).status, 404)
        assert.strictEqual((yield* client.download(id)).status, 404)
        assert.strictEqual((yield* client.request("GET", `/api/v1/files/${id}`)).status, 404)
      })
    )
  })
})
