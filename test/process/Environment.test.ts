/** Commands that the service prints. */
import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { adminCommand } from "../../src/process/Environment.ts"

it("A printed command names the database, unless it is the default one, and no password", () => {
  const printed = (dataDir: string, url?: string) =>
    adminCommand({ dataDir, databaseUrl: url === undefined ? undefined : Redacted.make(url) }, "listen")
  assert.strictEqual(printed(".data"), "npm run -s admin -- listen")
  assert.strictEqual(printed("/srv/demo"), "DATA_DIR=/srv/demo npm run -s admin -- listen")
  assert.strictEqual(printed("/srv/it's here"), "DATA_DIR='/srv/it'\\''s here' npm run -s admin -- listen")
  assert.strictEqual(
    printed(".data", "postgres://app:secret@db/x"),
    "DATABASE_URL=… SECRET_KEY=… npm run -s admin -- listen"
  )
})
