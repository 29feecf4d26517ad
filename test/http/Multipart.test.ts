import fc from "fast-check"
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { describe } from "vitest"
import { uploadedFile } from "../../src/http/Body.ts"

const boundary = "b0undary"

/** A request whose body arrives in these pieces. */
const requestOf = (pieces: ReadonlyArray<Uint8Array>) =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
      body: ReadableStream.from(pieces),
      duplex: "half"
    } as RequestInit)
  )

const cut = (bytes: Buffer, sizes: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const pieces: Array<Buffer> = []
  let from = 0
  for (let n = 0; from < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    pieces.push(bytes.subarray(from, from + size))
    from += size
  }
  return pieces
}

const form = (content: Buffer, disposition = 'form-data; name="file"; filename="a.txt"', type = "text/plain") =>
  Buffer.concat([
    Buffer.from(`preamble\r\n--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`),
    content,
    Buffer.from(`\r\n--${boundary}--\r\nepilogue`)
  ])

const read = (pieces: ReadonlyArray<Uint8Array>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const upload = yield* uploadedFile(requestOf(pieces))
      return { ...upload, content: Buffer.concat(yield* Stream.runCollect(upload.content)) }
    })
  )

const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some)),
      fc
        .constantFrom("\r\n", "\r", "--", `\r\n--${boundary.slice(0, 4)}`, `--${boundary}`, `\r\n-${boundary}`)
        .map((text) => Buffer.from(text))
    )
  )
  .map((parts) => Buffer.concat(parts))
  .filter((content) => !`\r\n${content.toString("latin1")}`.includes(`\r\n--${boundary}`))

const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })

describe("The file of a form", () => {
  it("arrives unchanged, however the body is split", () =>
    fc.assert(
      fc.asyncProperty(bytes, sizes, async (content, cuts) => {
        const found = await Effect.runPromise(read(cut(form(content), cuts)))
        assert.isTrue(content.equals(found.content))
        assert.deepInclude(found, { filename: "a.txt", contentType: "text/plain" })
      }),
      { numRuns: 60 }
    ))

  it("is rejected when the body ends early, at any position", () =>
    fc.assert(
      fc.asyncProperty(bytes, sizes, fc.double({ min: 0, max: 0.999, noNaN: true }), async (content, cuts, share) => {
        const body = form(content)
        const whole = body.length - "--\r\nepilogue".length
        const error = await Effect.runPromise(Effect.flip(read(cut(body.subarray(0, Math.floor(whole * share)), cuts))))
        assert.strictEqual(error._tag, "MalformedMultipart")
      }),
      { numRuns: 60 }
    ))

  const named = (disposition: string) => form(Buffer.from("x"), `form-data; name="file"; ${disposition}`)

  for (const [disposition, filename] of [
    ['filename="a%22b%0D%0Ac"', 'a"b\r\nc'],
    ['filename="a\\"b\\c"', 'a"b\\c'],
    ["filename=plain.txt", "plain.txt"],
    ["filename=\"x\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%2522.pdf", "Größe %22.pdf"],
    ['filename="Größe 100%.pdf"', "Größe 100%.pdf"],
    ['filename=""', ""]
  ] as const) {
    it.effect(`is called ${JSON.stringify(filename)} when the part says ${disposition}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* read([named(disposition)])).filename, filename)
      })
    )
  }

  for (const [sent, contentType] of [
    ["text/csv; charset=iso-8859-1", "text/csv; charset=iso-8859-1"],
    ["application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"],
    ['text/plain; a="b c"', 'text/plain; a="b c"'],
    ["text", "application/octet-stream"],
    ["text/plain; charset=ü", "application/octet-stream"],
    [`text/${"x".repeat(300)}`, "application/octet-stream"],
    ["", "application/octet-stream"]
  ] as const) {
    it.effect(`has the type ${contentType} when the part says "${sent.slice(0, 40)}"`, () =>
      Effect.gen(function* () {
        const body = form(Buffer.from("x"), undefined, sent)
        assert.strictEqual((yield* read([body])).contentType, contentType)
      })
    )
  }
})
