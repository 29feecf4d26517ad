/** Inserts millions of mandates whose places are like those of European investors, with the boxes that find them. */
import { Effect } from "effect"
import {
  type Area,
  boxesOf,
  circleAt,
  encodeArea,
  polygonOf,
  type Ring,
  toUnits
} from "../../src/market/mandates/geography/Area.ts"
import { areaOf, geographyOf } from "../../src/market/mandates/geography/Geography.ts"
import { columnsOf, type Session } from "./Bulk.ts"
import { randomOf } from "./random.ts"

/** The countries of mandates that have no other place. */
export const countries = ["DE", "FR", "AT", "NL", "ES", "IT", "PL", "SE"]

const window = { west: -9, east: 28, south: 37, north: 59 }

/** A ring around a centre, in degrees, whose radius varies. */
const ringAround = (random: () => number, x: number, y: number, degrees: number): Ring => {
  const corners = 8 + Math.floor(random() * 60)
  const positions = Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners
    const distance = degrees * (0.6 + 0.4 * random())
    return [toUnits(x + 1.5 * distance * Math.cos(angle)), toUnits(y + distance * Math.sin(angle))] as const
  })
  return Int32Array.from([...positions, ...positions.slice(0, 1)].flat())
}

/** The place of a mandate: its area, or its country alone, or neither. */
interface Place {
  readonly area: Area | undefined
  readonly country: string | null
}

const makePlaces = (seed: number) => {
  const random = randomOf(seed)
  const between = (least: number, most: number) => least + (most - least) * random()
  const cities = Array.from({ length: 400 }, () => [
    between(window.west, window.east),
    between(window.south, window.north)
  ])
  const somewhere = () => {
    // A few cities are in many mandates.
    const [x = 0, y = 0] = cities[Math.floor(cities.length * random() ** 2)] ?? []
    return [x + between(-0.5, 0.5), y + between(-0.3, 0.3)] as const
  }
  return (): Place => {
    const kind = random()
    const [x, y] = somewhere()
    if (kind < 0.02) return { area: undefined, country: null }
    if (kind < 0.1) {
      return {
        area: undefined,
        country: countries[Math.floor(random() * countries.length)] ?? "DE"
      }
    }
    if (kind < 0.5) return { area: circleAt(x, y, Math.round(2_000 * 30 ** random())), country: null }
    const parts = kind < 0.85 ? 1 : 2 + Math.floor(random() * 5)
    const polygons = Array.from({ length: parts }, () => {
      const [px, py] = parts === 1 ? [x, y] : somewhere()
      return polygonOf([ringAround(random, px, py, between(0.05, 1.2))])
    })
    return { area: { kind: "polygons", polygons }, country: null }
  }
}

/** What a mandate wants, as its columns: ranges, of which half are open, and lists of codes. */
const makeWishes = (seed: number) => {
  const random = randomOf(seed + 1)
  const between = (least: number, most: number) => least + (most - least) * random()
  const perhaps = (share: number, range: () => object) => (random() < share ? JSON.stringify(range()) : null)
  const ends = (min: number, max: number) => ({ min: random() < 0.2 ? null : min, max: random() < 0.2 ? null : max })
  return () => {
    const [millions, area] = [Math.ceil(10 ** between(0, 2)), 10 ** between(2.5, 4.3)]
    return {
      investmentSize: perhaps(0.8, () => ({ ...ends(millions, 4 * millions), currency: "EUR", scale: "million" })),
      lettableArea: perhaps(0.5, () => ({ ...ends(Math.round(area), Math.round(4 * area)), unit: "sqm" })),
      netInitialYield: perhaps(0.5, () => ({ min: Number(between(2, 7).toFixed(2)), max: null, unit: "percent" })),
      yearBuilt: perhaps(0.3, () => ({ min: Math.floor(between(1900, 2015)), max: null })),
      wault: perhaps(0.3, () => ({ min: Math.floor(between(1, 12)), max: null, unit: "years" })),
      tenures: random() < 0.3 ? "freehold" : "",
      positiveTags: random() < 0.3 ? ["fully_let", "rail_access"].slice(random() < 0.5 ? 1 : 0).join(" ") : "",
      negativeTags: random() < 0.2 ? "contaminated_land" : ""
    }
  }
}

const batch = 5_000

// $1 is the team, $2 the age of the first one in seconds; the others are arrays.
const insertMandates = `
  insert into mandates (
    id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, status, categories, investment_size,
    lettable_area, net_initial_yield, year_built, wault, tenures, positive_tags, negative_tags, country, geography, near, radius
  )
  select mandate_id, $1::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api', 'Mandate ' || n, case when n % 10 = 0 then 'paused' else 'active' end,
    case n % 3 when 0 then '{}'::text[] when 1 then '{logistics}' else '{office,retail}' end,
    size::jsonb, area::jsonb, yield::jsonb, year::jsonb, wault::jsonb, string_to_array(tenures, ' '), string_to_array(positive, ' '),
    string_to_array(negative, ' '), country, geography, near::jsonb, radius
  from unnest($2::uuid[], $3::text[], $4::bytea[], $5::text[], $6::float8[], $7::text[], $8::text[], $9::text[], $10::text[],
      $11::text[], $12::text[], $13::text[], $14::text[]) with ordinality
    as rows (mandate_id, country, geography, near, radius, size, area, yield, year, wault, tenures, positive, negative, n), lateral (select now() - interval '1 day' as at) as times`

const insertBoxes = `
  insert into mandate_boxes (team_id, mandate_id, box)
  select $1::uuid, mandate_id, box(point(west, south), point(east, north))
  from unnest($2::uuid[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
    as rows (mandate_id, west, south, east, north)`

const everywhere = { west: -180e7, south: -90e7, east: 180e7, north: 90e7 }

/** Inserts this number of mandates of a team. `countryOf` has the areas of countries. */
export const add = Effect.fnUntraced(function* (
  { query }: Session,
  team: string,
  rows: number,
  countryOf: (code: string) => Area | undefined
) {
  const next = makePlaces(rows)
  const nextWish = makeWishes(rows)
  const countries = new Map<string, ReturnType<typeof boxesOf>>()
  const boxesOfCountry = (code: string) => {
    const known = countries.get(code)
    if (known !== undefined) return known
    const area = countryOf(code)
    const boxes = area === undefined ? [] : boxesOf(area)
    countries.set(code, boxes)
    return boxes
  }
  for (let done = 0; done < rows; done += batch) {
    const ids = yield* query<{ id: string }>(
      "select new_uuid_v7(now() - ($1 - n) * interval '1 second') as id from generate_series(1, $2) n",
      [rows - done, Math.min(batch, rows - done)]
    )
    const made = ids.map(({ id }) => ({ id, ...next() }))
    const boxes = made.flatMap(({ area, country, id }) =>
      (area !== undefined ? boxesOf(area) : country === null ? [everywhere] : boxesOfCountry(country)).map((box) => ({
        id,
        ...box
      }))
    )
    yield* query(insertMandates, [
      team,
      made.map(({ id }) => id),
      made.map(({ country }) => country),
      made.map(({ area }) =>
        area === undefined ? null : Buffer.from(encodeArea(area.kind === "circle" ? areaOf(geographyOf(area)) : area))
      ),
      made.map(({ area }) =>
        area?.kind === "circle"
          ? JSON.stringify({ latitude: area.latitude / 1e7, longitude: area.longitude / 1e7 })
          : null
      ),
      made.map(({ area }) => (area?.kind === "circle" ? area.radius : null)),
      ...columnsOf(made.map(nextWish))
    ])
    yield* query(insertBoxes, [
      team,
      boxes.map(({ id }) => id),
      boxes.map(({ west }) => west),
      boxes.map(({ south }) => south),
      boxes.map(({ east }) => east),
      boxes.map(({ north }) => north)
    ])
  }
})
