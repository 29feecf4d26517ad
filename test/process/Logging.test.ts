/** How a process formats its log lines, and writes them without ever blocking. */
import * as Logging from "../../src/process/Logging.ts"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
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
  audit: { clientId: null, teamId: null, tokenId: null, userId: null },
  slow: false
}

const entry: Logging.Entry = {
  time,
  level: "Error",
  message: "It failed.",
  cause: "Error: no\n    at here",
  members: { requestId: "req_1", statement: "select 1" }
}

describe("Log lines for people", () => {
  it("are short for a request, and contain no control characters", () => {
    const { request } = Logging.readable({ colors: false })
    assert.strictEqual(request(line, time), "09:05:07.042 GET /contacts/a?2Jb 404 3.2 ms req_1")
    assert.strictEqual(request({ ...line, slow: true }, time), "09:05:07.042 SLOW GET /contacts/a?2Jb 404 3.2 ms req_1")
  })

  it("show the cause below the message", () => {
    assert.strictEqual(
      Logging.readable({ colors: false }).entry(entry),
      '09:05:07.042 ERROR It failed. requestId=req_1 statement="select 1"\n    Error: no\n        at here'
    )
  })

  it("have colors on request", () => {
    assert.include(Logging.readable({ colors: true }).request(line, time), "\u001b[33m404\u001b[39m")
  })
})

describe("Log lines for programs", () => {
  it("are flat JSON documents", () => {
    assert.deepStrictEqual(JSON.parse(Logging.json.entry(entry)), {
      timestamp: time.toISOString(),
      level: "ERROR",
      message: "It failed.",
      requestId: "req_1",
      statement: "select 1",
      cause: "Error: no\n    at here"
    })
    assert.notInclude(Logging.json.entry(entry), "\n")
    assert.deepInclude(JSON.parse(Logging.json.request({ ...line, slow: true }, time)), {
      level: "WARN",
      message: "GET /contacts/:id 404 was slow",
      status: 404,
      bytes: 120
    })
  })
})

/** A reader that can be full or fail. `pieces` are the writes that it accepted. */
const reader = () => {
  const state = { pieces: new Array<string>(), room: Infinity, error: undefined as string | undefined, tries: 0 }
  const write = (bytes: Uint8Array): number => {
    state.tries++
    if (state.error !== undefined) throw Object.assign(new Error(state.error), { code: state.error })
    if (state.room === 0) throw Object.assign(new Error("full"), { code: "EAGAIN" })
    const taken = bytes.subarray(0, state.room)
    state.pieces.push(new TextDecoder().decode(taken))
    state.room -= taken.length
    return taken.length
  }
  return { state, sink: Logging.make(write, (lines) => `${lines} lost`) }
}

describe("The log sink", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("buffers lines, and writes them together in their order", () => {
    const { sink, state } = reader()
    sink.line("one", false)
    sink.line("two", false)
    assert.deepStrictEqual(state.pieces, [])
    vi.advanceTimersByTime(100)
    assert.deepStrictEqual(state.pieces, ["one\ntwo\n"])
    vi.advanceTimersByTime(1000)
    assert.strictEqual(state.tries, 1)
  })

  it("writes an urgent line immediately, after the buffered ones", () => {
    const { sink, state } = reader()
    sink.line("one", false)
    sink.line("two", true)
    assert.deepStrictEqual(state.pieces, ["one\ntwo\n"])
  })

  it("writes before the interval ends when the buffer is large", () => {
    const { sink, state } = reader()
    for (let count = 0; count < 20; count++) sink.line("x".repeat(999), false)
    assert.deepStrictEqual(
      state.pieces.map(({ length }) => length),
      [17_000]
    )
  })

  it("retries when the reader is full, and continues in the middle of a line", () => {
    const { sink, state } = reader()
    state.room = 5
    sink.line("one", false)
    sink.line("two", true)
    sink.line("three", true)
    assert.deepStrictEqual(state.pieces, ["one\nt"])
    state.room = Infinity
    vi.advanceTimersByTime(20)
    assert.strictEqual(state.pieces.join(""), "one\ntwo\nthree\n")
  })

  it("buffers at most a mebibyte, and reports how many lines it dropped", () => {
    const { sink, state } = reader()
    state.room = 0
    for (let count = 0; count < 5000; count++) sink.line("x".repeat(999), true)
    assert.isBelow(state.tries, 3)
    state.room = Infinity
    vi.advanceTimersByTime(20)
    const lines = state.pieces.join("").split("\n")
    const kept = lines.filter((line) => line.startsWith("x")).length
    assert.isBelow(kept, 1060)
    assert.include(lines, `${5000 - kept} lost`)
    sink.line("more", true)
    assert.isTrue(state.pieces.join("").endsWith("\nmore\n"))
  })

  it("stops writing when the reader has closed", () => {
    const { sink, state } = reader()
    state.error = "EPIPE"
    sink.line("one", true)
    sink.line("two", true)
    sink.drain(1000)
    assert.strictEqual(state.tries, 1)
  })

  it("drops and counts the lines of a failed write", () => {
    const { sink, state } = reader()
    state.error = "ENOSPC"
    sink.line("one", false)
    sink.line("two", true)
    state.error = undefined
    sink.line("three", true)
    assert.strictEqual(state.pieces.join(""), "three\n2 lost\n")
  })

  it("drains within the time limit", () => {
    const { sink, state } = reader()
    state.room = 0
    sink.line("one", true)
    sink.drain(20)
    assert.isAbove(state.tries, 1)
    state.room = Infinity
    sink.drain(20)
    assert.deepStrictEqual(state.pieces, ["one\n"])
  })
})
