/** `admin import` and `admin export` with a `DATABASE_URL`. */
import { acquireFileLock } from "../../src/transfer/Source.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { Database } from "../../src/platform/db/Database.ts"
import { fixture } from "../core/auth/fixture.ts"
import { faults } from "../support/people.ts"
import {
  admin,
  type Answer,
  aTeam,
  folder,
  people,
  type ReceiptLine,
  receiptsIn,
  traces,
  withKey
} from "./importing.ts"

/** Fails unless another export has the same bytes as an earlier one. */
const sameAsBefore = Effect.fnUntraced(function* (kind: string, path: string, team: string) {
  const again = join(dirname(path), `again.${basename(path)}`)
  yield* admin("export", kind, again, "--team", team)
  const [before, now] = yield* Effect.promise(() => Promise.all([readFile(path), readFile(again)]))
  assert.deepStrictEqual(now, before)
})

const statuses = (receipts: ReadonlyArray<ReceiptLine>) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(receipts, ({ status }) => status)).map(([status, some]) => [status, some?.length])
  )

layer(fixture)("The commands import and export", (it) => {
  it.effect(
    "import all valid rows, report line and reason of each invalid one, and change nothing the second time",
    () =>
      Effect.gen(function* () {
        const team = yield* aTeam("Many")
        const file = join(yield* folder, "people.csv")
        const lines = yield* people(file, 420, 25)
        const jobs = Number((yield* traces(team.uuid)).jobs)

        const first = yield* admin("import", "contacts", file, "--team", team.id, ...withKey)
        const receipts = yield* receiptsIn(`${file}.receipts.ndjson`)
        const { causes, columns, reported, ...rest } = first.answer
        assert.deepStrictEqual(rest, {
          rows: 420,
          created: 404,
          updated: 0,
          unchanged: 0,
          failed: 16,
          duplicate: 0,
          repeated: 0,
          receipts: `${file}.receipts.ndjson`
        })
        assert.deepInclude(columns, { column: "E-Mail", members: ["email"] })
        assert.deepStrictEqual(reported, [])
        assert.lengthOf(causes as ReadonlyArray<unknown>, faults.length)
        assert.match(first.err, /^Columns:\n.*\n.*\n +E-Mail +→ email\n/)
        assert.match(
          first.err,
          /Rejected rows, by cause:\n +2 × E-Mail: Must be an e-mail address.* \(line 30, for example "nobody at home"\)\n/
        )
        assert.deepStrictEqual(
          receipts.map(({ line }) => line),
          lines
        )
        for (const [index, { id, problem, status }] of receipts.entries()) {
          const fault = (index + 1) % 25 === 0 ? faults[Math.floor(index / 25) % faults.length] : undefined
          assert.strictEqual(status, fault === undefined ? "created" : "failed")
          if (fault === undefined) assert.match(id ?? "", /^contact_/)
          else assert.match(problem?.detail ?? "", fault.says)
        }

        const sql = yield* Database
        const [sample] = yield* sql<Answer>`
        select change_origin, first_name, strategy, tags from contacts where team_id = ${team.uuid} and email = 'person.7@example.com'`
        assert.deepStrictEqual(sample, {
          change_origin: "import",
          first_name: "Henrik",
          strategy: 'Core-plus offices,\nin the "big seven"',
          tags: ["office", "value-add"]
        })
        const [event] = yield* sql<{ body: string }>`select body from events where team_id = ${team.uuid} limit 1`
        assert.include(JSON.parse(event?.body ?? "") as Answer, { event: "contact.created", change_initiator: null })
        const after = yield* traces(team.uuid)
        assert.deepInclude(after, { contacts: "404", actions: "404", events: "404" })
        assert.strictEqual(Number(after.jobs) - jobs, 5)

        const second = yield* admin("import", "contacts", file, "--team", team.id, ...withKey)
        assert.deepInclude(second.answer, { rows: 420, created: 0, updated: 0, unchanged: 404, failed: 16 })
        assert.deepStrictEqual({ ...(yield* traces(team.uuid)), keys: after.keys }, after)
      }).pipe(Effect.scoped)
  )

  it.effect("import vCards, also gzipped, refuse broken ones alone, and change nothing the second time", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Cards")
      const file = join(yield* folder, "people.vcf.gz")
      const cards = Array.from({ length: 150 }, (_, index) =>
        [
          `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u-${index}\r\nN:Berg;Anna ${index};;;\r\nFN:Anna ${index} Berg`,
          `item1.EMAIL;type=INTERNET;type=pref:anna.${index}@\r\n example.com\r\nTEL;TYPE=CELL:+49 30 ${index}`,
          `CATEGORIES:office,retail\r\n${index % 50 === 49 ? "broken" : "NOTE:x"}\r\nEND:VCARD`
        ].join("\r\n")
      )
      yield* Effect.promise(() => writeFile(file, gzipSync(`${cards.join("\r\n")}\r\n`)))
      const dry = yield* admin("import", "contacts", file, "--team", team.id, "--dry-run")
      assert.deepInclude(dry.answer, { rows: 150, created: 147, failed: 3 }, dry.err)
      const first = yield* admin("import", "contacts", file, "--team", team.id)
      assert.deepInclude(first.answer, { rows: 150, created: 147, failed: 3 })
      assert.match(first.err, /EMAIL +→ email\n[^]*NOTE +left out: sets no member/)
      const failed = (yield* receiptsIn(`${file}.receipts.ndjson`)).filter(({ status }) => status === "failed")
      assert.deepStrictEqual(
        failed.map(({ line, problem }) => [line, problem?.code]),
        [49, 99, 149].map((index) => [index * 11 + 1, "invalid_card"])
      )
      const sql = yield* Database
      const [sample] = yield* sql<Answer>`
        select first_name, last_name, phone, tags from contacts where team_id = ${team.uuid} and email = 'anna.7@example.com'`
      assert.deepStrictEqual(sample, {
        first_name: "Anna 7",
        last_name: "Berg",
        phone: "+49 30 7",
        tags: ["office", "retail"]
      })
      const second = yield* admin("import", "contacts", file, "--team", team.id)
      assert.deepInclude(second.answer, { rows: 150, created: 0, updated: 0, unchanged: 147, failed: 3 })
      assert.isFalse((yield* admin("import", "companies", file, "--team", team.id)).ok)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "import links by references, e-mail addresses and domains, export them, and change nothing the second time",
    () =>
      Effect.gen(function* () {
        const team = yield* aTeam("Jobs")
        const path = yield* folder
        const write = (name: string, ...lines: ReadonlyArray<string>) =>
          Effect.as(
            Effect.promise(() => writeFile(join(path, name), lines.join("\n"))),
            join(path, name)
          )
        const people = yield* write(
          "people.csv",
          "firstName,email,externalRefs.crm",
          "Anna,anna@hall.example,p-1",
          "Bo,bo@hall.example,p-2",
          "Cy,,p-3"
        )
        const companies = yield* write(
          "companies.csv",
          "name,domain,externalRefs.crm",
          "Hall,hall.example,c-1",
          "Spire,,c-2"
        )
        yield* admin("import", "contacts", people, "--team", team.id)
        yield* admin("import", "companies", companies, "--team", team.id)
        const jobs = yield* write(
          "jobs.csv",
          "contact,company,Position,externalRefs.crm",
          "Anna@hall.example,www.hall.example,Partner,l-1",
          "crm:p-2,crm:c-2,,",
          "crm:p-3,hall.example,Analyst,",
          "crm:p-9,hall.example,Analyst,",
          "nobody,hall.example,Analyst,",
          ",hall.example,Analyst,",
          "crm:p-3,hall.example,Analyst,"
        )
        const dry = yield* admin("import", "links", jobs, "--team", team.id, "--dry-run")
        assert.deepInclude(dry.answer, { rows: 7, created: 3, failed: 3 }, dry.err)
        const first = yield* admin("import", "links", jobs, "--team", team.id)
        assert.deepInclude(first.answer, { rows: 7, created: 3, unchanged: 1, failed: 3 }, first.err)
        const failed = (yield* receiptsIn(`${jobs}.receipts.ndjson`)).filter(({ status }) => status === "failed")
        assert.deepStrictEqual(
          failed.map(({ line, problem }) => [line, problem?.code]),
          [
            [5, "invalid_reference"],
            [6, "invalid_cell"],
            [7, "no_key"]
          ]
        )
        const sql = yield* Database
        const [sample] = yield* sql<Answer>`
        select job_title, links.change_origin, companies.name from links join companies on companies.id = company_id
        where links.team_id = ${team.uuid} order by links.id limit 1`
        assert.deepStrictEqual(sample, { job_title: "Partner", change_origin: "import", name: "Hall" })
        const second = yield* admin("import", "links", jobs, "--team", team.id)
        assert.deepInclude(second.answer, { rows: 7, created: 0, updated: 0, unchanged: 4, failed: 3 })
        const ids = yield* write("ids.csv", "Contact external id;Company external id;Job title", "p-3;c-1;Director")
        const changed = yield* admin("import", "links", ids, "--team", team.id, "--namespace", "crm")
        assert.deepInclude(changed.answer, { rows: 1, updated: 1 }, changed.err)
        const copies = ["csv", "ndjson.gz"].map((ending) => join(path, `links.${ending}`))
        for (const copy of copies) {
          assert.deepInclude((yield* admin("export", "links", copy, "--team", team.id)).answer, { rows: 3 })
        }
        for (const copy of copies) {
          const imported = yield* admin("import", "links", copy, "--team", team.id)
          assert.isTrue(imported.ok)
          assert.deepInclude(imported.answer, { rows: 3, unchanged: 3 }, imported.err)
        }
        for (const copy of copies) yield* sameAsBefore("links", copy, team.id)
        // In another team, the ids of this one are references.
        const other = yield* aTeam("Moved")
        for (const kind of ["contacts", "companies"] as const) {
          const moved = join(path, `moved.${kind}.csv`)
          yield* admin("export", kind, moved, "--team", team.id)
          const options = kind === "contacts" ? ["--ignore", "primaryCompanyId"] : []
          const asRefs = ["--namespace", "old", "--map", "externalId=id", ...options]
          yield* admin("import", kind, moved, "--team", other.id, ...asRefs)
        }
        const ends = ["--map", "contact.externalId=contactId", "--map", "company.externalId=companyId"]
        const asRefs = ["--namespace", "old", "--map", "externalId=id", ...ends]
        const moved = yield* admin("import", "links", join(path, "links.csv"), "--team", other.id, ...asRefs)
        assert.deepInclude(moved.answer, { rows: 3, created: 3 }, moved.err)
      }).pipe(Effect.scoped)
  )

  it.effect("import mandates of a sheet, export them with their places, and change nothing the second time", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Mandates")
      const path = yield* folder
      const people = join(path, "people.csv")
      yield* Effect.promise(() => writeFile(people, "firstName,email\nAnna,anna@hall.example"))
      yield* admin("import", "contacts", people, "--team", team.id)
      const file = join(path, "mandates.csv")
      yield* Effect.promise(() =>
        writeFile(
          file,
          [
            "Nr;Suchprofil;Ticketgröße (Mio. €);Nutzungsart;Standort;Umkreis;lat;lon;investor",
            "1;Logistik;5-25;Logistik;;60 km;48.1372;11.5755;anna@hall.example",
            "2;Büro;ab 10;Büro|Hotel;München;;;;",
            "3;Wohnen;12;Wohnen;;;;;",
            "4;Handel;bis 5;Einzelhandel;Nirgendwostadt;;;;",
            "5;Bayern;;;Bayern;;;;",
            "1;Logistik;5-25;Logistik;;60 km;48.1372;11.5755;anna@hall.example"
          ].join("\n")
        )
      )
      const importing = ["import", "mandates", file, "--team", team.id, "--namespace", "crm", "--map", "externalId=Nr"]
      const options = [...importing, "--separator", "|"]
      const dry = yield* admin(...options, "--dry-run")
      assert.deepInclude(dry.answer, { rows: 6, created: 3, failed: 2 }, dry.err)
      const first = yield* admin(...options)
      assert.deepInclude(first.answer, { rows: 6, created: 3, unchanged: 1, failed: 2 }, first.err)
      const failed = (yield* receiptsIn(`${file}.receipts.ndjson`)).filter(({ status }) => status === "failed")
      assert.deepStrictEqual(
        failed.map(({ line, problem }) => [line, problem?.code]),
        [
          [4, "invalid_cell"],
          [5, "invalid_request"]
        ]
      )
      const second = yield* admin(...options)
      assert.deepInclude(second.answer, { rows: 6, created: 0, updated: 0, unchanged: 4, failed: 2 }, second.err)
      const sql = yield* Database
      const [sample] = yield* sql<Answer>`
        select name, investment_size, radius, change_origin, investor_id is not null as has_investor
        from mandates where team_id = ${team.uuid} order by id limit 1`
      assert.deepStrictEqual(sample, {
        name: "Logistik",
        investment_size: { min: 5_000_000, max: 25_000_000, currency: "EUR", scale: "unit" },
        radius: sample?.["radius"],
        change_origin: "import",
        has_investor: true
      })
      const copies = ["csv.gz", "ndjson"].map((ending) => join(path, `mandates.${ending}`))
      for (const copy of copies) {
        assert.deepInclude((yield* admin("export", "mandates", copy, "--team", team.id)).answer, { rows: 3 })
      }
      for (const copy of copies) {
        const imported = yield* admin("import", "mandates", copy, "--team", team.id)
        assert.deepInclude(imported.answer, { rows: 3, unchanged: 3 }, imported.err)
      }
      for (const copy of copies) yield* sameAsBefore("mandates", copy, team.id)
      // In another team, the same places come out.
      const other = yield* aTeam("Copies")
      const [copy, again] = [join(path, "mandates.ndjson"), join(path, "other.ndjson")]
      const withoutIds = ["--ignore", "id", "--ignore", "investor"]
      const moved = yield* admin("import", "mandates", copy, "--team", other.id, ...withoutIds)
      assert.deepInclude(moved.answer, { rows: 3, created: 3 }, moved.err)
      yield* admin("export", "mandates", again, "--team", other.id)
      const documents = (name: string) =>
        Effect.promise(async () =>
          (await readFile(name, "utf8"))
            .trimEnd()
            .split("\n")
            .map((line) => ({ ...(JSON.parse(line) as Answer), id: "", investor: null }))
        )
      assert.deepStrictEqual(yield* documents(again), yield* documents(copy))
    }).pipe(Effect.scoped)
  )

  it.effect(
    "link contacts with the companies of their rows, make those that are missing once, and change nothing the second time",
    () =>
      Effect.gen(function* () {
        const team = yield* aTeam("Employed")
        const path = yield* folder
        const write = (name: string, ...lines: ReadonlyArray<string>) =>
          Effect.as(
            Effect.promise(() => writeFile(join(path, name), lines.join("\n"))),
            join(path, name)
          )
        const companies = yield* write(
          "companies.csv",
          "name,domain,country,externalRefs.crm",
          "Hall GmbH,hall.example,DE,c-1",
          "Spire,,AT,",
          "Spire,,CH,",
          "Tower,,,"
        )
        yield* admin("import", "companies", companies, "--team", team.id)
        const file = yield* write(
          "people.csv",
          "First name,Last name,Email,Company,Company domain,Country,Company external id,Job title",
          "Anna,Berg,anna@x.example,Somewhere,www.hall.example,,,Partner",
          "Bo,Lind,bo@x.example,hall gmbh,,Germany,,",
          "Cy,Low,cy@x.example,Spire,,Schweiz,,Analyst",
          "Di,May,di@x.example,Spire,,,,Analyst",
          "Ed,Nor,ed@x.example,New Co,,,,CEO",
          "Fay,Oak,fay@x.example,NEW CO,,,,CFO",
          "Gus,Pit,gus@x.example,Gmail,gmail.com,,,",
          "Hal,Qua,hal@x.example,,,,c-1,",
          "Ida,Roe,ida@x.example,,unknown.example,,,",
          "Jo,Sun,jo@x.example,,,,,Title alone",
          "Kay,Tor,nobody at home,New Co,,,,",
          "Liz,Ule,liz@x.example,Hall GmbH,,DE,c-9,"
        )
        const importing = ["import", "contacts", file, "--team", team.id, "--namespace", "crm"]
        const plain = yield* admin(...importing, "--dry-run")
        assert.match(plain.err, /Company +left out: [^\n]*--link-companies/)
        const flags = [...importing, "--link-companies"]
        const before = yield* traces(team.uuid)
        const dry = yield* admin(...flags, "--dry-run")
        const expected = { linksCreated: 7, linksUpdated: 0, linksUnchanged: 0, notLinked: 3, companiesCreated: 2 }
        assert.deepInclude(dry.answer, { rows: 12, created: 11, failed: 1, ...expected }, dry.err)
        assert.deepStrictEqual(yield* traces(team.uuid), before)
        const first = yield* admin(...flags)
        assert.deepInclude(first.answer, { rows: 12, created: 11, failed: 1, ...expected }, first.err)
        const sql = yield* Database
        const stored = yield* sql<Answer>`
        select contacts.first_name, companies.name, companies.country, links.job_title, links.change_origin
        from links join contacts on contacts.id = contact_id join companies on companies.id = company_id
        where links.team_id = ${team.uuid} order by contacts.first_name`
        assert.deepStrictEqual(
          stored.map((row) =>
            Object.values(row)
              .map((value) => value ?? "")
              .join(",")
          ),
          [
            "Anna,Hall GmbH,DE,Partner,import",
            "Bo,Hall GmbH,DE,,import",
            "Cy,Spire,CH,Analyst,import",
            "Ed,New Co,,CEO,import",
            "Fay,New Co,,CFO,import",
            "Gus,Gmail,,,import",
            "Hal,Hall GmbH,DE,,import"
          ]
        )
        const receipts = yield* Effect.promise(() => readFile(`${file}.receipts.ndjson`, "utf8"))
        const reports = receipts
          .trimEnd()
          .split("\n")
          .map(
            (line) =>
              JSON.parse(line) as { line?: number; link?: { status: string }; reported?: Array<{ code: string }> }
          )
          .filter(({ reported = [] }) => reported.some(({ code }) => code === "not_linked"))
        assert.deepStrictEqual(
          reports.map(({ line, link }) => [line, link?.status]),
          [
            [5, "failed"],
            [10, "failed"],
            [11, undefined],
            [13, "failed"]
          ]
        )
        const events = yield* sql<{ count: string }>`
        select count(*)::text as count from events where team_id = ${team.uuid} and body like '%link.created%'`
        assert.strictEqual(events[0]?.count, "7")
        const after = yield* traces(team.uuid)
        // A run that was stopped before its receipts were written finds what it wrote.
        yield* Effect.promise(() => writeFile(`${file}.receipts.ndjson`, `${receipts.split("\n")[0]}\n`))
        const continued = yield* admin(...flags)
        assert.deepInclude(continued.answer, { created: 11, linksCreated: 0, linksUnchanged: 7, companiesCreated: 0 })
        assert.deepStrictEqual({ ...(yield* traces(team.uuid)), keys: after.keys }, after)
        const second = yield* admin(...flags)
        assert.deepInclude(second.answer, { created: 0, updated: 0, unchanged: 11, failed: 1 })
        assert.deepInclude(second.answer, {
          linksCreated: 0,
          linksUpdated: 0,
          linksUnchanged: 7,
          notLinked: 3,
          companiesCreated: 0
        })
        assert.deepStrictEqual({ ...(yield* traces(team.uuid)), keys: after.keys }, after)

        const cards = yield* write(
          "people.vcf",
          "BEGIN:VCARD\nVERSION:3.0\nUID:v-1\nN:Zed;Lou;;;\nORG:Tower;Sales\nTITLE:Agent\nEND:VCARD",
          "BEGIN:VCARD\nVERSION:3.0\nUID:v-2\nN:Yew;Max;;;\nORG:Card Co",
          "URL;type=WORK:https://www.card.example/a\nEND:VCARD"
        )
        const ofCards = yield* admin("import", "contacts", cards, "--team", team.id, "--link-companies")
        assert.deepInclude(ofCards.answer, { created: 2, linksCreated: 2, companiesCreated: 1 }, ofCards.err)
        const [made] = yield* sql<Answer>`
        select domain, (select count(*)::int from links where company_id = companies.id) as links
        from companies where team_id = ${team.uuid} and name = 'Card Co'`
        assert.deepStrictEqual(made, { domain: "card.example", links: 1 })
        const lines = yield* write(
          "people.ndjson",
          JSON.stringify({ email: "anna@x.example", company: "Tower", jobTitle: "Chair" }),
          JSON.stringify({ email: "ned@x.example", companyDomain: "facebook.com" })
        )
        const ofLines = yield* admin("import", "contacts", lines, "--team", team.id, "--link-companies")
        assert.deepInclude(ofLines.answer, { rows: 2, failed: 0, linksCreated: 1, companiesCreated: 0 }, ofLines.err)
        assert.include(JSON.stringify(ofLines.answer["reported"]), "a host that many share")
      }).pipe(Effect.scoped)
  )

  it.effect("import properties by the names of other programs, export them, and change nothing the second time", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Buildings")
      const path = yield* folder
      const file = join(path, "portfolio.csv")
      const rows = Array.from({ length: 300 }, (_, index) =>
        (index + 1) % 50 === 0
          ? `${index};Objekt ${index};1.234;DE;office`
          : `${index};Objekt ${index};1.250,5;DE;office|retail`
      )
      yield* Effect.promise(() =>
        writeFile(file, ["objektnr_extern;objekttitel;nutzflaeche;land;Nutzungsart", ...rows].join("\n"))
      )
      const importing = ["import", "properties", file, "--team", team.id, "--namespace", "crm", "--separator", "|"]
      const first = yield* admin(...importing)
      assert.deepInclude(first.answer, { rows: 300, created: 294, failed: 6 }, first.err)
      const bad = (yield* receiptsIn(`${file}.receipts.ndjson`)).filter(({ status }) => status === "failed")
      assert.deepStrictEqual(
        bad.map(({ line, problem }) => [line, problem?.code, problem?.detail.slice(0, 24)]),
        [51, 101, 151, 201, 251, 301].map((line) => [line, "invalid_cell", "nutzflaeche: Can be read"])
      )
      const second = yield* admin(...importing)
      assert.deepInclude(second.answer, { rows: 300, created: 0, updated: 0, unchanged: 294, failed: 6 })
      const sql = yield* Database
      const [stored] = yield* sql<Answer>`
        select internal_area, categories, country, version from properties where team_id = ${team.uuid} order by id limit 1`
      assert.deepStrictEqual(stored, {
        internal_area: { unit: "sqm", value: 1250.5 },
        categories: ["office", "retail"],
        country: "DE",
        version: stored?.["version"]
      })
      for (const ending of ["csv", "ndjson"]) {
        const copy = join(path, `copy.${ending}`)
        assert.deepInclude((yield* admin("export", "properties", copy, "--team", team.id)).answer, { rows: 294 })
        const again = yield* admin("import", "properties", copy, "--team", team.id)
        assert.deepInclude(again.answer, { rows: 294, unchanged: 294, failed: 0 }, again.err)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("create as many records as the quota of the team allows, and refuse the rows after them", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Bounded")
      const sql = yield* Database
      yield* sql`insert into team_quotas (team_id, kind, quota) values (${team.uuid}, 'contacts', 250)`
      const file = join(yield* folder, "people.csv")
      yield* Effect.promise(() =>
        writeFile(file, `email\n${Array.from({ length: 500 }, (_, n) => `${n}@bounded.example\n`).join("")}`)
      )
      const { answer } = yield* admin("import", "contacts", file, "--team", team.id)
      assert.deepInclude(answer, { rows: 500, created: 250, failed: 250 })
      const statuses = (yield* receiptsIn(`${file}.receipts.ndjson`)).map(({ status }) => status)
      assert.isTrue(statuses.every((status, index) => status === (index < 250 ? "created" : "failed")))
    }).pipe(Effect.scoped)
  )

  it.effect("continue with the same file and options only, unless restarted", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Changed")
      const file = join(yield* folder, "people.csv")
      const receipts = `${file}.receipts.ndjson`
      const args = ["import", "contacts", file, "--team", team.id]
      yield* Effect.promise(() => writeFile(file, "email\na@example.com\n"))
      assert.isTrue((yield* admin(...args)).ok)
      const finished = yield* Effect.promise(() => readFile(receipts, "utf8"))
      yield* Effect.promise(() => writeFile(receipts, finished.split("\n").slice(0, 2).join("\n")))
      const other = yield* admin(...args, "--separator", "|")
      assert.match(other.err, /with other options\. Finish that import first, or replace its receipts with --restart/)
      yield* Effect.promise(() => appendFile(file, "b@example.com\n"))
      const changed = yield* admin(...args)
      assert.deepInclude(changed.answer["error"], { code: "receipts_refused" })
      assert.match(changed.err, /this file has changed since/)
      assert.deepInclude((yield* admin(...args, "--restart")).answer, { created: 1, unchanged: 1 })

      yield* Effect.promise(() => appendFile(file, "c@example.com\n"))
      assert.deepInclude((yield* admin(...args)).answer, { created: 1, unchanged: 2 })
      const another = `${file}.txt`
      yield* Effect.promise(() => writeFile(another, "precious"))
      assert.match(
        (yield* admin(...args, "--dry-run", "--receipts", another)).err,
        /does not contain receipts\. Choose another file/
      )
      assert.match((yield* admin(...args, "--restart", "--receipts", file)).err, /Must not be the imported file/)
    }).pipe(Effect.scoped)
  )

  it.effect("write nothing but receipts in a dry run", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Rehearsed")
      const here = yield* folder
      const file = join(here, "people.csv")
      yield* people(file, 250)
      const before = yield* traces(team.uuid)
      const { answer } = yield* admin("import", "contacts", file, "--team", team.id, ...withKey, "--dry-run")
      assert.deepInclude(answer, {
        dryRun: true,
        rows: 250,
        created: 245,
        failed: 5,
        receipts: `${file}.dry-run.ndjson`
      })
      assert.deepStrictEqual(yield* traces(team.uuid), before)
      const receipts = yield* receiptsIn(`${file}.dry-run.ndjson`)
      assert.deepStrictEqual(statuses(receipts), { created: 245, failed: 5 })
      assert.isTrue(receipts.every(({ id }) => id === null))
      assert.deepStrictEqual((yield* Effect.promise(() => readdir(here))).sort(), [
        "people.csv",
        "people.csv.dry-run.ndjson"
      ])
      assert.deepInclude(
        (yield* admin("import", "contacts", file, "--team", team.id, ...withKey, "--dry-run")).answer,
        { created: 245 }
      )
    }).pipe(Effect.scoped)
  )

  it.effect("keep the first row of a record, and name its line for those after it with other values", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Ordered")
      const file = join(yield* folder, "people.ndjson.gz")
      const rows = Array.from({ length: 350 }, (_, index) =>
        JSON.stringify({
          email: index % 150 === 0 ? "Same@example.com" : `p${index}@example.com`,
          strategy: index === 150 ? "row 0" : `row ${index}`
        })
      )
      yield* Effect.promise(() => writeFile(file, gzipSync(rows.join("\n"))))
      for (const options of [["--dry-run"], []]) {
        const { answer } = yield* admin("import", "contacts", file, "--team", team.id, ...options)
        assert.deepInclude(answer, { created: 348, updated: 0, unchanged: 1, failed: 1, repeated: 1, duplicate: 0 })
        const receipts = yield* receiptsIn(`${file}.${options.length > 0 ? "dry-run" : "receipts"}.ndjson`)
        assert.deepInclude(receipts[300]?.problem, { code: "repeated_row", line: 1 })
        assert.match(receipts[300]?.problem?.detail ?? "", /^Line 1 is the same contact with other values/)
      }
      const sql = yield* Database
      const same =
        yield* sql`select strategy from contacts where team_id = ${team.uuid} and lower(email) = 'same@example.com'`
      assert.deepStrictEqual(same, [{ strategy: "row 0" }])
    }).pipe(Effect.scoped)
  )

  it.effect("treat two ids of one system as two records, and reject the second as a duplicate", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Two ids")
      const file = join(yield* folder, "companies.csv")
      yield* Effect.promise(() =>
        writeFile(file, "name,domain,externalRefs.crm\nBerg,berg.example,1\nBerg Nord,berg.example,2\n")
      )
      const args = ["import", "companies", file, "--team", team.id]
      const first = yield* admin(...args)
      assert.deepInclude(first.answer, { created: 1, failed: 1 })
      assert.match(first.err, /1 × Looks like company_.*\(line 3\)/)
      assert.deepInclude((yield* admin(...args)).answer, { unchanged: 1, failed: 1 })
      yield* Effect.promise(() => writeFile(file, "domain,country,externalRefs.erp\nberg.example,DE,9\n"))
      assert.deepInclude((yield* admin(...args)).answer, { updated: 1 })
      const sql = yield* Database
      const refs = yield* sql`
        select namespace, external_id from external_references where team_id = ${team.uuid} order by namespace`
      assert.deepStrictEqual(refs, [
        { namespace: "crm", external_id: "1" },
        { namespace: "erp", external_id: "9" }
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("import their own exports: contacts and companies, CSV and NDJSON, compressed or not", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Round trip")
      const here = yield* folder
      const companies = join(here, "companies.csv")
      yield* Effect.promise(() =>
        writeFile(
          companies,
          "\uFEFFFirma;Land;Website;Domain;Tags;externalRefs.crm\r\n" +
            "=SUM(1);DE;https://www.sum.example/de;other.example;a|'+b;1|2\r\n" +
            '"Rossi; ""R""";IT;;rossi.example;;\r\nLost Ltd;Atlantis;;;;\r\n' +
            "'N/A;UK;;na.example;'-|x;\r\n"
        )
      )
      const imported = yield* admin("import", "companies", companies, "--team", team.id, "--separator", "|")
      assert.deepInclude(imported.answer, { created: 3, failed: 1 })
      assert.match(imported.err, /1 × Land: .*\(line 4, for example "Atlantis"\)/)
      const once = yield* traces(team.uuid)
      assert.isFalse(imported.ok, "a row was rejected")
      const again = yield* admin("import", "companies", companies, "--team", team.id, "--separator", "|")
      assert.isFalse(again.ok)
      assert.deepInclude(again.answer, { failed: 1 })
      for (const [kind, lines] of [
        ["contacts", "email\nnobody\n"],
        ["links", "contactId,companyId\ncontact_x,company_x\n"],
        ["mandates", "name,status\nHalls,sometimes\n"],
        ["properties", "name,country\nHall,Atlantis\n"]
      ] as const) {
        const file = join(here, `bad-${kind}.csv`)
        yield* Effect.promise(() => writeFile(file, lines))
        const bad = yield* admin("import", kind, file, "--team", team.id, "--dry-run")
        assert.isFalse(bad.ok, kind)
        assert.deepInclude(bad.answer, { rows: 1, failed: 1 }, kind)
      }
      assert.deepStrictEqual({ ...(yield* traces(team.uuid)), keys: once.keys }, once)
      const contacts = join(here, "people.csv")
      yield* people(contacts, 300)
      yield* admin("import", "contacts", contacts, "--team", team.id, ...withKey)

      for (const [kind, count, names] of [
        ["contacts", 294, ["out.csv.gz", "out.ndjson"]],
        ["companies", 3, ["out.csv", "out.ndjson"]]
      ] as const) {
        for (const name of names) {
          const file = join(here, `${kind}.${name}`)
          const before = yield* traces(team.uuid)
          assert.deepStrictEqual((yield* admin("export", kind, file, "--team", team.id)).answer, { rows: count, file })
          const again = yield* admin("import", kind, file, "--team", team.id)
          assert.deepInclude(again.answer, { rows: count, unchanged: count })
          assert.deepStrictEqual({ ...(yield* traces(team.uuid)), keys: before.keys }, before)
        }
      }
      const csv = yield* Effect.promise(() => readFile(join(here, "companies.out.csv"), "utf8"))
      assert.match(
        csv,
        /^id,name,legalName,country,homepageUrl,domain,.*\ncompany_\w+,'=SUM\(1\),,DE,.*,sum\.example,.*,"a;'\+b",,,"crm:1;crm:2"\n/
      )
      yield* admin("export", "companies", join(here, "companies.out.csv.gz"), "--team", team.id)
      const packed = yield* Effect.promise(() => readFile(join(here, "companies.out.csv.gz")))
      assert.strictEqual(gunzipSync(packed).toString(), csv)
    }).pipe(Effect.scoped)
  )

  it.effect("read UTF-16 and Windows-1252, and export a byte order mark if asked", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Encodings")
      const here = yield* folder
      const text = "sep=;\r\nVorname;E-Mail;;\r\nJürgen;j1@x.example;;\r\nZoë;z1@x.example;;\r\n;;;\r\n;;;\r\n"
      const inUtf16 = Buffer.from(text.replaceAll("1@", "2@"), "utf16le")
      for (const [name, content] of [
        ["western.csv", Buffer.from(text, "latin1")],
        ["le.csv", inUtf16],
        ["be.csv", Buffer.from(text.replaceAll("1@", "3@"), "utf16le").swap16()],
        ["marked.csv", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replaceAll("1@", "4@"), "utf16le")])],
        ["packed.csv.gz", gzipSync(Buffer.from(text.replaceAll("1@", "5@"), "utf16le"))]
      ] as const) {
        const file = join(here, name)
        yield* Effect.promise(() => writeFile(file, content))
        const { answer, err } = yield* admin("import", "contacts", file, "--team", team.id)
        assert.deepInclude(answer, { rows: 2, created: 2, failed: 0 }, `${name}: ${err}`)
      }
      const sql = yield* Database
      const names = yield* sql<{ first_name: string }>`
        select distinct first_name from contacts where team_id = ${team.uuid} order by first_name`
      assert.deepStrictEqual(
        names.map((row) => row.first_name),
        ["Jürgen", "Zoë"]
      )
      const out = join(here, "out.csv")
      yield* admin("export", "contacts", out, "--team", team.id, "--bom")
      assert.match(yield* Effect.promise(() => readFile(out, "utf8")), /^\uFEFFid,firstName,/)
      assert.deepInclude((yield* admin("import", "contacts", out, "--team", team.id)).answer, {
        rows: 10,
        unchanged: 10
      })
    }).pipe(Effect.scoped)
  )

  it.effect("can be corrected after a rejected start, which keeps the receipts of the previous import", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Put right")
      const file = join(yield* folder, "people.csv")
      const args = ["import", "contacts", file, "--team", team.id]
      yield* Effect.promise(() => writeFile(file, "E-Mail,Shoe size\na@example.com,38\n"))
      assert.match(
        (yield* admin(...args, "--dry-run")).err,
        /^Stopped: .*\nColumns:\n +E-Mail +→ email\n +Shoe size +left out: matches no member \(--ignore-unknown\)\n.*match no member: "Shoe size"/
      )
      yield* Effect.promise(() => writeFile(file, "Work e-mail\na@example.com\n"))
      assert.match((yield* admin(...args)).err, /^Stopped: Nothing was imported\.\n.*"Work e-mail"/)
      assert.deepInclude((yield* admin(...args, "--map", "email=Work e-mail")).answer, { created: 1 })
      const finished = yield* Effect.promise(() => readFile(`${file}.receipts.ndjson`, "utf8"))
      assert.isFalse((yield* admin(...args)).ok)
      assert.strictEqual(yield* Effect.promise(() => readFile(`${file}.receipts.ndjson`, "utf8")), finished)
    }).pipe(Effect.scoped)
  )

  it.effect("read cells as the options say, and continue only with the same ones", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Options for cells")
      const here = yield* folder
      const file = join(here, "portfolio.csv")
      const values = join(here, "values.csv")
      const receipts = `${file}.receipts.ndjson`
      yield* Effect.promise(() => writeFile(values, "column,from,to\nUse,Lager,logistics\n"))
      yield* Effect.promise(() =>
        writeFile(
          file,
          [
            "Id,Name,Preis (T€),Size,Rent,Use,Built",
            "1,A,1250,1000,100,Multifamily Housing,1998",
            '2,B,"2,5 Mio. €",1000,100,Lager,alt',
            "3,C,1250,1000,100,Condo,1998"
          ].join("\n")
        )
      )
      const maps = ["pricing.askingPrice=Preis (T€)", "lettableArea=Size", "income.passingRent=Rent", "yearBuilt=Built"]
      const ofFile = ["import", "properties", file, "--team", team.id, "--namespace", "crm", "--map", "externalId=Id"]
      const ofColumns = ["--unit", "size=sqft", "--per", "RENT=month", "--currency", "Rent=EUR", "--country", "Germany"]
      const ofValues = ["--keep-rows", "--map-value", "Use:Multifamily Housing=residential", "--values", values]
      const args = [...ofFile, ...maps.flatMap((map) => ["--map", map]), ...ofColumns, ...ofValues]
      const first = yield* admin(...args)
      assert.deepInclude(first.answer, { rows: 3, created: 3, failed: 0 })
      const reported = first.answer["reported"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      assert.deepStrictEqual(
        reported.map(({ code, column, line, value }) => [code, column, line, value]),
        [
          ["dropped", "Preis (T€)", 3, "2,5 Mio. €"],
          ["dropped", "Built", 3, "alt"],
          ["dropped", "Use", 4, "Condo"]
        ]
      )
      const out = join(here, "out.ndjson")
      yield* admin("export", "properties", out, "--team", team.id)
      const stored = (yield* Effect.promise(() => readFile(out, "utf8"))).trimEnd().split("\n")
      assert.deepInclude(JSON.parse(stored[0] ?? ""), {
        country: "DE",
        categories: ["residential"],
        lettableArea: { value: 92.903, unit: "sqm" },
        yearBuilt: 1998
      })
      const finished = yield* Effect.promise(() => readFile(receipts, "utf8"))
      yield* Effect.promise(() => writeFile(receipts, finished.split("\n").slice(0, 2).join("\n")))
      yield* Effect.promise(() => writeFile(values, "column,from,to\nUse,Lager,other\n"))
      assert.match((yield* admin(...args)).err, /with other options\. Finish that import first/)
      const without = args.filter((arg) => arg !== "--keep-rows")
      assert.match((yield* admin(...without)).err, /with other options\. Finish that import first/)
      const unknown = yield* admin(...args, "--map-value", "Use:Condo=flat", "--restart")
      assert.match(unknown.err, /--map-value "Use:Condo=flat": Is no known value\..* Must be one of: office,/)
    }).pipe(Effect.scoped)
  )

  it.effect("refuse to write the same file twice at the same time", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Twice")
      const here = yield* folder
      const file = join(here, "people.csv")
      const out = join(here, "out.csv")
      yield* Effect.promise(() => writeFile(file, "email\na@example.com\n"))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* acquireFileLock(`${file}.receipts.ndjson`)
          yield* acquireFileLock(out)
          for (const command of [
            ["import", "contacts", file],
            ["export", "contacts", out]
          ]) {
            const refused = yield* admin(...command, "--team", team.id, "--restart")
            assert.deepInclude(refused.answer["error"], { code: "file_in_use" })
          }
        })
      )
      assert.deepInclude((yield* admin("import", "contacts", file, "--team", team.id)).answer, { created: 1 })
      assert.deepInclude((yield* admin("export", "contacts", out, "--team", team.id)).answer, { rows: 1 })
      assert.deepStrictEqual((yield* Effect.promise(() => readdir(here))).sort(), [
        "out.csv",
        "people.csv",
        "people.csv.receipts.ndjson"
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("report a wrong file or flag in one line", () =>
    Effect.gen(function* () {
      const team = yield* aTeam("Refused")
      const here = yield* folder
      const refusal = Effect.fnUntraced(function* (
        name: string,
        content: string | Uint8Array | undefined,
        ...args: ReadonlyArray<string>
      ) {
        const file = join(here, name)
        if (content !== undefined) yield* Effect.promise(() => writeFile(file, content))
        const refused = yield* admin("import", "contacts", file, "--team", team.id, ...args, "--restart")
        assert.isFalse(refused.ok)
        return refused.err.split("\n").at(-1) ?? ""
      })
      assert.match(yield* refusal("none.csv", undefined), /none\.csv: The file does not exist\.$/)
      assert.match(
        yield* refusal("people.xlsx", "x"),
        /--format: Is required for .*people\.xlsx: csv, ndjson or vcard\.$/
      )
      assert.match(yield* refusal("a.csv", "emial,phone\n"), /"emial" \(did you mean email\?\)/)
      assert.match(yield* refusal("b.csv", ""), /The file is empty/)
      // Cyrillic in an encoding of its own.
      const cyrillic = Buffer.from([0xc8, 0xec, 0xff, 0x2c, 0xcf, 0xee, 0xf7, 0xf2, 0xe0, 0x0a])
      assert.match(yield* refusal("c.csv", cyrillic), /Line 1, the header: The row is not UTF-8\. .*--encoding/)
      assert.match(yield* refusal("c.csv", cyrillic, "--encoding", "windows-1251"), /"Имя", "Почта"/)
      assert.match(yield* refusal("c.csv", "email\n", "--encoding", "klingon"), /Must be the name of an encoding/)
      assert.match(
        yield* refusal("d.csv", Buffer.from("email\nä", "utf16le").subarray(0, -1), "--encoding", "utf-16le"),
        /The file is not utf-16le\. Save it as UTF-8/
      )
      assert.match(
        yield* refusal("i.csv", "email\n", "--receipts", join(here, "none", "r.ndjson")),
        /The folder .*none does not exist\.$/
      )
      assert.match(yield* refusal("E.CSV.GZ", "email\n"), /E\.CSV\.GZ: incorrect header check$/)
      assert.match(yield* refusal("e.csv.gz", "email\n"), /e\.csv\.gz: incorrect header check$/)
      assert.match(
        yield* refusal("f.csv", "email\n", "--delimiter", "||"),
        /--delimiter: Must be one character, or tab\.$/
      )
      assert.match(yield* refusal("g.csv", "email\n", "--team", "team_x"), /--team: /)
      const currency = yield* admin(
        "import",
        "properties",
        join(here, "a.csv"),
        "--team",
        team.id,
        "--currency",
        "€uro"
      )
      assert.match(currency.err, /--currency: Must be an ISO 4217 code, such as EUR\.$/)
      assert.match(yield* refusal("h.ndjson", "{}", "--map", "x"), /--map x: Must be member=Column/)
    }).pipe(Effect.scoped)
  )
})
