import * as LogFormat from "../../src/process/Logging.ts"
import { assert, describe, it } from "vitest"
import type { RequestLine } from "../../src/http/RequestTelemetry.ts"

const time = new Date(2026, 10, 21, 9, 5, 7, 42)

const line: RequestLine = {
  requestId: "req_1",
  traceId: undefined,
  method: "GET",
  route: "/contacts/:id",
  tool: undefined,
  path: "/contacts/a\u009b2Jb",
  status: 404,
  durationMs: 3.2,
  bytes: 120,
  caller: undefined,
  slow: false
}

const entry: LogFormat.Entry = {
  time,
  level: "Error",
  message: "It failed.",
  cause: "Error: no\n    at here",
  members: { requestId: "req_1", statement: "select 1" }
}

describe("Log lines for people", () => {
  it("are short for a request, and contain no control characters", () => {
    const { request } = LogFormat.readable({ colors: false })
    assert.strictEqual(request(line, time), "09:05:07.042 GET /contacts/a?2Jb 404 3.2 ms req_1")
    assert.strictEqual(request({ ...line, slow: true }, time), "09:05:07.042 SLOW GET /contacts/a?2Jb 404 3.2 ms req_1")
  })

  it("show the cause below the message", () => {
    assert.strictEqual(
      LogFormat.readable({ colors: false }).entry(entry),
      '09:05:07.042 ERROR It failed. requestId=req_1 statement="select 1"\n    Error: no\n        at here'
    )
  })

  it("have colors on request", () => {
    assert.include(LogFormat.readable({ colors: true }).request(line, time), "\u001b[33m404\u001b[39m")
  })
})

describe("Log lines for programs", () => {
  it("are flat JSON documents", () => {
    assert.deepStrictEqual(JSON.parse(LogFormat.json.entry(entry)), {
      timestamp: time.toISOString(),
      level: "ERROR",
      message: "It failed.",
      requestId: "req_1",
      statement: "select 1",
      cause: "Error: no\n    at here"
    })
    assert.notInclude(LogFormat.json.entry(entry), "\n")
    assert.deepInclude(JSON.parse(LogFormat.json.request({ ...line, slow: true }, time)), {
      level: "WARN",
      message: "GET /contacts/:id 404 was slow",
      status: 404,
      bytes: 120
    })
  })
})
