/** The schema that the migrations lead to, as `pg_dump` writes it. */
import { migrationsFolder } from "../../../src/platform/db/Migrations.ts"
import { openImage } from "../../../src/platform/db/MemoryDatabase.ts"
import { pgDump } from "@electric-sql/pglite-tools/pg_dump"
import { Effect } from "effect"

/** The committed schema. */
export const file = new URL("schema.sql", migrationsFolder)

const header = `-- The schema that the migrations in this folder lead to, for reviews and readers. Nothing applies this file:
-- \`npm run schema\` writes it, and a test compares it with the migrations.
`

// Session settings, comments with versions, and pg_dump's random \restrict key differ between runs and say nothing about the schema.
const isNoise = (line: string) =>
  /^(?:SET |SELECT pg_catalog\.set_config|\\(?:un)?restrict|-- Dumped |-- PostgreSQL database dump)/.test(line)

/** Applies all migrations to an empty in-memory database, and dumps the schema `public`. */
export const make = Effect.scoped(
  Effect.gen(function* () {
    const pglite = yield* Effect.acquireRelease(openImage(migrationsFolder), (pglite) =>
      Effect.promise(() => pglite.close())
    )
    const args = ["--schema-only", "--no-owner", "--no-privileges", "--schema=public"]
    const dump = yield* Effect.promise(async () => (await pgDump({ pg: pglite, args })).text())
    const lines = dump.split("\n").filter((line) => !isNoise(line))
    return `${header}\n${lines
      .join("\n")
      .replaceAll(/^--$\n/gm, "")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim()}\n`
  })
)
