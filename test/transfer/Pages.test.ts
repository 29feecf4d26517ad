/** Imports and exports in the console, as a browser without scripts uses them. */
import { assert, layer } from "@effect/vitest"
import { Clock, type Context, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { existsSync } from "node:fs"
import { readdir, utimes } from "node:fs/promises"
import { temporaryCopy } from "../../src/content/files/TemporaryCopies.ts"
import { actAs, operatorOf } from "../../src/core/auth/CurrentActor.ts"
import * as Id from "../../src/core/Id.ts"
import { inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { make } from "../../src/core/usecase/UseCaseRequest.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import { Projects } from "../../src/deals/projects/Projects.ts"
import { Mandates } from "../../src/market/mandates/Mandates.ts"
import { Properties } from "../../src/market/properties/Properties.ts"
import { Companies } from "../../src/network/companies/Companies.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { Links } from "../../src/network/links/Links.ts"
import { ConsoleImports } from "../../src/transfer/ConsoleImports.ts"
import * as Browser from "../console/Browser.ts"
import { asked } from "../deals/console.ts"
import { signedIn } from "../console/people.ts"
import { untilBlocked } from "../support/locks.ts"
import { pollUntil } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"

/** A broker who is signed in, and what they do with files. */
const aBroker = Effect.gen(function* () {
  const { browser, team, user } = yield* signedIn
  const teamId = Id.toUuid("team", team.id) ?? ""
  const base = `/console/${team.id}`
  const at = (path: string) => browser.get(`${base}${path}`)
  /** Uploads a file of a kind; returns the id of the import. */
  const upload = Effect.fnUntraced(function* (kind: string, name: string, content: string) {
    const page = yield* at("/imports")
    const form = Browser.formsOf(page.text).find(({ action }) => action === `${base}/imports`)
    const fields = { ...form?.fields, kind }
    const parts = Object.entries(fields).flatMap(([field, value]) =>
      field === "file" ? [] : [`--x\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`]
    )
    const file = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n${content}\r\n--x--\r\n`
    return yield* browser.send("POST", `${base}/imports`, {
      text: parts.join("") + file,
      headers: { "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin", origin: "null" }
    })
  })
  const idOf = (reply: { readonly headers: Headers; readonly text: string }) =>
    reply.headers.get("location")?.split("/").at(-1) ?? assert.fail(reply.text)
  /** Sends the form of columns, with members for some; the fields of columns repeat. */
  const check = (id: string, members: ReadonlyArray<readonly [column: string, member: string]>) =>
    Effect.gen(function* () {
      const path = `${base}/imports/${id}`
      const form = Browser.formsOf((yield* browser.get(path)).text).find(({ action }) => action === `${path}/check`)
      const fields = new URLSearchParams({ form_token: form?.fields["form_token"] ?? "", onDuplicate: "refuse" })
      for (const [column, member] of members) {
        fields.append("column", column)
        fields.append("member", member)
      }
      return yield* browser.send("POST", `${path}/check`, {
        text: fields.toString(),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "same-origin",
          origin: "null"
        }
      })
    })
  /** What the worker does with an import. */
  const work = (id: string) => Effect.flatMap(ConsoleImports, ({ perform }) => perform({ teamId, importId: id }))
  const acting = actAs({ ...operatorOf(teamId), origin: "app" })
  return { acting, browser, team, user, teamId, base, at, upload, idOf, check, work }
})

const file = [
  "Vorname,Nachname,E-Mail,Lieblingsfarbe",
  "Ada,Lovelace,ada@example.com,blue",
  "Zoë,Müller,zoe@example.com,\\N",
  "Bob,Broken,no address,red",
  "Eve,Other,ada@example.com,green"
].join("\n")

layer(TestService.layer, { excludeTestServices: true })("Imports in the console", (it) => {
  it.effect("map columns by hand, say what would happen, and then do it, with receipts", () =>
    Effect.gen(function* () {
      const { at, base, browser, check, idOf, team, upload, work } = yield* aBroker
      const id = idOf(yield* upload("contacts", "<investors>.csv", file))
      const uploaded = yield* at(`/imports/${id}`)
      assert.include(uploaded.text, "&lt;investors&gt;.csv")
      assert.match(uploaded.text, /Lieblingsfarbe<\/th>\s*<td[^>]*>blue<\/td>[\s\S]*?Not recognised/)
      // A member that there is not is refused, and what was typed stays.
      const wrong = yield* check(id, [["Lieblingsfarbe", "colour"]])
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, 'value="colour"')
      const checking = yield* check(id, [["Lieblingsfarbe", "strategy"]])
      assert.strictEqual(checking.status, 303, checking.text)
      const waiting = yield* at(`/imports/${id}`)
      assert.include(waiting.text, `data-follow="${base}/imports/${id}/latest"`)
      // It follows by itself, but without a script.
      assert.match(waiting.text, /<p class="unscripted">\s*<a[^>]*>Reload to see how far it is</)
      // Meanwhile no other import begins.
      const second = idOf(yield* upload("contacts", "second.csv", file))
      assert.include((yield* check(second, [])).text, "Another import of the team is running")
      yield* work(id)
      const checked = yield* at(`/imports/${id}`)
      assert.include(checked.text, "Import 2 rows")
      assert.match(
        checked.text,
        /Must be an e-mail address[\s\S]*?4 <span class="below">Bob Broken<\/span>[\s\S]*?no address/i
      )
      assert.include(checked.text, "Correct these rows in the file, and import it again")
      assert.include(checked.text, "Looks like")
      assert.notInclude((yield* at("/contacts")).text, "Lovelace", "a dry run changes nothing")
      const dryReceipts = yield* at(`/imports/${id}/receipts`)
      assert.match(dryReceipts.text, /"line":4,"status":"failed","id":null,"row":"Bob Broken"/)
      // Confirmed is what was seen.
      const start = `${base}/imports/${id}/start`
      assert.strictEqual((yield* browser.submit(checked.text, start, { rows: "3" })).status, 400)
      assert.strictEqual((yield* browser.submit(checked.text, start)).status, 303)
      yield* work(id)
      // An attempt that comes again does nothing.
      yield* work(id)
      const done = yield* at(`/imports/${id}`)
      assert.match(done.text, /<dt>New<\/dt>\s*<dd>2<\/dd>/)
      const contacts = (yield* at("/contacts?columns=strategy")).text
      for (const one of ["Lovelace", "Müller", "blue"]) assert.include(contacts, one)
      assert.notInclude(contacts, "Broken")
      const receipts = yield* at(`/imports/${id}/receipts`)
      assert.match(receipts.text, /\{"line":2,"status":"created","id":"contact_[^"]+"/)
      assert.match(receipts.text, /"line":5,"status":"failed"[^\n]*"code":"duplicate"/)
      assert.match(receipts.headers.get("content-disposition") ?? "", /receipts\.ndjson/)
      const [, contact = ""] = /"line":2,"status":"created","id":"(contact_[^"]+)"/.exec(receipts.text) ?? []
      assert.include((yield* at(`/contacts/${contact}`)).text, "Eva Brandt", "the person who asked is named")
      const audit = (yield* at("/audit")).text
      assert.include(audit, "records.imported")
      // Another team sees nothing of it.
      const stranger = yield* aBroker
      assert.strictEqual((yield* stranger.at(`/imports/${id}`)).status, 404)
      assert.strictEqual((yield* stranger.at(`/imports/${id}/receipts`)).status, 404)
      assert.notInclude((yield* stranger.at("/imports")).text, "investors")
      assert.strictEqual((yield* stranger.browser.get(`/console/${team.id}/imports/${id}`)).status, 404)
      // What was imported stays when its file goes.
      const gone = yield* browser.submit(done.text, `${base}/imports/${id}/delete`)
      assert.strictEqual(gone.status, 303)
      assert.strictEqual((yield* at(`/imports/${id}`)).status, 404)
      assert.include((yield* at("/contacts")).text, "Lovelace")
    })
  )

  it.effect("lead to the list of a project, and put what they imported on it, a page at a time", () =>
    Effect.gen(function* () {
      const { acting, at, base, browser, check, idOf, upload, work } = yield* aBroker
      const rows = Array.from({ length: 102 }, (_, index) => `Person,No ${index},no-${index}@example.com`)
      const id = idOf(yield* upload("contacts", "hundred.csv", ["Vorname,Nachname,E-Mail", ...rows].join("\n")))
      yield* check(id, [])
      yield* work(id)
      const way = `${base}/imports/${id}/projects`
      assert.strictEqual(
        (yield* browser.get(way)).headers.get("location"),
        `${base}/imports/${id}`,
        "not before it ran"
      )
      yield* browser.submit((yield* at(`/imports/${id}`)).text, `${base}/imports/${id}/start`)
      yield* work(id)
      const done = yield* at(`/imports/${id}`)
      assert.include(done.text, `href="${way}">Choose a project to add them to<`)
      assert.include((yield* browser.get(way)).text, "No projects yet")
      const { value: project } = yield* acting((yield* Projects).create(asked({ name: "Speicher <Nord>" })))
      const which = (yield* browser.get(way)).text
      assert.include(which, "<h1>Add 102 imported contacts to:</h1>")
      assert.include(which, `<a href="${way}/${project.id}">Speicher &lt;Nord&gt;</a>`)
      /** Sends those who are ticked; answers the page after it. */
      const addTicked = Effect.fnUntraced(function* (text: string) {
        const action = `${base}/projects/${project.id}/prospects/additions`
        const fields = new URLSearchParams(Browser.formsOf(text).find((form) => form.action === action)?.fields)
        for (const [, one = ""] of text.matchAll(/name="pick"[^>]*value="(contact_\w+)"[^>]*checked/g)) {
          fields.append("pick", one)
        }
        const headers = {
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "same-origin",
          origin: "null"
        }
        const reply = yield* browser.send("POST", action, { text: fields.toString(), headers })
        return yield* browser.get(reply.headers.get("location") ?? assert.fail(reply.text))
      })
      const first = (yield* browser.get(`${way}/${project.id}`)).text
      assert.include(first, "up to 2 more follow")
      const second = (yield* addTicked(first)).text
      assert.include(second, "100 investors were added.")
      assert.include(second, "Already on the list: 100.")
      assert.include(second, "no-101@example.com")
      const last = (yield* addTicked(second)).text
      assert.match(last, /2 investors were added\.[\s\S]*Prospects/)
      assert.include((yield* browser.get(`${way}/${project.id}`)).text, "All from the import are on the list")
      yield* browser.submit(done.text, `${base}/imports/${id}/delete`)
      const gone = yield* browser.get(way)
      assert.strictEqual(gone.status, 404)
      assert.include(gone.text, "it may be older than a day")
    })
  )

  it.effect("link contacts with the companies of their rows, unless one does not want it, and count both before", () =>
    Effect.gen(function* () {
      const { at, base, browser, idOf, upload, work } = yield* aBroker
      const rows = [
        "Ada,Lovelace,ada@example.com,Analytical,Director,a,7",
        "Zoë,Müller,zoe@example.com,Analytical,,b,8"
      ]
      const content = ["First name,Last name,E-mail,Company,Job title,Full name,External ID", ...rows].join("\n")
      const id = idOf(yield* upload("contacts", "linked.csv", content))
      const path = `${base}/imports/${id}`
      const uploaded = (yield* at(`/imports/${id}`)).text
      // What columns set has the name that people give it.
      assert.match(uploaded, /<span>Job title <code class="below">link\.jobTitle<\/code><\/span>/)
      assert.match(uploaded, /id="link-companies"[^>]*checked/)
      // What is left out says why, and what to do.
      assert.include(uploaded, "A full name: first and last name have columns of their own.")
      assert.include(uploaded, "An id in another system. Name the system below.")
      assert.strictEqual((yield* browser.submit(uploaded, `${path}/check`)).status, 303)
      yield* work(id)
      const checked = (yield* at(`/imports/${id}`)).text
      assert.match(checked, /<dt>New companies<\/dt>\s*<dd>1<\/dd>/)
      assert.match(checked, /<dt>New links with companies<\/dt>\s*<dd>2<\/dd>/)
      assert.notInclude((yield* at("/companies")).text, "Analytical", "a dry run changes nothing")
      // Who does not want it unticks the box, and reads what that means for the columns.
      const { linkCompanies: _, ...without } =
        Browser.formsOf(checked).find(({ action }) => action === `${path}/check`)?.fields ?? {}
      yield* browser.post(`${path}/check`, without)
      yield* work(id)
      const unlinked = (yield* at(`/imports/${id}`)).text
      assert.notInclude(unlinked, "New companies")
      assert.match(unlinked, /Belongs to the company of the contact\. Tick “Link contacts/)
      assert.notMatch(unlinked, /id="link-companies"[^>]*checked/)
    })
  )

  it.effect("take what a column sets by its label, and say so where there is no such label", () =>
    Effect.gen(function* () {
      const { at, base, browser, idOf, upload, work } = yield* aBroker
      const id = idOf(yield* upload("contacts", "labels.csv", "E-mail,What\nada@example.com,blue"))
      const path = `${base}/imports/${id}`
      const uploaded = (yield* at(`/imports/${id}`)).text
      const fields = Browser.formsOf(uploaded).find(({ action }) => action === `${path}/check`)?.fields ?? {}
      const send = (member: string) =>
        browser.post(`${path}/check`, { ...fields, onDuplicate: "refuse", column: "What", member })
      const wrong = yield* send("Colour")
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.text, /There is nothing of this name to set\. Choose from the list\.[\s\S]*?value="Colour"/)
      assert.strictEqual((yield* send("first NAME")).status, 303)
      yield* work(id)
      assert.match((yield* at(`/imports/${id}`)).text, /<span>First name <code[\s\S]*?value="First name"/)
    })
  )

  it.effect("begin one at a time, also when two people ask in the same instant", () =>
    Effect.gen(function* () {
      const { check, idOf, teamId, upload } = yield* aBroker
      const [first, second] = [
        idOf(yield* upload("contacts", "first.csv", file)),
        idOf(yield* upload("contacts", "second.csv", file))
      ]
      const sql = yield* Database
      const outside = yield* Effect.context<TestService>()
      const inBackground = (id: string) =>
        Effect.forkDetach(Effect.updateContext(check(id, []), (_: Context.Context<never>) => outside))
      // Each has looked whether another one runs before either is committed.
      const [one, other] = yield* sql
        .withTransaction(
          Effect.gen(function* () {
            yield* sql`select id from imports where team_id = ${teamId} and id = any(${[first, second]}::uuid[]) for update`
            const fibers = [yield* inBackground(first), yield* inBackground(second)] as const
            yield* untilBlocked(2)
            return fibers
          })
        )
        .pipe(inTeam(teamId))
      const replies = [yield* Fiber.join(one), yield* Fiber.join(other)]
      assert.sameMembers(
        replies.map(({ status }) => status),
        [303, 409]
      )
      assert.include(replies.find(({ status }) => status === 409)?.text, "Another import of the team is running")
    })
  )

  it.effect("say why a file cannot be read, and continue an attempt that was stopped", () =>
    Effect.gen(function* () {
      const { acting, at, base, browser, check, idOf, upload, work } = yield* aBroker
      assert.include((yield* upload("companies", "cards.vcf", "BEGIN:VCARD")).text, "The name must end with")
      const empty = yield* at(`/imports/${idOf(yield* upload("companies", "empty.csv", ""))}`)
      assert.include(empty.text, "The file is empty")
      const rows = Array.from({ length: 510 }, (_, index) => `Company ${index},c${index}.example.com`)
      const id = idOf(yield* upload("companies", "many.csv", ["name,domain", ...rows].join("\n")))
      yield* check(id, [])
      yield* work(id)
      const checked = yield* at(`/imports/${id}`)
      assert.include(checked.text, "Import 510 rows")
      yield* browser.submit(checked.text, `${base}/imports/${id}/start`)
      // The first attempt stops after a batch, and none of its receipts are left.
      const { get } = yield* ConsoleImports
      const attempt = yield* Effect.forkChild(work(id))
      yield* pollUntil("a batch", acting(get(id)), ({ counts }) => counts.rows > 0)
      yield* Fiber.interrupt(attempt)
      assert.strictEqual((yield* acting(get(id))).state, "importing")
      yield* work(id)
      const done = yield* acting(get(id))
      assert.deepInclude(done, { state: "imported" })
      assert.deepInclude(done.counts, { rows: 510, created: 510, failed: 0 })
      for (const words of ["", "&q=company"]) {
        const exported = (yield* at(`/exports/file?kind=companies&format=ndjson${words}`)).text.trim().split("\n")
        assert.strictEqual(new Set(exported).size, 510)
      }
    })
  )

  it.effect("stop when somebody deletes them", () =>
    Effect.gen(function* () {
      const { acting, at, base, browser, check, idOf, upload, work } = yield* aBroker
      const rows = Array.from({ length: 300 }, (_, index) => `Company ${index},c${index}.example.com`)
      const id = idOf(yield* upload("companies", "many.csv", ["name,domain", ...rows].join("\n")))
      yield* check(id, [])
      const { get } = yield* ConsoleImports
      const attempt = yield* Effect.forkChild(work(id))
      yield* pollUntil("a batch", acting(get(id)), ({ counts }) => counts.rows > 0)
      const page = yield* at(`/imports/${id}`)
      assert.strictEqual((yield* browser.submit(page.text, `${base}/imports/${id}/delete`)).status, 303)
      yield* Fiber.join(attempt)
      assert.strictEqual((yield* at(`/imports/${id}`)).status, 404)
      // The job finds nothing to do, and the next import may begin.
      yield* work(id)
      const next = idOf(yield* upload("contacts", "next.csv", file))
      assert.strictEqual((yield* check(next, [])).status, 303)
    })
  )

  it.effect("end after a day, with their files", () =>
    Effect.gen(function* () {
      const { at, idOf, teamId, upload } = yield* aBroker
      const id = idOf(yield* upload("contacts", "old.csv", file))
      const kept = idOf(yield* upload("contacts", "new.csv", file))
      const { purge } = yield* ConsoleImports
      const sql = yield* Database
      yield* inTeam(teamId)(sql`
        update imports set created_at = created_at - interval '25 hours', changed_at = created_at - interval '25 hours' where team_id = ${teamId} and id = ${id}`)
      assert.isAtLeast(yield* purge(1000), 1)
      const text = (yield* at("/imports")).text
      assert.notInclude(text, id)
      assert.include(text, kept)
    })
  )

  it.effect("leave no copies of files on the disk where a process was killed, and leave those of others alone", () =>
    Effect.gen(function* () {
      const { purge } = yield* ConsoleImports
      const copy = temporaryCopy(Stream.make(Buffer.from("a;b\n")), "people.csv")
      const [abandoned, open] = yield* Effect.all([copy, copy])
      const old = new Date((yield* Clock.currentTimeMillis) - 25 * 3_600_000)
      yield* Effect.promise(() => utimes(abandoned.folder, old, old))
      // Processes with another clock, as tests have, work on the same disk.
      yield* Effect.provide(Effect.andThen(TestClock.setTime(Date.UTC(2100, 0)), purge(1000)), TestClock.layer())
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(open.folder)), ["people.csv"])
      assert.isFalse(existsSync(abandoned.folder))
    }).pipe(Effect.scoped)
  )
})

layer(TestService.layer, { excludeTestServices: true })("Exports in the console", (it) => {
  it.effect("are files of what the filters of a list match, which the audit log knows", () =>
    Effect.gen(function* () {
      const { at, browser, base } = yield* aBroker
      const create = Effect.fnUntraced(function* (name: string, tags: string) {
        const page = yield* at("/companies/new")
        const made = yield* browser.submit(page.text, `${base}/companies/new`, { name, tags })
        assert.strictEqual(made.status, 303, made.text)
      })
      yield* create("=Nordkapital", "core")
      yield* create("Südwert", "other")
      yield* create("Südkapital", "other")
      const list = yield* at("/companies?tags=core&q=kapital")
      assert.include(list.text, `href="${base}/exports?tags=core&amp;q=kapital&amp;kind=companies"`)
      assert.match((yield* at("/exports?kind=companies&tags=core&q=kapital")).text, /<dt>Search<\/dt>\s*<dd>kapital</)
      const csv = yield* at("/exports/file?kind=companies&tags=core&format=csv")
      assert.strictEqual(csv.status, 200, csv.text)
      assert.match(csv.headers.get("content-disposition") ?? "", /companies\.csv/)
      assert.strictEqual(csv.text.split("\n").length, 3)
      assert.include(csv.text, "'=Nordkapital")
      const lines = (yield* at("/exports/file?kind=companies&format=ndjson")).text.trim().split("\n")
      assert.deepStrictEqual(
        lines.map((line) => (JSON.parse(line) as { readonly name: string }).name),
        ["=Nordkapital", "Südwert", "Südkapital"]
      )
      // Words of a search are a filter like others.
      const namesFound = Effect.fnUntraced(function* (filters: string) {
        const { text } = yield* at(`/exports/file?kind=companies&format=csv&${filters}`)
        return ["Nordkapital", "Südwert", "Südkapital"].filter((name) => text.includes(name))
      })
      assert.deepStrictEqual(yield* namesFound("q=kapital"), ["Nordkapital", "Südkapital"])
      assert.deepStrictEqual(yield* namesFound("q=kapital&tags=other"), ["Südkapital"])
      for (const kind of ["contacts", "links", "properties&q=none", "mandates&location=Berlin"]) {
        assert.strictEqual((yield* at(`/exports/file?kind=${kind}&format=csv`)).status, 200, kind)
      }
      assert.strictEqual((yield* at("/exports/file?kind=users")).status, 404)
      assert.include((yield* at("/audit")).text, "records.exported")
    })
  )

  it.effect("for people have their words, names beside ids, and come back unchanged in either language", () =>
    Effect.gen(function* () {
      const { acting, at, browser, check, idOf, upload, user, work } = yield* aBroker
      const [companies, contacts, links] = [yield* Companies, yield* Contacts, yield* Links]
      const [properties, mandates] = [yield* Properties, yield* Mandates]
      const of = (body: Json) => make({ operation: "fixture", query: {}, body })
      const { value: company } = yield* acting(
        companies.create(of({ name: "=Nordkapital", country: "DE", tags: ["core"] }))
      )
      const { value: contact } = yield* acting(
        contacts.create(
          of({
            firstName: "Ada",
            lastName: "Lovelace",
            email: "ada@example.com",
            phone: "+49 30 5550199",
            tags: ["a", "b"]
          })
        )
      )
      yield* acting(links.create(of({ contactId: contact.id, companyId: company.id, jobTitle: "Director" })))
      yield* acting(contacts.patch(contact.id, of({ primaryCompanyId: company.id })))
      yield* acting(
        properties.create(
          of({
            name: "Kontorhaus",
            ownerId: user.id,
            country: "DE",
            categories: ["office", "land"],
            tenure: "ground_lease",
            groundLease: { expiresOn: "2099-12-31" },
            heritageListed: true,
            lettableArea: { value: 1234.567, unit: "sqm" },
            income: {
              passingRent: { value: 1_250_000.5, currency: "EUR" },
              vacancyRate: { value: 0.5, unit: "percent" }
            },
            pricing: { qualifier: "on_application" },
            energy: { class: "a_plus" },
            tags: ["rail_access", "fully_let"]
          })
        )
      )
      yield* acting(
        mandates.create(
          of({
            name: "Core",
            status: "active",
            country: "AT",
            investor: { companyId: company.id },
            validUntilUtc: "2099-12-31",
            riskProfiles: ["core_plus"],
            investmentSize: { min: 5, max: 25.125, currency: "EUR", scale: "million" },
            near: { latitude: 48.137, longitude: 11.5 },
            radius: 60_000
          })
        )
      )
      const read = Effect.fnUntraced(function* (kind: string) {
        const { text } = yield* at(`/exports/file?kind=${kind}&format=spreadsheet`)
        const id = idOf(yield* upload(kind, `${kind}.csv`, text))
        assert.notMatch((yield* at(`/imports/${id}`)).text, /Not recognised|Nicht erkannt/, kind)
        assert.strictEqual((yield* check(id, [])).status, 303)
        yield* work(id)
        const { text: receipts } = yield* at(`/imports/${id}/receipts`)
        assert.deepStrictEqual(
          [...receipts.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status),
          ["unchanged"],
          `${receipts}\n${text}`
        )
        return text
      })
      const all = ["contacts", "companies", "links", "properties", "mandates"]
      const english = (yield* Effect.forEach(all, (kind) => read(kind))).join("")
      assert.include(english, "First name,Last name,")
      for (const word of [
        "Main company: name",
        "'=Nordkapital",
        "Germany",
        "Ground lease",
        "Eva Brandt",
        "1234.567",
        "0.5%",
        "2099-12-31,"
      ])
        assert.include(english, word)
      const account = yield* browser.get("/console/account")
      yield* browser.submit(account.text, "/console/account", {
        name: "Eva Brandt",
        language: "de",
        culture: "de-DE",
        timeZone: "Europe/Berlin",
        region: "DE"
      })
      const german = (yield* Effect.forEach(all, (kind) => read(kind))).join("")
      assert.include(german, "Vorname;Nachname;")
      for (const word of [
        "Hauptfirma: Name",
        "'=Nordkapital",
        "Deutschland",
        "Erbbaurecht",
        "Eva Brandt",
        "1234,567",
        "0,5%",
        "Mio."
      ])
        assert.include(german, word)
      assert.include((yield* at("/exports")).text, "Für ein Tabellenprogramm")
    })
  )
})
