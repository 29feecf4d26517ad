import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

const CANCEL_REQUEST = 80877102

/** One message of the wire protocol that both sides know by heart: a tag, its length, its body. */
const message = (tag: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(tag, "latin1")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const simpleQuery = (sql: string): Buffer => message("Q", Buffer.from(`${sql}\0`))

// What a server says once it has let a client in.
const welcome = Buffer.concat([
  message("R", Buffer.alloc(4)),
  ...[
    ["client_encoding", "UTF8"],
    ["server_encoding", "UTF8"],
    ["standard_conforming_strings", "on"]
  ].map((pair) => message("S", Buffer.from(`${pair.join("\0")}\0`))),
  message("K", Buffer.alloc(8)),
  message("Z", Buffer.from("I"))
])

/** The number of bytes of the first whole message in `bytes`, or 0 when it has not arrived completely. */
const frameLength = (bytes: Buffer, started: boolean): number => {
  const head = started ? 1 : 0
  if (bytes.length < head + 4) return 0
  const length = head + bytes.readInt32BE(head)
  return bytes.length >= length ? length : 0
}

/**
 * A socket whose other end is a PGlite: Postgres' own wire protocol, without a network.
 *
 * So the clients in use (@effect/sql-pg, pg) talk to memory exactly as they talk to a server: the same encoders and
 * decoders, the same errors, the same transactions. There is one session inside; whoever opens a second socket ends
 * the first one's transaction, so pools over it must have one connection.
 */
export class PgliteSocket extends Duplex {
  private readonly pglite: PGlite
  private pending: Buffer = Buffer.alloc(0)
  private started = false

  constructor(pglite: PGlite) {
    super()
    this.pglite = pglite
  }

  /** What `pg` calls on a socket that it was given. */
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
        // Statements run to their end before anything else does: there is never one to cancel.
        this.destroy()
        return
      }
      this.started = true
      // A new session: what the one before left open is undone, except `listen`, which is PGlite's own business.
      for (const sql of ["rollback", "select pg_advisory_unlock_all()", "deallocate all"]) {
        await this.execute(simpleQuery(sql))
      }
      this.push(welcome)
    }
    let end = 0
    for (;;) {
      const length = frameLength(this.pending.subarray(end), true)
      if (length === 0) break
      end += length
    }
    if (end === 0) return
    const whole = this.pending.subarray(0, end)
    this.pending = this.pending.subarray(end)
    const response = await this.execute(whole)
    if (!this.destroyed && response.length > 0) this.push(response)
  }

  private execute(request: Uint8Array): Promise<Uint8Array> {
    return this.pglite.runExclusive(() => this.pglite.execProtocolRaw(request))
  }
}
