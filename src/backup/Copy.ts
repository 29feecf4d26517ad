/** `COPY` of Postgres as streams: the rows of a table, in its text format, out of a connection and into one. */
import { Readable, Writable } from "node:stream"
import type { Client, Connection, Submittable } from "pg"

/** What `pg` calls while a statement runs, of which its types know the first only. */
interface CopyQuery extends Submittable {
  handleCopyInResponse(connection: Connection): void
  handleCopyData(message: { readonly chunk: Uint8Array }, connection: Connection): void
  handleCommandComplete(message: { readonly text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** The part of a connection of `pg` that its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

const isCopyConnection = (connection: Connection): connection is CopyConnection =>
  "sendCopyFromChunk" in connection && "endCopyFrom" in connection && "sendCopyFail" in connection

const rowsOf = (text: string): number => Number(text.split(" ").at(-1))

const chunkBytes = 256 * 1024

/** Rows of a table on their way, and how many they were when all have passed. */
export interface Copying<A> {
  readonly stream: A
  readonly rows: () => number
}

/** Reads what a statement `copy … to stdout` answers. */
export const copyOut = (client: Client, statement: string): Copying<Readable> => {
  let rows = 0
  let connection: Connection | undefined
  let chunk = Buffer.allocUnsafe(chunkBytes)
  let filled = 0
  const stream = new Readable({
    highWaterMark: 4 * chunkBytes,
    read: () => {
      connection?.stream.resume()
    }
  })
  const flush = () => {
    if (filled === 0) return
    const isWanted = stream.push(chunk.subarray(0, filled))
    chunk = Buffer.allocUnsafe(chunkBytes)
    filled = 0
    if (!isWanted) connection?.stream.pause()
  }
  const query: CopyQuery = {
    submit: (opened) => {
      connection = opened
      opened.query(statement)
    },
    handleCopyInResponse: () => {},
    // One message for each row. Its bytes are those of a buffer that is used again.
    handleCopyData: ({ chunk: row }) => {
      if (row.length > chunk.length - filled) flush()
      if (row.length > chunk.length) {
        stream.push(Buffer.from(row))
        return
      }
      chunk.set(row, filled)
      filled += row.length
    },
    handleCommandComplete: ({ text }) => {
      rows = rowsOf(text)
    },
    // Nothing else follows an error.
    handleError: (error) => {
      connection?.stream.resume()
      stream.destroy(error)
    },
    handleReadyForQuery: () => {
      flush()
      connection?.stream.resume()
      stream.push(null)
    }
  }
  client.query(query)
  return { stream, rows: () => rows }
}

/** Takes what a statement `copy … from stdin` reads. It has ended when the server has all rows. */
export const copyIn = (client: Client, statement: string): Copying<Writable> => {
  let rows = 0
  let connection: CopyConnection | undefined
  let failure: Error | null = null
  let isOver = false
  let onOpen: (error?: Error | null) => void = () => {}
  let onEnd: (error?: Error | null) => void = () => {}
  const stream = new Writable({
    construct: (callback) => {
      onOpen = callback
    },
    write: (chunk: Uint8Array, _, callback) => {
      if (failure !== null || connection === undefined) return callback(failure)
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) connection.stream.once("drain", () => callback(failure))
      else callback()
    },
    final: (callback) => {
      if (isOver) return callback(failure)
      onEnd = callback
      connection?.endCopyFrom()
    },
    destroy: (error, callback) => {
      if (error !== null && !isOver) connection?.sendCopyFail("The rows end early.")
      callback(error)
    }
  })
  const query: CopyQuery = {
    submit: (opened) => {
      opened.query(statement)
    },
    handleCopyInResponse: (opened) => {
      if (!isCopyConnection(opened)) throw new Error("This version of pg cannot copy.")
      connection = opened
      onOpen()
    },
    handleCopyData: () => {},
    handleCommandComplete: ({ text }) => {
      rows = rowsOf(text)
    },
    // Nothing else follows an error.
    handleError: (error) => {
      isOver = true
      failure = error
      if (connection === undefined) onOpen(error)
      else stream.destroy(error)
    },
    handleReadyForQuery: () => {
      isOver = true
      onEnd()
    }
  }
  client.query(query)
  return { stream, rows: () => rows }
}
