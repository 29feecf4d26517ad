/** A marker in every text column that can hold something of a person is nowhere any more once the person is erased. */
import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { isPersonal, tables } from "../../src/privacy/classification.ts"
import { Erasures } from "../../src/privacy/Erasures.ts"
import { TestService } from "../support/TestService.ts"
import { converse, deliverTo, newMarker, plant, traces } from "./planted.ts"

const lines: Array<string> = []
const captured = Logger.layer([Logger.make(({ message }) => void lines.push(JSON.stringify(message)))])

/** Personal columns in which no use-case puts a text that users choose, each with the reason. */
const reasons = {
  "words of a vocabulary": [
    "mandates.categories",
    "mandates.subcategories",
    "mandates.lifecycle_stages",
    "mandates.tenures",
    "mandates.deal_structures",
    "mandates.conversions",
    "mandates.risk_profiles",
    "mandates.worst_energy_class",
    "mandates.country",
    "mandates.positive_tags",
    "mandates.negative_tags",
    "mandates.whole_countries",
    "mandate_boxes.country"
  ],
  "numbers and units": [
    "mandates.investment_size",
    "mandates.year_built",
    "mandates.parcel_area",
    "mandates.lettable_area",
    "mandates.zoning_gfa",
    "mandates.net_initial_yield",
    "mandates.vacancy_rate",
    "mandates.target_irr",
    "mandates.wault",
    "mandates.unit_count",
    "mandates.price_per_sqm"
  ],
  "coordinates, packed": ["mandates.geography", "mandates.near"],
  "a digest": ["files.sha256"],
  "a machine and its user, which the audit log keeps": ["audit_log.os_user", "audit_log.address"]
}

const unplanted = new Set(Object.values(reasons).flat())

layer(TestService.layerWith(captured), { excludeTestServices: true })("A marker", (it) => {
  it.effect("of a person is found in every classified column, and nowhere once the person is erased", () =>
    Effect.gen(function* () {
      const marker = newMarker()
      const planted = yield* plant(marker)
      yield* converse(marker, planted)
      yield* deliverTo(planted.seller, [planted.contact.id, planted.prospect.id], marker)
      const before = yield* traces(marker)
      const personal = Object.entries(tables).flatMap(([table, { columns }]) =>
        Object.entries(columns).flatMap(([column, holds]) => (isPersonal(holds) ? [`${table}.${column}`] : []))
      )
      assert.deepStrictEqual(
        personal.filter((column) => !before.includes(column) && !unplanted.has(column)),
        [],
        "plant a marker in these, or say why none can be in them"
      )
      assert.deepStrictEqual(
        before.filter((place) => place !== "object" && !personal.includes(place)),
        [],
        "the marker stands in columns that are not classified as personal"
      )
      const { erase } = yield* Erasures
      const receipt = yield* asOperator(erase(planted.email, { all: true }))
      assert.deepStrictEqual(receipt.remaining, [])
      assert.deepStrictEqual(yield* traces(marker), [])
      assert.notInclude(lines.join("\n"), marker)
    })
  )
})
