/** Everything that is held about a person, as an archive: docs/privacy.md#access. */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer, Stream } from "effect"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { Readable } from "node:stream"
import yazl from "yazl"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { type Kept, periods, Retention } from "../platform/Retention.ts"
import { now } from "../platform/Time.ts"
import { tables } from "./classification.ts"
import { People, type Where } from "./People.ts"
import { PersonRowsRepo, type Source } from "./PersonRowsRepo.ts"
import { makeStoredAnswers } from "./StoredAnswers.ts"

const pageSize = 500

/** What the index of an archive says of one of its files. */
interface Listed {
  readonly file: string
  readonly holds: string
  readonly table: string
  readonly team: string | null
  readonly rows: number
  /** For how long it is held, and the periods that end it. */
  readonly kept: string
  readonly retention: { readonly [setting: string]: number }
}

/** An archive that is being written. */
export interface Archive {
  /** Its bytes; it fails when something could not be read. */
  readonly bytes: Readable
  /** How many teams have the person, and whether the account is in it. */
  readonly teams: number
  readonly account: boolean
}

const make = Effect.gen(function* () {
  const people = yield* People
  const rows = yield* PersonRowsRepo
  const answers = yield* makeStoredAnswers
  const store = yield* FileStore
  const audit = yield* AuditLog

  const holds = (table: string) => tables[table]?.holds ?? table
  const retention = yield* Retention

  const periodsOf = (table: string) => {
    const named = new Set<string>(tables[table]?.periods)
    return Object.fromEntries(
      (Object.keys(periods) as ReadonlyArray<Kept>)
        .filter((name) => named.has(name))
        .map((name) => [periods[name].setting, retention[name]])
    )
  }

  const kept = (table: string) => ({ kept: tables[table]?.kept ?? "", retention: periodsOf(table) })

  /** An archive of everything about a person. It is made while it is read, in memory that does not depend on its size. */
  const open = Effect.fn("PersonExports.open")(function* (name: string, where: Where) {
    const found = yield* people.find(name, where)
    for (const { contacts, teamId } of found.teams) {
      const [uuid] = contacts
      yield* audit.record({
        action: "privacy.exported",
        teamId,
        target: uuid === undefined ? null : { type: "contact", id: Id.fromUuid("contact", uuid) }
      })
    }
    if (found.account !== undefined) {
      yield* audit.record({
        action: "privacy.exported",
        teamId: null,
        target: { type: "user", id: Id.fromUuid("user", found.account.uuid) }
      })
    }
    const services = yield* Effect.context<never>()
    const namespace = yield* rows.namespace
    const zip = new yazl.ZipFile()
    const output = zip.outputStream
    if (!(output instanceof Readable)) return yield* Effect.die(new Error("the archive is no stream"))
    zip.on("error", (error: Error) => output.destroy(error))
    const index: Array<Listed> = []

    const add = (path: string, contents: () => AsyncIterable<Uint8Array | string>) =>
      zip.addReadStreamLazy(path, (respond) => {
        const stream = Readable.from(contents())
        stream.on("error", (error) => output.destroy(error))
        respond(null, stream)
      })

    /** Writes rows as a JSON array. */
    async function* arrayOf(
      listed: Omit<Listed, "rows">,
      pages: AsyncIterable<ReadonlyArray<object>>
    ): AsyncGenerator<string> {
      let count = 0
      for await (const page of pages) {
        for (const row of page) yield `${count++ === 0 ? "[\n" : ",\n"}${JSON.stringify(row)}`
      }
      yield count === 0 ? "[]\n" : "\n]\n"
      if (count > 0) index.push({ ...listed, rows: count })
    }

    async function* pagesOf(source: Source, onRow?: (row: { readonly [member: string]: unknown }) => void) {
      for (let after: string | null = null; ;) {
        const page: Effect.Success<ReturnType<typeof rows.page>> = await Effect.runPromiseWith(services)(
          rows.page(source, after, pageSize)
        )
        for (const { row } of page) onRow?.(row)
        yield page.map(({ row }) => row)
        const last = page.at(-1)
        if (last === undefined || page.length < pageSize) return
        after = last.after
      }
    }

    const contentOf = (uuid: string) =>
      Stream.toAsyncIterableWith(store.read({ namespace, id: uuid }, undefined), services)

    const addSource = (folder: string, source: Source, team: string | null) => {
      const suffix =
        source.teamId === undefined || team === null || Id.fromUuid("team", source.teamId) === team
          ? ""
          : "-of-investors"
      const path = `${folder}/${source.kind}${suffix}.json`
      const { table } = source
      add(path, () =>
        arrayOf(
          { file: path, holds: holds(table), table, team, ...kept(table) },
          pagesOf(source, ({ content, id, name }) => {
            if (table !== "files" || typeof content !== "string") return
            const safe = String(name).replaceAll(/[^\p{L}\p{N}. _-]/gu, "_")
            add(`${folder}/files/${String(id)}/${safe}`, () => contentOf(content))
          })
        )
      )
    }

    const exportedUtc = (yield* now).toISOString()
    const makeIndex = () =>
      Readable.from([`${JSON.stringify({ person: name, exportedUtc, contents: index }, null, 2)}\n`])

    for (const person of found.teams) {
      const team = Id.fromUuid("team", person.teamId)
      const perTeam = Map.groupBy(rows.ofTeam(person), ({ kind, teamId }) => `${kind} ${teamId === person.teamId}`)
      for (const sources of perTeam.values()) for (const source of sources) addSource(team, source, team)
      const path = `${team}/stored-answers.json`
      const table = "idempotency_keys"
      add(path, () =>
        arrayOf(
          { file: path, holds: holds(table), table, team, ...kept(table) },
          (async function* () {
            const opened = await Effect.runPromiseWith(services)(answers.open(person))
            yield opened.map(({ answer, storedAt }) => ({ storedUtc: storedAt.toISOString(), answer }))
          })()
        )
      )
    }
    const { account } = found
    if (account !== undefined) {
      for (const source of rows.ofAccount(account)) addSource("account", source, null)
      const path = "account/stored-answers.json"
      const table = "idempotency_keys"
      add(path, () =>
        arrayOf(
          { file: path, holds: holds(table), table, team: null, ...kept(table) },
          (async function* () {
            const opened: Array<object> = []
            const collect = answers.ofAccount(account, ({ answer, storedAt }) =>
              Effect.sync(() => void opened.push({ storedUtc: storedAt.toISOString(), answer }))
            )
            await Effect.runPromiseWith(services)(collect)
            yield opened
          })()
        )
      )
    }
    // Files are added while their rows are read, and the index after all of them.
    const finish = () => {
      zip.addReadStreamLazy("index.json", (respond) => respond(null, makeIndex()))
      zip.end()
    }
    zip.addReadStreamLazy("README.txt", (respond) => {
      finish()
      respond(null, Readable.from([readme]))
    })
    const archive: Archive = { bytes: output, teams: found.teams.length, account: found.account !== undefined }
    return archive
  })

  return { open }
})

const readme = `What is held about a person: index.json lists the files of this archive, with the table that each comes from, the number of its
rows, and for how long they are kept. There are no passwords, tokens or secrets in it, which are only kept as hashes.
`

/** Exports what is held about people, for operators and for administrators of a team. */
export class PersonExports extends Context.Service<PersonExports, Effect.Success<typeof make>>()(
  "privacy/PersonExports"
) {
  static readonly layer = Layer.effect(PersonExports, make).pipe(Layer.provide([People.layer, PersonRowsRepo.layer]))
}
