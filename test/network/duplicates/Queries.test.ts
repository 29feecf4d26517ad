import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bulkLoad, planOf, service, statementsOf } from "../../support/Statements.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as DuplicatesClient from "./DuplicatesClient.ts"

const people =
  "Müller Schmidt Fischer Weber Meyer Wagner Becker Schulz Hoffmann Lindqvist Andersson Johansson Nilsson Rossi Bianchi Ferrari Garcia Fernandez Dubois Lefebvre Moreau Janssen Visser Bakker Kowalski Nowak Wiśniewski Hansen Nielsen Larsen".split(
    " "
  )
const trades =
  "Immobilien|Real Estate|Asset Management|Fastigheter|Wohnbau|Property|Vastgoed|Immobiliare|Ejendomme|Capital Partners|Projektentwicklung|Grundbesitz Verwaltung".split(
    "|"
  )
const places =
  "Berlin Hamburg München Köln Wien Zürich London Leeds Paris Lyon Amsterdam Utrecht Madrid Sevilla Milano Torino Stockholm Göteborg Aarhus Odense Warszawa Kraków".split(
    " "
  )
const forms = ["GmbH", "AG", "Ltd", "SA", "B.V.", "S.L.", "S.p.A.", "AB", "A/S", "Sp. z o.o."]

const syllables = "ka lo mi ra te su no ve di bor gen lux nor pri stan".split(" ")

/** A name of one word, as one in five is, or of words that thousands of others have too. */
const nameOf = (n: number) => {
  const form = forms[n % 10]
  if (n % 5 === 0) return `${[n, n >> 4, n >> 8, n >> 12].map((part) => syllables[part % 15]).join("")} ${form}`
  return `${people[n % 30]} ${trades[Math.floor(n / 30) % 12]} ${places[Math.floor(n / 360) % 22]} ${form}`
}

layer(service, { excludeTestServices: true, timeout: 60_000 })("A look for duplicates", (it) => {
  it.effect("among 50,000 companies takes one statement, which reads them by index", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      const other = yield* Tenant.make()
      yield* bulkLoad(
        ["companies"],
        Effect.gen(function* () {
          for (let from = 0; from < 50_000; from += 10_000) {
            const some = Array.from({ length: 10_000 }, (_, n) => from + n)
            yield* tenant.add(
              ...some
                .filter((n) => n % 5 !== 4)
                .map((n) => ({
                  name: nameOf(n),
                  domain: `${n}.example`,
                  linkedInUrl: `https://de.linkedin.com/company/company-${n}/`
                }))
            )
            yield* DuplicatesClient.add(
              other.teamId,
              some.filter((n) => n % 5 === 4).map((n) => ({ name: nameOf(n) }))
            )
          }
          yield* tenant.add({ name: "Castellum AB" }, { name: "Kungsleden AB" })
        })
      )
      const names = [
        "Castelum",
        "Kalomira",
        "Müller",
        "Mueller Immobilien Köln",
        "Immobilien Asset Management Müller Berlin GmbH",
        "Nothing at all"
      ]
      for (const name of names) {
        const { reply, statements } = yield* statementsOf(
          tenant.find({
            name,
            countryCode: "DE",
            domain: "4711.example",
            linkedInUrl: "http://linkedin.com/company/Company-1312?trk=x"
          })
        )
        assert.includeMembers(
          reply.body.data.map(({ domain }) => domain),
          ["4711.example", "1312.example"]
        )
        const [statement, ...others] = statements.filter(({ text }) => text.includes("companies"))
        assert.isEmpty(others)
        const nodes = statement === undefined ? [] : yield* planOf(statement)
        const reads = nodes.filter((node) => node["Relation Name"] === "companies").map((node) => node["Node Type"])
        assert.isAtLeast(reads.length, 6)
        assert.deepStrictEqual(
          reads.filter((read) => !/^(?:Index (?:Only )?Scan|Bitmap Heap Scan)$/.test(read)),
          []
        )
        // None of them reads all companies of the team.
        assert.includeMembers(
          nodes.flatMap((node) => node["Index Name"] ?? []),
          [
            "companies_domain",
            "companies_linked_in_page",
            "companies_name_letters",
            "companies_name_traits",
            "companies_transliterated_names"
          ]
        )
      }
    })
  )
})
