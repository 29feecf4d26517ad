/** The pages of contacts and companies, as a browser without scripts uses them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { companyKinds } from "../../src/network/companies/Company.ts"
import type { contactKinds } from "../../src/network/contacts/Contact.ts"
import * as Browser from "../console/Browser.ts"
import { password, signedIn } from "../console/people.ts"
import { TestService } from "../support/TestService.ts"

/** A broker who is signed in, and their pages. */
const aBroker = Effect.gen(function* () {
  const person = yield* signedIn
  const base = `/console/${person.team.id}`
  const { browser } = person
  const at = (path: string) => browser.get(`${base}${path}`)
  const formAt = (text: string, action: string) =>
    Browser.formsOf(text).find((form) => form.action === `${base}${action}`) ?? assert.fail(`no form for ${action}`)
  /** Sends the form of a page, with other values; follows where it leads. */
  const send = Effect.fnUntraced(function* (text: string, action: string, values: Browser.Fields = {}) {
    const reply = yield* browser.post(`${base}${action}`, { ...formAt(text, action).fields, ...values })
    const to = reply.headers.get("location")
    return { reply, page: to === null ? reply : yield* browser.get(to), to: to ?? "" }
  })
  const create = Effect.fnUntraced(function* (kind: "companies" | "contacts", values: Browser.Fields) {
    const { page, to } = yield* send((yield* at(`/${kind}/new`)).text, `/${kind}/new`, values)
    assert.strictEqual(page.status, 200, page.text)
    return to.split("/").at(-1) ?? ""
  })
  return { ...person, base, at, create, formAt, send }
})

interface SentFile {
  readonly name: string
  readonly text: string
}

/** Sends a form with files to an address. */
const uploadTo =
  (browser: Browser.Browser, address: string) =>
  (
    { file: _, ...fields }: Browser.Fields,
    files: ReadonlyArray<SentFile>,
    headers: Readonly<Record<string, string>> = {}
  ) => {
    const parts = [
      ...Object.entries(fields).map(([name, value]) => `name="${name}"\r\n\r\n${value}`),
      ...files.map(({ name, text }) => `name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n${text}`)
    ]
    return browser.send("POST", address, {
      text: `${parts.map((part) => `--x\r\ncontent-disposition: form-data; ${part}\r\n`).join("")}--x--\r\n`,
      headers: {
        "content-type": "multipart/form-data; boundary=x",
        "sec-fetch-site": "same-origin",
        origin: "null",
        ...headers
      }
    })
  }

layer(TestService.layer, { excludeTestServices: true })("The pages of the network", (it) => {
  it.effect("create, find, change and tag a contact", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const id = yield* create("contacts", { firstName: "Zoë", lastName: "<b>Müller</b>", email: "zoe@example.com" })
      assert.match(id, /^contact_/)
      const shown = yield* at(`/contacts/${id}`)
      assert.include(shown.text, "Zoë &lt;b&gt;Müller&lt;/b&gt;")
      assert.include((yield* at("/contacts?q=muller&email=&tags=")).text, id)
      assert.include((yield* at("/contacts?email=ZOE%40example.com")).text, id)
      assert.notInclude((yield* at("/contacts?q=nobody")).text, id)
      const edited = yield* send((yield* at(`/contacts/${id}/edit`)).text, `/contacts/${id}/edit`, {
        phone: "+49 30 1234567",
        tags: "logistics, core"
      })
      assert.include(edited.page.text, "logistics, core")
      assert.include(edited.page.text, "Saved.")
      const list = yield* at("/contacts")
      yield* send(list.text, "/contacts/bulk", { pick: id, do: "tag", tag: "warm" })
      assert.include((yield* at(`/contacts/${id}`)).text, "logistics, core, warm")
    })
  )

  it.effect("show again what was typed where it is refused, and the one that is there already", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const id = yield* create("contacts", { firstName: "Ada", email: "ada@example.com" })
      const page = (yield* at("/contacts/new")).text
      const wrong = (yield* send(page, "/contacts/new", { firstName: "Bob", email: "no address" })).page
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.text, /value="no address"[\s\S]*aria-invalid="true"/)
      assert.include(wrong.text, "invalid_request")
      assert.match(wrong.text, /Request id\s*<code>[^<]+<\/code>/)
      const twice = (yield* send(page, "/contacts/new", { firstName: "Ada", email: "ada@example.com" })).page
      assert.strictEqual(twice.status, 409)
      assert.include(twice.text, `/contacts/${id}">Ada</a>`, "who is similar has a name")
      const forced = yield* send(twice.text, "/contacts/new", {
        firstName: "Ada",
        email: "ada@example.com",
        force: "on"
      })
      assert.strictEqual(forced.reply.status, 303, forced.reply.text)
    })
  )

  it.effect("say after creating a contact that there is another one of its name, and compare both", () =>
    Effect.gen(function* () {
      const { at, base, create, send } = yield* aBroker
      const first = yield* create("contacts", { firstName: "Luca", lastName: "Moretti", email: "luca@example.com" })
      const blank = (yield* at("/contacts/new")).text
      const other = (yield* send(blank, "/contacts/new", { firstName: "Luca", lastName: "Morettini" })).page
      assert.notInclude(other.text, "another one of this name")
      const again = (yield* at("/contacts/new")).text
      const { page } = yield* send(again, "/contacts/new", { firstName: "luca", lastName: "Moretti" })
      assert.include(page.text, "There is another one of this name.")
      const [, compare = ""] = /href="([^"]+\/merge\?from=[^"]+)"/.exec(page.text) ?? []
      assert.include(compare, first)
      assert.include((yield* at(compare.slice(base.length))).text.replaceAll("<wbr />", ""), "luca@example.com")
      yield* create("contacts", { lastName: "\u0301" })
    })
  )

  it.effect("show both versions where somebody was faster, and save where both wrote the same", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const id = yield* create("contacts", { firstName: "Ada", lastName: "L", phone: "1" })
      const stale = (yield* at(`/contacts/${id}/edit`)).text
      yield* send(stale, `/contacts/${id}/edit`, { phone: "222" })
      const same = yield* send(stale, `/contacts/${id}/edit`, { phone: "222" })
      assert.strictEqual(same.reply.status, 303)
      const conflict = (yield* send(stale, `/contacts/${id}/edit`, { phone: "333" })).page
      assert.strictEqual(conflict.status, 412)
      assert.match(conflict.text, /<mark>222<\/mark>[\s\S]*<mark>333<\/mark>/)
      const mine = yield* send(conflict.text, `/contacts/${id}/edit`)
      assert.include(mine.page.text, "333")
    })
  )

  it.effect("say what a deletion would change, delete, and bring back", () =>
    Effect.gen(function* () {
      const { at, base, create, send } = yield* aBroker
      const contact = yield* create("contacts", { firstName: "Ada", lastName: "Lovelace" })
      const company = yield* create("companies", { name: "Engines Ltd", country: "GB" })
      const linked = yield* send((yield* at(`/contacts/${contact}`)).text, "/links", {
        companyId: company,
        jobTitle: "CEO"
      })
      assert.include(linked.page.text, "Engines Ltd")
      const asked = (yield* send(linked.page.text, `/contacts/${contact}/delete`)).page
      assert.match(asked.text, /1 contact deleted: <a href="[^"]*\/contacts\/contact_\w+">Ada Lovelace<\/a>/)
      assert.include(asked.text, "1 link deleted: Ada Lovelace – Engines Ltd")
      assert.include((yield* at(`/contacts/${contact}`)).text, "Lovelace")
      const done = yield* send(asked.text, `/contacts/${contact}/delete`, { confirmed: "yes" })
      assert.strictEqual((yield* at(`/contacts/${contact}`)).status, 404)
      const back = yield* send(done.page.text, `/contacts/${contact}/restore`)
      assert.strictEqual(back.to, `${base}/contacts/${contact}`)
      assert.include(back.page.text, "CEO")
    })
  )

  it.effect(
    "list what was deleted, the latest first, until it is back; where another one has its address, on a second word",
    () =>
      Effect.gen(function* () {
        const { at, base, create, send } = yield* aBroker
        assert.include((yield* at("/contacts/deleted")).text, "Nothing was deleted")
        const remove = Effect.fnUntraced(function* (path: string) {
          const asked = (yield* send((yield* at(path)).text, `${path}/delete`)).page
          yield* send(asked.text, `${path}/delete`, { confirmed: "yes" })
        })
        const ada = yield* create("contacts", { firstName: "Ada", lastName: "<i>Lovelace</i>" })
        const mail = yield* create("contacts", { email: "sofie@example.com" })
        const company = yield* create("companies", { name: "Engines Ltd" })
        for (const path of [`/contacts/${ada}`, `/contacts/${mail}`, `/companies/${company}`]) yield* remove(path)
        assert.include((yield* at("/contacts")).text, `href="${base}/contacts/deleted"`)
        const listed = (yield* at("/contacts/deleted")).text
        assert.match(listed, /sofie@example\.com[\s\S]*Ada &lt;i&gt;Lovelace&lt;\/i&gt;/)
        assert.notInclude(listed, "Engines Ltd")
        const back = yield* send(listed, `/contacts/${ada}/restore`)
        assert.strictEqual(back.to, `${base}/contacts/${ada}`)
        const twin = yield* create("contacts", { email: "sofie@example.com" })
        const asked = (yield* send((yield* at("/contacts/deleted")).text, `/contacts/${mail}/restore`)).page
        assert.strictEqual(asked.status, 409)
        assert.include(asked.text, `href="${base}/contacts/${twin}"`)
        assert.strictEqual((yield* send(asked.text, `/contacts/${mail}/restore`)).page.status, 200)
        assert.include((yield* at("/contacts/deleted")).text, "Nothing was deleted")
        yield* send((yield* at("/companies/deleted")).text, `/companies/${company}/restore`)
        assert.strictEqual((yield* at(`/companies/${company}`)).status, 200)
        // Nobody else sees what a team deleted.
        yield* remove(`/contacts/${ada}`)
        assert.notInclude((yield* (yield* aBroker).at("/contacts/deleted")).text, "Lovelace")
      })
  )

  it.effect("take a company by its name, the beginning of that, its domain or its id, and say which it may be", () =>
    Effect.gen(function* () {
      const { at, base, create, send } = yield* aBroker
      const engines = yield* create("companies", { name: "Engines & Söhne" })
      const first = yield* create("companies", { name: "Nord Kapital", domain: "nord.example" })
      const second = yield* create("companies", { name: "Nord Kapital", force: "on" })
      const works = (company: string) => `href="${base}/companies/${company}"`
      const person = Effect.fnUntraced(function* (primaryCompanyId: string) {
        const page = yield* send((yield* at("/contacts/new")).text, "/contacts/new", {
          firstName: "Ada",
          primaryCompanyId
        })
        return page.page
      })
      for (const typed of ["engines & sohne", "Engin", engines, `Whatever (${engines})`]) {
        assert.include((yield* person(typed)).text, works(engines), typed)
      }
      assert.include((yield* person("NORD.example")).text, works(first))
      const several = yield* person("nord kapital")
      assert.strictEqual(several.status, 400)
      assert.include(several.text, 'value="nord kapital"')
      const choice = `Nord Kapital (${second})`
      assert.match(several.text, new RegExp(`id="field-primaryCompanyId-fault"[^<]*Nord Kapital, nord.example`))
      assert.include(several.text, `<option value="${choice}">`)
      const chosen = (yield* send(several.text, "/contacts/new", { primaryCompanyId: choice })).page
      assert.include(chosen.text, works(second))
      const [, id = ""] = /<code>(contact_\w+)<\/code>/.exec(chosen.text) ?? []
      const edit = (yield* at(`/contacts/${id}/edit`)).text
      assert.include(edit, `value="${choice}"`, "a form names the company, too")
      const saved = (yield* send(edit, `/contacts/${id}/edit`, { phone: "1" })).page
      assert.include(saved.text, works(second))
      const nobody = yield* person("Nowhere Ltd")
      assert.strictEqual(nobody.status, 400)
      assert.include(nobody.text, "is called so")

      // And a link between both.
      const wrong = (yield* send(saved.text, "/links", { companyId: "nord", jobTitle: "CEO" })).page
      assert.match(wrong.text, /Several are called so[\s\S]*value="CEO"/)
      const linked = yield* send(wrong.text, "/links", { companyId: "Engines" })
      assert.match(linked.page.text, /Engines &amp; Söhne<\/a>\s*<span class="below">CEO/)
      const other = (yield* at(`/companies/${first}`)).text
      yield* create("contacts", { firstName: "Grace", lastName: "Hopper", email: "grace@example.com" })
      for (const contactId of ["hopper", "GRACE@example.com"]) {
        const page = (yield* send(other, "/links", { contactId })).page
        assert.include(page.text, contactId === "hopper" ? "Grace Hopper" : "already")
      }
    })
  )

  it.effect("delete all that match, as many as were confirmed, and ask again where their number has changed", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      for (const name of ["One", "Two", "Three"]) yield* create("contacts", { firstName: name, tags: "old" })
      yield* create("contacts", { firstName: "Keep" })
      const list = yield* at("/contacts?tags=old")
      const asked = (yield* send(list.text, "/contacts/bulk", { all: "on", do: "delete" })).page
      assert.include(asked.text, "Delete 3 contacts?")
      yield* create("contacts", { firstName: "Four", tags: "old" })
      const again = (yield* send(asked.text, "/contacts/bulk")).page
      assert.include(again.text, "Delete 4 contacts?")
      const done = yield* send(again.text, "/contacts/bulk")
      assert.include(done.page.text, "4 deleted.")
      const left = (yield* at("/contacts")).text
      assert.include(left, "Keep")
      assert.notInclude(left, "Four")
    })
  )

  it.effect("keep notes with their revisions, and files", () =>
    Effect.gen(function* () {
      const { at, base, browser, create, formAt, send } = yield* aBroker
      const id = yield* create("contacts", { firstName: "Ada" })
      const written = yield* send((yield* at(`/contacts/${id}`)).text, "/notes", {
        message: "Looks for <i>offices</i>"
      })
      assert.include(written.page.text, "Looks for &lt;i&gt;offices&lt;/i&gt;")
      const revised = yield* send(written.page.text, "/notes/supersede", { message: "Looks for logistics" })
      assert.include(revised.page.text, "Looks for logistics")
      assert.notInclude(revised.page.text, "offices")
      assert.include((yield* at(`/contacts/${id}?old_notes=true`)).text, "offices")
      const upload = uploadTo(browser, `${base}/files/of/contact/${id}`)
      const { fields } = formAt(revised.page.text, `/files/of/contact/${id}`)
      const file = { name: "rents.txt", text: "12 EUR" }
      assert.strictEqual((yield* upload({}, [file])).status, 403)
      const sent = yield* upload(fields, [file])
      assert.strictEqual(sent.status, 303, sent.text)
      const page = (yield* at(`/contacts/${id}`)).text
      const [, path = ""] = /href="([^"]*\/files\/file_[^"]*)"/.exec(page) ?? []
      const content = yield* browser.get(path)
      assert.deepStrictEqual([content.status, content.text], [200, "12 EUR"])
      assert.match(content.headers.get("content-disposition") ?? "", /^attachment; filename="rents.txt"/)
    })
  )

  it.effect(
    "take several files of one form, of which a refused one stops no other, and tell a script the outcome",
    () =>
      Effect.gen(function* () {
        const { at, base, browser, create, formAt } = yield* aBroker
        const id = yield* create("contacts", { firstName: "Ada" })
        const upload = uploadTo(browser, `${base}/files/of/contact/${id}`)
        const page = yield* at(`/contacts/${id}`)
        const { fields } = formAt(page.text, `/files/of/contact/${id}`)
        const [first, nameless, last] = [
          { name: "rents.txt", text: "12 EUR" },
          { name: `${"n".repeat(201)}`, text: "x".repeat(100_000) },
          { name: "plan.txt", text: "Hall 1" }
        ]
        const mixed = yield* upload(fields, [first, nameless, last])
        assert.strictEqual(mixed.status, 400)
        assert.match(mixed.text, /2 files were uploaded/)
        assert.match(mixed.text, /n{201}[\s\S]*invalid_request[\s\S]*req_/)
        const listed = (yield* at(`/contacts/${id}`)).text
        const contents = yield* Effect.forEach(
          [...listed.matchAll(/href="([^"]*\/files\/file_[^"]*)" download/g)],
          ([, path = ""]) => browser.get(path)
        )
        assert.deepStrictEqual(contents.map(({ text }) => text).toSorted(), ["12 EUR", "Hall 1"])
        const all = yield* upload(fields, [first, last])
        assert.strictEqual(all.headers.get("location"), `${base}/contacts/${id}#files`)
        const asScript = (sent: Browser.Fields, files: ReadonlyArray<SentFile>) =>
          Effect.map(
            upload(sent, files, { accept: "application/json" }),
            ({ status, text }) => [status, JSON.parse(text) as Readonly<Record<string, string>>] as const
          )
        const [status, done] = yield* asScript(fields, [last])
        assert.deepStrictEqual([status, done["note"]], [200, "The file was uploaded."])
        // What is too large is known before its bytes are sent.
        const [refused, problem] = yield* asScript({ ...fields, size: "104857601" }, [{ name: "large.bin", text: "" }])
        assert.deepStrictEqual([refused, problem["code"]], [413, "payload_too_large"])
        assert.match(problem["requestId"] ?? "", /^req_/)
        browser.jar.delete("pn_session")
        assert.strictEqual((yield* asScript(fields, [last]))[0], 401)
      })
  )

  it.effect("show again what was typed where one has signed in again in another tab, and do nothing", () =>
    Effect.gen(function* () {
      const { at, base, browser, create, email, send } = yield* aBroker
      const id = yield* create("contacts", { firstName: "Ada" })
      const before = yield* at(`/contacts/${id}`)
      browser.jar.delete("pn_session")
      yield* browser.submit((yield* browser.get("/signin")).text, "/signin", { email, password })
      const again = yield* send(before.text, "/notes", { message: "Wants a hall", back: `${base}/contacts/${id}` })
      assert.strictEqual(again.to, `${base}/contacts/${id}`)
      assert.include(again.page.text, "You have signed in again since")
      assert.match(again.page.text, /id="new-note"[^>]*>\s*Wants a hall<\/textarea>/)
      assert.notInclude(again.page.text, "wrote a note")
      const sent = yield* send(again.page.text, "/notes", { message: "Wants a hall" })
      assert.include(sent.page.text, "wrote a note")
    })
  )

  it.effect("name the main companies of contacts that one compares", () =>
    Effect.gen(function* () {
      const { at, create } = yield* aBroker
      const company = yield* create("companies", { name: "Moretti <SpA>", country: "IT" })
      const person = { lastName: "Moretti", primaryCompanyId: company }
      const one = yield* create("contacts", { ...person, firstName: "Luca", email: "luca@example.com" })
      const two = yield* create("contacts", { firstName: "Lucca", lastName: "Moretti", email: "l@example.com" })
      const preview = (yield* at(`/duplicates/contacts/${one}/merge?from=${two}`)).text
      assert.match(preview, /<td[^>]*>Moretti &lt;SpA&gt;<\/td>/)
      assert.include(preview.replaceAll("<wbr />", ""), "E-mail address: l@example.com")
    })
  )

  it.effect("say of every member of a record that goes into another one that it is not kept, or keep it", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const home = yield* create("companies", { name: "Home" })
      const contact: Record<keyof typeof contactKinds, string> = {
        firstName: "Zita",
        lastName: "Zabel",
        email: "zita@example.com",
        phone: "+49 30 777",
        primaryLanguage: "de",
        primaryCompanyId: home,
        tags: "core, logistics",
        strategy: "Halls",
        linkedInUrl: "https://www.linkedin.com/in/zita",
        profilePictureUrl: "https://example.com/zita.png"
      }
      const company: Record<keyof typeof companyKinds, string> = {
        name: "Zabel AG",
        legalName: "Zabel Holding AG",
        country: "AT",
        homepageUrl: "https://zabel.example/at",
        domain: "zabel.example",
        tags: "core, logistics",
        strategy: "Halls",
        linkedInUrl: "https://www.linkedin.com/company/zabel",
        profilePictureUrl: "https://example.com/zabel.png"
      }
      for (const [kind, bare, full] of [
        ["contacts", { firstName: "Ann", tags: "warm, core" }, contact],
        ["companies", { name: "Ann", tags: "warm, core" }, company]
      ] as const) {
        const [stays, goes] = [yield* create(kind, bare), yield* create(kind, full)]
        const preview = (yield* at(`/duplicates/${kind}/${stays}/merge?from=${goes}`)).text
        const [, notKept = ""] = /This is not kept: ([^<]*)/.exec(preview.replaceAll("<wbr />", "")) ?? []
        const merged = (yield* send(preview, `/duplicates/${kind}/${stays}/merge`)).page.text
        assert.include(merged, "warm, core, logistics")
        for (const [member, value] of Object.entries(full)) {
          const text = value === home ? "Home" : value
          if (member === "tags") assert.notInclude(notKept, "logistics")
          else assert.include(notKept, text, member)
        }
      }
    })
  )

  it.effect("show duplicates side by side, and merge them after saying what stays", () =>
    Effect.gen(function* () {
      const { at, base, create, send } = yield* aBroker
      const one = yield* create("companies", { name: "Castellum AB", country: "SE", domain: "castellum.example" })
      const two = yield* create("companies", { name: "Castelum", country: "SE", strategy: "Logistics", force: "on" })
      const duplicates = yield* at(`/duplicates/companies/${one}`)
      assert.include(duplicates.text, two)
      const nobody = yield* at(`/duplicates/companies/${one}/merge?from=Nowhere`)
      assert.strictEqual(nobody.status, 400)
      assert.match(nobody.text, /value="Nowhere"[\s\S]*id="other-fault"[^>]*>No company of your network/)
      const preview = yield* at(`/duplicates/companies/${one}/merge?from=castelu`)
      assert.match(
        preview.text,
        /<td[^>]*><mark>Castelum<\/mark><\/td>\s*<td[^>]*><strong>Castellum AB<\/strong><\/td>/
      )
      // What the other one has and this one lacks goes: it is marked.
      assert.match(preview.text, /<td[^>]*><mark>Logistics<\/mark><\/td>\s*<td[^>]*><strong><\/strong><\/td>/)
      assert.match(preview.text, /This is not kept: Name: Castelum; Strategy: Logistics/)
      assert.include((yield* at(`/companies/${two}`)).text, "Castelum")
      const merged = yield* send(preview.text, `/duplicates/companies/${one}/merge`)
      assert.strictEqual(merged.to, `${base}/companies/${one}`)
      // The old address leads to the one that stays.
      assert.strictEqual((yield* at(`/companies/${two}`)).headers.get("location"), `${base}/companies/${one}`)
    })
  )
})
