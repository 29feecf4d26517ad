/** Which record a row of `admin import` means, and what becomes of rows that look like another one. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Redacted } from "effect"
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../../src/admin.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { fixture } from "../core/auth/fixture.ts"
import { testUrl } from "../support/TestDatabase.ts"

interface ReceiptLine {
  readonly line: number
  readonly status: string
  readonly id: string | null
  readonly problem?: { readonly code: string; readonly detail: string; readonly line?: number }
  readonly duplicateOf?: ReadonlyArray<{ readonly id?: string; readonly line?: number }>
}

const environment = Effect.map(testUrl, (url) => ({
  DATABASE_URL: Redacted.value(url),
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
}))

const admin = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const out: Array<string> = []
  yield* Effect.exit(run([...args, "--json"])).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(yield* environment)),
    Effect.provideService(Console.Console, {
      ...globalThis.console,
      log: (line: string) => void out.push(line),
      error: () => undefined
    })
  )
  return JSON.parse(out.join("\n").split("\n").at(-1) ?? "") as Readonly<Record<string, unknown>>
})

/** A team, and imports of texts as files of one name, whose runs are those of one file. */
const make = Effect.fnUntraced(function* (name: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-duplicates-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const teams = yield* Teams
  const sql = yield* Database
  const { id } = yield* asOperator(teams.create({ name, plan: "plus" }))
  const uuid = Id.toUuid("team", id) ?? ""
  const file = join(folder, "rows.csv")
  const receiptsOf = (path: string) =>
    Effect.promise(async () =>
      (await readFile(path, "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as ReceiptLine)
        .filter(({ status }) => status !== undefined)
    )
  const importing = Effect.fnUntraced(function* (kind: string, text: string, ...options: ReadonlyArray<string>) {
    yield* Effect.promise(() => writeFile(file, text))
    const answer = yield* admin("import", kind, file, "--team", id, ...options)
    const receipts = `${file}.${options.includes("--dry-run") ? "dry-run" : "receipts"}.ndjson`
    return { answer, rows: answer["error"] === undefined ? yield* receiptsOf(receipts) : [] }
  })
  const people = sql<{ first_name: string | null; phone: string | null }>`
    select first_name, phone from contacts where team_id = ${uuid} order by first_name, phone`
  const firms = sql<{ name: string; domain: string | null; refs: ReadonlyArray<string> }>`
    select name, domain, array(
      select external_id from external_references where resource_id = companies.id order by external_id
    ) as refs
    from companies where team_id = ${uuid} order by name`
  return { file, importing, people, firms }
})

const outcomes = (rows: ReadonlyArray<ReceiptLine>) =>
  rows.map(({ duplicateOf, problem, status }) =>
    [status, problem?.code, problem?.line, ...(duplicateOf ?? []).map(({ line }) => line)]
      .filter((part) => part !== undefined)
      .join(" ")
  )

layer(fixture)("A row", (it) => {
  it.effect("that repeats its record changes nothing, unless a row before it has changed the record", () =>
    Effect.gen(function* () {
      const { importing, people } = yield* make("Repeated")
      const header = "firstName,lastName,email,phone,tags,externalRefs.crm\n"
      const anna = "Anna,Berg,anna@hall.example,+49 1,core;office,1\n"
      const bo = "Bo,Lind,bo@hall.example,+49 2,,2\n"
      const first = yield* importing("contacts", header + anna + bo)
      assert.deepStrictEqual(outcomes(first.rows), ["created", "created"])
      const again = yield* importing("contacts", header + anna + bo)
      assert.deepInclude(again.answer, { updated: 0, unchanged: 2, failed: 0 })
      assert.deepStrictEqual(
        again.rows.map(({ id }) => id),
        first.rows.map(({ id }) => id)
      )
      // Without a reference, it means Anna by her address.
      const changing = header + "Anna,Berg,anna@hall.example,+49 3,,\n" + anna + bo + anna
      for (const options of [["--dry-run"], []]) {
        const { rows } = yield* importing("contacts", changing, ...options)
        assert.deepStrictEqual(outcomes(rows), [
          "updated",
          "failed repeated_row 2",
          "unchanged",
          "failed repeated_row 2"
        ])
      }
      assert.deepStrictEqual(yield* people, [
        { first_name: "Anna", phone: "+49 3" },
        { first_name: "Bo", phone: "+49 2" }
      ])
      const stale = JSON.stringify({ id: first.rows[1]?.id, etag: '"v9"', firstName: "Bo" })
      const refused = yield* importing("contacts", stale, "--format", "ndjson")
      assert.deepStrictEqual(outcomes(refused.rows), ["failed precondition_failed"])
    }).pipe(Effect.scoped)
  )

  it.effect("adds to a record that a row far before it in the same transaction has created", () =>
    Effect.gen(function* () {
      const { importing } = yield* make("Far before")
      const sql = yield* Database
      // After 1,000 rows, a transaction has 500, and a hundred are inserted while the next ones are decided.
      const rows = Array.from({ length: 1450 }, (_, row) =>
        row === 1400
          ? "Row,Early,early@far.example,,b\n"
          : `Row,${row},${row === 1010 ? "early" : row}@far.example,a${row},\n`
      )
      rows[1010] = "Row,Early,early@far.example,a,\n"
      const header = "firstName,lastName,email,externalRefs.crm,externalRefs.erp\n"
      const { answer } = yield* importing("contacts", header + rows.join(""), "--on-duplicate", "update")
      assert.deepInclude(answer, { created: 1449, updated: 1, failed: 0 })
      const found = yield* sql`
        select version::int as version, change_type, array(
          select namespace || ' ' || external_id from external_references where resource_id = contacts.id order by position
        ) as refs, array(
          select type from events where resource_id = contacts.id order by id
        ) as events
        from contacts where email = 'early@far.example'`
      assert.deepStrictEqual(found, [
        { version: 2, change_type: "updated", refs: ["crm a", "erp b"], events: ["contact.created", "contact.updated"] }
      ])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "of another person with the same mailbox is refused, again the next time, and created if one asks for it",
    () =>
      Effect.gen(function* () {
        const { importing, people } = yield* make("Mailbox")
        const text = "firstName,lastName,email\nAnna,Berg,info@hall.example\nBo,Lind,INFO@hall.example\n"
        const rehearsed = yield* importing("contacts", text, "--dry-run")
        assert.deepInclude(rehearsed.answer, { created: 1, failed: 1, duplicate: 1, repeated: 0 })
        assert.deepStrictEqual(rehearsed.rows[1]?.duplicateOf, [{ line: 2 }])
        assert.match(rehearsed.rows[1]?.problem?.detail ?? "", /^Looks like line 2, but has another name/)
        assert.notInclude(JSON.stringify(rehearsed.rows), "contact_")

        const first = yield* importing("contacts", text)
        assert.deepStrictEqual(outcomes(first.rows), ["created", "failed duplicate 2"])
        assert.deepStrictEqual(first.rows[1]?.duplicateOf, [{ id: first.rows[0]?.id ?? "", line: 2 }])
        const again = yield* importing("contacts", text)
        assert.deepInclude(again.answer, { created: 0, updated: 0, unchanged: 1, failed: 1, duplicate: 1 })
        const forced = yield* importing("contacts", text, "--on-duplicate", "create")
        assert.deepStrictEqual(outcomes(forced.rows), ["unchanged", "created 2"])
        assert.deepInclude((yield* importing("contacts", text, "--on-duplicate", "create")).answer, { unchanged: 2 })
        // Now both are known, so nothing is left to refuse.
        assert.deepInclude((yield* importing("contacts", text)).answer, { unchanged: 2, failed: 0 })
        assert.deepStrictEqual(
          (yield* people).map(({ first_name }) => first_name),
          ["Anna", "Bo"]
        )
      }).pipe(Effect.scoped)
  )

  it.effect("means the person with its e-mail address whose names agree, folded, swapped or missing", () =>
    Effect.gen(function* () {
      const { importing } = yield* make("Agreeing")
      const agreeing = ["Jörg,Müller", "JOERG,MUELLER", "Müller,Jörg", '"Jörg Müller",', ",Müller", "Jörg,", ","]
      const textOf = (names: ReadonlyArray<string>) =>
        `firstName,lastName,email,phone\n${names.map((name, n) => `${name},${n}@hall.example,1`).join("\n")}\n`
      const created = yield* importing("contacts", textOf(agreeing.map(() => "Jörg,Müller")))
      const { rows } = yield* importing("contacts", textOf(agreeing))
      assert.deepStrictEqual(
        rows.map(({ id, status }) => [status, id]),
        created.rows.map(({ id }, n) => [[1, 2, 3].includes(n) ? "updated" : "unchanged", id])
      )
      const other = yield* importing("contacts", "firstName,lastName,email\nJan,Müller,0@hall.example\n")
      assert.deepStrictEqual(outcomes(other.rows), ["failed duplicate"])
      assert.match(other.rows[0]?.problem?.detail ?? "", /^Looks like contact_\w+, but/)
    }).pipe(Effect.scoped)
  )

  it.effect("of a company on a host that many share neither meets nor renames another one there", () =>
    Effect.gen(function* () {
      const { firms, importing } = yield* make("Shared host")
      yield* importing("companies", "name,domain\nOld Page,facebook.com\n")
      const text =
        "name,website\nHall,https://www.facebook.com/hall\nTal,https://www.facebook.com/tal\nSee,https://de-de.facebook.com/see\n" +
        "Wald,https://wald.wixsite.com/start\n"
      for (const counts of [{ created: 4 }, { unchanged: 4 }]) {
        assert.deepInclude((yield* importing("companies", text)).answer, { ...counts, failed: 0 })
      }
      const owned = yield* importing("companies", "name,website\nMoor,https://wald.wixsite.com/moor\n")
      assert.deepStrictEqual(outcomes(owned.rows), ["failed duplicate"])
      assert.deepStrictEqual(
        (yield* firms).map(({ domain, name }) => [name, domain]),
        [
          ["Hall", null],
          ["Old Page", "facebook.com"],
          ["See", null],
          ["Tal", null],
          ["Wald", "wald.wixsite.com"]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "gives a record of another name its reference and values if one asks for it, and changes nothing the next time",
    () =>
      Effect.gen(function* () {
        const { firms, importing } = yield* make("Updated")
        yield* importing("companies", "name,domain,externalRefs.crm\nBerg,berg.example,1\n")
        const text = "name,domain,externalRefs.crm,tags\nBerg Nord,berg.example,2,office\nTal,tal.example,3,\n"
        assert.deepStrictEqual(outcomes((yield* importing("companies", text)).rows), ["failed duplicate", "created"])
        const updated = yield* importing("companies", text, "--on-duplicate", "update")
        assert.deepStrictEqual(
          updated.rows.map(({ duplicateOf, id, status }) => [status, duplicateOf?.[0]?.id === id]),
          [
            ["updated", true],
            ["unchanged", false]
          ]
        )
        // A record that gets the address of another names that one, too.
        const moved = "name,domain,externalRefs.crm\nTal,berg.example,3\n"
        const dry = yield* importing("companies", moved, "--on-duplicate", "create", "--dry-run")
        assert.deepStrictEqual(dry.rows[0]?.duplicateOf, [{ id: updated.rows[0]?.id ?? "" }])
        // No earlier row of the file wrote it.
        assert.notProperty(updated.rows[0]?.duplicateOf?.[0], "line")
        assert.deepStrictEqual(yield* firms, [
          { name: "Berg Nord", domain: "berg.example", refs: ["1", "2"] },
          { name: "Tal", domain: "tal.example", refs: ["3"] }
        ])
        for (const options of [[], ["--on-duplicate", "update"], ["--on-duplicate", "create"]]) {
          assert.deepInclude((yield* importing("companies", text, ...options)).answer, { unchanged: 2 })
        }
        // Two rows of one file do not write one record: the second adds its reference, or is refused for its values.
        const both = "name,domain,externalRefs.crm\nWald,wald.example,4\nWald,wald.example,5\nMoor,wald.example,6\n"
        for (const options of [["--dry-run"], []]) {
          const { rows } = yield* importing("companies", both, "--on-duplicate", "update", ...options)
          assert.deepStrictEqual(outcomes(rows), ["created", "updated 2", "failed repeated_row 2"])
        }
        const next = yield* importing("companies", both, "--on-duplicate", "update")
        assert.deepStrictEqual(outcomes(next.rows), ["unchanged", "unchanged", "failed repeated_row 2"])
      }).pipe(Effect.scoped)
  )

  it.effect(
    "of a record that stood before is refused with that line, by id and reference, across batches and interruptions",
    () =>
      Effect.gen(function* () {
        const { file, importing } = yield* make("Repeated")
        const header = "name,externalRefs.crm,internalArea\n"
        const row = (n: number, area: number) => `Hall ${n},${n},${area}`
        const text =
          header + [...Array.from({ length: 230 }, (_, n) => row(n, 1)), row(3, 1), row(3, 2), row(229, 2)].join("\n")
        const expected = ["unchanged", "failed repeated_row 5", "failed repeated_row 231"]
        const rehearsed = yield* importing("properties", text, "--dry-run")
        assert.deepStrictEqual(outcomes(rehearsed.rows).slice(230), expected)
        assert.isTrue(rehearsed.rows.every(({ id }) => id === null))
        yield* importing("properties", text)
        // As if it had been killed after the first batch.
        const receipts = `${file}.receipts.ndjson`
        const lines = (yield* Effect.promise(() => readFile(receipts, "utf8"))).split("\n")
        yield* Effect.promise(() => truncate(receipts, Buffer.byteLength(`${lines.slice(0, 101).join("\n")}\n`)))
        const continued = yield* importing("properties", text)
        assert.deepInclude(continued.answer, { rows: 233, created: 230, unchanged: 1, failed: 2, repeated: 2 })
        assert.deepStrictEqual(outcomes(continued.rows).slice(230), expected)
        const [id] = continued.rows.map((one) => one.id)
        const byId = yield* importing("properties", `id,name\n${id},Hall 0\n${id},Hall 0\n${id},Kai\n`, "--restart")
        assert.deepStrictEqual(outcomes(byId.rows), ["unchanged", "unchanged", "failed repeated_row 2"])
      }).pipe(Effect.scoped)
  )

  it.effect("has the same outcome in a dry run, and changes nothing the next time, whatever the rows before it", () =>
    Effect.gen(function* () {
      let seed = 9
      const pick = <A>(values: ReadonlyArray<A>): A => {
        seed = (seed + 0x6d2b79f5) | 0
        const mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
        const random = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
        return values[((random ^ (random >>> 14)) >>> 0) % values.length] as A
      }
      const people = ["Anna,Berg", "anna,BERG", "Bo,Lind", "LIND,Bo", "Cy,Holm"]
      // Of few records, each batch has some that the one before has; of many, some batches have none.
      const few = { of: 40, addresses: 30, rows: 260 }
      const many = { of: 20_000, addresses: 15_000, rows: 1200 }
      const cases = [
        { kind: "contacts", mode: "refuse", names: people, ...few },
        { kind: "contacts", mode: "refuse", names: people, ...many },
        { kind: "contacts", mode: "update", names: people, ...few },
        { kind: "contacts", mode: "update", names: people, ...many },
        { kind: "contacts", mode: "create", names: [...people, "Bo,", ",Lind", ","], ...few },
        {
          kind: "companies",
          mode: "create",
          names: ["Berg GmbH,DE", "berg,DE", "Tal AG,DE", "Tal AG,FR", "See,"],
          ...few
        }
      ]
      for (const { addresses, kind, mode, names, of, rows: count } of cases) {
        const numbers = Array.from({ length: of }, (_, n) => n)
        const [header, keyOf] =
          kind === "contacts"
            ? ["firstName,lastName,email", (n: number) => `m${n}@hall.example`]
            : ["name,country,domain", (n: number) => pick(["", `d${n}.example`, `d${n}.example`, "facebook.com"])]
        // A reference belongs to one person or company, whose other values differ from row to row.
        const row = () => {
          const ref = pick([undefined, undefined, pick(numbers)])
          const name = ref === undefined ? pick(names) : names[ref % names.length]
          return `${name},${keyOf((ref ?? pick(numbers)) % addresses)},${ref ?? ""},${pick(["", "1", "1", "2"])}`
        }
        const { importing } = yield* make(`Any ${kind} ${mode} ${of}`)
        const existing = numbers.slice(0, 10).map((n) => `${pick(names)},${keyOf(n)}`)
        yield* importing(kind, `${header}\n${existing.join("\n")}\n`)
        const rows = Array.from({ length: count }, row)
        const text = `${header},externalRefs.crm,tags\n${rows.join("\n")}\n`
        const options = ["--on-duplicate", mode]
        const rehearsed = outcomes((yield* importing(kind, text, ...options, "--dry-run")).rows)
        const first = outcomes((yield* importing(kind, text, ...options)).rows)
        const next = outcomes((yield* importing(kind, text, ...options)).rows)
        for (const [index, outcome] of first.entries()) {
          const where = `${kind}, ${mode}, line ${index + 2}: ${rows[index]}`
          assert.strictEqual(rehearsed[index], outcome, where)
          assert.strictEqual(next[index]?.split(" ")[0], outcome.startsWith("failed") ? "failed" : "unchanged", where)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.effect("of a record that the batch before has by another name is refused with that line", () =>
    Effect.gen(function* () {
      const { importing, people } = yield* make("By another name")
      const header = "firstName,lastName,email,phone,externalRefs.crm\n"
      yield* importing("contacts", `${header}Anna,Berg,anna@hall.example,,1\n`)
      const others = (batch: string) => Array.from({ length: 99 }, (_, n) => `Row,${n},${batch}${n}@hall.example,,\n`)
      const text = [
        header,
        "Anna,Berg,anna@hall.example,+49 1,\n",
        ...others("a"),
        ...others("b"),
        "Anna,Berg,,+49 2,1\n"
      ].join("")
      for (const options of [["--dry-run"], []]) {
        const rows = outcomes((yield* importing("contacts", text, ...options)).rows)
        assert.deepStrictEqual([rows[0], rows[199]], ["updated", "failed repeated_row 2"])
      }
      const [anna] = yield* people
      assert.deepStrictEqual(anna, { first_name: "Anna", phone: "+49 1" })
    }).pipe(Effect.scoped)
  )

  it.effect("of a link that stood before is refused with that line, also of a batch that a dry run rolled back", () =>
    Effect.gen(function* () {
      const { importing } = yield* make("Linked twice")
      const person = yield* importing("contacts", "email\na@hall.example\n")
      const firm = yield* importing("companies", "name\nHall\n", "--restart")
      const [contact, company] = [person.rows[0]?.id ?? "", firm.rows[0]?.id ?? ""]
      const broken = Array.from({ length: 100 }, () => `${contact},none,`).join("\n")
      const text = `contactId,companyId,jobTitle\n${contact},${company},Partner\n${broken}\n${contact},${company},\n${contact},${company},Chair\n`
      for (const options of [["--dry-run"], ["--restart"]]) {
        const { rows } = yield* importing("links", text, ...options)
        assert.deepStrictEqual(outcomes([0, 101, 102].flatMap((index) => rows[index] ?? [])), [
          "created",
          "unchanged",
          "failed repeated_row 2"
        ])
      }
    }).pipe(Effect.scoped)
  )
})
