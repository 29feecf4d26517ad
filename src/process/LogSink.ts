/**
 * Where log lines go: gathered, written in one piece a few times a second, in their order, and never waited for. A reader
 * that is slow, or gone, costs lines and nothing else.
 */
import { writeSync } from "node:fs"

/** Takes lines. */
export interface LogSink {
  /** Adds a line, which ends with no newline. One that is urgent is written at once, with all before it. */
  readonly line: (text: string, urgent: boolean) => void
  /** Writes what waits, as far as its reader takes it. */
  readonly flush: () => void
  /** Writes what waits, and waits for the reader while it takes none, for so many milliseconds at the most. */
  readonly drain: (longest: number) => void
}

/** How long a line may wait to be written, in milliseconds. */
const pause = 100

/** How many characters may wait to be written in one piece. */
const piece = 16_384

/** How many characters may wait in all; lines beyond that are lost, and counted. */
const most = 1_048_576

/** How long to leave a reader alone that takes nothing, in milliseconds. */
const retryAfter = 20

const isFull = new Set<unknown>(["EAGAIN", "EWOULDBLOCK", "EINTR"])
const isGone = new Set<unknown>(["EPIPE", "EBADF", "EIO", "ECONNRESET", "ENXIO"])

const sleep = (milliseconds: number) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * A sink that writes with `write`, which answers how many bytes it took, or throws as `fs.writeSync` does. `lost` makes
 * the line that says how many are missing.
 */
export const make = (write: (bytes: Uint8Array) => number, lost: (lines: number) => string): LogSink => {
  let waiting = ""
  let begun = Buffer.alloc(0)
  let missing = 0
  let gone = false
  let timer: NodeJS.Timeout | undefined
  let full = false

  const later = (milliseconds: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      full = false
      flush()
    }, milliseconds).unref()
  }

  const writeBegun = (): boolean => {
    try {
      begun = begun.subarray(write(begun))
      return true
    } catch (error) {
      const code = (error as { readonly code?: unknown }).code
      if (isFull.has(code)) {
        full = true
        return false
      }
      // Nobody will ever read it; or it cannot be kept now, as when a disk is full.
      if (isGone.has(code)) {
        gone = true
        waiting = ""
      } else {
        missing += begun.toString().split("\n").length - 1
      }
      begun = Buffer.alloc(0)
      return !gone
    }
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (;;) {
      if (begun.length === 0) {
        if (waiting === "") return
        if (missing > 0) {
          waiting += `${lost(missing)}\n`
          missing = 0
        }
        begun = Buffer.from(waiting)
        waiting = ""
      }
      if (!writeBegun()) {
        if (full) later(retryAfter)
        return
      }
    }
  }

  return {
    line: (text, urgent) => {
      if (gone) return
      if (waiting.length + begun.length > most) {
        missing++
        return
      }
      waiting += `${text}\n`
      if (full) return
      if (urgent || waiting.length >= piece) flush()
      else later(pause)
    },
    flush,
    drain: (longest) => {
      const until = performance.now() + longest
      flush()
      while (full && performance.now() < until) {
        sleep(5)
        full = false
        flush()
      }
    }
  }
}

/** A sink into standard error. */
export const standardError = (lost: (lines: number) => string): LogSink => {
  // Node makes the descriptor one that says when its reader takes nothing, instead of blocking us, when it is asked for.
  const { fd } = process.stderr
  return make((bytes) => writeSync(fd, bytes), lost)
}
