/** The file of the gazetteer: columns of places and a sorted index of names, compressed with Brotli. */

/** Changes with the layout. */
export const formatVersion = 3

/** What a place is. The order is that of the file, and of the ranking: the wider first. */
export const kinds = ["country", "group", "region", "city"] as const

/**
 * What a name is to a place: its own (official, English, or of a language of its country), a code, or another one: foreign, former, or a
 * part of its own.
 */
export const strengths = ["own", "code", "other"] as const

/** Coordinates in the file are whole numbers of this many parts of a degree, of 11 m: the outlines are less exact. */
export const partsPerDegree = 1e4

/** The columns in their order, and how they are stored. */
export const columns = {
  /** Index in `kinds`. */
  kind: Uint8Array,
  /** Index of the place that contains this one, plus 1; 0 is none. */
  parent: Uint32Array,
  /** A city's index plus 1, for a region that its name means only with a qualifier, because it means that city. */
  cityOfRegion: Uint32Array,
  /** The index plus 1 of the region whose outline a city has. */
  outlineOfCity: Uint32Array,
  /** Levels of a region below its country: 1, or 2 when it is part of another. */
  level: Uint8Array,
  longitude: Int32Array,
  latitude: Int32Array,
  population: Uint32Array,
  /** GeoNames id of a city; 0 of other places. */
  geonames: Uint32Array,
  /** Bytes of each display name in `nameText`. */
  nameLength: Uint8Array,
  /** UTF-8. */
  nameText: Uint8Array,
  /** Codes of countries, groups and regions, like the names. */
  codeLength: Uint8Array,
  codeText: Uint8Array,
  /** Bytes of the outline of each country, group and region in `outline`. */
  outlineLength: Uint32Array,
  /** Numbers of 7 bits a byte: polygons, then for each its rings, then for each its positions and their differences. */
  outline: Uint8Array,
  /** Bytes of the territory of each country in `territory`, which is like `outline`. */
  territoryLength: Uint32Array,
  territory: Uint8Array,
  /** Bytes of each folded name in `keyText`. Names are in the order of their bytes. */
  keyLength: Uint8Array,
  keyText: Uint8Array,
  /** Number of places of each folded name in `keyPlace`. */
  keyPlaceCount: Uint16Array,
  /** Index of a place, times 4, plus the index in `strengths` of what the name is to it. */
  keyPlace: Uint32Array
}

/** The columns as typed arrays. */
export type Columns = { readonly [Name in keyof typeof columns]: InstanceType<(typeof columns)[Name]> }

/** What the file says of itself, as JSON before the columns. */
export interface Header {
  readonly version: number
  /** Number of elements of each column. */
  readonly lengths: Readonly<Record<keyof typeof columns, number>>
  /** SHA-256 of the files that decide the contents: the lock file of the sources and the tables of names. */
  readonly inputs: string
  /** The version of CLDR from which the names of countries are. */
  readonly cldr: string
}

/** Columns begin at multiples of this many bytes. */
const alignment = 8

const aligned = (bytes: number) => Math.ceil(bytes / alignment) * alignment

/** The number of bytes before the header: its length. */
const prefix = 4

/** The file, before it is compressed. Numbers are little-endian. */
export const encode = (header: Omit<Header, "lengths" | "version">, data: Columns): Uint8Array => {
  const names = Object.keys(columns) as ReadonlyArray<keyof Columns>
  const lengths = Object.fromEntries(names.map((name) => [name, data[name].length])) as Header["lengths"]
  const json = new TextEncoder().encode(JSON.stringify({ version: formatVersion, lengths, ...header } satisfies Header))
  const size = names.reduce((sum, name) => sum + aligned(data[name].byteLength), aligned(prefix + json.length))
  const bytes = new Uint8Array(size)
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, prefix)
  let at = aligned(prefix + json.length)
  for (const name of names) {
    const { buffer, byteLength, byteOffset } = data[name]
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += aligned(byteLength)
  }
  return bytes
}

/** The header and the columns, which are views of `bytes`: nothing is copied. */
export const decode = (bytes: Uint8Array<ArrayBuffer>): { readonly header: Header; readonly data: Columns } => {
  const { buffer, byteOffset } = bytes
  const jsonLength = new DataView(buffer, byteOffset).getUint32(0, true)
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(prefix, prefix + jsonLength))) as Header
  if (header.version !== formatVersion) {
    throw new Error(`The gazetteer has format ${header.version}, not ${formatVersion}: run npm run gazetteer`)
  }
  let at = byteOffset + aligned(prefix + jsonLength)
  const views = Object.entries(columns).map(([name, Column]) => {
    const view = new Column(buffer, at, header.lengths[name as keyof Columns])
    at += aligned(view.byteLength)
    return [name, view]
  })
  return { header, data: Object.fromEntries(views) as Columns }
}

// Names as the index has them, and as they are compared: without case, accents and punctuation.

/** Letters that Unicode does not decompose into a letter and an accent. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ς: "σ"
}

/** `Île-de-France` as `ile de france`. Words are separated by one space; what is neither letter nor digit separates. */
export const fold = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþħıŋς]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/[\p{M}'’ʻʼ`´]/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
