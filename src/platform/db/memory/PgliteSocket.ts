/**
 * Connects Postgres clients to a PGlite in the same process. Why not `@electric-sql/pglite-socket`:
 * docs/adr/0009-pglite-in-memory.md.
 */
import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

const CANCEL_REQUEST = 80877102

/** Encodes a message of Postgres' wire protocol: a tag, its length, its body. */
const message = (tag: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(tag, "latin1")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const simpleQuery = (sql: string): Buffer => message("Q", Buffer.from(`${sql}\0`))

// The messages by which a server accepts a client.
const greeting = Buffer.concat([
  message("R", Buffer.alloc(4)),
  ...[
    ["client_encoding", "UTF8"],
    ["server_encoding", "UTF8"],
    ["standard_conforming_strings", "on"]
  ].map((pair) => message("S", Buffer.from(`${pair.join("\0")}\0`))),
  message("K", Buffer.alloc(8)),
  message("Z", Buffer.from("I"))
])

/** The number of bytes of the first message in `bytes`; 0 when it is incomplete. */
const frameLength = (bytes: Buffer, started: boolean): number => {
  const head = started ? 1 : 0
  if (bytes.length < head + 4) return 0
  const length = head + bytes.readInt32BE(head)
  return bytes.length >= length ? length : 0
}

/**
 * A socket whose other end is a PGlite: Postgres' own wire protocol, without a network.
 *
 * So the clients (@effect/sql-pg, pg) use memory exactly as they use a server: the same encoders and decoders, the same
 * errors, the same transactions. There is only one session: opening a second socket ends the transaction of the first,
 * so pools over it must have one connection.
 */
export class PgliteSocket extends Duplex {
  private readonly pglite: PGlite
  private pending: Buffer = Buffer.alloc(0)
  private started = false

  constructor(pglite: PGlite) {
    super()
    this.pglite = pglite
  }

  /** `pg` calls this and the methods below on its socket. */
  connect(): this {
    process.nextTick(() => this.emit("connect"))
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
    this.answer().then(() => done(), done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null)
    done()
  }

  private async answer(): Promise<void> {
    if (!this.started) {
      const length = frameLength(this.pending, false)
      if (length === 0) return
      const code = this.pending.readInt32BE(4)
      this.pending = this.pending.subarray(length)
      if (code === CANCEL_REQUEST) {
        // Statements run one after the other to their end, so there is never one to cancel.
        this.destroy()
        return
      }
      this.started = true
      // A new session: reset what the previous one left open. `listen` stays, since PGlite handles it itself.
      for (const sql of ["rollback", "select pg_advisory_unlock_all()", "deallocate all"]) {
        await this.execute(simpleQuery(sql))
      }
      this.push(greeting)
    }
    let end = 0
    for (;;) {
      const length = frameLength(this.pending.subarray(end), true)
      if (length === 0) break
      end += length
    }
    if (end === 0) return
    const messages = this.pending.subarray(0, end)
    this.pending = this.pending.subarray(end)
    const response = await this.execute(messages)
    if (!this.destroyed && response.length > 0) this.push(response)
  }

  private execute(request: Uint8Array): Promise<Uint8Array> {
    return this.pglite.runExclusive(() => this.pglite.execProtocolRaw(request))
  }
}
