/**
 * What is kept of erasures outside the database: one object of the file store for each, with ids and HMACs under the secret key, so that a
 * database that was restored from before is erased again (docs/behaviour/erasure.md#replay). Objects are only added.
 */
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { FileStore, type FileStoreFailure } from "../platform/fileStore/FileStore.ts"
import { keyFor, type SecretKeys } from "../platform/secrets/SecretKeys.ts"
import { ErasureEntry } from "./Erasure.ts"
import { PersonRowsRepo } from "./PersonRowsRepo.ts"

const decode = Schema.decodeUnknownOption(ErasureEntry)

/** A day after every object. */
const anyTime = () => new Date(Date.now() + 86_400_000)

// Beside the files of the installation, whose sweep would remove what no row names.
const namespaceOf = (fileSpace: string) => `${fileSpace}.erasures`

const textOf = Effect.fnUntraced(function* (fileSpace: string, id: string) {
  const store = yield* FileStore
  const chunks = yield* Stream.runCollect(store.read({ namespace: namespaceOf(fileSpace), id }, undefined))
  return Buffer.concat([...chunks]).toString("utf8")
})

const idOf = (line: string): string | undefined => /"id":"([0-9a-f-]{36})"/.exec(line)?.[1]

/** All lines of the file store of an installation, for backups. It needs no key. */
export const copyOut = Effect.fn("ErasureList.copyOut")(function* (fileSpace: string) {
  const store = yield* FileStore
  const ids = yield* Stream.runCollect(store.list(namespaceOf(fileSpace), anyTime()))
  return (yield* Effect.forEach(ids, (id) => textOf(fileSpace, id))).join("")
})

/**
 * Puts the lines of a list into the file store of an installation. It needs no key: whether a line was written under one is asked when it
 * is replayed. Returns how many there were.
 */
export const copyIn = Effect.fn("ErasureList.copyIn")(function* (fileSpace: string, list: string) {
  const store = yield* FileStore
  const lines = list.split("\n").filter((line) => idOf(line) !== undefined)
  yield* Effect.forEach(
    lines,
    (line) =>
      store.put(
        { namespace: namespaceOf(fileSpace), id: idOf(line) ?? "" },
        Stream.succeed(new TextEncoder().encode(`${line}\n`))
      ),
    { discard: true }
  )
  return lines.length
})

const make = (keys: SecretKeys) =>
  Effect.gen(function* () {
    const store = yield* FileStore
    const rows = yield* PersonRowsRepo
    const hmacKeys = [keys.current, ...(keys.previous === undefined ? [] : [keys.previous])].map((key) =>
      keyFor("erasures", key)
    )

    const namespace = Effect.map(rows.namespace, namespaceOf)

    const hmacsOf = (text: string) => hmacKeys.map((key) => createHmac("sha256", key).update(text).digest())

    /** The HMACs of an e-mail address or a name, under the current key and, during a rotation, the previous one. */
    const hashesOf = (kind: "email" | "name", value: string): ReadonlyArray<Buffer> =>
      hmacsOf(`${kind}:${value.normalize("NFKC").toLowerCase().trim()}`)

    /** An entry as a line: JSON, and the HMAC by which nobody else can add one. */
    const lineOf = (entry: ErasureEntry): string => {
      const text = JSON.stringify(entry)
      const [mac = Buffer.alloc(0)] = hmacsOf(`entry:${text}`)
      return `${mac.toString("hex")} ${text}`
    }

    /** The entry of a line; none if it was not written under one of the keys. */
    const entryOf = (line: string): Option.Option<ErasureEntry> => {
      const [, hex = "", text = ""] = /^([0-9a-f]{64}) (\{.*\})$/.exec(line.trim()) ?? []
      const mac = Buffer.from(hex, "hex")
      const isOurs = hmacsOf(`entry:${text}`).some((own) => own.length === mac.length && timingSafeEqual(own, mac))
      return isOurs ? decode(JSON.parse(text)) : Option.none()
    }

    /** The entries of a list, a line each; lines of another installation are left out. */
    const parse = (list: string): ReadonlyArray<ErasureEntry> =>
      list.split("\n").flatMap((line) => (line.trim() === "" ? [] : Option.toArray(entryOf(line))))

    /** Adds an entry to the file store. */
    const add = Effect.fn("ErasureList.add")(function* (entry: ErasureEntry) {
      const key = { namespace: yield* namespace, id: entry.id }
      yield* store.put(key, Stream.succeed(new TextEncoder().encode(`${lineOf(entry)}\n`)))
    })

    /** The ids of all entries in the file store. */
    const ids = Effect.flatMap(namespace, (of) => Stream.runCollect(store.list(of, anyTime()))).pipe(
      Effect.map((found) => [...found]),
      Effect.withSpan("ErasureList.ids")
    )

    /** An entry of the file store. */
    const read = Effect.fn("ErasureList.read")(function* (id: string) {
      const text = yield* textOf(yield* rows.namespace, id).pipe(Effect.provideService(FileStore, store))
      return Option.getOrUndefined(entryOf(text))
    })

    /**
     * During a rotation of the secret key, writes the entries of the file store again that only the previous one vouches for, so that they
     * count when it is gone. Returns how many there were.
     */
    const renew = Effect.gen(function* () {
      if (keys.previous === undefined) return 0
      const stored = yield* ids
      const renewed = yield* Effect.forEach(
        stored,
        (id) =>
          Effect.gen(function* () {
            const line = (yield* textOf(yield* rows.namespace, id).pipe(Effect.provideService(FileStore, store))).trim()
            const entry = Option.getOrUndefined(entryOf(line))
            if (entry === undefined || lineOf(entry) === line) return false
            yield* add(entry)
            return true
          }),
        { concurrency: 4 }
      )
      return renewed.filter((isRenewed) => isRenewed).length
    }).pipe(Effect.withSpan("ErasureList.renew"))

    return ErasureList.of({ add, hashesOf, ids, lineOf, parse, read, renew })
  })

/** The list of erasures in the file store. */
export class ErasureList extends Context.Service<
  ErasureList,
  {
    readonly add: (entry: ErasureEntry) => Effect.Effect<void, FileStoreFailure>
    readonly hashesOf: (kind: "email" | "name", value: string) => ReadonlyArray<Buffer>
    readonly ids: Effect.Effect<ReadonlyArray<string>, FileStoreFailure>
    readonly lineOf: (entry: ErasureEntry) => string
    readonly parse: (list: string) => ReadonlyArray<ErasureEntry>
    readonly read: (id: string) => Effect.Effect<ErasureEntry | undefined, FileStoreFailure>
    readonly renew: Effect.Effect<number, FileStoreFailure>
  }
>()("privacy/ErasureList") {
  static readonly layer = (keys: SecretKeys) =>
    Layer.effect(ErasureList, make(keys)).pipe(Layer.provide(PersonRowsRepo.layer))
}
