import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isTransliterated, nameKeyOf } from "../../../src/network/companies/naming.ts"
import { maxCandidates, minScore, nameSimilarity, rank, scoreOf } from "../../../src/network/duplicates/rules.ts"
import { furtherPairs, halves, type Pair, pairs, quality } from "./pairs.ts"

const company = (nameKey: string, country: string | null = null) => ({
  nameKey,
  country,
  sameDomain: false,
  sameLinkedIn: false,
  inOtherLetters: false
})

const likeness = (a: string, b: string) =>
  scoreOf(nameKeyOf(a), { ...company(nameKeyOf(b)), inOtherLetters: isTransliterated(a) !== isTransliterated(b) })

const isAlike = (a: string, b: string) => likeness(a, b) >= minScore

const judged = (what: string, list: ReadonlyArray<Pair>) => {
  const found = quality(list.map((pair) => ({ ...pair, found: isAlike(pair.there, pair.added) })))
  process.stdout.write(
    `${what}: precision ${found.precision.toFixed(3)}, recall ${found.recall.toFixed(3)}; wrong: ${found.wrong.join("; ") || "none"}\n`
  )
  return found
}

describe("Sixty pairs of names from ten countries", () => {
  test("are three of either kind for each country, and no pair is there twice", () => {
    const countries = [...new Set(pairs.map(({ country }) => country))]
    expect(countries).toHaveLength(10)
    for (const same of [true, false]) {
      for (const country of countries) {
        expect(pairs.filter((pair) => pair.country === country && pair.same === same)).toHaveLength(3)
      }
    }
    expect(new Set(pairs.map(({ added, there }) => `${there}|${added}`)).size).toBe(60)
  })

  test("are classified with a precision and recall of at least 95%", () => {
    const { precision, recall } = judged("sixty pairs", pairs)
    expect(precision).toBeGreaterThanOrEqual(0.95)
    expect(recall).toBeGreaterThanOrEqual(0.95)
  })

  test("are followed by harder pairs, with at least 85%", () => {
    const { precision, recall } = judged("further pairs", furtherPairs)
    expect(precision).toBeGreaterThanOrEqual(0.85)
    expect(recall).toBeGreaterThanOrEqual(0.85)
  })
})

describe.each(halves)("Pairs of fifteen kinds, the half that was $half,", ({ half, pairs: some }) => {
  test("are classified with a precision and recall of at least 97%", () => {
    expect(new Set(some.map(({ country }) => country)).size).toBe(16)
    const { precision, recall } = judged(half, some)
    expect(precision).toBeGreaterThanOrEqual(0.97)
    expect(recall).toBeGreaterThanOrEqual(0.97)
  })
})

const word = fc.constantFrom(
  ..."castellum wohnbau fastigheter immobilien berlin 12 nord objekt ab12 the sankt kungsleden".split(" ")
)
const words = fc.array(word, { minLength: 1, maxLength: 6 })

describe("The similarity of two names", () => {
  test("is 1 for the same name, from 0 to 1 for others, and the same both ways", () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const [one, other] = [a.join(" "), b.join(" ")]
        expect(nameSimilarity(one, one)).toBe(1)
        expect(nameSimilarity(one, other)).toBeGreaterThanOrEqual(0)
        expect(nameSimilarity(one, other)).toBeLessThanOrEqual(1)
        expect(nameSimilarity(one, other)).toBe(nameSimilarity(other, one))
      })
    )
  })

  test("stays high for another word order", () => {
    fc.assert(
      fc.property(
        words.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(nameSimilarity(all.join(" "), shuffled.join(" "))).toBeGreaterThanOrEqual(0.98)
        }
      )
    )
  })

  test("tolerates one typing error in words of 7 letters or more, of 5 beside another word, and two in long ones", () => {
    for (const slip of ["Castelum", "Castelllum", "Castlelum", "Castallum"]) {
      expect([slip, isAlike(slip, "Castellum")]).toStrictEqual([slip, true])
    }
    expect(isAlike("Kungledn", "Kungsleden")).toBe(true)
    expect(isAlike("Siemns", "Siemens")).toBe(true)
    expect(isAlike("Fabge Fastigheter", "Fabege Fastigheter")).toBe(true)
    for (const [a, b] of [
      ["Fabge", "Fabege"],
      ["Neste", "Nestlé"],
      ["Wien Wohnbau", "Wein Wohnbau"],
      ["Wien", "Wein"],
      ["Nord", "Nora"],
      ["Kungld", "Kungsleden"],
      ["Corem", "Carom"]
    ] as const) {
      expect([a, isAlike(a, b)]).toStrictEqual([a, false])
    }
  })

  test("does not tolerate another number, first letter or single letter", () => {
    for (const [a, b] of [
      ["Objekt 12", "Objekt 13"],
      ["Objektgesellschaft 2010", "Objektgesellschaft 2011"],
      ["Portfolio12345", "Portfolio12346"],
      ["Essen Wohnbau", "Hessen Wohnbau"],
      ["Fonds II", "Fonds III"],
      ["Haus D", "Haus L"],
      ["Phase I", "Phase"]
    ] as const)
      expect([a, isAlike(a, b)]).toStrictEqual([a, false])
  })

  test("distinguishes a subsidiary from its parent", () => {
    for (const more of ["Göteborg", "Holding", "Bank", "II", "International"])
      expect(isAlike("Castellum", `Castellum ${more}`)).toBe(false)
  })

  test("ignores articles, words for groups, common abbreviations and joined words", () => {
    for (const [a, b] of [
      ["The Crown Estate", "Crown Estate"],
      ["Vonovia Group", "Vonovia"],
      ["Koncern Vonovia", "Vonovia"],
      ["Bauer Immo", "Bauer Immobilien"],
      ["Bauer Property Mgmt", "Bauer Properties Management"],
      ["Wohn Bau Nord", "Wohnbau Nord"],
      ["E.ON", "EON"]
    ] as const)
      expect([a, isAlike(a, b)]).toStrictEqual([a, true])
    expect(isAlike("The Group", "Die Gruppe")).toBe(false)
  })

  test("counts a word as often as it is there", () => {
    expect(isAlike("Berlin Berlin", "Berlin")).toBe(false)
    expect(isAlike("Wohnbau Wohnbau", "Wohnbau Wohnbat")).toBe(true)
  })
})

describe("The score of a company", () => {
  test("is 1 for the same domain or page, and otherwise the similarity in hundredths", () => {
    expect(scoreOf("castellum", { ...company("nothing"), sameDomain: true })).toBe(1)
    expect(scoreOf("castellum", { ...company("nothing"), sameLinkedIn: true })).toBe(1)
    expect(scoreOf("castellum", company("castellum"))).toBe(1)
    expect(scoreOf("castellum", company("castelum"))).toBe(0.89)
    expect(scoreOf("castellum", company("nothing"))).toBe(0)
  })

  test("sorts by country first, then by score", () => {
    const country = fc.constantFrom("SE", "DE", null)
    const companies = fc.array(
      fc.tuple(fc.constantFrom("castellum", "castelum", "group castellum", "corem"), country),
      { maxLength: 40 }
    )
    fc.assert(
      fc.property(companies, country, (all, asked) => {
        const found = rank(
          { nameKey: "castellum", country: asked },
          all.map(([key, from]) => company(key, from))
        )
        const alike = all.filter(([key]) => key !== "corem")
        expect(found).toHaveLength(Math.min(maxCandidates, alike.length))
        const orderOf = (one: (typeof found)[number]) =>
          (asked !== null && one.company.country === asked ? 1000 : 0) + one.score
        expect(found.map(orderOf)).toStrictEqual(found.map(orderOf).toSorted((a, b) => b - a))
        if (asked !== null) {
          expect(found.filter((one) => one.company.country === asked)).toHaveLength(
            Math.min(maxCandidates, alike.filter(([, from]) => from === asked).length)
          )
        }
      })
    )
  })

  test("keeps equals in their order", () => {
    const companies = ["a", "b", "c"].map((id) => ({ ...company("castellum"), id }))
    expect(rank({ nameKey: "castellum", country: null }, companies).map((one) => one.company.id)).toStrictEqual([
      "a",
      "b",
      "c"
    ])
  })
})
