/** `backup`: how long `backup create` and `backup verify` take with 100,000 contacts. See bench/README.md. */
import * as Migrations from "../src/platform/db/Migrations.ts"
import * as Teams from "./data/teams.ts"
import { Effect, Redacted } from "effect"
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { EmbeddedPostgres } from "../src/platform/db/embedded/EmbeddedPostgres.ts"
import * as Bulk from "./data/Bulk.ts"
import type { Line, Measurement, Options } from "./Measurement.ts"
import { count } from "./Report.ts"
import { folder, store } from "./Service.ts"

const root = resolve(import.meta.dirname, "..")

const settingsOf = ({ quick }: Options) => ({ contacts: quick ? 2000 : 100_000 })

// What creates of contacts write beside the row: the timeline, with its subject, and the event that receivers and the journal have.
const beside = [
  `with made as (
    insert into actions (id, team_id, type, event, occurred_at, origin, details)
    select new_uuid_v7(created_at), team_id, 'audit', 'created', created_at, 'api', json_build_object('contact', id)
    from contacts order by created_at, id
    returning id, team_id, occurred_at, (details ->> 'contact')::uuid as contact
  )
  insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at)
  select 'contact', contact, id, team_id, occurred_at from made`,
  `insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
  select new_uuid_v7(created_at), transaction_id, team_id, 'msg_' || id, 'contact.created', 'contact', id, created_at,
    json_build_object('event', 'contact.created', 'resource_id', id, 'occurred', created_at, 'contact', row_to_json(c))::text
  from contacts c order by created_at, id`
]

const run = promisify(execFile)

/** Runs the operator's command, and returns after how many seconds it ended. */
const command = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Promise<number> => {
  const begun = performance.now()
  await run(process.execPath, ["run.mjs", "src/admin.ts", ...args, "--json"], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: homedir(), ...env }
  })
  return Number(((performance.now() - begun) / 1000).toFixed(1))
}

/** The commands on a database with contacts, their timelines and events. */
export const backup: Measurement = {
  name: "backup",
  summary: "how long `backup create`, `verify` and `restore` take with 100,000 contacts",
  run: (options) =>
    Effect.gen(function* () {
      const { contacts } = settingsOf(options)
      const { url } = yield* EmbeddedPostgres.start({ dataDir: yield* folder })
      yield* Migrations.run(Redacted.make(url))
      yield* Teams.withContacts({ url: Redacted.make(url), rows: [contacts] }).pipe(
        Effect.provide(store({ url: Redacted.make(url) }))
      )
      yield* Effect.scoped(
        Effect.flatMap(Bulk.session(Redacted.make(url)), ({ query }) =>
          Effect.forEach(beside, (statement) => query(statement), { discard: true })
        )
      )
      const backups = join(yield* folder, "today")
      const env = {
        DATABASE_URL: url,
        FILE_STORE: yield* folder,
        SECRET_KEY: randomBytes(32).toString("base64")
      }
      const create = yield* Effect.promise(() => command(["backup", "create", backups], env))
      const verify = yield* Effect.promise(() => command(["backup", "verify", backups], env))
      const target = yield* EmbeddedPostgres.start({ dataDir: yield* folder })
      const restore = yield* Effect.promise(() =>
        command(["backup", "restore", backups], {
          ...env,
          DATABASE_URL: target.url,
          FILE_STORE: join(backups, "..", "files")
        })
      )
      const amount = Number((create + verify).toFixed(1))
      const line: Line = {
        name: "backup",
        work: `\`backup create\` and \`backup verify\` of ${count(contacts)} contacts with timelines and events`,
        ours: `${create} s and ${verify} s; restore ${restore} s`,
        value: { amount, unit: "s" },
        target: { most: 60 },
        details: { create, verify, restore }
      }
      return { lines: [line] }
    })
}
