/** What the options say of cells. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parseOptions, type Written } from "../../src/transfer/CellOptions.ts"
import { columnsOf, type Mapping, parseMapping } from "../../src/transfer/Columns.ts"
import { lineColumns, ofCells, ofJson, type ReadRow } from "../../src/transfer/Items.ts"

const none: Written = { unit: [], scale: [], per: [], currency: [], country: [], mapValue: [], values: undefined }

interface Choices extends Partial<Written> {
  readonly kind?: Mapping["kind"]
  readonly map?: ReadonlyArray<string>
  readonly keepRows?: boolean
  readonly decimal?: "." | ","
}

const optionsOf = ({ decimal, keepRows = false, kind = "properties", map = [], ...written }: Choices) =>
  Result.map(parseOptions({ ...none, ...written }), (cells) => ({
    kind,
    map,
    ignore: [],
    ignoreUnknown: false,
    namespace: "crm",
    separator: ";",
    format: "csv" as const,
    cells,
    ...cells.defaults,
    keepRows,
    decimal
  }))

/** What a row of one file says, or why the file is refused. */
const read = (row: { readonly [column: string]: string }, choices: Choices): ReadRow | string => {
  const options = optionsOf(choices)
  if (Result.isFailure(options)) return options.failure
  const columns = columnsOf(options.success, Object.keys(row))
  if (Result.isFailure(columns)) return columns.failure
  return ofCells(options.success, columns.success, Object.values(row))
}

/** The item of a row without its reference, or why it is refused. */
const item = (row: { readonly [column: string]: string }, choices: Choices) => {
  const found = read({ ...row, externalId: "1" }, choices)
  if (typeof found === "string") return `file: ${found}`
  if (Result.isFailure(found.item)) return `row: ${found.item.failure.detail}`
  const { externalRefs: _, ...rest } = found.item.success
  return rest
}

const price = (value: number, currency = "EUR") => ({ pricing: { askingPrice: { value, currency } } })

describe("An option for cells", () => {
  it("says the unit, the scale, the period or the currency of a column, in any spelling of its name", () => {
    for (const [row, choices, expected] of [
      [{ Kaufpreis: "1250" }, { unit: ["Kaufpreis=TEUR"] }, price(1_250_000)],
      [{ Kaufpreis: "1.25 €" }, { scale: ["KAUF-PREIS=million"] }, price(1_250_000)],
      [
        { "Price ($m)": "1.25" },
        { currency: ["Price ($m)=CAD"], map: ["pricing.askingPrice=Price ($m)"] },
        price(1_250_000, "CAD")
      ],
      [{ "Preis (Fuder)": "5" }, { unit: ["Preis (Fuder)=EUR"], map: ["pricing.askingPrice=Preis (Fuder)"] }, price(5)],
      [{ "Kaufpreis (T€)": "1250 €" }, { scale: ["Kaufpreis (T€)=thousand"] }, price(1_250_000)],
      [{ GLA: "1000" }, { unit: ["GLA=sqft"] }, { lettableArea: { value: 92.903, unit: "sqm" } }],
      [{ GLA: "2" }, { unit: ["GLA='000 sqm"] }, { lettableArea: { value: 2000, unit: "sqm" } }],
      [
        { NOI: "100 EUR" },
        { per: ["NOI=month"] },
        { income: { netOperatingIncome: { value: 1200, currency: "EUR" } } }
      ],
      [{ NOI: "100 EUR" }, { per: ["NOI=week"] }, { income: { netOperatingIncome: { value: 5200, currency: "EUR" } } }],
      [
        { NOI: "100 EUR pw" },
        { per: ["NOI=week"] },
        { income: { netOperatingIncome: { value: 5200, currency: "EUR" } } }
      ],
      [
        { NIY: "0.0475" },
        { unit: ["NIY=fraction"] },
        { pricing: { netInitialYield: { value: 4.75, unit: "percent" } } }
      ],
      [{ NIY: "0.5" }, { unit: ["NIY=percent"] }, { pricing: { netInitialYield: { value: 0.5, unit: "percent" } } }],
      [{ WALE: "66" }, { unit: ["WALE=months"] }, { income: { waultToExpiry: { value: 5.5, unit: "years" } } }],
      [{ "clear height": "32" }, { unit: ["clear height=ft"] }, { industrial: { clearHeightM: 9.7536 } }]
    ] as const) {
      assert.deepStrictEqual(item(row as never, choices), expected, JSON.stringify(row))
    }
  })

  it("says them for all columns of the file that say nothing themselves", () => {
    assert.deepStrictEqual(
      item(
        { GLA: "1000", "Plot size (ha)": "1", ERV: "1250", NOI: "15 TEUR p.a.", Kaufpreis: "5" },
        { unit: ["sqft"], scale: ["thousand"], per: ["month"], currency: ["EUR"] }
      ),
      {
        lettableArea: { value: 92.903, unit: "sqm" },
        parcelArea: { value: 10_000, unit: "sqm" },
        income: {
          marketRent: { value: 15_000_000, currency: "EUR" },
          netOperatingIncome: { value: 15_000, currency: "EUR" }
        },
        ...price(5000)
      }
    )
  })

  it("says the country of rows without one, or of empty cells of a column", () => {
    assert.deepStrictEqual(item({ name: "A", Land: "" }, { country: ["Dänemark"] }), { name: "A", country: "DK" })
    assert.deepStrictEqual(item({ name: "A", Land: "SE" }, { country: ["DK"] }), { name: "A", country: "SE" })
    assert.deepStrictEqual(item({ name: "A", Land: "\\N" }, { country: ["DK"] }), { name: "A", country: null })
    assert.deepStrictEqual(item({ name: "A", Land: "", "energy.country": "" }, { country: ["energy.country=AT"] }), {
      name: "A",
      energy: { country: "AT" }
    })
    assert.deepStrictEqual(item({ name: "A" }, { country: ["DK"], kind: "companies" }), { name: "A", country: "DK" })
    assert.deepStrictEqual(item({ firstName: "A" }, { country: ["DK"], kind: "contacts" }), { firstName: "A" })
  })

  it("is refused if the file lacks the column, or the column cannot have it", () => {
    for (const [row, choices, says] of [
      [{ Kaufpreis: "1" }, { scale: ["Preis=thousand"] }, 'The file has no column "Preis". It has: "Kaufpreis"'],
      [{ Kaufpreis: "1" }, { mapValue: ["Nutzung:a=office"] }, 'The file has no column "Nutzung"'],
      [
        { Kaufpreis: "1" },
        { unit: ["Kaufpreis=sqft"] },
        '--unit "Kaufpreis=sqft": Is an amount per sq ft, and not a total.'
      ],
      [{ Kaufpreis: "1" }, { unit: ["Kaufpreis=Fuder"] }, "fuder is no currency or scale"],
      [
        { Kaufpreis: "1" },
        { per: ["Kaufpreis=month"] },
        '--per "Kaufpreis=month": The values of the column have no period.'
      ],
      [{ Kaufpreis: "1" }, { scale: ["Kaufpreis=dozen"] }, "Must be a scale, such as thousand or million."],
      [{ "Kaufpreis (T€)": "1" }, { scale: ["Kaufpreis (T€)=million"] }, "Has several scales"],
      [{ "GLA (sqm)": "1" }, { unit: ["GLA (sqm)=sqft"] }, "Has several units: m² and sq ft."],
      [{ NOI: "1" }, { per: ["NOI=day"] }, "Must be year, quarter, month or week."],
      [{ NIY: "1" }, { scale: ["NIY=thousand"] }, "The values of the column have no scale."],
      [{ name: "1" }, { unit: ["name=sqft"] }, "The values of the column have no unit."],
      [{ name: "1" }, { country: ["name=DE"] }, "The values of the column are no countries."],
      [{ name: "1" }, { currency: ["name=EUR"] }, "The values of the column have no currency."],
      [{ name: "1" }, { unit: ["Fuder"] }, "--unit: Must be a unit of area"],
      [{ name: "1" }, { currency: ["Fass"] }, "--currency: Must be an ISO 4217 code, such as EUR."],
      [{ name: "1" }, { currency: ["EUR", "USD"] }, "--currency is given twice for the file."],
      [{ name: "1" }, { per: ["day"] }, "--per: Must be year"],
      [{ name: "1" }, { scale: ["=thousand"] }, "Must be COLUMN=VALUE."],
      [{ name: "1" }, { country: ["Atlantis"] }, "--country: Must be a country"]
    ] as const) {
      const text = item(row as never, choices)
      assert.isTrue(
        typeof text === "string" && text.startsWith("file: ") && text.includes(says),
        `${says}: ${JSON.stringify(text)}`
      )
    }
  })
})

describe("A value of --map-value or --values", () => {
  const row = { Nutzung: "Multifamily Housing; Büro", Typ: "a:b=c" }

  it("means what the option says, also as one of several, whatever its case", () => {
    for (const mapValue of ["Nutzung:Multifamily Housing=residential", "nutzung:MULTIFAMILY  housing=Wohnen"]) {
      assert.deepStrictEqual(item({ Nutzung: row.Nutzung }, { mapValue: [mapValue] }), {
        categories: ["residential", "office"]
      })
    }
    assert.deepStrictEqual(item({ Nutzung: "X" }, { mapValue: ["Nutzung:x=office;retail"] }), {
      categories: ["office", "retail"]
    })
    assert.deepStrictEqual(item({ Nutzung: "X;office" }, { mapValue: ["Nutzung:x="] }), { categories: ["office"] })
    assert.deepStrictEqual(item({ name: "A", zustand: "top" }, { mapValue: ["zustand:top="] }), { name: "A" })
    assert.deepStrictEqual(item({ "a:b": "c=d" }, { map: ["condition=a:b"], mapValue: ["a:b:c=d=refurbished"] }), {
      condition: "refurbished"
    })
    assert.deepStrictEqual(
      item({ Kaufpreis: "POA EUR" }, { mapValue: ["Kaufpreis:POA EUR=5 Mio. EUR"] }),
      price(5_000_000)
    )
    assert.deepStrictEqual(
      item(
        { firstName: "A", Sprache: "Deutschsprachig" },
        { kind: "contacts", mapValue: ["Sprache:Deutschsprachig=de"] }
      ),
      { firstName: "A", primaryLanguage: "de" }
    )
    assert.deepStrictEqual(
      item({ name: "A", labels: "VIP;x" }, { kind: "companies", mapValue: ["labels:vip=key account"] }),
      { name: "A", tags: ["key account", "x"] }
    )
    const values = "\uFEFFcolumn;from;to\nNutzung;Multifamily Housing;residential\nNutzung;Büro;office\n"
    assert.deepStrictEqual(item({ Nutzung: row.Nutzung }, { values }), { categories: ["residential", "office"] })
  })

  it("is refused at the start if its meaning is none, with those that are", () => {
    for (const [choices, says] of [
      [
        { mapValue: ["Nutzung:X=resi"] },
        /--map-value "Nutzung:X=resi": Is no known value\..* Must be one of: office, retail,.*, other\.$/
      ],
      [{ mapValue: ["Nutzung:X=office;resi"] }, /Is no known value/],
      [{ values: "column,from,to\nNutzung,X,resi" }, /--values "Nutzung:X=resi": Is no known value/],
      [{ values: "a,b\n" }, /must have the columns column, from and to/],
      [{ values: "column,from,to\nNutzung,,x" }, /--values: Row 2 of the file needs a column and a value/],
      [{ mapValue: ["Nutzung"] }, /--map-value Nutzung: Must be COLUMN:value=meaning/],
      [{ mapValue: ["Baujahr:alt=früh"] }, /Must be a number/],
      [{ mapValue: ["Baujahr:alt=99999"] }, /--map-value "Baujahr:alt=99999": /],
      [{ mapValue: ["Kaufpreis:alt=x"] }, /Must be a number/]
    ] as const) {
      const text = item({ Nutzung: "X", Baujahr: "", Kaufpreis: "" }, choices)
      assert.match(String(text), says)
      assert.match(String(text), /^file: /)
    }
    for (const [kind, member, to] of [
      ["contacts", "email", "nobody"],
      ["contacts", "primaryLanguage", "Klingonisch"],
      ["companies", "country", "Atlantis"]
    ] as const) {
      assert.match(
        String(
          item(
            { [member]: "x", name: "A" },
            { kind, map: kind === "contacts" ? ["firstName=name"] : [], mapValue: [`${member}:x=${to}`] }
          )
        ),
        /^file: .*--map-value/,
        member
      )
    }
  })

  it("maps the members of NDJSON, too", () => {
    const line = (value: object, choices: Choices) => {
      const options = Result.getOrThrow(optionsOf(choices))
      return ofJson(options, lineColumns(options, Result.getOrThrow(parseMapping(options))), JSON.stringify(value)).item
    }
    assert.deepStrictEqual(
      line(
        { id: "property_1", categories: ["Multifamily Housing"], zustand: "Top" },
        {
          mapValue: ["categories:Multifamily Housing=residential", "Zustand:top=refurbished"]
        }
      ),
      Result.succeed({ id: "property_1", categories: ["residential"], condition: "refurbished" })
    )
    assert.deepStrictEqual(
      line(
        { id: "contact_1", primaryLanguage: "Deutschsprachig", tags: ["VIP"] },
        {
          kind: "contacts",
          mapValue: ["primaryLanguage:Deutschsprachig=de", "tags:VIP=key account"]
        }
      ),
      Result.succeed({ id: "contact_1", primaryLanguage: "de", tags: ["key account"] })
    )
    assert.deepStrictEqual(
      line({ id: "property_1", ListPrice: 1250 }, { unit: ["ListPrice=TEUR"] }),
      Result.succeed({ id: "property_1", ...price(1_250_000) })
    )
  })
})

describe("A vocabulary", () => {
  it("says what is near a value that it lacks, and how to map it", () => {
    assert.include(
      String(item({ Nutzung: "Multifamily Housing" }, {})),
      "Nutzung: Is no known value. Near: residential"
    )
    assert.match(
      String(item({ Nutzung: "Ofice" }, {})),
      /Near: office\. .*--map-value "Nutzung:Ofice=VALUE"\. Found "Ofice"\.$/
    )
    assert.notInclude(String(item({ Nutzung: "Qwrtz" }, {})), "Near")
  })
})

describe("--keep-rows", () => {
  const kept = (row: { readonly [column: string]: string }, choices: Choices) => {
    const found = read(row, { ...choices, keepRows: true })
    if (typeof found === "string") return found
    return {
      item: Result.isFailure(found.item) ? found.item.failure.code : found.item.success,
      reported: found.reported.map(({ code, column, value }) => `${code} ${column} ${value}`)
    }
  }

  it("drops a cell that is not valid, and tells it", () => {
    assert.deepStrictEqual(
      kept(
        {
          externalId: "1",
          Kaufpreis: "5 Fuder",
          Nutzung: "X",
          Baujahr: "99999",
          "income.asOf": "neulich",
          name: "A",
          Land: "Atlantis"
        },
        {}
      ),
      {
        item: { name: "A", externalRefs: [{ namespace: "crm", externalId: "1" }] },
        reported: [
          "dropped Kaufpreis 5 Fuder",
          "dropped Nutzung X",
          "dropped Land Atlantis",
          "dropped Baujahr 99999",
          "dropped income.asOf neulich"
        ]
      }
    )
    assert.deepStrictEqual(
      kept({ email: "a@x.example", phone: "4.93012E+11", linkedInUrl: "ht tps://x" }, { kind: "contacts" }),
      {
        item: { email: "a@x.example" },
        reported: ["dropped phone 4.93012E+11", "dropped linkedInUrl ht tps://x"]
      }
    )
    assert.deepStrictEqual(kept({ externalId: "1", email: "nobody", firstName: "A" }, { kind: "contacts" }), {
      item: { firstName: "A", externalRefs: [{ namespace: "crm", externalId: "1" }] },
      reported: ["dropped email nobody"]
    })
  })

  it("drops no cell that says which record the row is", () => {
    for (const [row, kind, expected] of [
      [{ id: "nonsense", externalId: "1", name: "A" }, "properties", "invalid_cell"],
      [{ email: "nobody", firstName: "A" }, "contacts", { email: "nobody", firstName: "A" }],
      [{ name: "A", country: "Atlantis" }, "companies", "invalid_cell"]
    ] as const) {
      assert.deepStrictEqual(kept(row as never, { kind }), { item: expected as never, reported: [] })
    }
  })
})
