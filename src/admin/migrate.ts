/** The operator's command that migrates the database. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Migrations from "../db/Migrations.ts"
import { databaseUrl } from "./Installation.ts"
import { print } from "./Output.ts"

/** `migrate` */
export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    const { url } = yield* databaseUrl
    yield* Migrations.run(url)
    yield* print({ migrated: true })
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Migrate the database. Safe to repeat and to run concurrently"))
