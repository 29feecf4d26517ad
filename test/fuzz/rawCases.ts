/** Arbitrary bytes on a connection: requests that are cut, doubled, malformed or slow. */
import fc from "fast-check"
import type { CallerName } from "./cases.ts"

/** Bytes on one connection, with the placeholders `{token}`, `{host}` and `{now}`. */
export interface RawCase {
  readonly caller: CallerName
  readonly text: string
  /** Where the bytes are cut into parts, and the milliseconds after each. */
  readonly cuts: ReadonlyArray<number>
  readonly pause: number
  /** What follows the bytes: nothing, the end of this side, or the end of both. */
  readonly ends: "open" | "half" | "reset"
  /** How many answers there must be; without it, those that come are looked at. */
  readonly expected?: number
}

const head = (line: string, ...headers: ReadonlyArray<string>) =>
  [line, "Host: {host}", "Authorization: Bearer {token}", ...headers, "", ""].join("\r\n")

const contact = '{"firstName":"Ä","tags":["raw"]}'

const length = Buffer.byteLength(contact)

const body = Buffer.from(contact).toString("latin1")

const json = "Content-Type: application/json"

const create = "POST /api/v1/network/contacts?force=true HTTP/1.1"

/** Complete, valid requests. */
const valid: ReadonlyArray<string> = [
  head("GET /api/v1/network/contacts?page_size=2 HTTP/1.1"),
  head("GET /healthz HTTP/1.1"),
  head(create, json, `Content-Length: ${length}`) + body,
  head(create, json, "Transfer-Encoding: chunked") +
    `5\r\n${body.slice(0, 5)}\r\n${(length - 5).toString(16)};x=y\r\n${body.slice(5)}\r\n0\r\n\r\n`,
  head("GET /nothing HTTP/1.1"),
  head("POST /api/v1/network/contacts:search HTTP/1.1", json, "Content-Length: 2") + "{}"
]

/** What is no valid request, or not all of one. */
const broken: ReadonlyArray<string> = [
  head(create, json, "Content-Length: 1000") + body,
  head(create, json, `Content-Length: ${length}`, `Content-Length: ${length + 1}`) + body,
  head(create, json, `Content-Length: ${length}`, "Transfer-Encoding: chunked") + `0\r\n\r\n`,
  head(create, json, "Content-Length: -1") + body,
  head(create, json, "Content-Length: 9999999999999999999999"),
  head(create, json, "Content-Length: 99999999"),
  head(create, json, "Transfer-Encoding: gzip, chunked") + `0\r\n\r\n`,
  head(create, json, "Transfer-Encoding: identity") + body,
  head(create, json, "Transfer-Encoding: chunked") + "zz\r\n",
  head(create, json, "Transfer-Encoding: chunked") + "ffffffffffffffffff\r\n",
  head(create, json, "Transfer-Encoding: chunked") + `5\r\n${body.slice(0, 5)}`,
  head(create, json, "Transfer-Encoding: chunked") + `5\r\n${body}\r\n0\r\n\r\n`,
  head(create, json, "Transfer-Encoding: chunked") + `0\r\nX: ${"y".repeat(20_000)}\r\n\r\n`,
  head(create, json, "Expect: 100-continue", `Content-Length: ${length}`),
  "GET /api/v1/auth/me HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n",
  "GET /api/v1/auth/me HTTP/1.1\r\nHost: {host}\r\nHost: other\r\nAuthorization: Bearer {token}\r\n\r\n",
  "GET /api/v1/auth/me HTTP/1.1\r\nHost: a b\r\nAuthorization: Bearer {token}\r\n\r\n",
  "GET /api/v1/auth/me HTTP/1.0\r\n\r\n",
  "GET /api/v1/auth/me HTTP/0.9\r\n\r\n",
  "GET /api/v1/auth/me HTTP/2.0\r\nHost: {host}\r\n\r\n",
  "GET /api/v1/auth/me\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n",
  "GET http://[::1/ HTTP/1.1\r\nHost: {host}\r\n\r\n",
  "GET /a b HTTP/1.1\r\nHost: {host}\r\n\r\n",
  "GET /\x00 HTTP/1.1\r\nHost: {host}\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: {host}\r\nX : y\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: {host}\r\n folded: y\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\x00b\r\n\r\n",
  "GET / HTTP/1.1\nHost: {host}\n\n",
  `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: {host}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: {host}\r\n${"X: y\r\n".repeat(4_000)}\r\n`,
  "G",
  "",
  "\r\n\r\n\r\n",
  "\x00\xff".repeat(500)
]

const garbage = ["\x00", "GARBAGE\r\n\r\n", "0\r\n\r\n", "GET", "\r\n", "{}", "\xff".repeat(100)]

/** Where a text is cut, and how long the pauses are. */
const cut: fc.Arbitrary<Pick<RawCase, "cuts" | "pause">> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ cuts: [], pause: 0 }) },
  {
    weight: 3,
    arbitrary: fc.record({ cuts: fc.array(fc.nat(600), { maxLength: 4 }), pause: fc.constantFrom(0, 1, 5) })
  },
  { weight: 1, arbitrary: fc.constant({ cuts: Array.from({ length: 100 }, (_, index) => index + 1), pause: 1 }) }
)

const caller = fc.constantFrom<CallerName>("owner", "owner", "client", "forger")

const split = (text: string, ends: RawCase["ends"], expected?: number): fc.Arbitrary<RawCase> =>
  fc.tuple(cut, caller).map(([{ cuts, pause }, caller]) => ({
    caller,
    text,
    cuts,
    pause,
    ends,
    ...(expected === undefined ? {} : { expected })
  }))

/** Arbitrary bytes. */
export const raw: fc.Arbitrary<RawCase> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...valid).chain((text) => split(text, "open", 1)) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...valid), { minLength: 2, maxLength: 5 })
      .chain((texts) => split(texts.join(""), "open", texts.length))
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...valid), fc.constantFrom(...garbage))
      .chain(([text, after]) => split(`${text}${after}`, "open"))
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...broken), fc.constantFrom<RawCase["ends"]>("open", "half", "reset"))
      .chain(([text, ends]) => split(text, ends))
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...valid), fc.nat(99), fc.constantFrom<RawCase["ends"]>("half", "reset"))
      .chain(([text, part, ends]) => split(text.slice(0, Math.floor((text.length * part) / 100)), ends))
  }
)
