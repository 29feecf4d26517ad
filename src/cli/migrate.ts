/** The operator's command that migrates the database. */
import * as Migrations from "../platform/db/Migrations.ts"
import { Effect, Redacted } from "effect"
import { Command } from "effect/cli"
import { databaseUrl } from "./Installation.ts"
import { print } from "./Output.ts"

interface Answer extends Migrations.Report {
  readonly migrated: true
  /** The host and port of the server. */
  readonly host: string
}

const hostOf = (url: Redacted.Redacted<string>): string => {
  const { host, searchParams } = new URL(Redacted.value(url))
  return searchParams.get("host") ?? host
}

const took = (milliseconds: number) => `${milliseconds} ms`

const linesOf = ({ applied, database, host, known, postgres, queue }: Answer): ReadonlyArray<string> => [
  `Postgres ${postgres} at ${host}, database ${database}: ${known} of ${known + applied.length} files were applied before.`,
  ...(queue.applied === 0 ? [] : [`job queue: ${queue.applied} migrations in ${took(queue.milliseconds)}`]),
  ...applied.map(({ file, milliseconds }) => `${file} in ${took(milliseconds)}`),
  applied.length + queue.applied === 0 ? "Nothing was to do." : "The database is up to date."
]

/** `migrate` */
export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    const { url } = yield* databaseUrl
    const report = yield* Migrations.run(url)
    const answer: Answer = { migrated: true, host: hostOf(url), ...report }
    yield* print(answer, linesOf)
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Migrate the database, and say what was done. Safe to repeat and to run concurrently"))
