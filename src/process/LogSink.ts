/**
 * The destination of log lines: buffers them, and writes them in order a few times a second, without ever blocking. A
 * slow or closed reader costs log lines and nothing else.
 *
 * `sonic-boom` does not do this: see docs/adr/0021-own-log-sink.md.
 */
import { writeSync } from "node:fs"

/** A destination of log lines. */
export interface LogSink {
  /** Adds a line (without a newline). An urgent line is written immediately, after all buffered lines. */
  readonly line: (text: string, urgent: boolean) => void
  /** Writes as many of the buffered lines as the reader accepts. */
  readonly flush: () => void
  /** Writes the buffered lines, and blocks for at most `timeout` milliseconds while the reader accepts none. */
  readonly drain: (timeout: number) => void
}

/** How long a line is buffered at most, in milliseconds. */
const flushInterval = 100

/** The number of buffered characters that triggers a write. */
const flushThreshold = 16_384

/** The maximum number of buffered characters. Lines beyond it are dropped and counted. */
const maxBuffered = 1_048_576

/** The delay before a write is retried when the reader accepts nothing, in milliseconds. */
const retryDelay = 20

const wouldBlockCodes = new Set<unknown>(["EAGAIN", "EWOULDBLOCK", "EINTR"])
const closedCodes = new Set<unknown>(["EPIPE", "EBADF", "EIO", "ECONNRESET", "ENXIO"])

const sleep = (milliseconds: number) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * A sink that writes with `write`, which returns how many bytes it wrote, or throws as `fs.writeSync` does.
 * `droppedLine` makes the line that reports how many lines were dropped.
 */
export const make = (write: (bytes: Uint8Array) => number, droppedLine: (lines: number) => string): LogSink => {
  let buffer = ""
  let chunk = Buffer.alloc(0)
  let dropped = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let isBlocked = false

  const flushIn = (milliseconds: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      isBlocked = false
      flush()
    }, milliseconds).unref()
  }

  const writeChunk = (): boolean => {
    try {
      chunk = chunk.subarray(write(chunk))
      return true
    } catch (error) {
      const code = (error as { readonly code?: unknown }).code
      if (wouldBlockCodes.has(code)) {
        isBlocked = true
        return false
      }
      // Either the reader has closed, or the chunk cannot be written now, as when a disk is full.
      if (closedCodes.has(code)) {
        isClosed = true
        buffer = ""
      } else {
        dropped += chunk.toString().split("\n").length - 1
      }
      chunk = Buffer.alloc(0)
      return !isClosed
    }
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (;;) {
      if (chunk.length === 0) {
        if (buffer === "") return
        if (dropped > 0) {
          buffer += `${droppedLine(dropped)}\n`
          dropped = 0
        }
        chunk = Buffer.from(buffer)
        buffer = ""
      }
      if (!writeChunk()) {
        if (isBlocked) flushIn(retryDelay)
        return
      }
    }
  }

  return {
    line: (text, urgent) => {
      if (isClosed) return
      if (buffer.length + chunk.length > maxBuffered) {
        dropped++
        return
      }
      buffer += `${text}\n`
      if (isBlocked) return
      if (urgent || buffer.length >= flushThreshold) flush()
      else flushIn(flushInterval)
    },
    flush,
    drain: (timeout) => {
      const deadline = performance.now() + timeout
      flush()
      while (isBlocked && performance.now() < deadline) {
        sleep(5)
        isBlocked = false
        flush()
      }
    }
  }
}

/** A sink that writes to standard error. */
export const standardError = (droppedLine: (lines: number) => string): LogSink => {
  // Reading `process.stderr` makes Node switch the descriptor of a pipe to non-blocking writes.
  const { fd } = process.stderr
  return make((bytes) => writeSync(fd, bytes), droppedLine)
}
