/** What comes back with a restored contact, company or property, and what has changed since: docs/behaviour/http.md#restore. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { deal } from "../../deals/offers/OffersClient.ts"
import { TestService } from "../../support/TestService.ts"
import { type AnyRecord, make, paths, refusal, withoutAudit } from "./fixture.ts"

const idsOf = (records: ReadonlyArray<AnyRecord>) => records.map(({ id }) => id)

layer(TestService.layer, { excludeTestServices: true })("A restored contact", (it) => {
  it.effect("has its links, notes, files, prospects, mandates and the project that it sells", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [contact, company] = [yield* team.contact({ email: "anna@example.com" }), yield* team.company()]
      yield* team.patch(`${paths.contact}/${contact.id}`, { primaryCompanyId: company.id })
      const link = yield* team.link(contact.id, company.id, { jobTitle: "Partner" })
      const mandate = yield* team.record("mandate", { status: "paused", investor: { contactId: contact.id } })
      const [open, closed] = [yield* team.project({ sellerContactId: contact.id }), yield* team.project()]
      const prospects = yield* Effect.forEach([open, closed], ({ id }) =>
        team.post(`/api/v1/projects/${id}/prospects`, { contactId: contact.id })
      )
      yield* team.patch(`/api/v1/projects/${open.id}/prospects/${prospects[0]!.id}`, { projectTags: ["warm"] })
      yield* team.post(`/api/v1/projects/${closed.id}/close`, {})
      yield* team.post(`${paths.contact}/${contact.id}/notes`, { message: "Prefers mornings" })
      const form = new FormData()
      form.set("file", new File(["content"], "cv.pdf", { type: "application/pdf" }))
      const uploaded = yield* team.request("POST", `${paths.contact}/${contact.id}/files`, { token: team.token, form })
      assert.strictEqual(uploaded.status, 201, uploaded.text)
      const state = Effect.all({
        contact: Effect.map(team.read("contact", contact.id), withoutAudit),
        links: Effect.map(team.list(`${paths.link}?contact_id=${contact.id}`), (all) => all.map(withoutAudit)),
        mandate: Effect.map(team.read("mandate", mandate.id), withoutAudit),
        open: Effect.map(team.get(`/api/v1/projects/${open.id}`), withoutAudit),
        lists: Effect.forEach([open, closed], ({ id }) =>
          Effect.map(team.list(`/api/v1/projects/${id}/prospects`), (all) => all.map(withoutAudit))
        ),
        notes: team.list(`${paths.contact}/${contact.id}/notes`),
        files: team.list(`${paths.contact}/${contact.id}/files`)
      })
      const before = yield* state
      yield* team.remove("contact", contact.id)
      assert.strictEqual((yield* team.read("mandate", mandate.id))["status"], "closed")
      assert.deepStrictEqual(yield* team.list(`/api/v1/projects/${open.id}/prospects`), [])
      assert.strictEqual(yield* team.status(`/api/v1/files/${String((uploaded.body as { id?: string }).id)}`), 404)

      const count = yield* team.countEvents
      const back = yield* team.restore("contact", contact.id)
      assert.deepStrictEqual(back.notRestored, [])
      assert.deepStrictEqual(yield* state, before)
      assert.strictEqual((yield* team.read("link", link.id))["changeType"], "restored")
      assert.deepStrictEqual(
        (yield* team.eventsSince(count)).toSorted(),
        [
          `contact.restored ${contact.id}`,
          `link.restored ${link.id} contact.restored`,
          `mandate.updated ${mandate.id} contact.restored`,
          `project.updated ${open.id} contact.restored`,
          `prospect.updated ${prospects[0]!.id} contact.restored`
        ].toSorted()
      )
      const rows = yield* team.list(`${paths.contact}/${contact.id}/actions`)
      assert.lengthOf(
        rows.filter((row) => row["event"] === "contact.restored"),
        1
      )
    })
  )

  it.effect("keeps what somebody has changed since, and says so", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [contact, other] = [yield* team.contact(), yield* team.contact()]
      const mandate = yield* team.record("mandate", { investor: { contactId: contact.id } })
      const [sold, closed, reopened] = [
        yield* team.project({ sellerContactId: contact.id }),
        yield* team.project(),
        yield* team.project({ sellerContactId: contact.id })
      ]
      const [onClosed, onReopened] = yield* Effect.forEach([closed, reopened], ({ id }) =>
        team.post(`/api/v1/projects/${id}/prospects`, { contactId: contact.id })
      )
      // Its list is kept while it is closed, and the prospect leaves it when it is open again.
      yield* team.post(`/api/v1/projects/${reopened.id}/close`, {})
      yield* team.remove("contact", contact.id)
      yield* team.post(`/api/v1/projects/${reopened.id}/reopen`, {})
      yield* team.patch(`/api/v1/projects/${sold.id}`, { sellerContactId: other.id })
      yield* team.post(`/api/v1/projects/${closed.id}/close`, {})
      yield* team.remove("mandate", mandate.id)

      const { notRestored } = yield* team.restore("contact", contact.id)
      assert.deepStrictEqual(
        notRestored.map(({ code, id, type }) => [type, id, code]).toSorted(),
        [
          ["project", sold.id, "changed"],
          ["prospect", onClosed!.id, "project_closed"]
        ].toSorted()
      )
      assert.strictEqual((yield* team.get(`/api/v1/projects/${sold.id}`))["sellerContactId"], other.id)
      assert.deepStrictEqual(idsOf(yield* team.list(`/api/v1/projects/${reopened.id}/prospects`)), [onReopened!.id])
      assert.strictEqual((yield* team.get(`/api/v1/projects/${reopened.id}`))["sellerContactId"], contact.id)
      // A mandate that was deleted since comes back as it was before both deletions.
      assert.strictEqual((yield* team.restore("mandate", mandate.id))["status"], "active")
    })
  )

  it.effect(
    "has the offer again that its investor accepted, and comes back once, however many ask at the same time",
    () =>
      Effect.gen(function* () {
        const { buyer, offerId, prospect, seller } = yield* deal()
        const { request } = yield* TestService
        const path = `${paths.contact}/${prospect.contactId}`
        yield* buyer.accept(offerId)
        assert.strictEqual((yield* request("DELETE", path, { token: seller.token })).status, 204)
        assert.strictEqual((yield* buyer.get(offerId)).body.status, "removed")
        const replies = yield* Effect.all(
          [1, 2, 3].map(() => request("POST", `${path}/restore`, { token: seller.token })),
          { concurrency: 3 }
        )
        assert.sameMembers(
          replies.map(({ body, status }) => (status === 200 ? status : body["code"])),
          [200, "not_deleted", "not_deleted"]
        )
        assert.strictEqual((yield* buyer.get(offerId)).body.status, "accepted")
        assert.isTrue((yield* seller.prospect(prospect.id)).accepted)
      })
  )

  it.effect("does not get back what came to an end with the other side, until that is back, too", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const company = yield* team.company()
      const contact = yield* team.contact({ primaryCompanyId: company.id })
      const link = yield* team.link(contact.id, company.id)
      const mandate = yield* team.record("mandate", { investor: { companyId: company.id } })
      for (const first of ["contact", "company"] as const) {
        yield* team.remove("contact", contact.id)
        yield* team.remove("mandate", mandate.id)
        yield* team.remove("company", company.id)
        assert.deepStrictEqual(refusal(yield* team.tryRestore("link", link.id)), [409, "investor_deleted"])
        if (first === "contact") {
          assert.deepStrictEqual(
            (yield* team.restore("contact", contact.id)).notRestored.map(({ code, id, type }) => [type, id, code]),
            [
              ["company", company.id, "not_found"],
              ["link", link.id, "investor_deleted"]
            ]
          )
          assert.deepStrictEqual(
            (yield* team.restore("mandate", mandate.id)).notRestored.map(({ code, id, type }) => [type, id, code]),
            [["mandate", mandate.id, "investor_deleted"]]
          )
          assert.deepStrictEqual((yield* team.restore("company", company.id)).notRestored, [])
        } else {
          yield* team.restore("company", company.id)
          assert.deepStrictEqual((yield* team.restore("contact", contact.id)).notRestored, [])
          yield* team.restore("mandate", mandate.id)
        }
        assert.strictEqual((yield* team.read("contact", contact.id))["primaryCompanyId"], company.id)
        assert.deepStrictEqual(idsOf(yield* team.list(`${paths.link}?contact_id=${contact.id}`)), [link.id])
        assert.strictEqual((yield* team.read("mandate", mandate.id))["status"], "active")
      }
    })
  )

  it.effect("is linked and employed by what its company was merged into", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [company, into] = [yield* team.company(), yield* team.company({ name: "Tal AB" })]
      const contact = yield* team.contact({ primaryCompanyId: company.id })
      const links = [yield* team.link(contact.id, company.id), yield* team.link(contact.id, into.id)]
      yield* team.remove("contact", contact.id)
      yield* team.post(`${paths.company}/${into.id}/merge`, { from: [company.id] })
      const { notRestored } = yield* team.restore("contact", contact.id)
      assert.deepStrictEqual(
        notRestored.map(({ code, type }) => [type, code]),
        [["link", "duplicate"]]
      )
      assert.strictEqual((yield* team.read("contact", contact.id))["primaryCompanyId"], into.id)
      const [link, ...others] = yield* team.list(paths.link)
      assert.deepStrictEqual([link?.["companyId"], others.length], [into.id, 0])
      assert.include(idsOf(links), link?.id)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A restored company", (it) => {
  it.effect("has its links and those again who mainly worked for it, but for those who have another company now", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [company, other] = [yield* team.company(), yield* team.company({ name: "Tal AB" })]
      const employees = yield* Effect.forEach([1, 2, 3], () => team.contact({ primaryCompanyId: company.id }))
      const links = yield* Effect.forEach(employees, ({ id }) => team.link(id, company.id))
      const [, moved, gone] = employees
      yield* team.remove("company", company.id)
      yield* team.patch(`${paths.contact}/${moved!.id}`, { primaryCompanyId: other.id })
      yield* team.remove("contact", gone!.id)
      const { notRestored } = yield* team.restore("company", company.id)
      assert.deepStrictEqual(
        notRestored.map(({ code, id, type }) => [type, id, code]).toSorted(),
        [
          ["contact", moved!.id, "changed"],
          ["link", links[2]!.id, "investor_deleted"]
        ].toSorted()
      )
      yield* team.restore("contact", gone!.id)
      assert.deepStrictEqual(
        yield* Effect.forEach(employees, ({ id }) =>
          Effect.map(team.read("contact", id), (contact) => contact["primaryCompanyId"])
        ),
        [company.id, other.id, company.id]
      )
      assert.sameMembers(idsOf(yield* team.list(paths.link)), idsOf(links))
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A restored property", (it) => {
  it.effect("is on its projects again, where it was, with its teaser", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [first, second, third] = yield* Effect.forEach([1, 2, 3], () => team.record("property"))
      const all = idsOf([first!, second!, third!])
      const project = yield* team.project({ propertyIds: all })
      const path = `/api/v1/projects/${project.id}`
      const listed = Effect.map(team.get(path), (found) => found["propertyIds"])
      const teaser = `${paths.property}/${second!.id}/teaser`
      yield* team.patch(teaser, { title: "A quiet place" })
      const before = yield* team.get(teaser)
      yield* team.remove("property", second!.id, "?force=true")
      yield* team.remove("property", first!.id, "?force=true")
      assert.deepStrictEqual(yield* listed, [third!.id])

      const count = yield* team.countEvents
      const back = yield* team.restore("property", second!.id)
      assert.deepStrictEqual([back["projectIds"], back.notRestored], [[project.id], []])
      assert.deepStrictEqual(yield* team.eventsSince(count), [
        `property.restored ${second!.id}`,
        `project.updated ${project.id} property.restored`
      ])
      assert.deepStrictEqual(yield* team.get(teaser), before)
      assert.deepStrictEqual(yield* listed, all.slice(1))
      assert.deepStrictEqual((yield* team.restore("property", first!.id)).notRestored, [])
      assert.deepStrictEqual(yield* listed, all)

      yield* Effect.forEach(all, (id) => team.remove("property", id, "?force=true"))
      assert.deepStrictEqual(
        (yield* team.batchRestore("property", all)).results.map(({ notRestored, status }) => [status, notRestored]),
        all.map(() => ["restored", []])
      )
      assert.deepStrictEqual(yield* listed, all)
    })
  )

  it.effect("stays away from a project whose list somebody has written since", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const [property, other] = [yield* team.record("property"), yield* team.record("property")]
      const project = yield* team.project({ propertyIds: [property.id] })
      yield* team.remove("property", property.id, "?force=true")
      yield* team.patch(`/api/v1/projects/${project.id}`, { propertyIds: [other.id] })
      const back = yield* team.restore("property", property.id)
      assert.deepStrictEqual(
        back.notRestored.map(({ code, id, type }) => [type, id, code]),
        [["project", project.id, "changed"]]
      )
      assert.deepStrictEqual(back["projectIds"], [])
      assert.deepStrictEqual((yield* team.get(`/api/v1/projects/${project.id}`))["propertyIds"], [other.id])
    })
  )
})
