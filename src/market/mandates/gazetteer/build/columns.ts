/** Turns places into the columns of the file. Pure. */
import type { Columns, kinds } from "../format.ts"
import type { Polygon, Position } from "./outlines.ts"

/** A place as it is written. Parents come before their parts. */
export interface PlaceRow {
  readonly kind: (typeof kinds)[number]
  readonly name: string
  /** Of all but cities. */
  readonly code?: string
  readonly geonames?: number
  /** Indexes of places. */
  readonly parent?: number | undefined
  readonly cityOfRegion?: number | undefined
  readonly outlineOfCity?: number | undefined
  readonly level?: number
  readonly position: Position
  readonly population: number
  readonly outline?: ReadonlyArray<Polygon>
  /** Of a country. */
  readonly territory?: ReadonlyArray<Polygon>
  /** Its own names, folded. */
  readonly keys: ReadonlySet<string>
  /** Other names, folded. */
  readonly otherKeys?: ReadonlySet<string>
  readonly codes?: ReadonlySet<string>
}

const kindIndex = { country: 0, group: 1, region: 2, city: 3 } as const

const texts = (values: ReadonlyArray<string>) => {
  const bytes = values.map((value) => Buffer.from(value, "utf8"))
  const tooLong = bytes.find((value) => value.length > 255)
  if (tooLong !== undefined) throw new Error(`Longer than 255 bytes: ${tooLong.toString()}`)
  return { length: Uint8Array.from(bytes, (value) => value.length), text: new Uint8Array(Buffer.concat(bytes)) }
}

/** Numbers of 7 bits a byte, the lowest first; the sign is the lowest bit. */
const pushNumber = (bytes: Array<number>, value: number) => {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

const outlineBytes = (polygons: ReadonlyArray<Polygon>): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let [lastX, lastY] = [0, 0]
  pushNumber(bytes, polygons.length)
  for (const polygon of polygons) {
    pushNumber(bytes, polygon.length)
    for (const ring of polygon) {
      pushNumber(bytes, ring.length)
      for (const [x, y] of ring) {
        pushNumber(bytes, x - lastX)
        pushNumber(bytes, y - lastY)
        ;[lastX, lastY] = [x, y]
      }
    }
  }
  return bytes
}

const keyColumns = (places: ReadonlyArray<PlaceRow>) => {
  const postings = new Map<string, Array<number>>()
  const add = (key: string, posting: number) => {
    const known = postings.get(key)
    if (known === undefined) postings.set(key, [posting])
    else known.push(posting)
  }
  for (const [index, place] of places.entries()) {
    const seen = new Set<string>()
    // In the order of `strengths`.
    const named = [place.keys, place.codes ?? [], place.otherKeys ?? []] as const
    for (const [strength, keys] of named.entries()) {
      for (const key of keys) {
        if (!seen.has(key)) add(key, 4 * index + strength)
        seen.add(key)
      }
    }
  }
  const sorted = [...postings].map(([key, value]) => ({ bytes: Buffer.from(key), key, value }))
  sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  const keys = texts(sorted.map(({ key }) => key))
  const count = Uint16Array.from(sorted, ({ value }) => value.length)
  return { keys, count, place: Uint32Array.from(sorted.flatMap(({ value }) => value)) }
}

/** The columns of places: countries, groups and regions first, cities last. */
export const columnsOf = (places: ReadonlyArray<PlaceRow>): Columns => {
  const areas = places.filter(({ outline }) => outline !== undefined)
  const outlines = areas.map(({ outline }) => outlineBytes(outline ?? []))
  const territories = places.flatMap(({ territory }) => (territory === undefined ? [] : [outlineBytes(territory)]))
  const names = texts(places.map(({ name }) => name))
  const codes = texts(areas.map(({ code }) => code ?? ""))
  const { count, keys, place } = keyColumns(places)
  const plusOne = (index: number | undefined) => (index === undefined ? 0 : index + 1)
  return {
    kind: Uint8Array.from(places, ({ kind }) => kindIndex[kind]),
    parent: Uint32Array.from(places, ({ parent }) => plusOne(parent)),
    cityOfRegion: Uint32Array.from(places, ({ cityOfRegion }) => plusOne(cityOfRegion)),
    outlineOfCity: Uint32Array.from(places, ({ outlineOfCity }) => plusOne(outlineOfCity)),
    level: Uint8Array.from(places, ({ level }) => level ?? 0),
    longitude: Int32Array.from(places, ({ position }) => position[0]),
    latitude: Int32Array.from(places, ({ position }) => position[1]),
    population: Uint32Array.from(places, ({ population }) => population),
    geonames: Uint32Array.from(places, ({ geonames }) => geonames ?? 0),
    nameLength: names.length,
    nameText: names.text,
    codeLength: codes.length,
    codeText: codes.text,
    outlineLength: Uint32Array.from(outlines, (bytes) => bytes.length),
    outline: Uint8Array.from(outlines.flat()),
    territoryLength: Uint32Array.from(territories, (bytes) => bytes.length),
    territory: Uint8Array.from(territories.flat()),
    keyLength: keys.length,
    keyText: keys.text,
    keyPlaceCount: count,
    keyPlace: place
  }
}
