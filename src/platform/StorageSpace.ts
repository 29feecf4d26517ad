/**
 * Full disks: how an error says so, and which of the service's stores were full when this process last wrote to them. A store is full from
 * an error on until a check finds room (src/process/StorageWatch.ts), since nobody writes to one that is known to be full.
 */
import { Context, Effect, Metric, Predicate } from "effect"

/** What the service stores: rows of Postgres, and the content of files. */
export type Store = "database" | "files"

const fullErrors = (store: Store) =>
  Metric.counter("property_network_storage_full_errors_total", {
    description: "Writes that failed because a disk was full, by what was to be stored.",
    attributes: { store },
    incremental: true
  })

const counters: Readonly<Record<Store, Metric.Counter<number>>> = {
  database: fullErrors("database"),
  files: fullErrors("files")
}

/** Registers the counters at 0. */
export const beginMetrics: Effect.Effect<void> = Effect.forEach(Object.values(counters), Metric.value, {
  discard: true
})

/** Which stores are full. */
export interface StorageSpace {
  readonly isFull: (store: Store) => boolean
  /** Notes whether a store is full. Returns whether that is new. */
  readonly note: (store: Store, isFull: boolean) => boolean
}

/** A new one, on which no store is full. */
export const make = (): StorageSpace => {
  const full = new Set<Store>()
  return {
    isFull: (store) => full.has(store),
    note: (store, isFull) => {
      if (full.has(store) === isFull) return false
      if (isFull) full.add(store)
      else full.delete(store)
      return true
    }
  }
}

/** That of this process. */
export const CurrentStorageSpace = Context.Reference<StorageSpace>("platform/StorageSpace", { defaultValue: make })

const names: Readonly<Record<Store, string>> = { database: "the database", files: "the file store" }

/** Notes, counts and logs that a write failed because a store is full. */
export const failedForSpace = Effect.fnUntraced(function* (store: Store) {
  yield* Metric.update(counters[store], 1)
  if (!(yield* CurrentStorageSpace).note(store, true)) return
  yield* Effect.logError(
    `The disk of ${names[store]} is full. What would be stored there is refused with 503 storage_full until there is room.`
  )
})

/** Notes that there is room, and logs it if a store was full. */
export const hasRoom = Effect.fnUntraced(function* (store: Store) {
  if ((yield* CurrentStorageSpace).note(store, false)) {
    yield* Effect.logInfo(`The disk of ${names[store]} has room again.`)
  }
})

// Of systems, of Postgres (disk_full), and of services that are compatible with S3.
const codes = new Set(["ENOSPC", "EDQUOT", "53100", "XMinioStorageFull", "QuotaExceeded", "InsufficientStorage"])

/** `io_error` of Postgres, which says what the system says. Texts of other errors may quote what a client sent. */
const ioError = "58030"

const systemText = /no space left on device|disk quota exceeded/i

const maxDepth = 8

/** Whether an error, or one that it was caused by, says that a disk is full. */
export const isOfFullDisk = (error: unknown, depth = 0): boolean => {
  if (depth > maxDepth || !Predicate.isObject(error)) return false
  const { cause, code, message, name, reason } = error as { readonly [member: string]: unknown }
  if (codes.has(String(code)) || codes.has(String(name))) return true
  if (code === ioError && systemText.test(String(message))) return true
  return [cause, reason].some((inner) => isOfFullDisk(inner, depth + 1))
}
