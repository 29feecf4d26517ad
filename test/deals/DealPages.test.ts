/** A deal by pages alone, without scripts, from the list of investors to the closed project. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { ConsoleImports } from "../../src/transfer/ConsoleImports.ts"
import * as Browser from "../console/Browser.ts"
import { aPerson, linkOf, password } from "../console/people.ts"
import { TestService } from "../support/TestService.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { broker, investor } from "./offers/OffersClient.ts"

/** A file that somebody uploads. */
interface Upload {
  readonly name: string
  readonly type: string
  readonly content: string
}

/** The pages of a person who sets their password by a link: those of their team, and others by their whole path. */
const pagesBy = Effect.fnUntraced(function* (link: string) {
  const browser = yield* Browser.open
  const page = yield* browser.get(link)
  const signedIn = yield* browser.submit(page.text, "/signin/password", { password })
  const home = yield* browser.get(signedIn.headers.get("location") ?? "")
  const [base = ""] = /\/console\/team_\w+/.exec(home.headers.get("location") ?? home.text) ?? []
  const pathOf = (path: string) => (path.startsWith("/console/") ? path : `${base}${path}`)
  const at = (path: string) => browser.get(pathOf(path))
  const formOf = (text: string, action: string) => {
    const form = Browser.formsOf(text).find((one) => one.action === pathOf(action))
    assert.isDefined(form, `no form for ${action}: ${text}`)
    return form.fields
  }
  /** Sends the form of a page that goes to `action`, without the fields `omitted`; the page to which that leads. */
  const send = Effect.fnUntraced(function* (
    text: string,
    action: string,
    values: Browser.Fields = {},
    omitted: ReadonlyArray<string> = []
  ) {
    const fields = Object.entries({ ...formOf(text, action), ...values }).filter(([name]) => !omitted.includes(name))
    const reply = yield* browser.post(pathOf(action), Object.fromEntries(fields))
    const to = reply.headers.get("location")
    return to === null ? reply : yield* browser.get(to.split("#")[0] ?? "")
  })
  const upload = Effect.fnUntraced(function* (text: string, action: string, values: Browser.Fields, file: Upload) {
    const { file: _, ...fields } = { ...formOf(text, action), ...values }
    const parts = Object.entries(fields).map(
      ([field, value]) => `--x\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
    )
    const sent = yield* browser.send("POST", pathOf(action), {
      text: `${parts.join("")}--x\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: ${file.type}\r\n\r\n${file.content}\r\n--x--\r\n`,
      headers: { "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin", origin: "null" }
    })
    assert.strictEqual(sent.status, 303, sent.text)
    return yield* browser.get((sent.headers.get("location") ?? "").split("#")[0] ?? "")
  })
  return { at, send, upload, home }
})

/** The pages of a person with this address. */
const pagesOf = (email: string) => Effect.flatMap(linkOf(email), pagesBy)

/** The first id of a kind on a page. */
const idOn = ({ text }: { readonly text: string }, kind: string): string =>
  new RegExp(`\\b${kind}_\\w+`).exec(text)?.[0] ?? assert.fail(`no ${kind} on the page: ${text}`)

/** A broker, who is an operator as well, and what the worker does with an import of theirs. */
const aBroker = Effect.gen(function* () {
  const sql = yield* Database
  const { perform } = yield* ConsoleImports
  const { email, team, user } = yield* aPerson
  yield* sql`update users set is_operator = true where id = ${Id.toUuid("user", user.id) ?? ""}`
  const teamId = Id.toUuid("team", team.id) ?? ""
  return { ...(yield* pagesOf(email)), work: (importId: string) => perform({ teamId, importId }) }
})

layer(TestService.layer, { excludeTestServices: true })("A deal in the console", (it) => {
  it.effect("goes from the list of investors to the closed project, and each side sees what is theirs", () =>
    Effect.gen(function* () {
      const asBroker = yield* aBroker
      const email = `nora.${crypto.randomUUID()}@example.com`

      // The investors come from a file.
      const list = { name: "investors.csv", type: "text/csv", content: `Vorname,Nachname,E-Mail\nNora,Lind,${email}` }
      const uploaded = yield* asBroker.upload(
        (yield* asBroker.at("/imports")).text,
        "/imports",
        { kind: "contacts" },
        list
      )
      const [, importId = ""] = /\/imports\/([\w-]+)\/check/.exec(uploaded.text) ?? []
      yield* asBroker.send(uploaded.text, `/imports/${importId}/check`)
      yield* asBroker.work(importId)
      const checked = yield* asBroker.at(`/imports/${importId}`)
      assert.include(checked.text, "Import 1 row")
      yield* asBroker.send(checked.text, `/imports/${importId}/start`)
      yield* asBroker.work(importId)
      const imported = yield* asBroker.at(`/imports/${importId}`)
      assert.match(imported.text, /href="[^"]+\/contacts">Show them in the list/)

      // The property, the project that sells it, and its prospects.
      yield* asBroker.send((yield* asBroker.at("/properties/new")).text, "/properties/new", {
        name: "Hafenkontor",
        country: "DE",
        categories: "office"
      })
      const project = yield* asBroker.send((yield* asBroker.at("/projects/new")).text, "/projects", { name: "Sale" })
      const projectId = idOn(project, "project")
      const missing = yield* asBroker.at(`/teasers/${projectId}`)
      assert.include(missing.text, "The project has no property yet")
      const found = yield* asBroker.at(`/projects/${projectId}/properties?q=Hafen`)
      yield* asBroker.send(found.text, `/projects/${projectId}/properties/links`)
      const additions = `/projects/${projectId}/prospects/additions`
      const nobody = yield* asBroker.at(`/teasers/${projectId}/communicate`)
      assert.include(nobody.text, `/projects/${projectId}/prospects/add`)
      const candidates = yield* asBroker.at(`/projects/${projectId}/prospects/add`)
      const prospects = yield* asBroker.send(candidates.text, additions, { pick: idOn(candidates, "contact") })
      assert.include(prospects.text, "1 investor was added.")
      const prospectId = idOn(prospects, "prospect")

      // The teaser.
      const teaser = yield* asBroker.at(`/teasers/${projectId}`)
      assert.include(teaser.text, "What the investor sees")
      const titled = yield* asBroker.send(teaser.text, `/teasers/${projectId}`, { title: "Core <office>" })
      assert.include(titled.text, "Core &lt;office&gt;")
      assert.include((yield* asBroker.at(`/projects/${projectId}`)).text, "A draft: no investor has seen it.")
      assert.include(titled.text, "Publishing the teaser opens the project.")
      const published = yield* asBroker.send(titled.text, `/teasers/${projectId}/publish`)
      assert.include(published.text, "The teaser is published, and the project is open.")
      assert.notInclude(published.text, "Publishing the teaser")
      assert.notInclude((yield* asBroker.at(`/projects/${projectId}`)).text, "A draft:")
      const receivers = yield* asBroker.at(`/teasers/${projectId}/communicate`)
      assert.include(receivers.text, email)
      const form = `/teasers/${projectId}/communicate`
      const asked = yield* asBroker.send(receivers.text, form, { expires: "30d" })
      assert.include(asked.text, "This would happen")
      const sent = yield* asBroker.send(asked.text, form)
      assert.include(sent.text, "Communicated to 1 prospect. 1 of them has no account here")

      // The operator makes an account for the address, and a link to hand over.
      const operation = "/console/operation"
      const team = yield* asBroker.send((yield* asBroker.at(`${operation}/teams/new`)).text, `${operation}/teams/new`, {
        name: "Nordkapital",
        plan: "free"
      })
      const blank = yield* asBroker.at(`${operation}/users/new?team=${idOn(team, "team")}`)
      const user = yield* asBroker.send(blank.text, `${operation}/users/new`, {
        email,
        name: "Nora Lind",
        role: "member",
        investor: "active"
      })
      const [linkForm = ""] = /\/console\/operation\/users\/user_\w+\/link/.exec(user.text) ?? []
      const made = yield* asBroker.send(user.text, linkForm)
      const [link = ""] = /\/signin\/password\?link=\w+/.exec(made.text) ?? []

      // The investor signs in, and accepts.
      const asInvestor = yield* pagesBy(link)
      const offers = yield* asInvestor.at("/offers?offers=unanswered")
      assert.include(offers.text, "Core &lt;office&gt;")
      const offerId = idOn(offers, "offer")
      const ownMandate = yield* asInvestor.at("/mandates/new")
      for (const { text } of [ownMandate, yield* asInvestor.at("/mandates")]) {
        assert.notInclude(text, "For the contact", "an investor has no network")
      }
      assert.include((yield* asInvestor.at(`/offers/${offerId}`)).text, "It fits none of your active mandates.")
      yield* asInvestor.send(ownMandate.text, "/mandates/new", {
        name: "Offices anywhere",
        status: "active",
        categories: "office"
      })
      const unanswered = yield* asInvestor.at(`/offers/${offerId}`)
      assert.match(unanswered.text, /<a href="[^"]+\/mandates\/mandate_\w+">Offices anywhere<\/a>/)
      assert.notInclude(unanswered.text, "The broker</h2>")
      assert.notInclude(unanswered.text, projectId)
      const accepting = yield* asInvestor.send(unanswered.text, `/offers/${offerId}/accept`)
      assert.match(accepting.text, /<h1[^>]*>Accept “Core &lt;office&gt;”\?<\/h1>[\s\S]*cannot be declined afterwards/)
      const accepted = yield* asInvestor.send(accepting.text, `/offers/${offerId}/accept`)
      assert.include(accepted.text, "You accepted the offer.")
      assert.notInclude(accepted.text, "Answer by")
      assert.match((yield* asBroker.at("")).text, /today#answers">New answers of investors<[\s\S]*?>1</)
      const wrote = yield* asInvestor.send(accepted.text, `/offers/${offerId}/messages`, {
        text: "When can we visit?"
      })
      assert.include(wrote.text, "The message was sent.")
      assert.include((yield* asBroker.at("/today")).text, "Nora Lind")

      // The room, with a document.
      const rooms = yield* asBroker.at(`/projects/${projectId}/rooms`)
      const room = yield* asBroker.send(rooms.text, `/projects/${projectId}/rooms`, { name: "Due diligence" })
      const roomId = idOn(room, "room")
      const withAccess = yield* asBroker.send(room.text, `/rooms/${roomId}/grant`, { pick: prospectId })
      assert.include(withAccess.text, "Access was given.")
      const rents = { name: "rents.pdf", type: "application/pdf", content: "%PDF-1.7" }
      const path = { path: "Leases/rents.pdf" }
      const filed = yield* asBroker.upload(withAccess.text, `/rooms/${roomId}/documents`, path, rents)
      assert.match(filed.text, /<h3>Leases<\/h3>[\s\S]*rents\.pdf/)

      // The investor reads it, and asks.
      const inRoom = yield* asInvestor.at(`/offers/${offerId}`)
      const file = idOn(inRoom, "file")
      const viewed = yield* asInvestor.at(`/files/${file}/view`)
      assert.strictEqual(viewed.text, "%PDF-1.7")
      assert.strictEqual(viewed.headers.get("content-disposition"), "inline")
      assert.match(viewed.headers.get("content-security-policy") ?? "", /^default-src 'none'/)
      yield* asInvestor.send(inRoom.text, `/offers/${offerId}/questions`, {
        text: "Who may <b>leave</b>?",
        category: "leases"
      })

      const waits = /Your questions that wait for an answer[\s\S]*Who may &lt;b&gt;leave&lt;\/b&gt;\?/
      assert.match((yield* asInvestor.at(`/offers/${offerId}`)).text, waits)
      assert.match((yield* asBroker.at("")).text, /today#questions">Questions that wait<[\s\S]*?>1</)
      const questions = yield* asBroker.at(`/rooms/${roomId}/questions?status=open`)
      const [, questionId = ""] = /\/questions\/(question_\w+)/.exec(questions.text) ?? []
      const question = yield* asBroker.at(`/questions/${questionId}`)
      assert.include(question.text, "Who may &lt;b&gt;leave&lt;/b&gt;?")
      const assigned = yield* asBroker.send(question.text, `/questions/${questionId}`, {
        assignee: /<option value="(user_\w+)"/.exec(question.text)?.[1] ?? ""
      })
      assert.match(assigned.text, /id="assignee"[\s\S]*?<option value="user_\w+" selected>/)
      assert.include((yield* asBroker.at(`/rooms/${roomId}/questions?assignee=me`)).text, questionId)
      assert.notInclude((yield* asBroker.at(`/rooms/${roomId}/questions?assignee=none`)).text, questionId)
      const drafted = yield* asBroker.send(assigned.text, `/questions/${questionId}/answer`, {
        text: "To be checked",
        do: "draft"
      })
      assert.include(drafted.text, "Only your team sees it.")
      const stillWaiting = (yield* asInvestor.at(`/offers/${offerId}`)).text
      assert.match(stillWaiting, waits)
      assert.notInclude(stillWaiting, "To be checked")
      yield* asBroker.send(drafted.text, `/questions/${questionId}/answer`, {
        text: "Nobody before 2028",
        audience: "all"
      })
      const answered = (yield* asInvestor.at(`/offers/${offerId}`)).text
      assert.include(answered, "Nobody before 2028")
      assert.notMatch(answered, waits)
      assert.match((yield* asInvestor.at("")).text, /offers#new-answers">New answers in data rooms<[\s\S]*?>1</)
      const news = (yield* asInvestor.at("/offers")).text
      const [, place = "none"] = /\/offers\/offer_\w+#(act_\w+)">New answer to “Who may &lt;b&gt;leave/.exec(news) ?? []
      assert.include(answered, `<li id="${place}"`, "the way leads to the answer")

      // The bid, and the end.
      const own = `/projects/${projectId}/prospects/${prospectId}`
      const bid = yield* asBroker.send((yield* asBroker.at(own)).text, `${own}/bids`, {
        amount: "12 500 000",
        currency: "EUR"
      })
      assert.include(bid.text, "The bid was recorded.")
      const closing = yield* asBroker.send((yield* asBroker.at(`/rooms/${roomId}`)).text, `/rooms/${roomId}/close`)
      assert.include(closing.text, "Close Due diligence?")
      yield* asBroker.send(closing.text, `/rooms/${roomId}/close`)
      assert.strictEqual((yield* asInvestor.at(`/files/${file}`)).status, 404)
      // What is the broker's is nothing to the investor.
      for (const one of [`/rooms/${roomId}`, `/questions/${questionId}`, `/teasers/${projectId}`]) {
        const seen = yield* asInvestor.at(one)
        assert.include([403, 404], seen.status, one)
      }
      const ending = yield* asBroker.send(
        (yield* asBroker.at(`/projects/${projectId}`)).text,
        `/projects/${projectId}/close`
      )
      assert.include(ending.text, "Close Sale?")
      const ended = yield* asBroker.send(ending.text, `/projects/${projectId}/close`)
      assert.include(ended.text, "The project is closed.")
      assert.include((yield* asInvestor.at("/offers")).text, "Closed by the broker")
      assert.notInclude((yield* asInvestor.at(`/offers/${offerId}`)).text, "Ask a question")
    })
  )

  it.effect("communicates to those who are ticked, and to nobody where nobody is", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const buyer = yield* investor()
      const other = yield* investor()
      const prospect = yield* seller.prospectFor(buyer.email)
      yield* seller.companyFor([other.email])
      const { at, send } = yield* pagesOf(seller.email)
      const form = `/teasers/${seller.projectId}/communicate`
      const receivers = yield* at(form)
      // A company is reached by the addresses of its contacts.
      for (const email of [buyer.email, other.email]) assert.include(receivers.text, email)
      const nobody = yield* send(receivers.text, form, { to: "some" })
      assert.strictEqual(nobody.status, 400)
      assert.include(nobody.text, "Name prospects, or ask for all")
      const both = yield* send(receivers.text, form, { pick: prospect.id })
      assert.strictEqual(both.status, 400)
      assert.match(both.text, /Choose all, or only those who are ticked\.[\s\S]*value="some"\s+checked/)
      const asked = yield* send(receivers.text, form, { pick: prospect.id, to: "some" })
      assert.match(asked.text, /Receivers of the teaser: 1<\/p>\s*<ul[^>]*>\s*<li>[^<]+<\/li>\s*<\/ul>/)
      assert.match(asked.text, /1 prospect changed: <a href="[^"]*\?open=prospect_\w+">[^<]+<\/a>/)
      const done = (yield* send(asked.text, form)).text
      assert.match(
        done,
        /Communicated to 1 prospect\. Nothing is sent by e-mail: tell the investors[^<]+http[^<]+\/console/
      )
      assert.notInclude(done, "an earlier version")
      // What is written now, who has it already does not see.
      const title = yield* send(done, `/teasers/${seller.projectId}`, { title: "Another title" })
      assert.include(title.text, "Saved. Investors who have an earlier version see it until")
      assert.match(title.text, /1 investor has an earlier version[\s\S]*\/communicate">Communicate again</)
      const again = yield* at(form)
      assert.lengthOf([...again.text.matchAll(/has an earlier version, of <time/g)], 1)
      assert.lengthOf(yield* other.offers(), 0)
      const after = yield* send((yield* send(again.text, form)).text, form)
      assert.notInclude(after.text, "an earlier version")
      assert.lengthOf([...(yield* at(form)).text.matchAll(/has it since <time/g)], 2)
      assert.lengthOf(yield* buyer.offers(), 1)
      const late = yield* send(receivers.text, form, { expires: "whenever" })
      assert.match(late.text, /<option\s+selected>whenever[\s\S]*class="fault"/)
      assert.match(late.text, /<option value="30d"[^>]*>30 days</)
      assert.include(late.text, "<li>Time for an answer: Must be a day in the future")
      assert.match(late.text, /<details class="soft small">\s*<summary>[^<]*<\/summary>[\s\S]*invalid_request/)
    })
  )

  it.effect("shows again what an investor typed where the broker cannot take it, and removes an offer", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const buyer = yield* investor()
      yield* seller.prospectFor(buyer.email)
      yield* seller.communicate()
      const [offer] = yield* buyer.offers()
      assert.isDefined(offer)
      const { at } = yield* pagesOf(buyer.email)
      assert.notInclude((yield* at(`/offers/${offer.id}`)).text, "you answer for them")
      const colleague = `colleague.${crypto.randomUUID()}@example.com`
      const { create } = yield* Users
      yield* asOperator(
        create({ email: colleague, name: "Jo <Lind>", teamId: buyer.team, role: "member", investor: "active" })
      )
      const asColleague = yield* pagesOf(colleague)
      const theirs = (yield* asColleague.at(`/offers/${offer.id}`)).text
      assert.match(theirs, /This offer was sent to [^<;]+; you answer for them\.[\s\S]*\/accept"/)
      const rejecting = yield* asColleague.send(theirs, `/offers/${offer.id}/reject`, { reason: "Too small" })
      assert.match(rejecting.text, /Decline “[^”]+”\?[\s\S]*you answer for them[\s\S]*This is final[\s\S]*Too small/)
      assert.match((yield* at(`/offers/${offer.id}`)).text, /\/reject"/, "it is asked first")
      const rejected = yield* asColleague.send(rejecting.text, `/offers/${offer.id}/reject`)
      assert.include(rejected.text, "You declined the offer.")
      assert.match(rejected.text, /Declined[\s\S]*<p class="text">Too small<\/p>/)
      const { at: ofSeller, send: sendAsSeller } = yield* pagesOf(seller.email)
      const project = `/projects/${seller.projectId}`
      const closing = yield* sendAsSeller((yield* ofSeller(project)).text, `${project}/close`)
      yield* sendAsSeller(closing.text, `${project}/close`)
      const ownDecision =
        /<span class="pill bad">Declined<\/span>\s*<span class="pill plain">Closed by the broker<\/span>/
      assert.match((yield* at("/offers")).text, ownDecision)
      assert.match((yield* at(`/offers/${offer.id}`)).text, ownDecision)
      const removing = yield* asColleague.send(rejected.text, `/offers/${offer.id}/remove`)
      assert.match(removing.text, /Take “[^”]+” off the list\?/)
      const removed = yield* asColleague.send(removing.text, `/offers/${offer.id}/remove`)
      assert.include(removed.text, "The offer was removed.")
      assert.notInclude((yield* at("/offers")).text, offer.id)
      assert.include((yield* at("/offers?offers=removed")).text, offer.id)
    })
  )
})
