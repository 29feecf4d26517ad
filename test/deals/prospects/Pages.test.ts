/** The pages of prospects: the table, the board, what is done with many, and one of them in its drawer. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../../support/TestService.ts"
import { ProspectChanges } from "../../../src/deals/prospects/ProspectChanges.ts"
import { Prospects } from "../../../src/deals/prospects/Prospects.ts"
import { Rooms } from "../../../src/deals/rooms/Rooms.ts"
import { asked, broker } from "../console.ts"

/** A broker with a project and these investors on it. */
const deal = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const me = yield* broker
  const { id } = yield* me.project("Speicher")
  const ids = yield* me.prospects(id, names)
  const prospects = yield* Prospects
  const path = `/projects/${id}/prospects`
  const of = (at: number) => me.as(prospects.get(id, ids[at] ?? ""))
  const page = (rest = "") => Effect.map(me.read(`${path}${rest}`), ({ text }) => text)
  return { ...me, id, ids, of, page, path }
})

describe("The pages of prospects", () => {
  layer(TestService.layer, { excludeTestServices: true })((it) => {
    it.effect("filter the table and the board alike, and escape what they show", () =>
      Effect.gen(function* () {
        const { as, id, ids, page } = yield* deal("Rossi <b>", "Haugen")
        const { patch } = yield* ProspectChanges
        yield* as(patch(id, ids[1] ?? "", asked({ stage: "im", classification: "bidder", projectTags: ["first"] })))
        for (const view of ["", "/board"]) {
          assert.match(yield* page(view), /Rossi &lt;b&gt;[\s\S]*Haugen/)
          const filtered = yield* page(`${view}?classification=bidder&interest=&project_tags=FIRST`)
          assert.include(filtered, "Haugen")
          assert.notInclude(filtered, "Rossi")
        }
        assert.include(yield* page("?stage=bid"), "Nothing matches the filters")
        assert.match(yield* page("/board"), /data-stage="im"[\s\S]*Haugen[\s\S]*data-stage="data_room"/)
      })
    )

    it.effect("export what the table shows, for a spreadsheet or for programs", () =>
      Effect.gen(function* () {
        const { as, id, ids, page, read } = yield* deal("=Rossi", "Haugen")
        const { patch } = yield* ProspectChanges
        const tags = ["first", "=second"]
        yield* as(patch(id, ids[1] ?? "", asked({ stage: "im", classification: "bidder", projectTags: tags })))
        const [, link = ""] = /href="[^"]*(\/exports\/prospects\/[^"]*)"/.exec(
          yield* page("?classification=bidder&columns=stage&columns=tags&cursor=")
        ) ?? [assert.fail("there is no link to an export")]
        const choice = yield* read(link.replaceAll("&amp;", "&"))
        assert.match(choice.text, /<dt>Classification<\/dt>\s*<dd>Bidder<\/dd>/)
        const files = [...choice.text.matchAll(/href="[^"]*(\/exports\/[^"]*)"\s+download/g)].map(([, href = ""]) =>
          Effect.map(read(href.replaceAll("&amp;", "&")), ({ text }) => text.trim().split("\n"))
        )
        const [spreadsheet = [], programs = [], ndjson = []] = yield* Effect.all(files)
        const prospect = `${ids[1]},`
        assert.deepStrictEqual(
          spreadsheet[0],
          "Investor,E-mail address,Domain,Stage,Tags on the project,Id,Contact: id,Company: id"
        )
        assert.match(spreadsheet[1] ?? "", new RegExp(`^Haugen,[^,]*,[^,]*,Memorandum,"first;'=second",${prospect}`))
        assert.strictEqual(spreadsheet.length, 2)
        assert.include(programs[0], "id,contact.id,contact.name,")
        assert.match(programs[1] ?? "", new RegExp(`^${prospect}.*,bidder,interested,im,"first;'=second",`))
        assert.deepInclude(JSON.parse(ndjson[0] ?? "") as object, { id: ids[1], stage: "im", projectTags: tags })
        const all = yield* read(`/exports/prospects/${id}/file`)
        assert.include(all.text, "'=Rossi")
        assert.include(all.text, ",Not contacted,")
        assert.strictEqual((yield* read("/exports/prospects/project_01kb3n7x2ferwt5z8q4j6m9d0c/file")).status, 404)
      })
    )

    it.effect("move a card by its button, and ask where somebody else moved it first", () =>
      Effect.gen(function* () {
        const { as, id, ids, of, page, path, submit } = yield* deal("Rossi")
        const board = yield* page("/board")
        const seen = /data-seen="([^"]*)"/.exec(board)?.[1]
        assert.include(board, `value="${ids[0]} data_room not_contacted"`)
        const moved = yield* submit(board, `${path}/move`, { to: `${ids[0]} data_room not_contacted` })
        assert.include(moved.text, "Rossi is at Data room now.")
        assert.strictEqual((yield* of(0)).stage, "data_room")
        assert.notStrictEqual(/data-seen="([^"]*)"/.exec(moved.text)?.[1], seen, "the boards of others learn of it")
        const { patch } = yield* ProspectChanges
        yield* as(patch(id, ids[0] ?? "", asked({ stage: "bid" })))
        const conflict = yield* submit(moved.text, `${path}/move`, { to: `${ids[0]} im data_room` })
        assert.strictEqual(conflict.status, 412)
        assert.match(conflict.text, /<mark>Bid<\/mark>[\s\S]*<mark>Memorandum<\/mark>/)
        assert.strictEqual((yield* of(0)).stage, "bid")
        yield* submit(conflict.text, `${path}/move`)
        assert.strictEqual((yield* of(0)).stage, "im")
      })
    )

    it.effect("hear from a stream that something changed since they were shown", () =>
      Effect.gen(function* () {
        const { base, browser, page, path } = yield* deal("Rossi")
        const seen = /data-seen="([^"]*)"/.exec(yield* page("/board"))?.[1] ?? ""
        const beginning = (after: string) =>
          Effect.promise(async () => {
            const stop = new AbortController()
            const answer = await fetch(`${browser.baseUrl}${base}${path}/latest?after=${after}`, {
              headers: { cookie: `pn_session=${browser.jar.get("pn_session")}` },
              signal: stop.signal
            })
            const first = await answer.body?.getReader().read()
            stop.abort()
            return new TextDecoder().decode(first?.value)
          })
        assert.include(yield* beginning("earlier"), `event: row\nid: ${seen}\n`)
        assert.notInclude(yield* beginning(seen), "event: row")
      })
    )

    it.effect("do what is chosen with the ticked ones, and show receipts of those that were refused", () =>
      Effect.gen(function* () {
        const { as, base, browser, id, ids, of, page, path } = yield* deal("Rossi", "Haugen", "Weber")
        const token = /name="form_token" value="([^"]*)"/.exec(yield* page())?.[1] ?? ""
        const bulk = (fields: Record<string, string>, ...picks: ReadonlyArray<number>) =>
          Effect.gen(function* () {
            const body = new URLSearchParams({ form_token: token, back: `${base}${path}`, ...fields })
            for (const at of picks) body.append("pick", ids[at] ?? "")
            const reply = yield* browser.send("POST", `${base}${path}/bulk`, {
              text: body.toString(),
              headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
            })
            const location = reply.headers.get("location")
            return location === null ? reply : yield* browser.get(location)
          })
        const classified = yield* bulk({ do: "classify", classification: "interested", key: "a" }, 0, 1)
        assert.include(classified.text, "Done with 2 prospects.")
        assert.deepStrictEqual(
          [(yield* of(0)).classification, (yield* of(2)).classification],
          ["interested", "not_contacted"]
        )
        yield* bulk({ do: "tag", tag: "Warm", key: "b" }, 0, 1)
        yield* bulk({ do: "tag", tag: "Nord", key: "c" }, 0)
        yield* bulk({ do: "untag", tag: "warm", key: "d" }, 0)
        assert.deepStrictEqual([(yield* of(0)).projectTags, (yield* of(1)).projectTags], [["Nord"], ["Warm"]])
        yield* bulk({ do: "interest", interest: "maybe", key: "e" }, 0)
        assert.strictEqual((yield* of(0)).interest, "maybe")
        const { removeFromList } = yield* ProspectChanges
        yield* as(removeFromList(id, ids[1] ?? "", asked()))
        const receipts = yield* bulk({ do: "classify", classification: "bidder", key: "f" }, 0, 1)
        assert.match(receipts.text, /Done with 1 prospect\. Not done: 1[\s\S]*Haugen[\s\S]*removed/)
        assert.include((yield* bulk({ do: "classify", key: "g" })).text, "Tick at least one")
      })
    )

    it.effect("count all that match, ask, and ask again where the count is another one by then", () =>
      Effect.gen(function* () {
        const { as, base, browser, id, ids, of, page, path, prospects, submit } = yield* deal("Rossi", "Haugen")
        const { patch } = yield* ProspectChanges
        yield* as(patch(id, ids[1] ?? "", asked({ classification: "bidder" })))
        const filtered = yield* page("?classification=not_contacted")
        const asking = yield* submit(filtered, `${path}/bulk`, {
          all: "on",
          do: "interest",
          interest: "maybe",
          pick: ""
        })
        assert.match(asking.text, /Set the interest: Maybe\?[\s\S]*With all 1 prospects/)
        assert.strictEqual((yield* of(0)).interest, null)
        yield* prospects(id, ["Weber"])
        const again = yield* submit(asking.text, `${path}/bulk`)
        assert.include(again.text, "With all 2 prospects")
        const done = yield* submit(again.text, `${path}/bulk`)
        assert.include(done.text, "Done with 2 prospects.")
        assert.deepStrictEqual([(yield* of(0)).interest, (yield* of(1)).interest], ["maybe", "interested"])
        assert.include((yield* browser.get(`${base}${path}?interest=maybe`)).text, "Weber")
      })
    )

    it.effect(
      "edit one in its drawer, with the reason of a stage, and keep what was typed beside what another person did",
      () =>
        Effect.gen(function* () {
          const { as, id, ids, of, page, path, submit } = yield* deal("Rossi")
          const one = `${path}/${ids[0]}`
          const drawer = yield* page(`?open=${ids[0]}`)
          assert.include(drawer, 'id="drawer-title">Rossi')
          const values = {
            stage: "data_room",
            classification: "bidder",
            interest: "",
            owner: "",
            projectTags: "first, warm"
          }
          const saved = yield* submit(drawer, one, { ...values, stageReason: "Met at the fair" })
          assert.include(saved.text, "Set by Eva Brandt: Met at the fair")
          const after = yield* of(0)
          assert.deepStrictEqual(
            [after.stage, after.classification, after.interest, after.projectTags],
            ["data_room", "bidder", "interested", ["first", "warm"]]
          )
          const { patch } = yield* ProspectChanges
          yield* as(patch(id, ids[0] ?? "", asked({ classification: "contacted" })))
          const conflict = yield* submit(saved.text, one, { ...values, interest: "maybe" })
          assert.strictEqual(conflict.status, 412)
          assert.match(conflict.text, /<mark>Contacted<\/mark>[\s\S]*<mark>Bidder<\/mark>/)
          const both = yield* submit(conflict.text, one, { ...values, interest: "maybe" })
          assert.include(both.text, "Saved.")
          yield* submit(both.text, `${one}/override`)
          assert.strictEqual((yield* of(0)).stageOverride, undefined)
        })
    )

    it.effect("add, complete, reopen and call off its tasks, log calls, bids and the memorandum, and give access", () =>
      Effect.gen(function* () {
        const { as, id, ids, of, page, path, submit } = yield* deal("Rossi")
        const one = `${path}/${ids[0]}`
        const { open } = yield* Rooms
        yield* as(open(id, asked({ name: "Due diligence" })))
        const undated = yield* submit(yield* page(`?open=${ids[0]}`), `${one}/tasks`, {
          dueDate: "someday",
          note: "Soon"
        })
        assert.strictEqual(undated.status, 400)
        assert.match(undated.text, /<h1>Rossi[^<]*<\/h1>[\s\S]*id="task-note"[^>]*value="Soon"/)
        const added = yield* submit(undated.text, `${one}/tasks`, {
          type: "call",
          dueDate: "2020-01-31",
          assignee: "",
          note: "Ask <them>"
        })
        assert.match(added.text, /Overdue[\s\S]*Ask &lt;them&gt;/)
        const task = (yield* of(0)).nextTask?.id
        const done = yield* submit(added.text, `${one}/tasks/${task}/complete`)
        assert.include(done.text, "completed a task")
        yield* submit((yield* submit(done.text, `${one}/tasks/${task}/reopen`)).text, `${one}/tasks/${task}/cancel`)
        assert.strictEqual((yield* of(0)).openTaskCount, 0)
        const wrong = yield* submit(done.text, `${one}/bids`, { amount: "much", currency: "EUR" })
        assert.strictEqual(wrong.status, 400)
        assert.match(wrong.text, /value="much"[^>]*inputmode="decimal"/)
        assert.include(wrong.text, "Write a number, such as 45,500 or 12.5.")
        assert.match(wrong.text, /<h1>Rossi[^<]*<\/h1>[\s\S]*<details class="section" id="bids"\s+open/)
        const bid = yield* submit(wrong.text, `${one}/bids`, { amount: "12,500,000", currency: "eur" })
        assert.match(bid.text, /<li>12,500,000 EUR/)
        assert.match(bid.text, /id="bids"\s+open/, "one is still where one was")
        assert.match(bid.text, /<div class="text">12,500,000 EUR/)
        assert.notInclude(bid.text, "12500000")
        const called = yield* submit(bid.text, `${one}/calls`, { note: "Wants the numbers of 2025" })
        assert.include(called.text, "Wants the numbers of 2025", "the conversation has the text")
        yield* submit(called.text, `${one}/im`)
        const given = yield* submit(called.text, `${one}/access`)
        assert.match(given.text, /Due diligence<\/a>\s*<span class="below"\s*>has access/)
        assert.match(given.text, /id="access"\s+open/)
        const withdrawn = yield* submit(given.text, `${one}/access`)
        assert.include(withdrawn.text, "access withdrawn")
        assert.strictEqual((yield* of(0)).stage, "bid")
      })
    )

    it.effect("take one off the list, and put it back from the drawer or the list of those that were removed", () =>
      Effect.gen(function* () {
        const { ids, of, page, path, submit } = yield* deal("Rossi")
        const one = `${path}/${ids[0]}`
        const gone = yield* submit(yield* page(`?open=${ids[0]}`), `${one}/remove`)
        assert.include(gone.text, "Put back on the list")
        assert.include(gone.text, "No investors yet")
        const back = yield* submit(gone.text, `${one}/restore`)
        assert.include(back.text, "is on the list again")
        yield* submit(back.text, `${one}/remove`)
        const removed = yield* page("/removed")
        assert.include(removed, "Rossi")
        yield* submit(removed, `${one}/restore`)
        assert.strictEqual((yield* of(0)).removedUtc, null)
      })
    )
  })
})
