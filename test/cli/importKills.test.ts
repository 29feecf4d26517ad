/** `admin import` and `admin export` that are killed or stopped, and continue. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { bundled } from "../../bundle.mjs"
import { fixture } from "../core/auth/fixture.ts"
import { kill, start } from "../support/Process.ts"
import { eventually } from "../support/polling.ts"
import {
  admin,
  aTeam,
  environment,
  folder,
  people,
  type ReceiptLine,
  receiptsIn,
  traces,
  withKey
} from "./importing.ts"

layer(fixture)("The commands import and export", (it) => {
  it.effect("continue after a kill without duplicates and with one receipt for each row", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Killed")
      const file = join(yield* folder, "people.csv")
      const receipts = `${file}.receipts.ndjson`
      const lines = yield* people(file, 700)
      const args = ["import", "contacts", file, "--team", team.id, ...withKey]
      const killed = start([bundled("src/admin.ts"), ...args], yield* environment)
      yield* eventually(async () => assert.isAbove((await readFile(receipts, "utf8")).split("\n").length, 401))
      yield* kill(killed)

      // Simulates a kill in the middle of writing the last receipts.
      const written = (yield* Effect.promise(() => readFile(receipts, "utf8"))).split("\n")
      const kept = written.slice(0, 251).join("\n").length
      yield* Effect.promise(() => truncate(receipts, kept + 30))
      const rest = yield* admin(...args)
      assert.match(rest.err, /Continued after 200 rows/)
      assert.deepInclude(rest.answer, { rows: 700, created: 686, failed: 14 })
      const all = yield* receiptsIn(receipts)
      assert.deepStrictEqual(
        all.map(({ line }) => line),
        lines
      )
      assert.deepStrictEqual(
        all.slice(0, 400),
        written.slice(1, 401).map((line) => JSON.parse(line) as ReceiptLine)
      )
      assert.deepInclude(yield* traces(team.uuid), { contacts: "686", events: "686" })
    }).pipe(Effect.scoped)
  )

  it.effect("finish the current batch when they are stopped, and print how to continue", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Stopped")
      const file = join(yield* folder, "people.csv")
      const receipts = `${file}.receipts.ndjson`
      yield* people(file, 3000)
      const args = ["import", "contacts", file, "--team", team.id, ...withKey]
      const stopped = start([bundled("src/admin.ts"), ...args], yield* environment)
      yield* eventually(async () => assert.isAbove((await readFile(receipts, "utf8")).split("\n").length, 101))
      stopped.child.kill("SIGINT")
      const { code } = yield* Effect.promise(() => stopped.ended)
      assert.strictEqual(code, 1)
      const count = (yield* receiptsIn(receipts)).length
      assert.strictEqual(count % 100, 0)
      assert.include(
        stopped.output.stderr,
        `Stopped: ${receipts} contains the receipts of ${count} rows. Run the same command again to continue.`
      )
      const { contacts } = yield* traces(team.uuid)
      assert.strictEqual(Number(contacts), (count * 98) / 100)
    }).pipe(Effect.scoped)
  )

  it.effect("write the same file when an export is killed and continued", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Export killed")
      const here = yield* folder
      const rows = Array.from({ length: 1200 }, (_, index) => `p${index}@example.com,person ${index}\n`)
      yield* Effect.promise(() => writeFile(join(here, "in.csv"), `email,first name\n${rows.join("")}`))
      yield* admin("import", "contacts", join(here, "in.csv"), "--team", team.id)
      const whole = join(here, "whole.csv")
      yield* admin("export", "contacts", whole, "--team", team.id)
      const file = join(here, "out.csv")
      const killed = start([bundled("src/admin.ts"), "export", "contacts", file, "--team", team.id], yield* environment)
      yield* eventually(async () =>
        assert.isTrue(
          (await readdir(here)).some((name) => name === "out.csv" || name === "out.csv.export.json"),
          killed.output.stderr
        )
      )
      yield* kill(killed)
      // Simulates a kill in the middle of a page.
      if ((yield* Effect.promise(() => readdir(here))).includes("out.csv.part")) {
        yield* Effect.promise(() => appendFile(`${file}.part`, "contact_half,"))
      }
      assert.deepInclude((yield* admin("export", "contacts", file, "--team", team.id)).answer, { rows: 1200 })
      const texts = yield* Effect.promise(() => Promise.all([file, whole].map((path) => readFile(path, "utf8"))))
      assert.strictEqual(texts[0], texts[1])
      assert.deepStrictEqual(
        (yield* Effect.promise(() => readdir(here))).filter((name) => name.startsWith("out")),
        ["out.csv"]
      )
    }).pipe(Effect.scoped)
  )
})
