/** Inserts up to millions of properties, equal to those that the API writes. */
import { Effect } from "effect"
import { columnsOf, type Session } from "./Bulk.ts"
import { randomOf } from "./random.ts"

// $1 is the team, $2 the age of the first one in seconds; the others are arrays. Half of the members are open in each.
const insert = `
  insert into properties (
    id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, country, locality, address,
    coordinates, categories, tags, tenure, year_built, lettable_area, pricing, income
  )
  select new_uuid_v7(at), $1::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api', 'Haus ' || n, country, 'Hamburg',
    jsonb_build_object('street', 'Hafenstraße', 'houseNumber', n::text, 'postalCode', '20457', 'country', country, 'locality', 'Hamburg'),
    case when longitude is not null then jsonb_build_object('latitude', latitude, 'longitude', longitude) end,
    array[category], array[tag], tenure, year, jsonb_build_object('value', area, 'unit', 'sqm'),
    jsonb_build_object('askingPrice', jsonb_build_object('value', price, 'currency', 'EUR'),
      'netInitialYield', jsonb_build_object('value', yield, 'unit', 'percent')),
    jsonb_build_object('waultToBreak', jsonb_build_object('value', wault, 'unit', 'years'))
  from unnest($3::float8[], $4::float8[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::int[], $11::int[],
      $12::float8[], $13::float8[]) with ordinality
      as rows (longitude, latitude, country, category, tag, tenure, year, area, price, yield, wault, n),
    lateral (select date_trunc('milliseconds', now() - ($2::int - n) * interval '1 second') as at) as times`

const categories = ["office", "retail", "logistics", "hotel", "residential", "mixed_use"]
const tags = ["multi_tenant", "single_tenant", "fully_let", "partly_vacant", "value_add", "rail_access"]
const tenures = ["freehold", "leasehold", "condominium"]
const countries = ["DE", "DE", "FR", "AT", "NL", "ES", "IT", "PL", "SE"]

const batch = 5_000

/** Inserts this number of properties of a team, most of them around a few hundred cities. One in ten has no coordinates. */
export const add = Effect.fnUntraced(function* ({ query }: Session, team: string, rows: number) {
  const random = randomOf(rows)
  const oneOf = (list: ReadonlyArray<string>) => list[Math.floor(list.length * random())] ?? ""
  const between = (least: number, most: number) => least + (most - least) * random()
  const cities = [
    [11.5755, 48.1372],
    ...Array.from({ length: 400 }, () => [between(-9, 28), between(37, 59)] as const)
  ] as const
  for (let done = 0; done < rows; done += batch) {
    const made = Array.from({ length: Math.min(batch, rows - done) }, () => {
      const [x, y] = cities[Math.floor(cities.length * random() ** 2)] ?? [0, 0]
      const hasPlace = random() > 0.1
      return {
        longitude: hasPlace ? Number((x + between(-0.3, 0.3)).toFixed(6)) : null,
        latitude: hasPlace ? Number((y + between(-0.2, 0.2)).toFixed(6)) : null,
        country: random() > 0.2 ? oneOf(countries) : null,
        category: oneOf(categories),
        tag: oneOf(tags),
        tenure: oneOf(tenures),
        year: Math.floor(between(1900, 2026)),
        area: Math.floor(10 ** between(2.5, 4.7)),
        price: Math.floor(10 ** between(5.7, 8.3)),
        yield: Number(between(2, 8).toFixed(2)),
        wault: Number(between(0, 15).toFixed(1))
      }
    })
    yield* query(insert, [team, rows - done, ...columnsOf(made)])
  }
})
