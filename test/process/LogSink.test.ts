import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import * as LogSink from "../../src/process/LogSink.ts"

/** A reader that can be full, or fail; `pieces` are what it took. */
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

describe("The sink of log lines", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("gathers lines for a moment, and writes them in one piece, in their order", () => {
    const { sink, state } = reader()
    sink.line("one", false)
    sink.line("two", false)
    assert.deepStrictEqual(state.pieces, [])
    vi.advanceTimersByTime(100)
    assert.deepStrictEqual(state.pieces, ["one\ntwo\n"])
    vi.advanceTimersByTime(1000)
    assert.strictEqual(state.tries, 1)
  })

  it("writes what is urgent at once, after what came before it", () => {
    const { sink, state } = reader()
    sink.line("one", false)
    sink.line("two", true)
    assert.deepStrictEqual(state.pieces, ["one\ntwo\n"])
  })

  it("writes many lines before the moment is over", () => {
    const { sink, state } = reader()
    for (let count = 0; count < 20; count++) sink.line("x".repeat(999), false)
    assert.deepStrictEqual(
      state.pieces.map(({ length }) => length),
      [17_000]
    )
  })

  it("waits for a reader that takes nothing, and goes on where it stopped, in the middle of a line", () => {
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

  it("keeps no more than a mebibyte for such a reader, and says how many lines are missing", () => {
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

  it("is silent once nobody reads any more", () => {
    const { sink, state } = reader()
    state.error = "EPIPE"
    sink.line("one", true)
    sink.line("two", true)
    sink.drain(1000)
    assert.strictEqual(state.tries, 1)
  })

  it("goes on after what could not be kept, and counts it", () => {
    const { sink, state } = reader()
    state.error = "ENOSPC"
    sink.line("one", false)
    sink.line("two", true)
    state.error = undefined
    sink.line("three", true)
    assert.strictEqual(state.pieces.join(""), "three\n2 lost\n")
  })

  it("waits at the end, but not for ever", () => {
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
