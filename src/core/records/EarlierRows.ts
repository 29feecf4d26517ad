/**
 * The rows of a file that an import has written so far, so that a row can tell which line it repeats
 * (docs/behaviour/imports-and-exports.md#rows-of-one-file). In memory, for files of millions of rows: hashes only.
 *
 * What was committed is found in the database; of each such row this keeps the id of its record and its line, in at most 40 bytes. A dry
 * run rolls its rows back, so of each it also keeps how the record is recognized and what it says: some 150 bytes for a contact.
 *
 * A batch may be written while the one before it is, as long as the two have nothing to do with each other (docs/adr/0036-import-batches-overlap.md).
 */
import { Data } from "effect"
import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { type ExternalRef, refKey } from "../externalRefs/ExternalRef.ts"

/** Two halves of a hash that is as good as unique among the keys of a file. */
const longHash = (text: string): readonly [low: number, high: number] => {
  const digest = hash("sha256", text, "buffer")
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)]
}

/** As {@link longHash}, of an id, which is random already: without a cryptographic hash, which takes a microsecond. */
const idHash = (id: string): readonly [low: number, high: number] => {
  let [low, high] = [0x811c9dc5, 0x9e3779b1]
  for (let at = 0; at < id.length; at++) {
    low = Math.imul(low ^ id.charCodeAt(at), 0x01000193)
    high = Math.imul(high + id.charCodeAt(at), 0x85ebca6b) ^ (high >>> 15)
  }
  return [low >>> 0, high >>> 0]
}

/** A hash that tells apart what two records of one key say. */
const shortHash = (text: string): number => crc32(text)

/** A multimap from texts to whole numbers, which keeps 64 bits of the hash of a text. Open addressing in typed arrays. */
const makeIndex = () => {
  let keys = new Uint32Array(2 * 1024)
  // A value is stored plus one: 0 is a free place.
  let values = new Uint32Array(1024)
  let size = 0

  const insert = (low: number, high: number, value: number) => {
    const mask = values.length - 1
    let place = low & mask
    while (values[place] !== 0) place = (place + 1) & mask
    keys[2 * place] = low
    keys[2 * place + 1] = high
    values[place] = value
  }

  const grow = () => {
    const [oldKeys, oldValues] = [keys, values]
    keys = new Uint32Array(2 * oldKeys.length)
    values = new Uint32Array(2 * oldValues.length)
    for (const [place, value] of oldValues.entries()) {
      if (value !== 0) insert(oldKeys[2 * place] ?? 0, oldKeys[2 * place + 1] ?? 0, value)
    }
  }

  const addHash = ([low, high]: ReturnType<typeof longHash>, value: number): void => {
    if (size + 1 > values.length * 0.6) grow()
    size++
    insert(low, high, value + 1)
  }

  /** Adds a value of a text. */
  const add = (text: string, value: number): void => addHash(longHash(text), value)

  /** Adds a value of an id that has none. */
  const addId = (id: string, value: number): void => {
    const digest = idHash(id)
    if (findHash(digest, 1).length === 0) addHash(digest, value)
  }

  const findId = (id: string): number | undefined => (size === 0 ? undefined : findHash(idHash(id), 1)[0])

  /** The values of a text, at most so many. */
  const find = (text: string, limit: number): ReadonlyArray<number> =>
    size === 0 ? [] : findHash(longHash(text), limit)

  const findHash = ([low, high]: ReturnType<typeof longHash>, limit: number): ReadonlyArray<number> => {
    const mask = values.length - 1
    const found: Array<number> = []
    for (let place = low & mask; found.length < limit; place = (place + 1) & mask) {
      const value = values[place] ?? 0
      if (value === 0) break
      if (keys[2 * place] === low && keys[2 * place + 1] === high) found.push(value - 1)
    }
    return found
  }

  return { add, addId, find, findId }
}

/** The names of a record in a form that is compared: `nameKeysOf` makes them. */
export interface NameKeys {
  /** A hash of each name; 0 for one that is missing. */
  readonly parts: ReadonlyArray<number>
  /** A hash of all words in any order; 0 without any. */
  readonly whole: number
}

/** The keys of folded names, such as first and last name; null for one that is missing. */
export const nameKeysOf = (names: ReadonlyArray<string | null>): NameKeys => {
  const words = names.flatMap((name) => (name === null || name === "" ? [] : name.split(" ")))
  return {
    parts: names.map((name) => (name === null || name === "" ? 0 : shortHash(name))),
    whole: words.length === 0 ? 0 : shortHash(words.sort().join(" "))
  }
}

/** Whether names agree: all words are the same in any order, or each name is the same or missing in one of the two. */
export const namesAgree = (a: NameKeys, b: NameKeys): boolean =>
  a.whole === b.whole || a.parts.every((part, index) => part === 0 || b.parts[index] === 0 || part === b.parts[index])

/** How many records that share a mailbox or a domain a row is compared with. */
export const maxAlike = 2000

/** What a row made of its record. */
export interface Written {
  readonly resource: { readonly id: string; readonly externalRefs: ReadonlyArray<ExternalRef> }
  /** The members of the record after the row. */
  readonly fields: object
  /** The keys by which other rows may mean the record, such as its e-mail address. */
  readonly keys: ReadonlyArray<string>
  readonly names: NameKeys
}

/** A row of a dry run, which was rolled back. */
export interface RolledBackRow {
  /** Where it is kept. */
  readonly place: number
  readonly line: number
  /** The id of its record; undefined if the row created it. */
  readonly id: string | undefined
  readonly names: NameKeys
  readonly hasKey: (key: string) => boolean
  readonly holds: (ref: ExternalRef) => boolean
  /** Whether the record has a reference in this namespace. */
  readonly hasNamespace: (namespace: string) => boolean
  /** Whether its record has all of these members already; null is none. References do not count. */
  readonly says: (sent: object, blank: object) => boolean
}

type Leaf = readonly [path: string, value: string]

const leavesOf = (value: unknown, path: string): ReadonlyArray<Leaf> => {
  if (value === null || value === undefined) return []
  if (typeof value !== "object" || Array.isArray(value)) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${path}/${name}`))
}

const membersOf = (fields: object) => Object.entries(fields).filter(([name]) => name !== "externalRefs")

const growing = () => {
  let pool = new Uint32Array(1024)
  let length = 0
  return {
    at: (index: number): number => pool[index] ?? 0,
    get length() {
      return length
    },
    push: (value: number) => {
      if (length === pool.length) {
        const larger = new Uint32Array(2 * length)
        larger.set(pool)
        pool = larger
      }
      pool[length++] = value
    }
  }
}

/** What a batch has to do with. */
export interface Touched {
  /** The records that it loaded, and the keys and references by which its rows may mean others. */
  readonly names: ReadonlySet<string>
  /** How many records it may create. */
  readonly rows: number
  /** How many the quota leaves room for. */
  readonly room: number
}

/** A batch may have to do with records of one before it that has no answer yet. It can be written when that has one. */
export class DependentRows extends Data.TaggedError("DependentRows") {}

/** The rows of a file so far, and its batches. */
export type EarlierRows = ReturnType<typeof make>

/** A batch of rows: it `begin`s, `note`s its rows, and is `settle`d when it has an answer. */
export type BatchOfRows = ReturnType<EarlierRows["batch"]>

/** No rows. `dryRun`: what is noted will be rolled back. */
export const make = (dryRun: boolean) => {
  /** Lines by the ids of records, of committed rows; else the places of rolled back rows by what they are known by. */
  const index = makeIndex()
  const pool = growing()
  const ids = new Map<number, string>()
  /** What batches without an answer have to do with, in the order of the file. */
  const underWay = new Set<{ touched: Pick<Touched, "names" | "rows"> }>()

  const rowAt = (place: number): RolledBackRow => {
    const parts = pool.at(place + 1)
    const count = pool.at(place + 3 + parts)
    const from = place + 4 + parts
    const has = (text: string) => {
      const wanted = shortHash(text)
      for (let at = from; at < from + count; at++) if (pool.at(at) === wanted) return true
      return false
    }
    const knows = (text: string) => index.find(text, maxAlike).includes(place)
    return {
      place,
      line: pool.at(place),
      id: ids.get(place),
      names: {
        parts: Array.from({ length: parts }, (_, part) => pool.at(place + 2 + part)),
        whole: pool.at(place + 2 + parts)
      },
      hasKey: (key) => has(`key ${key}`),
      holds: (ref) => knows(`ref ${refKey(ref)}`),
      hasNamespace: (namespace) => index.find(`namespace ${place} ${namespace}`, 1).length > 0,
      says: (sent, blank) =>
        membersOf(sent).every(([name, value]) =>
          value === null
            ? !has(`member ${name}`)
            : leavesOf(value, name).every(([path, text]) => {
                const ofBlank = name in blank && JSON.stringify(blank[name as keyof typeof blank]) === text
                return has(`${path} ${text}`) || (ofBlank && !has(`member ${name}`))
              })
        )
    }
  }

  const rememberRefs = (place: number, refs: ReadonlyArray<ExternalRef>) => {
    const row = rowAt(place)
    for (const ref of refs) {
      if (row.holds(ref)) continue
      index.add(`ref ${refKey(ref)}`, place)
      index.add(`namespace ${place} ${ref.namespace}`, place)
    }
  }

  const rememberRolledBack = (line: number, { fields, keys, names, resource }: Written, created: boolean) => {
    const place = pool.length
    const members = membersOf(fields).flatMap(([name, value]) => {
      const leaves = leavesOf(value, name)
      return leaves.length === 0 || (Array.isArray(value) && value.length === 0)
        ? []
        : [`member ${name}`, ...leaves.map(([path, text]) => `${path} ${text}`)]
    })
    const hashes = [...keys.map((key) => `key ${key}`), ...members].map(shortHash)
    for (const value of [line, names.parts.length, ...names.parts, names.whole, hashes.length, ...hashes])
      pool.push(value)
    for (const key of keys) index.add(`key ${key}`, place)
    if (!created) {
      ids.set(place, resource.id)
      index.add(`record ${resource.id}`, place)
    }
    rememberRefs(place, resource.externalRefs)
  }

  /** The row that wrote or found a record, which a dry run has rolled back. */
  const rolledBack = (id: string): RolledBackRow | undefined => {
    const [place] = dryRun ? index.find(`record ${id}`, 1) : []
    return place === undefined ? undefined : rowAt(place)
  }

  const rowsOf = (texts: ReadonlyArray<string>): ReadonlyArray<RolledBackRow> =>
    [...new Set(texts.flatMap((text) => index.find(text, maxAlike)))].sort((a, b) => a - b).map(rowAt)

  const lineOf = (id: string): number | undefined => (dryRun ? undefined : index.findId(id))

  /** Keeps the lines of committed rows with the ids of their records. */
  const settle = (rows: ReadonlyArray<{ readonly line: number; readonly id: string }>): void => {
    for (const { id, line } of dryRun ? [] : rows) index.addId(id, line)
  }

  /** The next batch. */
  const batch = () => {
    const own = { touched: { names: new Set<string>() as ReadonlySet<string>, rows: 0 } }
    underWay.add(own)
    let before: ReadonlyArray<typeof own> = []
    const pending = new Map<
      string,
      { readonly line: number; readonly written: () => Written; readonly created: boolean }
    >()
    return {
      /** Begins the transaction of the batch, also once more after a conflict. */
      begin: (): void => {
        pending.clear()
        const batches = [...underWay]
        before = batches.slice(0, batches.indexOf(own))
      },
      /**
       * Notes what the batch has to do with, for those after it, and tells whether it depends on one that was under way when it began, so that
       * it must not be written now.
       */
      dependsOn: ({ names, room, rows }: Touched): boolean => {
        own.touched = { names, rows }
        return before.some(({ touched }) => room < rows + touched.rows || !names.isDisjointFrom(touched.names))
      },
      /** Notes what a row made of the record with this id, or found; the first row of a record counts. */
      note: (line: number, id: string, created: boolean, written: () => Written): void => {
        const noted = pending.get(id)
        pending.set(id, { line: noted?.line ?? line, created: noted?.created ?? created, written })
      },
      /** Notes the references that a row added to the record of a row that was rolled back. */
      noteRefs: ({ place }: RolledBackRow, refs: ReadonlyArray<ExternalRef>): void => rememberRefs(place, refs),
      /** Keeps the batch: the lines of its rows with the ids of their records. */
      settle: (rows: ReadonlyArray<{ readonly line: number; readonly id: string }>): void => {
        for (const { created, line, written } of dryRun ? pending.values() : []) {
          rememberRolledBack(line, written(), created)
        }
        settle(rows)
        pending.clear()
        underWay.delete(own)
      },
      /** The line that wrote or found a record before, in this batch or a committed one. */
      lineOf: (id: string): number | undefined => pending.get(id)?.line ?? lineOf(id),
      /** Whether a dry run made this id, which means nothing to anybody else. */
      isInvented: (id: string): boolean => dryRun && pending.get(id)?.created === true,
      rolledBack,
      /** The rolled back rows whose records hold one of these references. */
      holding: (refs: ReadonlyArray<ExternalRef>) => (dryRun ? rowsOf(refs.map((ref) => `ref ${refKey(ref)}`)) : []),
      /** The rolled back rows whose records have one of these keys. */
      withKeys: (keys: ReadonlyArray<string>) => (dryRun ? rowsOf(keys.map((key) => `key ${key}`)) : [])
    }
  }

  return { batch, settle, lineOf }
}
