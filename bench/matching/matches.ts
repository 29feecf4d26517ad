/** `matches`: how the cost of the matches of a property grows with the mandates of a team. See bench/README.md. */
import { Effect } from "effect"
import { median } from "../Figures.ts"
import { ask, sendFor } from "../growth/Requests.ts"
import { paceOf, type Stage, stage } from "../mandates/stage.ts"
import type { Line, Measured, Measurement, Options } from "../Measurement.ts"
import { interleave, ratioOf } from "../Rounds.ts"

const sizesOf = ({ quick }: Options): readonly [number, number] => (quick ? [1_000, 5_000] : [10_000, 100_000])

const known = {
  name: "Bürohaus",
  categories: ["office"],
  tags: ["multi_tenant"],
  yearBuilt: 1998,
  lettableArea: { value: 10_640, unit: "sqm" },
  pricing: { askingPrice: { value: 26_500_000, currency: "EUR" } }
}

/** The properties whose matches are listed. */
const properties = {
  city: { ...known, country: "DE", coordinates: { latitude: 48.1385, longitude: 11.5309 } },
  country: { ...known, country: "DE" }
} as const

type Name = keyof typeof properties

const works: { readonly [Of in Name]: string } = {
  city: "the first page of the mandates that want a property in a city",
  country: "the same for a property without coordinates, of which only the country is known"
}

interface Matches {
  readonly data: ReadonlyArray<unknown>
  readonly isComplete: boolean
}

/** Creates a property, and returns the request of its matches. A figure of an empty page would mean nothing. */
const requestOf = ({ pool, rows, token }: Stage, name: Name) =>
  Effect.promise(async () => {
    const created = await ask(pool, {
      method: "POST",
      path: "/api/v1/properties",
      token,
      body: JSON.stringify(properties[name]),
      expected: 201
    })
    const { id } = JSON.parse(created) as { readonly id: string }
    const request = { method: "GET" as const, path: `/api/v1/properties/${id}/matches`, token, expected: 200 }
    const { data, isComplete } = JSON.parse(await ask(pool, request)) as Matches
    if (data.length < 10) throw new Error(`The ${name} has ${data.length} matches among ${rows} mandates`)
    return { request, isComplete }
  })

const millis = (value: number) => `${value.toFixed(1)} ms`

const measureOne = Effect.fnUntraced(function* (few: Stage, many: Stage, name: Name, options: Options) {
  const [ofFew, ofMany] = [yield* requestOf(few, name), yield* requestOf(many, name)]
  const found = yield* interleave(
    {
      few: (seconds: number) => sendFor(few.pool, seconds, () => ofFew.request, 1),
      many: (seconds: number) => sendFor(many.pool, seconds, () => ofMany.request, 1)
    },
    paceOf(options)
  )
  const each = (contestant: "few" | "many") => found[contestant].map(({ p50 }) => p50)
  const cut = ofMany.isComplete ? "" : ", of which the newest 10,000 are compared"
  const line: Line = {
    name: `matches-${name}`,
    work: `${works[name]}, p50 of one request at a time, among ${many.rows.toLocaleString("en-GB")} mandates${cut}`,
    beside: `${few.rows.toLocaleString("en-GB")} mandates`,
    ours: millis(median(each("many"))),
    theirs: millis(median(each("few"))),
    ratio: ratioOf(each("many"), each("few"))
  }
  return line
})

/** The cost of the matches of a property at 10⁴ and 10⁵ mandates. */
export const matches: Measurement = {
  name: "matches",
  summary: "what the matches of a property cost at 10⁴ and 10⁵ mandates",
  run: (options) =>
    Effect.gen(function* () {
      const [less, more] = sizesOf(options)
      const [few, many] = [yield* stage(less), yield* stage(more)]
      const lines = yield* Effect.forEach(Object.keys(properties) as ReadonlyArray<Name>, (name) =>
        measureOne(few, many, name, options)
      )
      const measured: Measured = { lines }
      return measured
    })
}
