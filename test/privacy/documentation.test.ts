/** The tables of docs/privacy.md are made of the classification and of the periods of retention. */
import { assert, it } from "@effect/vitest"
import { readFile } from "node:fs/promises"
import { type Erasure, isPersonal, kinds, type Kind, tables } from "../../src/privacy/classification.ts"
import { type Kept, periods } from "../../src/platform/Retention.ts"

const erasures: { readonly [Of in Erasure]: string } = {
  null: "cleared",
  "empty text": "cleared",
  "empty list": "cleared",
  follows: "cleared",
  redacted: "redacted",
  "row removed": "row removed",
  kept: "stays until then"
}

const unique = (values: ReadonlyArray<string>) => [...new Set(values)]

const rowOf = ([table, { columns, found, holds, kept, periods: named = [] }]: (typeof entries)[number]) => {
  const personal = Object.entries(columns).flatMap(([column, holds]) => (isPersonal(holds) ? [{ column, holds }] : []))
  const settings = named.map((name) => `\`${periods[name as Kept].setting}\``)
  const jobs = unique(named.flatMap((name) => periods[name as Kept].jobs)).map((job) => `\`${job}\``)
  return [
    holds,
    `\`${table}\`: ${personal.map(({ column }) => column).join(", ")}`,
    unique(personal.map(({ holds }) => holds.kind)).join(", "),
    found ?? "",
    kept,
    settings.join(", "),
    jobs.join(", "),
    unique(personal.map(({ holds }) => erasures[holds.erasure])).join(", ")
  ]
}

const entries = Object.entries(tables).filter(([, { columns }]) => Object.values(columns).some(isPersonal))

// The lines that the document must have.
const lines = [
  ...Object.entries(kinds).map(([kind, means]: [Kind | string, string]) => `| ${kind} | ${means} |`),
  ...entries.map((entry) => `| ${rowOf(entry).join(" | ")} |`)
]

it("docs/privacy.md has each table with personal data: where, how long, which setting and job, what erasure does", async () => {
  const text = await readFile("docs/privacy.md", "utf8")
  const found = text.split("\n").filter((line) => lines.includes(line))
  assert.deepStrictEqual(
    lines.filter((line) => !found.includes(line)),
    [],
    "docs/privacy.md lacks these lines"
  )
  const rows = text.split("\n").filter((line) => /^\| [^|]+ \| `[a-z_]+`: /.test(line))
  assert.deepStrictEqual(
    rows.filter((row) => !lines.includes(row)),
    [],
    "these lines are of tables that hold nothing of the kind"
  )
})

it("names only periods of retention that there are", () => {
  const named = Object.values(tables).flatMap((table) => table.periods ?? [])
  assert.deepStrictEqual(
    named.filter((name) => !(name in periods)),
    []
  )
})
