/** The commands `privacy …`. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runToEnd } from "../support/Admin.ts"
import * as ContactsClient from "../support/ContactsClient.ts"
import { TestService } from "../support/TestService.ts"
import { unzip } from "./archive.ts"

const maria = { firstName: "Maria", lastName: "Rossi", email: "maria@rossi.example" }

layer(TestService.layer, { excludeTestServices: true })("The command privacy", (it) => {
  it.effect("export writes a file that only its owner can read, or says that there is nobody", () =>
    Effect.gen(function* () {
      const { create, team } = yield* ContactsClient.make()
      yield* create({ firstName: "Maria", email: "maria@rossi.example" })
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "export-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true }))
      )
      const out = join(folder, "maria.zip")
      const env = { FILE_STORE: join(folder, "files") }
      const done = yield* runToEnd(
        ["privacy", "export", "maria@rossi.example", "--team", team, "--out", out, "--json"],
        env
      )
      assert.deepInclude(JSON.parse(done.out), { file: out, teams: 1, account: false })
      assert.strictEqual((yield* Effect.promise(() => stat(out))).mode & 0o777, 0o600)
      const files = yield* Effect.promise(async () => unzip(await readFile(out)))
      assert.include(files.get(`${team}/contacts.json`), "Maria")
      const nobody = yield* runToEnd(["privacy", "export", "nobody@rossi.example", "--team", team, "--out", out], env)
      assert.deepStrictEqual([nobody.ok, nobody.err], [false, "There is nobody with this e-mail address or id."])
      const nowhere = yield* runToEnd(["privacy", "export", "maria@rossi.example", "--out", out], env)
      assert.strictEqual(nowhere.err, "--team: Give either --team ID or --all.")
    }).pipe(Effect.scoped)
  )

  it.effect("erase prints a receipt, and finds by its HMAC whom an address meant that was erased", () =>
    Effect.gen(function* () {
      const { create, team } = yield* ContactsClient.make()
      const { id } = (yield* create(maria)).body
      const dry = yield* runToEnd(["privacy", "erase", maria.email, "--team", team, "--dry-run", "--json"])
      const done = yield* runToEnd(["privacy", "erase", maria.email, "--team", team, "--json"])
      const receipt = JSON.parse(done.out) as { readonly contacts: ReadonlyArray<string>; readonly what: unknown }
      assert.deepStrictEqual(receipt.contacts, [id])
      assert.deepStrictEqual((JSON.parse(dry.out) as typeof receipt).what, receipt.what)
      // Found by the HMAC of the address.
      const lines = yield* runToEnd(["privacy", "erase", maria.email, "--team", team])
      assert.strictEqual(lines.out.split("\n").at(-1), "Nothing was left to erase.")
    })
  )
})
