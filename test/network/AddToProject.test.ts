/** How contacts get on the list of a project in the console. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../support/TestService.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { asked, broker } from "../deals/console.ts"

describe("Investors", () => {
  layer(TestService.layer, { excludeTestServices: true })((it) => {
    it.effect("are looked for, and added: those that are ticked, or all that match", () =>
      Effect.gen(function* () {
        const { as, base, project, prospects, read, submit } = yield* broker
        const { id } = yield* project("Speicher")
        yield* prospects(id, ["Rossi"])
        const { create } = yield* Contacts
        const tagged = ["Haugen", "Weber <b>", "Åkesson"]
        const made = yield* as(Effect.forEach(tagged, (lastName) => create(asked({ lastName, tags: ["core"] }))))
        const path = `/projects/${id}/prospects`
        assert.include((yield* read(path)).text, `href="${base}${path}/add"`)
        const found = (yield* read(`${path}/add?q=haugen`)).text
        assert.match(found, /Haugen<\/a\s*>/)
        assert.notInclude(found, "Weber")
        const one = yield* submit(found, `${path}/additions`, {
          pick: made[0]?.value.id ?? "",
          classification: "contacted",
          tag: "first-round"
        })
        assert.include(one.text, "1 investor was added.")
        assert.match(one.text, /Haugen[\s\S]*Contacted[\s\S]*first-round/)
        const listed = (yield* read(`${path}/add?tags=core`)).text
        assert.match(listed, /Haugen[\s\S]*on the list[\s\S]*Weber &lt;b&gt;/)
        const asking = yield* submit(listed, `${path}/additions`, {
          all: "on",
          tag: "",
          classification: "not_contacted"
        })
        assert.include(asking.text, "All 3 that match.")
        const refused = yield* submit(asking.text, `${path}/additions`)
        assert.match(refused.text, /2 investors were added\.[\s\S]*already/)
        assert.match((yield* read(path)).text, /Haugen[\s\S]*Weber &lt;b&gt;[\s\S]*Åkesson/)
      })
    )
  })
})
