/**
 * The units that headers, cells and options may have: currencies, scales, areas, periods and others, as people write them. What is
 * written is understood whole or not at all: a word that is none of these remains, and is never dropped. Pure.
 */
import type { Ratio } from "./cells.ts"

/** Names, separated by commas. */
const listed = (...names: ReadonlyArray<string>): ReadonlyArray<string> => names.flatMap((some) => some.split(", "))

const areaNames = {
  sqm: listed(
    "m2, qm, sqm, sq m, sq metre, sq metres, sq meter, sq meters, sq mtr, sq mtrs, sq mt, sm",
    "square metre, square metres, square meter, square meters, SquareMeters, SquareMetres, Quadratmeter",
    "Quadratmetern, m q, mq, mètres carrés, mètre carré, metros cuadrados, metro cuadrado, metri quadri",
    "metri quadrati, vierkante meter, vierkante meters, кв м, m kw, 平米, 平方米, 平方メートル, 平方公尺, 제곱미터"
  ),
  sqft: listed(
    "sq ft, sqft, sf, ft2, sq foot, sq feet, square foot, square feet, SquareFeet, SquareFoot, Quadratfuß",
    "square footage, sq footage, sqftage",
    "平方フィート, 平方英尺, 平方呎"
  ),
  sqyd: ["sq yd", "sqyd", "sq yds", "yd2", "square yard", "square yards"],
  acre: ["acre", "acres", "acreage", "ac"],
  ha: listed("ha, Hektar, hectare, hectares, hectárea, hectáreas, ettaro, ettari, 公顷, 公頃, ヘクタール"),
  are: ["Ar", "are", "ares"],
  sqkm: listed("km2, sq km, sqkm, square kilometre, square kilometres, square kilometer, square kilometers"),
  sqmi: ["sq mi", "mi2", "square mile", "square miles"],
  tsubo: ["坪", "tsubo", "tsubos", "pyeong", "평", "ping"]
} as const

/** A unit of area. */
export type AreaUnit = keyof typeof areaNames

/**
 * The units of areas in square metres: the international foot of 0.3048 m, the acre of 43,560 square feet, and the tsubo of 400/121 m²
 * (a square of six shaku).
 */
const squareMetres: { readonly [Unit in AreaUnit]: Ratio } = {
  sqm: { times: "1" },
  sqft: { times: "0.09290304" },
  sqyd: { times: "0.83612736" },
  acre: { times: "4046.8564224" },
  ha: { times: "10000" },
  are: { times: "100" },
  sqkm: { times: "1000000" },
  sqmi: { times: "2589988.110336" },
  tsubo: { times: "400", over: 121n }
}

const scaleNames = {
  "1": ["one"],
  "1000": listed("thousand, thousands, Tausend, Tsd, k, 000, 千, 천, milliers, migliaia, duizend, tys, tis, тыс"),
  "10000": ["万", "萬", "만"],
  "100000": ["lakh", "lakhs", "lac", "lacs"],
  "1000000": listed(
    "million, millions, Millionen, Mio, mn, mln, mm, mill, millones, millón, milioni, milione, miljoen, млн",
    "百万, 百萬, 백만, 000000"
  ),
  "10000000": ["crore", "crores", "cr", "千万", "千萬"],
  "100000000": ["億", "亿", "억"],
  "1000000000": listed(
    "billion, billions, bn, Mrd, Mrden, Milliarde, Milliarden, milliard, milliards, Md, Mds, miliardi",
    "miliardo, mld, miljard, млрд, 十億, 十亿"
  )
} as const

/** By what a number is multiplied. */
export type Scale = keyof typeof scaleNames

const periodNames = {
  year: listed(
    "p a, pa, per annum, year, years, yr, yrs, yearly, annual, annually, annum, Jahr, Jahre, Jahren",
    "jährlich, jährl, jährliche, jährlicher, an, annuel, annuelle, all anno, annuo, annua, al año, año",
    "anual, jaar, jaarlijks, rocznie, roczny, 年, 年額, 年間, 연"
  ),
  halfYear: listed(
    "half year, half yearly, semi annual, semi annually, Halbjahr, halbjährlich, halbjährliche, semestre, semestriel",
    "semestrielle, semestrale, semestral, halfjaar, halfjaarlijks, 半年"
  ),
  quarter: listed(
    "p q, pq, quarter, quarterly, qtr, qtrly, Quartal, vierteljährlich, vierteljährliche, trimestre, trimestriel",
    "trimestrielle, trimestrale, trimestral, kwartaal, 四半期, 季度"
  ),
  month: listed(
    "p m, pm, p c m, pcm, per calendar month, calendar month, month, months, monthly, mth, mths, mthly, mo",
    "Monat, Monate, Monaten, monatlich, monatliche, monatlicher, monatl, mtl, mon, mois, mensuel",
    "mensuelle, al mese, mese, mensile, mensili, al mes, mes, mensual, mensuales, maand",
    "maandelijks, maandelijkse, mensal, mensais, månad, månadsvis, måned, månedlig, měsíčně, měsíční, aylık, miesięcznie, miesięczny, miesięczna, 月, 月額, 毎月, 每月, 月間, 월"
  ),
  week: listed(
    "p w, pw, week, weeks, weekly, wk, wkly, Woche, wöchentlich, wöchentliche, wtl, semaine, hebdomadaire, settimana",
    "settimanale, semana, semanal, wekelijks, wekelijkse, 週, 每周, 週間, 주간"
  ),
  day: listed("day, days, daily, Tag, täglich, tägliche, p d, journalier, giornaliero, dagelijks, 日額, 毎日")
} as const

/** A period. */
export type Period = keyof typeof periodNames

/** The amounts of a period that are one of a year. A year has no whole number of weeks: 52 are only meant if somebody says so. */
const perYear: { readonly [P in Exclude<Period, "day">]: string } = {
  year: "1",
  halfYear: "2",
  quarter: "4",
  month: "12",
  week: "52"
}

const lengthNames = {
  m: ["metre", "metres", "meter", "meters", "Metern", "mtr"],
  cm: ["cm", "centimetres", "Zentimeter"],
  km: ["km", "kms", "kilometre", "kilometres", "kilometer", "kilometers", "Kilometern"],
  mi: ["mi", "mile", "miles", "Meilen"],
  ft: ["ft", "foot", "feet", "Fuß"]
} as const

/** A unit of length. */
export type LengthUnit = keyof typeof lengthNames

const metres: { readonly [Unit in LengthUnit]: Ratio } = {
  m: { times: "1" },
  cm: { times: "0.01" },
  km: { times: "1000" },
  mi: { times: "1609.344" },
  ft: { times: "0.3048" }
}

const ratioNames = {
  percent: listed("%, percent, per cent, Prozent, pct, pc, v H"),
  permille: ["‰", "Promille"],
  bp: ["bp", "bps", "basis points", "Basispunkte"],
  fraction: ["fraction", "Dezimalbruch"]
} as const

/** How a part of a whole is written. */
export type RatioUnit = keyof typeof ratioNames

const percents: { readonly [Unit in RatioUnit]: Ratio } = {
  percent: { times: "1" },
  permille: { times: "0.1" },
  bp: { times: "0.01" },
  fraction: { times: "100" }
}

const currencies = new Set(Intl.supportedValuesOf("currency"))

/** The signs and names of one currency. */
const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EUR: ["€", "euro", "euros"],
    GBP: ["£"],
    JPY: ["円", "yen", "圓"],
    INR: ["₹"],
    KRW: ["₩", "원", "won"],
    RUB: ["₽"],
    TRY: ["₺"],
    ILS: ["₪"],
    THB: ["฿"],
    VND: ["₫"],
    PHP: ["₱"],
    UAH: ["₴"],
    PLN: ["zł"],
    CZK: ["kč"],
    CHF: ["sfr"],
    CNY: ["rmb", "人民币"],
    USD: ["us$"],
    CAD: ["c$", "ca$"],
    AUD: ["a$", "au$"],
    NZD: ["nz$"],
    HKD: ["hk$"],
    SGD: ["s$", "sg$"],
    TWD: ["nt$"],
    BRL: ["r$"]
  }).flatMap(([code, names]) => names.map((name) => [name, code] as const))
)

/** The signs of several currencies, of which something else must say the one. */
const sharedSigns: { readonly [sign: string]: ReadonlyArray<string> } = {
  $: listed("USD, CAD, AUD, NZD, HKD, SGD, TWD, MXN, ARS, CLP, COP, UYU, BND, JMD, TTD, NAD, FJD, LRD"),
  "¥": ["JPY", "CNY"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  元: ["CNY", "TWD", "HKD"],
  rs: ["INR", "PKR", "LKR", "NPR", "MUR"],
  fr: ["CHF", "XAF", "XOF"]
}

// Codes that are words, too.
const wordCodes: ReadonlySet<string> = new Set(listed("ALL, TOP, CUP, PEN, MOP, MAD, SOS, BAM"))

// Codes that are written together with scales and periods.
const commonCodes: ReadonlySet<string> = new Set(
  listed(
    "EUR, USD, GBP, CHF, JPY, CNY, INR, AUD, CAD, NZD, HKD, SGD, SEK, NOK, DKK, PLN, CZK, HUF, RON, BGN",
    "AED, SAR, ZAR, BRL, MXN, KRW, TWD, THB, IDR, MYR, RUB, QAR, KWD"
  )
)

/** What a word of a unit says. */
type Meaning =
  | { readonly is: "currency"; readonly code: string }
  | { readonly is: "sign"; readonly sign: string; readonly codes: ReadonlyArray<string> }
  | { readonly is: "scale"; readonly scale: Scale }
  | { readonly is: "area"; readonly unit: AreaUnit }
  | { readonly is: "period"; readonly period: Period }
  | { readonly is: "length"; readonly unit: LengthUnit }
  | { readonly is: "ratio"; readonly unit: RatioUnit }
  /** `per` or a slash. */
  | { readonly is: "per" }
  /** `psf`: an area that something is per. */
  | { readonly is: "perArea"; readonly unit: AreaUnit }
  /** `m`, `b`, `t` and `a` depend on what is beside them. */
  | { readonly is: "letter"; readonly letter: "m" | "b" | "t" | "a" | "y" }
  /** `in` or `net`, which change nothing. */
  | { readonly is: "filler" }
  | { readonly is: "unknown"; readonly text: string }

/** A word of a unit, as it is written. */
export type Word = Meaning & { readonly text: string }

/** A unit without case and accents, and with single spaces instead of punctuation: `p.a.` and `p. a.` are `p a`. */
const normal = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .normalize("NFC")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replaceAll(/[’`´]/g, "'")
    .replaceAll(/'(?!\d)/g, " ")
    .replaceAll("^", "")
    .replaceAll(/[._,;:·()[\]{}\s-]+/g, " ")
    .trim()

const named = <K extends string>(
  names: { readonly [key in K]: ReadonlyArray<string> },
  meaningOf: (key: K) => Meaning
): ReadonlyArray<readonly [string, Meaning]> =>
  Object.entries<ReadonlyArray<string>>(names).flatMap(([key, some]) =>
    some
      .flatMap((name) => [name, name.replaceAll("ä", "ae").replaceAll("ö", "oe")])
      .map((name) => [normal(name), meaningOf(key as K)] as const)
  )

const dictionary: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...named(areaNames, (unit) => ({ is: "area", unit })),
  ...named(scaleNames, (scale) => ({ is: "scale", scale })),
  ...named(periodNames, (period) => ({ is: "period", period })),
  ...named(lengthNames, (unit) => ({ is: "length", unit })),
  ...named(ratioNames, (unit) => ({ is: "ratio", unit })),
  ...[...currencies].map((code) => [code.toLowerCase(), { is: "currency", code }] as const),
  ...[...signs].map(([name, code]) => [normal(name), { is: "currency", code }] as const),
  ...Object.entries(sharedSigns).map(([sign, codes]) => [normal(sign), { is: "sign", sign, codes }] as const),
  ...["/", "per", "pro", "je", "par", "por"].map((name) => [name, { is: "per" }] as const),
  ...["m", "b", "t", "a", "y"].map((letter) => [letter, { is: "letter", letter } as Meaning] as const),
  ...[
    "in",
    "net",
    "netto",
    "gross",
    "brutto",
    "total",
    "gesamt",
    "ca",
    "circa",
    "approx",
    "pro forma",
    "x",
    "×",
    "nia",
    "gia",
    "gea",
    "gla",
    "nla",
    "gfa",
    "bgf"
  ].map((name) => [name, { is: "filler" }] as const),
  ["psf", { is: "perArea", unit: "sqft" }],
  ["psm", { is: "perArea", unit: "sqm" }],
  ["pqm", { is: "perArea", unit: "sqm" }]
])

const longest = Math.max(...[...dictionary.keys()].map((name) => name.split(" ").length))

const ideographs = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー`

const pieces = new RegExp(
  String.raw`(?<!\d)(?:1 ?|')?000(?: ?000)?(?: ?s(?!\p{L}))?(?!\d)|\p{L}{1,2}\$|\p{Sc}|[${ideographs}]+|[\p{L}--[${ideographs}]]+\d?(?!\d)|\d+|\S`,
  "gv"
)

const shortScales = "t|k|m|mm|mn|mio|mln|tsd|mrd|md|bn|b"
const codes = [...commonCodes].join("|").toLowerCase()

// Words that are written together: `TEUR`, `USDm`, `GBPpsf`, `ksf`.
const joined = [
  new RegExp(`^(${shortScales})?(${codes})(${shortScales})?(pa|pm|pcm|pw|psf|psm)?$`),
  /^(k|tsd|mio|mn)(sqm|qm|sqft|sf|m2)$/
]

// `Monatsmiete`, `Quadratmeterpreis`.
const compounds: ReadonlyArray<readonly [RegExp, Meaning]> = [
  [/^(?:monats|maand|manads|maneds)\p{L}/u, { is: "period", period: "month" }],
  [/^(?:halbjahres|halfjaar)\p{L}/u, { is: "period", period: "halfYear" }],
  [/^(?:vierteljahres|kwartaal)\p{L}/u, { is: "period", period: "quarter" }],
  [/^jahres\p{L}/u, { is: "period", period: "year" }],
  [/^quartals\p{L}/u, { is: "period", period: "quarter" }],
  [/^(?:wochen|week)\p{L}/u, { is: "period", period: "week" }],
  [/^tages\p{L}/u, { is: "period", period: "day" }],
  [/^(?:quadratmeter|qm|m2)\p{L}/u, { is: "perArea", unit: "sqm" }]
]

const lookUp = (name: string): ReadonlyArray<Word> | undefined => {
  const found = dictionary.get(name)
  return found === undefined ? undefined : [{ ...found, text: name }]
}

/** The words of a text without spaces between them, such as `億円`; undefined if any of it is unknown. */
const inSequence = (text: string): ReadonlyArray<Word> | undefined => {
  if (text === "") return []
  for (let end = text.length; end > 0; end--) {
    const first = lookUp(text.slice(0, end))
    if (first === undefined) continue
    const rest = inSequence(text.slice(end))
    return rest === undefined ? undefined : [...first, ...rest]
  }
  return undefined
}

// No name of a column is longer.
const maxSequence = 60

/** The words that a text without spaces begins and ends with, and the unknown text between them: `月額賃料`, `価格億円`. */
const around = (text: string): ReadonlyArray<Word> => {
  const unknown = (name: string): ReadonlyArray<Word> => (name === "" ? [] : [{ is: "unknown", text: name }])
  if (text.length > maxSequence) return unknown(text)
  const ends = [...text].map((_, at, all) => all.slice(0, all.length - at).join(""))
  const first = ends.find((start) => inSequence(start) !== undefined) ?? ""
  const rest = text.slice(first.length)
  const last = [...rest].map((_, at, all) => all.slice(at).join("")).find((end) => inSequence(end) !== undefined) ?? ""
  return [
    ...(inSequence(first) ?? []),
    ...unknown(rest.slice(0, rest.length - last.length)),
    ...(inSequence(last) ?? [])
  ]
}

const startsWithIdeograph = new RegExp(`^[${ideographs}]`, "v")

/** The words of a piece of a text that is no word by itself. */
const wordsIn = (piece: string): ReadonlyArray<Word> => {
  const thousands = /^(?:1 ?|')?(000)(?: ?(000))?(?: ?s)?$/.exec(piece)
  if (thousands !== null) {
    const [, one = "", two = ""] = thousands
    return [{ is: "scale", scale: two === "" ? "1000" : "1000000", text: `${one}${two}` }]
  }
  if (startsWithIdeograph.test(piece)) return around(piece)
  if (/^\p{L}+\$$/u.test(piece)) return [...wordsIn(piece.slice(0, -1)), ...(lookUp("$") ?? [])]
  const whole = lookUp(piece)
  if (whole !== undefined) return whole
  for (const pattern of joined) {
    const parts = pattern.exec(piece)?.slice(1)
    if (parts !== undefined) return parts.flatMap((part) => (part === undefined ? [] : (lookUp(part) ?? [])))
  }
  const compound = compounds.find(([pattern]) => pattern.test(piece))?.[1]
  return [{ ...(compound ?? { is: "unknown" }), text: piece }]
}

/**
 * The words of a text. A code of a currency that is also a word counts in upper case only, and not in the name of a column: `1250 ALL`,
 * and neither `all` nor `Price (ALL)`.
 */
export const wordsOf = (text: string, { isName = false } = {}): ReadonlyArray<Word> => {
  // `AreaSqFt` has the words of `Area Sq Ft`.
  const found = normal(isName ? text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ") : text).match(pieces) ?? []
  const words: Array<Word> = []
  for (let at = 0; at < found.length;) {
    let taken = 1
    let some: ReadonlyArray<Word> | undefined
    for (let count = Math.min(longest, found.length - at); count > 0 && some === undefined; count--) {
      some = lookUp(found.slice(at, at + count).join(" "))
      if (some !== undefined) taken = count
    }
    words.push(...(some ?? wordsIn(found[at] ?? "")))
    at += taken
  }
  return words.map((word, at): Word => {
    const isBeside = isCurrency(words[at - 1]) || isCurrency(words[at + 1])
    const isWord =
      (word.is === "currency" && wordCodes.has(word.text.toUpperCase()) && (isName || !text.includes(word.code))) ||
      // `Price B` may be anything.
      (word.is === "letter" && word.letter === "b" && isName && !isBeside)
    return isWord ? { is: "unknown", text: word.text } : word
  })
}

const isCurrency = (word: Word | undefined) => word?.is === "currency" || word?.is === "sign"

/** What a quantity measures. */
export type Dimension = "money" | "area" | "number" | "percent" | "years"

/** What units say, each part without repetition. More than one of a part contradict each other. */
export interface Unit {
  readonly currency: ReadonlyArray<string>
  /** Signs of several currencies, with their codes. */
  readonly sign: ReadonlyArray<{ readonly sign: string; readonly codes: ReadonlyArray<string> }>
  readonly scale: ReadonlyArray<Scale>
  readonly area: ReadonlyArray<AreaUnit>
  /** The area that an amount is per. */
  readonly perArea: ReadonlyArray<AreaUnit>
  readonly period: ReadonlyArray<Period>
  readonly length: ReadonlyArray<LengthUnit>
  readonly ratio: ReadonlyArray<RatioUnit>
  /** What is not understood. */
  readonly unknown: ReadonlyArray<string>
}

/** A unit that says nothing. */
export const noUnit: Unit = {
  currency: [],
  sign: [],
  scale: [],
  area: [],
  perArea: [],
  period: [],
  length: [],
  ratio: [],
  unknown: []
}

const union = <A>(all: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => {
  const [first = [], ...rest] = all.filter((some) => some.length > 0)
  return rest.length === 0 ? first : [...new Set(all.flat())]
}

const saysNothing = (unit: Unit): boolean =>
  unit === noUnit || Object.values(unit).every((part: ReadonlyArray<unknown>) => part.length === 0)

/** What several units say together. */
export const together = (...all: ReadonlyArray<Unit>): Unit => {
  const units = all.filter((unit) => !saysNothing(unit))
  return units.length < 2
    ? (units[0] ?? noUnit)
    : {
        currency: union(units.map((unit) => unit.currency)),
        sign: union(units.map((unit) => unit.sign)),
        scale: union(units.map((unit) => unit.scale)),
        area: union(units.map((unit) => unit.area)),
        perArea: union(units.map((unit) => unit.perArea)),
        period: union(units.map((unit) => unit.period)),
        length: union(units.map((unit) => unit.length)),
        ratio: union(units.map((unit) => unit.ratio)),
        unknown: union(units.map((unit) => unit.unknown))
      }
}

/** What one word says of a quantity, by those beside it. */
const meaningOf = (
  dimension: Dimension,
  word: Word,
  before: Word | undefined,
  after: Word | undefined
): Partial<Unit> => {
  const unknown = { unknown: [word.text] }
  const hasPeriod = dimension === "money" || dimension === "years" || dimension === "percent"
  switch (word.is) {
    case "filler":
      return {}
    case "per":
      return unknown
    case "currency":
      return dimension === "money" ? { currency: [word.code] } : unknown
    case "sign":
      return dimension === "money" ? { sign: [{ sign: word.sign, codes: word.codes }] } : unknown
    case "scale":
      return dimension === "percent" || dimension === "years" ? unknown : { scale: [word.scale] }
    case "area":
      if (dimension === "area") return { area: [word.unit] }
      return dimension === "money" ? { perArea: [word.unit] } : unknown
    case "perArea":
      return dimension === "money" ? { perArea: [word.unit] } : unknown
    case "period":
      return hasPeriod ? { period: [word.period] } : unknown
    case "length":
      return dimension === "number" ? { length: [word.unit] } : unknown
    case "ratio":
      return dimension === "percent" ? { ratio: [word.unit] } : unknown
    case "letter":
      switch (word.letter) {
        case "m":
          if (dimension === "number") return { length: ["m"] }
          return dimension === "money" || (dimension === "area" && after?.is === "area")
            ? { scale: ["1000000"] }
            : unknown
        case "b":
          return dimension === "money" ? { scale: ["1000000000"] } : unknown
        case "t":
          return dimension === "money" && isCurrency(after) && !isCurrency(before) ? { scale: ["1000"] } : unknown
        default:
          return hasPeriod ? { period: ["year"] } : unknown
      }
    case "unknown":
      return unknown
  }
}

/** What the word after `per` says. */
const perOf = (dimension: Dimension, word: Word): Partial<Unit> => {
  const isYear = word.is === "letter" && (word.letter === "a" || word.letter === "y")
  const period = word.is === "period" ? word.period : isYear ? "year" : undefined
  if (word.is === "area" && dimension === "money") return { perArea: [word.unit] }
  return period !== undefined && (dimension === "money" || dimension === "percent")
    ? { period: [period] }
    : { unknown: [`per ${word.text}`] }
}

/** What words say of a quantity: all of them, or what is not understood. */
export const unitOf = (dimension: Dimension, words: ReadonlyArray<Word>): Unit => {
  const parts: Array<Unit> = []
  for (let at = 0; at < words.length; at++) {
    const [before, word, after] = [words[at - 1], words[at], words[at + 1]]
    if (word === undefined) continue
    if (word.is === "per" && after !== undefined) {
      parts.push({ ...noUnit, ...perOf(dimension, after) })
      at++
    } else parts.push({ ...noUnit, ...meaningOf(dimension, word, before, after) })
  }
  return together(...parts)
}

// Words that are only units where nothing else can stand: in brackets, cells and options.
const plainWords: ReadonlySet<string> = new Set(
  listed("ar, are, ares, ac, an, mes, mon, mo, pc, cr, one, ping, day, days, tag, sm, fr, rs, mill, lac, mm")
)

// Units of areas that are not understood, and therefore not taken for a part of a name either.
const otherAreas: ReadonlySet<string> = new Set(
  listed(
    "morgen, tagwerk, juchart, joch, arpent, arpents, rai, dunam, dunams, donum, stremma, feddan, fanega, guntha, gaj, bigha, marla",
    "tatami, 畳, 帖, 亩, 畝, 町, 반, 정보"
  )
)

const yearNouns: ReadonlySet<string> = new Set(listed("year, years, jahr, jahre, jahren, ano, jaar, 年"))

const shorterNouns: ReadonlySet<string> = new Set(
  listed("month, months, monat, monate, week, weeks, woche, quarter, quartal, 月, 週")
)

/**
 * What the words of a name say of a quantity beside its name, such as `Rent pcm` and `Preis in T€`. Words that are no units are the name
 * itself, unless they follow `per`, a slash or `in`.
 */
export const unitInName = (dimension: Dimension, words: ReadonlyArray<Word>, hasPeriod: boolean): Unit => {
  const kept = words.map((word, at): Word => {
    const [before, after] = [words[at - 1], words[at + 1]]
    const filler: Word = { is: "filler", text: word.text }
    if (before?.is === "per") return word
    const isBeside = isCurrency(before) || isCurrency(after)
    if (word.is === "unknown") {
      // Years are no units.
      const isNumber = /^\d+$/.test(word.text) && !/^(?:19|20)\d\d$/.test(word.text)
      const isLastLetter = word.text === "b" && after === undefined
      const isArea = dimension === "area" && otherAreas.has(word.text)
      return isArea ||
        isLastLetter ||
        (before?.text === "in" && at > 1) ||
        (isNumber && (isBeside || after?.is === "scale"))
        ? word
        : filler
    }
    if (plainWords.has(word.text) && !isBeside && (after !== undefined || at === 0)) return filler
    if (word.is === "per") return after === undefined || at === 0 ? filler : word
    if (word.is === "period") {
      const isNoun = yearNouns.has(word.text) || (!(dimension === "money" && hasPeriod) && shorterNouns.has(word.text))
      return dimension !== "years" && isNoun ? filler : word
    }
    if (word.is !== "letter") return word
    const isLast = after === undefined && at > 0 && !["a", "y"].includes(word.letter)
    if (isBeside || after?.is === "area") return word
    return isLast ? word : filler
  })
  return unitOf(dimension, kept)
}

/** The factor of a unit of area, to square metres. */
export const inSquareMetres = (unit: AreaUnit): Ratio => squareMetres[unit]

/** The factor of a unit of length, to metres. */
export const inMetres = (unit: LengthUnit): Ratio => metres[unit]

/** The factor of a part of a whole, to percent. */
export const inPercent = (unit: RatioUnit): Ratio => percents[unit]

/** The factor of an amount of this period, to that of a year. */
export const inYear = (period: Exclude<Period, "day">): Ratio => ({ times: perYear[period] })

/** The scale with this name, such as `thousand`. */
export const scaleOf = (name: string): Scale | undefined => {
  const [word, another] = wordsOf(name)
  if (word === undefined || another !== undefined) return undefined
  if (word.is === "letter") return word.letter === "m" ? "1000000" : word.letter === "t" ? "1000" : undefined
  return word.is === "scale" ? word.scale : undefined
}

/** The period with this name, such as `month`. */
export const periodOf = (name: string): Period | undefined => {
  const words = wordsOf(name).filter(({ is }) => is !== "per" && is !== "filler")
  const [word, another] = words
  if (word === undefined || another !== undefined) return undefined
  return word.is === "period" ? word.period : word.is === "letter" && word.letter === "a" ? "year" : undefined
}

/** The ISO 4217 code of a currency by its code or sign. */
export const currencyOf = (name: string): string | undefined => {
  const code = name.trim().toUpperCase()
  return currencies.has(code) ? code : signs.get(name.trim().toLowerCase())
}

const plainUnit = (unit: string): string =>
  unit
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s._()*·]/g, "")

/** Whether two names are those of one unit, such as `kWh/(m² a)` and `kWh/(m2a)`. */
export const isUnit = (name: string, unit: string): boolean => plainUnit(name) === plainUnit(unit)
