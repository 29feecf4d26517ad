import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import * as Client from "./client.ts"

layer(TestService.layer, { excludeTestServices: true })("An upload", (it) => {
  const { boundary, filePart, formOf, part, sending } = Client
  const refusals: ReadonlyArray<
    readonly [what: string, ask: ReturnType<typeof sending>, status: number, fault: string]
  > = [
    ["no form", { json: {} }, 415, "unsupported_media_type"],
    ["an encoded form", sending(formOf(filePart("x")), { "content-encoding": "gzip" }), 415, "unsupported_media_type"],
    [
      "no boundary",
      sending(formOf(filePart("x")), { "content-type": "multipart/form-data" }),
      400,
      "malformed_multipart"
    ],
    [
      "another boundary",
      sending(formOf(filePart("x")), { "content-type": "multipart/form-data; boundary=other" }),
      400,
      "malformed_multipart"
    ],
    ["no end", sending(new Uint8Array(filePart("x"))), 400, "malformed_multipart"],
    [
      "half a header",
      sending(new Uint8Array(Buffer.from(`--${boundary}\r\nContent-Dispo`))),
      400,
      "malformed_multipart"
    ],
    ["a part without a name", sending(formOf(part("form-data", "x"))), 400, "malformed_multipart"],
    [
      "a header that is none",
      sending(formOf(part('form-data; name="file"; filename="a"', "x", "Bad Header: x"))),
      400,
      "malformed_multipart"
    ],
    ["nothing", sending(new Uint8Array()), 400, "malformed_multipart"],
    ["an empty form", sending(formOf()), 400, "body /file required"],
    [
      "another field",
      sending(formOf(part('form-data; name="fiel"; filename="a"', "x"))),
      400,
      "body /fiel unknown_member"
    ],
    [
      "another field, too",
      sending(formOf(filePart("x"), part('form-data; name="note"', "y"))),
      400,
      "body /note unknown_member"
    ],
    ["two files", sending(formOf(filePart("x"), filePart("y"))), 400, "body /file repeated"],
    ["text in the field", sending(formOf(part('form-data; name="file"', "x", ""))), 400, "body /file not_a_file"],
    [
      "an encoded part",
      sending(formOf(filePart("eA==", "a", "Content-Transfer-Encoding: base64"))),
      400,
      "body /file unsupported_encoding"
    ],
    ["a blank name", sending(formOf(filePart("x", " "))), 400, "body /file blank"],
    [
      "a line end in the name",
      sending(formOf(filePart("x", "a%0D%0ASet-Cookie: b"))),
      400,
      "body /file invalid_characters"
    ],
    [
      "a bad key",
      sending(formOf(filePart("x")), { "idempotency-key": "" }),
      400,
      "header /Idempotency-Key malformed_key"
    ]
  ]
  for (const [what, ask, status, fault] of refusals) {
    it.effect(`with ${what} is refused with ${status} ${fault}, and leaves nothing`, () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { left, value: reply } = yield* Client.leftBy(client.request("POST", client.path, ask))
        assert.strictEqual(reply.status, status, reply.text)
        assert.include([reply.body["code"], ...faultsOf(reply)], fault, reply.text)
        assert.deepStrictEqual(left, [])
        assert.deepStrictEqual((yield* client.list()).body.data, [])
      })
    )
  }
})
