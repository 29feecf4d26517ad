import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { CurrentTransformer } from "effect/sql/Statement"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../../src/db/Database.ts"
import { EmbeddedPostgres } from "../../../src/db/EmbeddedPostgres.ts"
import * as Migrations from "../../../src/db/Migrations.ts"
import { nameKeyOf } from "../../../src/network/companies/naming.ts"
import { DuplicatesRepo } from "../../../src/network/duplicates/DuplicatesRepo.ts"
import { shapesOf } from "../../../src/network/duplicates/rules.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as DuplicatesClient from "./DuplicatesClient.ts"

/** Every statement that the service has made. */
const asked: Array<{ readonly text: string; readonly parameters: ReadonlyArray<unknown> }> = []

const recording = Layer.succeed(CurrentTransformer, (statement) =>
  Effect.sync(() => {
    const [text, parameters] = statement.compile()
    asked.push({ text, parameters })
    return statement
  }))

const settings = { fsync: "off", full_page_writes: "off", shared_buffers: "256MB", max_wal_size: "4GB", autovacuum: "off" }

// A Postgres of its own: while its rows are loaded, an open writer would hold back the deltas of other test files.
const database = Layer.unwrap(Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-duplicates-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
  const { url } = yield* EmbeddedPostgres.start({ dataDir: folder, settings })
  yield* Migrations.run(Redacted.make(url))
  return Database.layer({ url: Redacted.make(url) })
}))

const service = DuplicatesRepo.layer.pipe(
  Layer.provideMerge(database),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provide(Logger.layer([]))
)

const people = "Müller Schmidt Fischer Weber Meyer Wagner Becker Schulz Hoffmann Lindqvist Andersson Johansson Nilsson Rossi Bianchi Ferrari Garcia Fernandez Dubois Lefebvre Moreau Janssen Visser Bakker Kowalski Nowak Wiśniewski Hansen Nielsen Larsen".split(" ")
const trades = "Immobilien|Real Estate|Asset Management|Fastigheter|Wohnbau|Property|Vastgoed|Immobiliare|Ejendomme|Capital Partners|Projektentwicklung|Grundbesitz Verwaltung".split("|")
const places = "Berlin Hamburg München Köln Wien Zürich London Leeds Paris Lyon Amsterdam Utrecht Madrid Sevilla Milano Torino Stockholm Göteborg Aarhus Odense Warszawa Kraków".split(" ")
const forms = ["GmbH", "AG", "Ltd", "SA", "B.V.", "S.L.", "S.p.A.", "AB", "A/S", "Sp. z o.o."]

const syllables = "ka lo mi ra te su no ve di bor gen lux nor pri stan".split(" ")

/** A name of one word, as one in five is, or of words that thousands of others have too. */
const nameOf = (n: number) => {
  const form = forms[n % 10]
  if (n % 5 === 0) return `${[n, n >> 4, n >> 8, n >> 12].map((part) => syllables[part % 15]).join("")} ${form}`
  return `${people[n % 30]} ${trades[Math.floor(n / 30) % 12]} ${places[Math.floor(n / 360) % 22]} ${form}`
}

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Plans"?: ReadonlyArray<Plan>
}

const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

layer(service, { excludeTestServices: true, timeout: 60_000 })("A look for duplicates", (it) => {
  it.effect("among 100,000 companies is one statement, which reads them by index", () =>
    Effect.gen(function*() {
      const sql = yield* Database
      const repo = yield* DuplicatesRepo
      const { teamId } = yield* Tenant.make()
      const other = yield* Tenant.make()
      const count = 100_000
      for (let from = 0; from < count; from += 10_000) {
        const some = Array.from({ length: 10_000 }, (_, n) => from + n)
        yield* DuplicatesClient.add(teamId, some.filter((n) => n % 5 !== 4).map((n) => ({
          name: nameOf(n),
          domain: `${n}.example`,
          linkedInUrl: `https://de.linkedin.com/company/company-${n}/`
        })))
        yield* DuplicatesClient.add(other.teamId, some.filter((n) => n % 5 === 4).map((n) => ({ name: nameOf(n) })))
      }
      yield* DuplicatesClient.add(teamId, [{ name: "Castellum AB" }, { name: "Kungsleden AB" }])
      yield* sql`vacuum analyze companies`
      const names = [
        "Castelum",
        "Kalomira",
        "Müller",
        "Mueller Immobilien Köln",
        "Immobilien Asset Management Müller Berlin GmbH",
        "Nothing at all"
      ]
      for (const name of names) {
        asked.length = 0
        const nameKey = nameKeyOf(name)
        const found = yield* repo.candidates(teamId, {
          nameKey,
          shapes: shapesOf(nameKey),
          country: "DE",
          domain: "4711.example",
          linkedInUrls: ["http://linkedin.com/company/Company-1312?trk=x"]
        }).pipe(Effect.provide(recording))
        assert.includeMembers(found.filter(({ sameDomain }) => sameDomain).map(({ domain }) => domain), ["4711.example"])
        assert.includeMembers(found.filter(({ sameLinkedIn }) => sameLinkedIn).map(({ domain }) => domain), ["1312.example"])
        assert.lengthOf(asked, 1)
        const [row] = yield* sql.unsafe<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
          `explain (format json) ${asked[0]?.text}`,
          asked[0]?.parameters
        )
        const nodes = row === undefined ? [] : row["QUERY PLAN"].flatMap(({ Plan }) => nodesOf(Plan))
        const reads = nodes.filter((node) => node["Relation Name"] === "companies").map((node) => node["Node Type"])
        assert.isAtLeast(reads.length, 5)
        assert.deepStrictEqual(reads.filter((read) => !/^(?:Index (?:Only )?Scan|Bitmap Heap Scan)$/.test(read)), [])
        // None of them reads all companies of the team.
        assert.includeMembers(
          nodes.flatMap((node) => node["Index Name"] ?? []),
          ["companies_domain", "companies_linked_in_page", "companies_name_letters", "companies_name_initials"]
        )
      }
    }))
})
