/**
 * The commands of docs/incidents.md: that they exist, and in `npm run test:long` that those of the commonest incidents do what the page says.
 * `node run.mjs bench/incidents/main.ts` runs all, which takes eight minutes.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { sections } from "../../bench/incidents/Guide.ts"
import { incidents } from "../../bench/incidents/incidents.ts"
import { runToEnd } from "../support/Admin.ts"
import { isLong } from "../support/campaign.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** What is said to `admin` in the blocks: the words of each command, and its flags. */
const commands = [...sections.values()]
  .flat()
  .flatMap((block) => [...block.replaceAll(/(?:^|\s)#.*$/gm, "").matchAll(/\badmin ((?:[a-z][a-z-]* ?)+)([^\n|;)]*)/g)])
  .map(([, words = "", rest = ""]) => ({
    words: words.trim().split(" "),
    flags: [...rest.matchAll(/(--[a-z-]+)/g)].map(([flag]) => flag)
  }))

it.layer(TestDatabase.layer)("docs/incidents.md", (it) => {
  it.effect("names commands with flags that they have", () =>
    Effect.gen(function* () {
      assert.isAbove(commands.length, 30)
      const known = new Map<string, string>()
      for (const { flags, words } of commands) {
        const name = words.slice(0, words[0] === "restore" ? 1 : 2).join(" ")
        const help = known.get(name) ?? (yield* runToEnd([...name.split(" "), "--help"])).out
        known.set(name, help)
        assert.include(help, `admin ${name}`, name)
        for (const flag of flags) assert.include(help, flag, `${name} ${flag}`)
      }
    })
  )
})

const commonest = ["deletion", "clientSecret", "request"]

for (const [name, incident] of Object.entries(incidents).filter(([name]) => commonest.includes(name))) {
  it.live.runIf(isLong)(`does what it says: ${name}`, () => Effect.scoped(incident), 300_000)
}
