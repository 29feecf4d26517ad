/** Arbitrary properties, by the types of their columns. */
import { Predicate, Schema } from "effect"
import * as fc from "fast-check"
import { columns } from "../../src/transfer/propertyColumns.ts"
import * as types from "../../src/transfer/propertyTypes.ts"
import type { Members } from "../../src/market/properties/members/Member.ts"
import * as vocabulary from "../../src/market/properties/members/vocabulary.ts"
import { type PropertyFields, propertyMembers } from "../../src/market/properties/Property.ts"
import { blank, normalize } from "../../src/market/properties/rules.ts"

const values = Object.values(vocabulary).flat()

const number = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000),
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: 1900, max: 2200 }),
  fc.integer({ min: -1_000_000, max: 9_000_000 }).map((value) => value / 10_000),
  fc.integer({ min: -9_999_999, max: 9_999_999 }),
  fc.integer({ min: 0, max: 9_999_999 }).map((value) => value / 1000)
)

const currency = fc.constantFrom("EUR", "CHF", "USD")

const area = fc.record(
  {
    value: number,
    unit: fc.constant("sqm"),
    standard: fc.constantFrom("ipms1", "ipms3_2", "local"),
    measuredOn: fc.constant("2025-03-01")
  },
  { requiredKeys: ["value", "unit"] }
)

const items = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.record({ use: fc.option(text), area: fc.option(area), rentedArea: fc.constant(null) }),
    fc.record({ scheme: fc.constantFrom("leed", "dgnb"), level: fc.option(text) }),
    fc.record({ cadastralId: text, area: fc.option(area) }),
    fc.record({ name: text, annualRent: fc.record({ value: number, currency }) })
  )

const ofType = (
  type: types.ColumnType,
  text: fc.Arbitrary<string>,
  isValid: (value: unknown) => boolean
): fc.Arbitrary<unknown> => {
  switch (type) {
    case types.area:
      return area
    case types.price:
    case types.perYear:
      return fc.record({ value: number, currency })
    case types.percent:
      return fc.record({ value: number, unit: fc.constant("percent") })
    case types.years:
      return fc.record({ value: number, unit: fc.constant("years") })
    case types.date:
      return fc.constantFrom("2031-12-31", "1999-02-01")
    case types.flag:
      return fc.boolean()
    case types.country:
      return fc.constantFrom("DE", "AT", "GB")
    case types.degrees:
      return fc.double({ min: -180, max: 180, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))
    case types.text:
      return text
    case types.objects:
    case types.parcels:
      return fc.array(items(text), { minLength: 1, maxLength: 2 })
    default: {
      const one = values.filter(isValid)
      const some = values.filter((value) => isValid([value]))
      return one.length > 0
        ? fc.constantFrom(...one)
        : some.length > 0
          ? fc.uniqueArray(fc.constantFrom(...some), { minLength: 1, maxLength: 3 })
          : number
    }
  }
}

const sentOf = (members: Members, text: fc.Arbitrary<string>, above = ""): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Object.entries(members).flatMap(
        ([name, { input, members: inner }]): ReadonlyArray<readonly [string, fc.Arbitrary<unknown>]> => {
          if (inner !== undefined) return [[name, fc.option(sentOf(inner, text, `${above}${name}.`))]]
          const type = columns[`${above}${name}`]?.type
          if (type === undefined) return []
          const isValid = Schema.is(input as Schema.Codec<unknown>)
          return [[name, fc.option(ofType(type, text, isValid).filter(isValid))]]
        }
      )
    ),
    { requiredKeys: [] }
  )

const hasBoth = (sent: object): boolean => {
  const coordinates: unknown = sent["coordinates" as never]
  return !Predicate.isObject(coordinates) || Object.values(coordinates).filter((value) => value !== null).length !== 1
}

/** Stored properties with these texts. */
export const propertyFields = (text: fc.Arbitrary<string>): fc.Arbitrary<PropertyFields> =>
  fc
    .record({
      name: text,
      ownerId: fc.option(fc.constant("user_01kb3n7x2ferwt5z8q4j6m9d0c")),
      sent: sentOf(propertyMembers, text)
    })
    .filter(({ sent }) => hasBoth(sent))
    .map(({ name, ownerId, sent }) => ({
      ...blank,
      ...normalize({ ...sent, name, ownerId }, blank),
      projectIds: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
    }))
