/** Which rows of a second `admin import` change nothing: those that say what their record has, however they write it. */
import { assert, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { fixture } from "../core/auth/fixture.ts"
import { runToEnd } from "../support/Admin.ts"

interface ReceiptLine {
  readonly line: number
  readonly status: "created" | "updated" | "unchanged" | "failed"
  readonly id: string
}

const importing = Effect.fnUntraced(function* (
  kind: string,
  {
    folder,
    options = [],
    rows,
    team
  }: {
    readonly folder: string
    readonly team: string
    readonly rows: ReadonlyArray<object>
    readonly options?: ReadonlyArray<string>
  }
) {
  const file = join(folder, "rows.ndjson")
  yield* Effect.promise(() => writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join("")))
  yield* runToEnd(["import", kind, file, "--team", team, "--restart", "--json", ...options])
  const receipts = `${file}.${options.includes("--dry-run") ? "dry-run" : "receipts"}.ndjson`
  const lines = (yield* Effect.promise(() => readFile(receipts, "utf8"))).trimEnd().split("\n")
  return lines.map((line) => JSON.parse(line) as ReceiptLine).filter(({ status }) => status !== undefined)
})

/** One of some values, by a number from 0 to 1. */
const oneOf = <A>(values: ReadonlyArray<A>) =>
  Effect.map(Random.next, (random) => values[Math.floor(random * values.length)])

/** A member: ways to write one value, and values that are others, or none. */
interface Member {
  readonly same: ReadonlyArray<unknown>
  readonly others: ReadonlyArray<unknown>
}

/** The members of a kind. The first way to write a value is the one of the first import. */
const kinds: { readonly [kind: string]: { readonly [member: string]: Member } } = {
  properties: {
    description: { same: ["Six floors", "  Six floors "], others: ["Seven floors", null, "six floors", 6] },
    country: { same: ["DE"], others: ["AT", null, "Germany"] },
    locality: { same: ["M\u00fcnchen", " M\u00fcnchen"], others: ["Munich", null] },
    address: {
      same: [
        { street: "Lindenweg", houseNumber: "4", region: null },
        { street: "Lindenweg" },
        { houseNumber: "4", country: "DE" },
        { locality: "M\u00fcnchen", region: null },
        {}
      ],
      others: [
        { street: "Hafenstra\u00dfe" },
        { region: "BY" },
        { country: "AT" },
        { houseNumber: null },
        null,
        { floor: 1 }
      ]
    },
    coordinates: {
      same: [{ latitude: 48.1385, longitude: 11.5309 }, { latitude: 48.1385 }, { longitude: 11.53090000001 }],
      others: [{ latitude: 48.2 }, { latitude: null }, null, { latitude: 95 }]
    },
    categories: {
      same: [
        ["office", "retail"],
        ["office", "retail", "office"]
      ],
      others: [["retail", "office"], [], null]
    },
    lettableArea: {
      same: [
        { value: 500.5, unit: "sqm", standard: "gia" },
        { unit: "sqm", value: 500.5, standard: "gia", measuredOn: null }
      ],
      others: [{ value: 500.5, unit: "sqm" }, { value: 501, unit: "sqm", standard: "gia" }, { value: 500.5 }, null]
    },
    parcelArea: {
      same: [
        { value: 900, unit: "sqm" },
        { value: 900, unit: "sqm", standard: null }
      ],
      others: [
        { value: 900, unit: "sqm", measuredOn: "2025-03-01" },
        { value: 900, unit: "sqft" }
      ]
    },
    yearBuilt: { same: [1998], others: [1999, null, "1998"] },
    vacantArea: { same: [null], others: [{ value: 0, unit: "sqm" }] },
    pricing: {
      same: [
        { askingPrice: { value: 1000000, currency: "EUR" }, qualifier: "guide" },
        { askingPrice: { currency: "EUR", value: 1000000 } },
        { qualifier: "guide" },
        {}
      ],
      others: [{ askingPrice: { value: 1000000, currency: "CHF" } }, { askingPrice: null }, { qualifier: null }, null]
    },
    tags: { same: [["multi_tenant"], ["multi_tenant", "multi_tenant"]], others: [["fully_let"], null, ["nothing"]] }
  },
  companies: {
    country: { same: ["IT"], others: ["DE", null, "it"] },
    homepageUrl: { same: ["https://www.rossi.example/it"], others: ["https://rossi.example", null, "rossi"] },
    domain: { same: ["rossi.example", "ROSSI.example", " rossi.example"], others: ["rosso.example", null] },
    tags: {
      same: [
        ["core", "logistics"],
        ["core", "logistics", "core"]
      ],
      others: [["logistics", "core"], [], null]
    },
    strategy: { same: ["Core e\u0301", "Core e\u0301 "], others: ["Core", null] },
    legalName: { same: [null], others: ["Rossi S.p.A.", 7] }
  },
  contacts: {
    lastName: { same: ["Berg", " Berg "], others: ["Berger", null, ""] },
    primaryLanguage: { same: ["de-DE", "de-de", "DE-de"], others: ["en-GB", null, "d"] },
    tags: {
      same: [
        ["core", "caf\u00e9"],
        ["core", "cafe\u0301"],
        ["core", "caf\u00e9", "core"]
      ],
      others: [["core"], null]
    },
    phone: { same: ["+49 30 1", " +49 30 1"], others: ["+49301", null, 49] },
    linkedInUrl: {
      same: ["https://www.linkedin.com/in/anna"],
      others: ["https://www.linkedin.com/in/bo", null, "anna"]
    }
  }
}

layer(fixture)("A row of a second import", (it) => {
  it.effect.each(Object.entries(kinds))("changes what it changes in a record that is decoded: %s", ([kind, members]) =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-repeats-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const { id: team } = yield* asOperator((yield* Teams).create({ name: `Repeats of ${kind}`, plan: "plus" }))
      const nameOf = (row: number) => (kind === "contacts" ? { firstName: `Row ${row}` } : { name: `Row ${row}` })
      const first = Array.from({ length: 120 }, (_, row) => ({
        ...nameOf(row),
        externalRefs: [{ namespace: "crm", externalId: String(row) }],
        ...Object.fromEntries(Object.entries(members).map(([member, { same }]) => [member, same[0]]))
      }))
      const options = ["--on-duplicate", "create"]
      const made = yield* importing(kind, { folder, team, rows: first, options })
      assert.deepStrictEqual([...new Set(made.map(({ status }) => status))], ["created"])
      const written = yield* Effect.forEach(made, ({ id }, row) =>
        Effect.gen(function* () {
          // One in three rows has only what its record has.
          const chance = row % 3 === 0 ? 0 : 0.1
          const chosen: Record<string, unknown> = {}
          for (const [member, { others, same }] of Object.entries(members)) {
            if ((yield* Random.next) < 0.6) chosen[member] = yield* oneOf((yield* Random.next) < chance ? others : same)
          }
          return { id, ...nameOf(row), ...chosen }
        })
      ).pipe(Random.withSeed(kind))
      const dryRun = [...options, "--dry-run"]
      const outcomes = Effect.fnUntraced(function* (rows: ReadonlyArray<object>) {
        return (yield* importing(kind, { folder, team, rows, options: dryRun })).map(({ status }) => status)
      })
      const found = yield* outcomes(written)
      // A row with the ETag of its record is always decoded.
      const decoded = yield* outcomes(written.map((row) => ({ ...row, etag: '"v1"' })))
      assert.deepStrictEqual(found, decoded)
      const onlySame = found.filter((_, row) => row % 3 === 0)
      assert.deepStrictEqual([...new Set(onlySame)], ["unchanged"])
      assert.includeMembers(found, ["updated", "failed"])
    }).pipe(Effect.scoped)
  )
})
