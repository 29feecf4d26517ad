import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { userInfo } from "node:os"
import { runToEnd } from "../support/Admin.ts"
import { store, TestDatabase } from "../support/TestDatabase.ts"

interface Entry {
  readonly action: string
  readonly outcome: string
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null }
  readonly via: { readonly command: string | null }
  readonly details: { readonly [member: string]: unknown }
}

/** Entries as `audit list` answers them. */
const entriesOf = (...args: ReadonlyArray<string>) =>
  Effect.map(
    runToEnd(["audit", "list", "--json", ...args]),
    ({ out }) => JSON.parse(out.split("\n").at(-1) ?? "") as ReadonlyArray<Entry>
  )

const shown = ({ action, details, outcome, via }: Entry) => [via.command, action, outcome, details["code"] ?? null]

// The in-memory store is no other process's.
if (store !== "memory") {
  layer(TestDatabase.layer, { excludeTestServices: true })("The commands on the audit log", (it) => {
    it.effect("show each command that ran, who ran it, how it ended, and what it did", () =>
      Effect.gen(function* () {
        const secretName = "Planted Name"
        const team = JSON.parse((yield* runToEnd(["--json", "team", "create", secretName, "--plan", "plus"])).out) as {
          readonly id: string
        }
        yield* runToEnd(["team", "set-plan", team.id, "free", "--dry-run"])
        yield* runToEnd(["client", "create", "--team", team.id, "--name", secretName, "--bot", "Bot"])
        yield* runToEnd(["token", "create", "--user", "planted@example.com", "--name", secretName])
        yield* runToEnd(["team", "--help"])
        const entries = yield* entriesOf()
        assert.deepStrictEqual(entries.map(shown).toReversed(), [
          ["team create", "team.created", "success", null],
          ["team create", "command.run", "success", null],
          ["team set-plan", "command.run", "success", null],
          ["client create", "client.created", "success", null],
          ["client create", "command.run", "success", null],
          ["token create", "command.run", "refused", "invalid_request"]
        ])
        const { uid, username } = userInfo()
        for (const { actor } of entries) {
          assert.deepStrictEqual(actor, { kind: "operator", id: String(uid), name: username })
        }
        assert.deepStrictEqual(entries.at(2)?.details, { scopes: ["api:public"] })
        assert.strictEqual(entries.at(-3)?.details["dryRun"], true)
        assert.notInclude(JSON.stringify(yield* entriesOf("--action", "command.run")), "lanted")
        const [, listed] = yield* entriesOf("--limit", "2")
        assert.strictEqual(listed?.via.command, "audit list")
      })
    )

    it.effect("answer as a table, and as lines", () =>
      Effect.gen(function* () {
        yield* runToEnd(["team", "list"])
        const { out: table } = yield* runToEnd(["audit", "list", "--limit", "1", "--since", "1h"])
        assert.match(table, /^AT +OUTCOME +ACTION .*\n.* success +command\.run +operator .* team list/)
        const { out: lines } = yield* runToEnd(["audit", "list", "--ndjson", "--action", "command.*"])
        const actions = lines.split("\n").map((line) => (JSON.parse(line) as Entry).action)
        assert.isAtLeast(actions.length, 2)
        assert.deepStrictEqual([...new Set(actions)], ["command.run"])
        const unknown = yield* runToEnd(["audit", "list", "--action", "contact.created"])
        assert.match(unknown.err, /^--action: There is no such action\./)
      })
    )
  })
}
