/** The titles of teasers. */
import { assert, describe, it } from "@effect/vitest"
import { categories } from "../../../../src/market/properties/members/vocabulary.ts"
import { composedTitle, inLanguage, mentions, words } from "../../../../src/deals/teasers/projection/investorView.ts"
import { projected } from "./samples.ts"

const nowhere = { country: null, region: null, locality: null }

describe("A title", () => {
  it("is composed of the categories and the most precise place that is shown", () => {
    const shown = { categories: ["office", "retail"], country: "DE", region: "Bayern", locality: "München" }
    assert.strictEqual(composedTitle(shown, "en-US"), "Office and retail, München")
    assert.strictEqual(composedTitle({ ...shown, locality: null }, "en"), "Office and retail, Bayern")
    assert.strictEqual(composedTitle({ ...shown, ...nowhere, country: "DE" }, "en"), "Office and retail, Germany")
    assert.strictEqual(composedTitle({ ...shown, ...nowhere }, "en"), "Office and retail")
    assert.strictEqual(composedTitle({ ...shown, categories: [] }, "en"), "München")
  })

  it("is null where neither a category nor a locality is shown, whatever else is", () => {
    for (const place of [{}, { country: "DE" }, { region: "Bayern" }, { country: "DE", region: "Bayern" }]) {
      assert.isNull(composedTitle({ categories: [], ...nowhere, ...place }, "en"))
    }
    assert.isNull(projected({ country: "DE", locality: "München" }).title)
    assert.strictEqual(projected({ locality: "München" }, { options: { location: "locality" } }).title, "München")
  })

  it("has words in German and French, and English ones for all other languages", () => {
    const shown = { categories: ["data_centre"], ...nowhere, country: "CH" }
    assert.strictEqual(composedTitle(shown, "de-AT"), "Rechenzentrum, Schweiz")
    assert.strictEqual(composedTitle(shown, "fr"), "Centre de données, Suisse")
    assert.strictEqual(composedTitle(shown, "sv-SE"), "Data centre, Switzerland")
    for (const language of ["de", "fr"] as const) assert.sameMembers(Object.keys(words[language]), [...categories])
  })

  it("of more than three categories says mixed use", () => {
    const shown = { categories: ["office", "retail", "hotel", "parking"], ...nowhere, country: "DE" }
    assert.strictEqual(composedTitle(shown, "en"), "Mixed use, Germany")
  })

  it("is composed again in another language, unless the broker wrote it", () => {
    const composed = projected({ categories: ["hotel"], country: "DE" })
    assert.strictEqual(composed.title, "Hotel, Germany")
    const inGerman = inLanguage(composed, "de-DE")
    assert.strictEqual(inGerman.title, "Hotel, Deutschland")
    assert.deepStrictEqual(inLanguage(inGerman, "en"), composed)
    const written = { ...composed, title: "Trophy asset" }
    assert.deepStrictEqual(inLanguage(written, "de"), written)
    const untitled = projected({})
    assert.deepStrictEqual(inLanguage(untitled, "de"), untitled)
  })

  it("mentions a name as whole words, whatever the case, the accents and what is between them", () => {
    assert.isTrue(mentions("Office in MUNCHEN, core", ["München"]))
    assert.isTrue(mentions("Bürohaus–Landsberger STRASSE", ["Landsberger Straße"]))
    assert.isFalse(mentions("Haus am See", ["Au", "", "-"]))
  })
})
