import * as LogSink from "../../src/process/Logging.ts"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"

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
  return { state, sink: LogSink.make(write, (lines) => `${lines} lost`) }
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
