import fc from "fast-check"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { CalendarDate } from "../../../src/core/fields/Timestamp.ts"
import {
  AreaInput,
  areaOf,
  isExactDecimal,
  Money,
  Percent,
  Share,
  SignedMoney,
  Years
} from "../../../src/core/fields/Measure.ts"

const accepts = (schema: Schema.Top) => Schema.is(schema as Schema.Codec<unknown>)

const maxInteger = 99_999_999_999

describe("An exact decimal", () => {
  const decimal = fc
    .tuple(fc.boolean(), fc.nat({ max: maxInteger }), fc.nat({ max: 9_999 }))
    .map(([negative, whole, places]) => `${negative ? "-" : ""}${whole}.${String(places).padStart(4, "0")}`)

  it("of four places and fifteen digits is what was sent", () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const value = JSON.parse(text) as number
        expect(isExactDecimal(value)).toBe(true)
        expect(value.toFixed(4)).toBe(/^-0\.0000$/.test(text) ? "0.0000" : text)
      })
    )
  })

  it("has no fifth place", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 99_999 }),
        fc.nat({ max: 9_999 }),
        fc.integer({ min: 1, max: 9 }),
        (whole, four, fifth) => {
          expect(isExactDecimal(Number(`${whole}.${String(four).padStart(4, "0")}${fifth}`))).toBe(false)
        }
      )
    )
  })

  it.each([
    [0, true],
    [-0, true],
    [999_999_999_999_999, true],
    [1_000_000_000_000_000, false],
    [99_999_999_999.9999, true],
    [123_456_789_012.1234, false],
    [0.1 + 0.2, false],
    [1e-5, false],
    [Number.MAX_VALUE, false]
  ])("%d: %s", (value, exact) => {
    expect(isExactDecimal(value)).toBe(exact)
  })
})

describe("A value", () => {
  it("of an area needs its unit, square metres", () => {
    expect(accepts(AreaInput)({ value: 12.5, unit: "sqm" })).toBe(true)
    expect(accepts(AreaInput)({ value: 12.5 })).toBe(false)
    expect(accepts(AreaInput)({ value: 12.5, unit: "sqft" })).toBe(false)
    expect(accepts(AreaInput)({ value: -1, unit: "sqm" })).toBe(false)
  })

  it("of an area leaves out what is not known", () => {
    expect(areaOf({ value: 1, unit: "sqm", standard: null, measuredOn: null })).toStrictEqual({ value: 1, unit: "sqm" })
    expect(areaOf({ value: 1, unit: "sqm", standard: "nia", measuredOn: "2025-03-01" })).toStrictEqual({
      value: 1,
      unit: "sqm",
      standard: "nia",
      measuredOn: "2025-03-01"
    })
  })

  it("of money is negative only where it may be a loss", () => {
    expect(accepts(Money)({ value: -1, currency: "EUR" })).toBe(false)
    expect(accepts(SignedMoney)({ value: -1, currency: "EUR" })).toBe(true)
    expect(accepts(Money)({ value: 1, currency: "eur" })).toBe(false)
  })

  it("in percent is from 0 to 100 where it is a part of a whole", () => {
    expect(accepts(Share)({ value: 100.0001, unit: "percent" })).toBe(false)
    expect(accepts(Percent)({ value: 100.0001, unit: "percent" })).toBe(true)
    expect(accepts(Percent)({ value: 4.75 })).toBe(false)
    expect(accepts(Years)({ value: 5.5, unit: "years" })).toBe(true)
  })
})

describe("A date", () => {
  it.each([
    ["2028-02-29", true],
    ["2027-02-29", false],
    ["2027-13-01", false],
    ["2027-1-1", false],
    ["2027-01-01T00:00:00Z", false],
    ["", false]
  ])("%s: %s", (text, valid) => {
    expect(accepts(CalendarDate)(text)).toBe(valid)
  })
})
