/** The pages of properties, mandates and their matches, as a browser without scripts uses them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Id from "../../src/core/Id.ts"
import { Related } from "../../src/market/related/Related.ts"
import { type NamedType, namedTypes } from "../../src/market/related/RelatedRepo.ts"
import { Database } from "../../src/platform/db/Database.ts"
import * as Browser from "../console/Browser.ts"
import { signedIn } from "../console/people.ts"
import { as } from "../deals/offers/OffersClient.ts"
import { TestService } from "../support/TestService.ts"
import { dealingTeam } from "../tenancy/dealingTeam.ts"

const aBroker = Effect.gen(function* () {
  const { browser, email, team } = yield* signedIn
  const base = `/console/${team.id}`
  const at = (path: string) => browser.get(`${base}${path}`)
  const send = Effect.fnUntraced(function* (text: string, action: string, values: Browser.Fields) {
    const form = Browser.formsOf(text).find((one) => one.action === `${base}${action}`)
    assert.isDefined(form, text)
    const reply = yield* browser.post(`${base}${action}`, { ...form.fields, ...values })
    const to = reply.headers.get("location")
    return to === null ? reply : yield* browser.get(to)
  })
  const create = Effect.fnUntraced(function* (kind: "mandates" | "properties", values: Browser.Fields) {
    const page = yield* send((yield* at(`/${kind}/new`)).text, `/${kind}/new`, values)
    assert.strictEqual(page.status, 200, page.text)
    const [, id = ""] = /<code>((?:mandate|property)_\w+)<\/code>/.exec(page.text) ?? []
    return { id, text: page.text }
  })
  return { at, create, email, send }
})

layer(TestService.layer, { excludeTestServices: true })("The pages of the market", (it) => {
  it.effect("name records of every type, and none of another team", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { named } = yield* Related
      const { buyer, seller } = yield* dealingTeam
      const tables = { company: "companies", property: "properties" } as const
      const ids: Array<string> = []
      for (const type of namedTypes) {
        const table = type === "company" || type === "property" ? tables[type] : `${type}s`
        const rows = yield* sql<{ readonly id: string }>`
          select id from ${sql(table)} where team_id = ${seller.teamId} order by id limit 2`
        ids.push(...rows.map(({ id }) => Id.fromUuid<NamedType>(type, id)))
      }
      const found = yield* as(seller.email, named(ids))
      assert.sameMembers([...new Set([...found.values()].map(({ type }) => type))], [...namedTypes])
      assert.lengthOf([...found.keys()], ids.length)
      const task = [...found.values()].find(({ type }) => type === "task")
      assert.isTrue(found.has(task?.prospectId ?? "") && found.has(task?.projectId ?? ""))
      assert.strictEqual(found.get(task?.prospectId ?? "")?.name, task?.about)
      assert.strictEqual((yield* as(buyer.email, named(ids))).size, 0)
    })
  )

  it.effect("write a property with amounts, measures and rows, and show it as people read it", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const { id, text } = yield* create("properties", {
        name: "Bürohaus <Nord>",
        country: "DE",
        locality: "München",
        "coordinates.latitude": "48.14",
        "coordinates.longitude": "11.53",
        categories: "office",
        "lettableArea.value": "10,640.25",
        "pricing.askingPrice.value": "46.500.000",
        "pricing.askingPrice.currency": "EUR",
        "tenants.0.name": "Nordlicht GmbH",
        "tenants.0.annualRent.value": "610000"
      })
      assert.include(text, "Bürohaus &lt;Nord&gt;")
      assert.include(text, "10,640.25 m²")
      assert.notInclude(text, "Heritage listing", "nobody has said anything of it")
      assert.include(text, "46,500,000 EUR")
      assert.include(text, "Nordlicht GmbH")
      assert.match(text, /<svg\s+class="map"[\s\S]*class="country" d="M/)
      assert.include((yield* at("/properties?q=burohaus%20nord&tags=")).text, id)
      const edit = (yield* at(`/properties/${id}/edit`)).text
      assert.match(edit, /name="tenants\.0\.name"[^>]*value="Nordlicht GmbH"/)
      assert.match(edit, /name="lettableArea\.value"[^>]*value="10,640\.25"/)
      const wrong = yield* send(edit, `/properties/${id}/edit`, { categories: "office", yearBuilt: "old" })
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.text, /name="yearBuilt"[^>]*value="old"[\s\S]*?Write a number, such as 45,500 or 12\.5\./)
      const secondRow = yield* send(edit, `/properties/${id}/edit`, {
        categories: "office",
        "tenants.0.name": "",
        "tenants.0.annualRent.value": "",
        "tenants.0.annualRent.currency": "",
        "tenants.1.name": "Südlicht",
        "tenants.1.area.value": "viel"
      })
      assert.match(secondRow.text, /name="tenants\.0\.area\.value"[^>]*value="viel"[^>]*aria-invalid="true"/)
      assert.match(secondRow.text, /<li>Tenants 1: [^<]*Write a number, such as 45,500 or 12\.5\.<\/li>/)
      const saved = yield* send(edit, `/properties/${id}/edit`, { categories: "office", grade: "a" })
      assert.notInclude(saved.text, "Heritage listing", "nobody has said anything of it")
      const answers = (yield* at(`/properties/${id}/edit`)).text
      const denied = yield* send(answers, `/properties/${id}/edit`, { categories: "office", heritageListed: "false" })
      assert.match(denied.text, /Heritage listing<\/dt>\s*<dd[^>]*>\s*No\b/)
      // Groups with nothing in them are folded, but for those with which one begins; a fault opens its group.
      const openIn = (page: string) => {
        const groups = [...page.matchAll(/<details\s+class="section group"\s+id="fields-(\w+)"([^>]*)>/g)]
        return groups.flatMap(([, name = "", more = ""]) => (more.includes("open") ? [name] : []))
      }
      assert.deepStrictEqual(openIn((yield* at("/properties/new")).text), ["where", "what"])
      assert.deepStrictEqual(openIn(edit), ["where", "what", "title", "areas", "income", "price"])
      assert.deepStrictEqual(openIn(wrong.text), ["where", "what", "title", "areas", "building", "income", "price"])
    })
  )

  it.effect("write a mandate by the name of its place, show it on a map, and match both ways with the reasons", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const property = yield* create("properties", {
        name: "Halle Ost",
        country: "DE",
        "coordinates.latitude": "48.14",
        "coordinates.longitude": "11.6",
        categories: "logistics",
        "lettableArea.value": "4000"
      })
      const mandate = yield* create("mandates", {
        name: "Logistics, Munich",
        status: "active",
        location: "Munich",
        categories: "logistics",
        "lettableArea.min": "3000",
        "investmentSize.scale": "unit",
        "pricePerSqm.scale": "unit"
      })
      assert.match(mandate.text, /class="place" d="M/)
      const edit = (yield* at(`/mandates/${mandate.id}/edit`)).text
      const unclear = yield* send(edit, `/mandates/${mandate.id}/edit`, { "investmentSize.min": "1,23" })
      assert.include(unclear.text, "<li>Investment: from: Write 1.23 or 123.</li>")
      assert.lengthOf([...unclear.text.matchAll(/class="fault"[^>]*>Write/g)], 1, "at its field alone")
      assert.include(mandate.text, "from 3,000 m²")
      const wants = (yield* at(`/properties/${property.id}/matches`)).text
      assert.include(wants, mandate.id)
      assert.include(wants, "Lettable area")
      const fits = (yield* at(`/mandates/${mandate.id}/matches`)).text
      assert.include(fits, property.id)
      assert.include((yield* at("/mandates?location=Bavaria&status=")).text, mandate.id)
      assert.notInclude((yield* at("/mandates?location=Hamburg&status=")).text, mandate.id)
    })
  )

  it.effect("list deleted properties and mandates, and bring them back", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const property = yield* create("properties", { name: "Halle Ost", country: "DE" })
      const mandate = yield* create("mandates", { name: "Halls, anywhere", status: "active" })
      for (const [kind, id, name] of [
        ["properties", property.id, "Halle Ost"],
        ["mandates", mandate.id, "Halls, anywhere"]
      ] as const) {
        const asked = yield* send((yield* at(`/${kind}/${id}`)).text, `/${kind}/${id}/delete`, {})
        yield* send(asked.text, `/${kind}/${id}/delete`, { confirmed: "yes" })
        const listed = (yield* at(`/${kind}/deleted`)).text
        assert.include(listed, name)
        yield* send(listed, `/${kind}/${id}/restore`, {})
        assert.strictEqual((yield* at(`/${kind}/${id}`)).status, 200)
        assert.notInclude((yield* at(`/${kind}/deleted`)).text, name)
      }
    })
  )

  it.effect("write a place as a circle or by its corners, keep it when something else is saved, and take it away", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const { id, text } = yield* create("mandates", {
        name: "Halls",
        status: "active",
        "near.latitude": "48.1372",
        "near.longitude": "11.5755",
        radius: "60000"
      })
      assert.include(text, "60 km around München")
      const edit = `/mandates/${id}/edit`
      const form = Effect.map(at(edit), (page) => page.text)
      const textOf = (page: string) => /<textarea\s+id="field-geography"[^>]*>\n?([^<]*)</.exec(page)?.[1] ?? ""
      const save = Effect.fnUntraced(function* (values: Browser.Fields) {
        const page = yield* form
        return yield* send(page, `/${edit.slice(1)}`, { status: "active", geography: textOf(page), ...values })
      })
      const renamed = yield* save({ name: "Halls, renamed" })
      assert.strictEqual(renamed.status, 200, renamed.text)
      assert.include(renamed.text, "60 km around München")

      const corners =
        "48,2 11.4\n48.2; 11,8\n47.9, 11.8\n-\n48.1, 11.6\n48.1, 11.7\n48, 11.7\n\n50.1, 8.6\n50.2, 8.8\n50, 8.8"
      const drawn = yield* save({ "near.latitude": "", "near.longitude": "", radius: "", geography: corners })
      assert.strictEqual(drawn.status, 200, drawn.text)
      assert.notInclude(drawn.text, "km around")
      const kept = textOf(yield* form)
      assert.deepStrictEqual(
        kept.split("\n\n").map((polygon) => polygon.split("\n-\n").map((ring) => ring.split("\n").length)),
        [[3, 3], [3]]
      )
      yield* save({ name: "Halls again" })
      assert.strictEqual(textOf(yield* form), kept)

      const named = yield* save({ geography: kept, location: "Bavaria" })
      assert.strictEqual(named.status, 200, named.text)
      const outline = textOf(yield* form)
      assert.isAbove(outline.split("\n").length, 100)
      yield* save({ name: "Halls in Bavaria" })
      assert.strictEqual(textOf(yield* form), outline)

      const nowhere = yield* save({ geography: "" })
      assert.include(nowhere.text, "Anywhere")
    })
  )

  it.effect("name the investor of a mandate and the projects of a property", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const contact = yield* send((yield* at("/contacts/new")).text, "/contacts/new", {
        firstName: "Nora",
        lastName: "<Lind>"
      })
      const [, contactId = ""] = /<code>(contact_\w+)<\/code>/.exec(contact.text) ?? assert.fail(contact.text)
      const mandate = yield* create("mandates", { name: "Halls", status: "active", "investor.contactId": contactId })
      assert.match(mandate.text, new RegExp(`/contacts/${contactId}">Nora &lt;Lind&gt;</a>`))
      const named = yield* create("mandates", { name: "Sites", status: "active", "investor.contactId": "<lind>" })
      assert.include(named.text, `/contacts/${contactId}">`)
      const form = (yield* at(`/mandates/${named.id}/edit`)).text
      assert.include(form, `value="Nora &lt;Lind&gt; (${contactId})"`)
      const led = yield* at("/mandates?status=active&contact_id=nora+%3Clind%3E")
      assert.match(led.headers.get("location") ?? "", new RegExp(`/mandates\\?status=active&contact_id=${contactId}$`))
      const filtered = (yield* at(`/mandates?contact_id=${contactId}`)).text
      assert.match(filtered, new RegExp(`value="Nora &lt;Lind&gt; \\(${contactId}\\)"[\\s\\S]*>Halls</a>`))
      yield* create("mandates", { name: "For nobody", status: "active" })
      assert.include((yield* at("/mandates?location=Munich")).text, ">For nobody</a>")
      const both = (yield* at(`/mandates?location=Munich&contact_id=${contactId}`)).text
      assert.isTrue(both.includes(">Halls</a>") && !both.includes(">For nobody</a>"))
      const nobody = yield* at("/mandates?contact_id=Nobody")
      assert.strictEqual(nobody.status, 400)
      assert.match(nobody.text, /id="filter-contact_id-fault"[^>]*>No contact of your network/)
      assert.notInclude(nobody.text, ">Halls</a>")
      const renamed = yield* send(form, `/mandates/${named.id}/edit`, { name: "Plots", status: "active" })
      assert.match(renamed.text, new RegExp(`Plots[\\s\\S]*/contacts/${contactId}">`))
      const unknown = yield* send(form, `/mandates/${named.id}/edit`, {
        status: "active",
        "investor.contactId": "Nobody"
      })
      assert.match(unknown.text, /id="field-investor-contactId-fault"[^>]*>No contact of your network/)
      const property = yield* create("properties", { name: "Hafenkontor", country: "DE" })
      const project = yield* send((yield* at("/projects/new")).text, "/projects", { name: "Sale" })
      const [, projectId = ""] = /\/projects\/(project_\w+)/.exec(project.text) ?? assert.fail(project.text)
      const found = yield* at(`/projects/${projectId}/properties?q=Hafen`)
      yield* send(found.text, `/projects/${projectId}/properties/links`, {})
      assert.match((yield* at(`/properties/${property.id}`)).text, new RegExp(`/projects/${projectId}">Sale</a>`))
    })
  )

  it.effect("say in which line a corner is wrong, and keep what was typed", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { at, email, send } = yield* aBroker
      const page = (yield* at("/mandates/new")).text
      const fault = Effect.fnUntraced(function* (geography: string, more: Browser.Fields = {}) {
        const reply = yield* send(page, "/mandates/new", { name: "Halls", status: "active", geography, ...more })
        assert.strictEqual(reply.status, 400, reply.text)
        assert.include(reply.text, geography)
        assert.match(reply.text, /id="field-geography"[^>]*aria-invalid="true"/)
        return /id="field-geography-fault"[^>]*>([^<]*)</.exec(reply.text)?.[1] ?? ""
      })
      assert.strictEqual(
        yield* fault("48, 11\n48, 12\nMunich\n47, 11"),
        "Line 3: Must be a latitude and a longitude in degrees, such as 48.1372, 11.5755."
      )
      assert.strictEqual(
        yield* fault("48, 11\n48, 12\n47, 12\n\n10, 10\n10, 200\n11, 11"),
        "Line 6: Latitude must be from -90 to 90, longitude from -180 to 180. Here, latitude comes first."
      )
      assert.strictEqual(
        yield* fault("48, 11\n47, 12\n48, 12\n47, 11"),
        "Line 3: The edge from here crosses or touches the one from line 1."
      )
      assert.strictEqual(
        yield* fault("40, 0\n60, 0\n60, 20\n40, 20\n-\n45, 5\n55, 5\n55, 15\n45, 15\n-\n48, 8\n52, 8\n52, 12"),
        "Line 11: A hole must not lie inside the one that begins in line 6."
      )
      yield* sql`update users set ui_culture = 'de-DE' where email = ${email}`
      assert.strictEqual(
        yield* fault("48, 11\n47, 12\n48, 12\n47, 11"),
        "Zeile 3: Die Kante von hier kreuzt oder berührt die von Zeile 1."
      )
      yield* sql`update users set ui_culture = 'en-GB' where email = ${email}`
      assert.strictEqual(yield* fault("48, 11\n48, 12"), "Line 1: An area has at least three different corners.")
      assert.match(
        yield* fault("10, 100\n10, -100\n20, 100"),
        /^Line 2: The edge to this corner goes more than halfway/
      )
      const both = yield* send(page, "/mandates/new", {
        name: "Halls",
        status: "active",
        geography: "48, 11\n48, 12\n47, 12",
        "near.latitude": "48",
        "near.longitude": "11",
        radius: "5"
      })
      assert.match(both.text, /id="field-radius-fault"/)
      assert.match(both.text, /class="place" d="M/)
    })
  )

  it.effect("give a map what lies around a view, beyond 180°, too, and the outline of a name", () =>
    Effect.gen(function* () {
      const { at } = yield* aBroker
      const around = yield* at("/mandates/map?west=176&east=184&south=-20&north=-14&scale=80")
      assert.strictEqual(around.headers.get("cache-control"), "private, max-age=86400")
      const fiji = JSON.parse(around.text) as {
        readonly units: number
        readonly countries: string
        readonly cities: ReadonlyArray<{ readonly name: string }>
      }
      const longitudes = [...fiji.countries.matchAll(/M(\d+)/g)].map(([, x]) => Number(x) / fiji.units)
      assert.isTrue(longitudes.some((x) => x > 176 && x < 180) && longitudes.some((x) => x > 180 && x < 184))
      assert.isBelow(fiji.countries.length, 4000)
      assert.include(
        fiji.cities.map(({ name }) => name),
        "Lautoka"
      )
      for (const wrong of ["", "west=1&east=0&south=0&north=1&scale=1", "west=0&east=1&south=0&north=91&scale=1"]) {
        assert.strictEqual((yield* at(`/mandates/map?${wrong}`)).status, 400, wrong)
      }
      const named = JSON.parse((yield* at("/mandates/place?location=Bavaria")).text) as Record<string, unknown>
      assert.match(String(named["outline"]), /^M/)
      const ambiguous = JSON.parse((yield* at("/mandates/place?location=Frankfurt")).text) as Record<string, unknown>
      assert.include(String(ambiguous["fault"]), "Frankfurt (Oder)")
    })
  )
})
