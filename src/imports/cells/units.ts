/** The units that headers and cells may have. Pure. */
import { product } from "./numbers.ts"

/** The units of areas, in square metres: the international foot of 0.3048 m, and the acre of 43,560 square feet. */
const areas = {
  sqm: {
    factor: "1",
    names: ["m²", "m2", "qm", "sqm", "sq m", "Quadratmeter", "square meters", "square metres", "SquareMeters"]
  },
  sqft: { factor: "0.09290304", names: ["sq ft", "sqft", "sf", "ft²", "ft2", "square feet", "SquareFeet"] },
  acre: { factor: "4046.8564224", names: ["acre", "acres", "ac"] },
  ha: { factor: "10000", names: ["ha", "Hektar", "hectare", "hectares"] }
} as const

/** A unit of area. */
export type AreaUnit = keyof typeof areas

/** A unit without case, spaces and periods. */
const normal = (unit: string): string =>
  unit
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s._]/g, "")

const namesOf = (names: { readonly [unit: string]: ReadonlyArray<string> }): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([unit, spelled]) => spelled.map((name) => [normal(name), unit] as const)))

const areaUnits = namesOf(Object.fromEntries(Object.entries(areas).map(([unit, { names }]) => [unit, names])))

/** The unit of area with this name. */
export const areaUnitOf = (name: string): AreaUnit | undefined => areaUnits.get(normal(name)) as AreaUnit | undefined

/** An area in square metres, exact to four decimal places. */
export const inSquareMetres = (decimal: string, unit: AreaUnit): string =>
  unit === "sqm" ? decimal : product(decimal, areas[unit].factor)

const currencies = new Set(Intl.supportedValuesOf("currency"))

/** Signs of one currency. `$` and `kr` are those of several. */
const signs: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["euro", "EUR"],
  ["£", "GBP"]
])

/** The ISO 4217 code of a currency by its code or sign. */
export const currencyOf = (name: string): string | undefined => {
  const code = name.trim().toUpperCase()
  return currencies.has(code) ? code : signs.get(name.trim().toLowerCase())
}

const perYear = /(?:\s*\/\s*|\s+)(?:p\.?\s?a\.?|pro jahr|jahr|a|per year|year|yr)$/i

/** The currency of a unit such as `EUR` or `€ p.a.`; undefined if it is none, or not that of a year. */
export const yearlyCurrencyOf = (unit: string): string | undefined => currencyOf(unit.trim().replace(perYear, ""))

const percentNames: ReadonlySet<string> = new Set(["%", "percent", "prozent", "inprozent"])

/** Whether a unit is percent. */
export const isPercent = (unit: string): boolean => percentNames.has(normal(unit))

const yearNames: ReadonlySet<string> = new Set(["years", "year", "yrs", "jahre", "jahr", "a"])

/** Whether a unit is years. */
export const isYears = (unit: string): boolean => yearNames.has(normal(unit))

/** Whether two names are those of one unit, such as `kWh/(m² a)` and `kWh/(m2a)`. */
export const isUnit = (name: string, unit: string): boolean =>
  normal(name).replaceAll(/[()*·]/g, "") === normal(unit).replaceAll(/[()*·]/g, "")
