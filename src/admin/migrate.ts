/** The operator's command that brings the database up to date. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Migrations from "../db/Migrations.ts"
import { locate } from "./Installation.ts"
import { print } from "./Output.ts"

/** `migrate` */
export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    const { url } = yield* locate
    yield* Migrations.run(url)
    yield* print({ migrated: true })
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Bring the database up to date; safe to repeat, and to run in several places at once"))
