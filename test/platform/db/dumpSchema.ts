/** Writes sql/schema.sql: `npm run schema`. */
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import * as SchemaDump from "./schemaDump.ts"

await Effect.runPromise(
  Effect.flatMap(SchemaDump.make, (text) => Effect.promise(() => writeFile(SchemaDump.file, text)))
)
