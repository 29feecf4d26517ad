/** Sends requests over HTTP/1.1 as they are, without the corrections that `fetch` makes. */
import * as http from "node:http"
import { connect } from "node:net"
import { gunzipSync } from "node:zlib"
import type { RawCase } from "./rawCases.ts"

/** A request with its placeholders replaced. */
export interface Outgoing {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: Buffer
}

/** An answer with its whole body. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What came of a request: its answer, or that the connection ended or the time was over before it. */
export type Outcome = Answer | "cut" | "hang" | "unsendable"

const headersOf = (raw: ReadonlyArray<string>): Headers => {
  const headers = new Headers()
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "")
  return headers
}

/** The bytes of a body as they were before it was compressed. One that is broken throws. */
const decoded = (encoding: string | undefined, body: Buffer): Buffer =>
  encoding === "gzip" && body.length > 0 ? gunzipSync(body) : body

/** A client of one service. */
export const make = (baseUrl: string, deadline: number) => {
  const { host, hostname, port } = new URL(baseUrl)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

  const send = ({ body, headers, method, target }: Outgoing): Promise<Outcome> =>
    new Promise((resolve) => {
      const names = headers.map(([name]) => name)
      const own = [
        ...(names.includes("host") ? [] : ["host", host]),
        ...(body === undefined || names.includes("content-length") ? [] : ["content-length", String(body.length)])
      ]
      let timer: NodeJS.Timeout | undefined
      const end = (outcome: Outcome) => {
        clearTimeout(timer)
        resolve(outcome)
      }
      try {
        const request = http.request({
          agent,
          hostname,
          port,
          method,
          path: target,
          headers: [...own, ...headers.flat()],
          insecureHTTPParser: false
        })
        timer = setTimeout(() => {
          end("hang")
          request.destroy()
        }, deadline)
        request.on("error", () => end("cut"))
        request.on("response", (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("error", () => end("cut"))
          response.on("end", () => {
            try {
              const text = decoded(response.headers["content-encoding"], Buffer.concat(chunks)).toString("utf8")
              end({ status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders), text })
            } catch {
              end("cut")
            }
          })
        })
        request.end(body)
      } catch {
        end("unsendable")
      }
    })

  /** Sends the parts of a raw request, and reads answers until there are as many as expected, or the connection ends. */
  const sendRaw = (parts: ReadonlyArray<Buffer>, { ends, expected, pause }: RawCase) =>
    new Promise<{ readonly answers: ReadonlyArray<Answer>; readonly outcome: "closed" | "answered" | "hang" }>(
      (resolve) => {
        const socket = connect({ host: hostname, port: Number(port) })
        let received = Buffer.alloc(0)
        const finish = (outcome: "closed" | "answered" | "hang") => {
          clearTimeout(timer)
          socket.destroy()
          resolve({ answers: answersIn(received), outcome })
        }
        // Where the service may wait for more, it is not waited for.
        const timer = setTimeout(() => finish("hang"), expected === undefined ? 150 : deadline)
        socket.on("data", (chunk) => {
          received = Buffer.concat([received, chunk])
          if (expected !== undefined && answersIn(received).length >= expected) finish("answered")
        })
        socket.on("error", () => finish("closed"))
        socket.on("close", () => finish("closed"))
        const write = async () => {
          for (const part of parts) {
            if (socket.destroyed) return
            socket.write(part)
            if (pause > 0) await new Promise((done) => setTimeout(done, pause))
          }
          if (ends === "half" && !socket.destroyed) socket.end()
          if (ends === "reset" && !socket.destroyed) {
            socket.resetAndDestroy()
            finish("closed")
          }
        }
        socket.on("connect", () => void write())
      }
    )

  return { send, sendRaw, close: () => agent.destroy() }
}

/** The complete answers at the beginning of what a connection brought. */
export const answersIn = (received: Buffer): ReadonlyArray<Answer> => {
  const answers: Array<Answer> = []
  let text = received.toString("latin1")
  for (;;) {
    const [head, status, fields = ""] = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(text) ?? []
    if (head === undefined) return answers
    const headers = headersOf(
      fields.split("\r\n").flatMap((line) => (line === "" ? [] : line.split(/:\s*(.*)/s).slice(0, 2)))
    )
    const rest = text.slice(head.length)
    const body = bodyIn(rest, headers, Number(status))
    if (body === undefined) return answers
    if (Number(status) >= 200) {
      answers.push({ status: Number(status), headers, text: Buffer.from(body.text, "latin1").toString("utf8") })
    }
    text = rest.slice(body.length)
  }
}

const bodyIn = (text: string, headers: Headers, status: number) => {
  if (status < 200 || status === 204 || status === 304) return { text: "", length: 0 }
  if (headers.get("transfer-encoding") !== "chunked") {
    const length = Number(headers.get("content-length") ?? 0)
    return text.length < length ? undefined : { text: text.slice(0, length), length }
  }
  const chunks: Array<string> = []
  for (let at = 0; ;) {
    const [line, digits = ""] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20)) ?? []
    if (line === undefined) return undefined
    const size = Number.parseInt(digits, 16)
    if (text.length < at + line.length + size + 2) return undefined
    chunks.push(text.slice(at + line.length, at + line.length + size))
    at += line.length + size + 2
    if (size === 0) return { text: chunks.join(""), length: at }
  }
}
