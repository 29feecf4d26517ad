/** A tenant with a project and all investors, and a model of them that is compared with the service. */
import * as prospectsFixture from "../fixture.ts"
import * as requests from "./requests.ts"
import * as Symbols from "./symbols.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Prospect as Answer } from "../../../../src/deals/prospects/Prospect.ts"
import type { Payload } from "../../../support/RecordsClient.ts"
import type { Reply } from "../../../support/TestService.ts"
import { compareRelated } from "./compareRelated.ts"
import { answerOf, emailOf, isLiving, isOnList, make as makeModel, nameOf, projectOf } from "./Model.ts"
import { companies, contacts, investorNames, kindOf, type Operation } from "./operations.ts"
import type { Outcome } from "./Outcome.ts"
import { apply } from "./steps.ts"

/** An item of the answer of a bulk operation. */
interface Result {
  readonly id: string | null
  readonly status: string
  readonly etag: string | null
  readonly problem?: { readonly code: string }
}

/** Ordered by resource; events of one resource keep their order. */
const byResource = (events: ReadonlyArray<Payload>) =>
  events.toSorted((a, b) => String(a["resource_id"]).localeCompare(String(b["resource_id"])))

/** The tenant. */
export const make = Effect.fn("model/fixture")(function* () {
  const client = yield* prospectsFixture.make()
  const { ask, projectId, prospects } = client
  const model = makeModel()
  const symbols = Symbols.make(Date.now())
  const { bind, meaningOf, resolve } = symbols
  bind("@project:0", projectId)
  bind("@user:0", client.user)
  const people = contacts.map((whom) => ({ firstName: nameOf(whom, 0), email: emailOf(whom, 0) }))
  const firms = companies.map((whom) => ({ name: nameOf(whom, 0) }))
  const created = [
    ...(yield* client.contacts.upsert(people)).body.results,
    ...(yield* client.companies.upsert(firms)).body.results
  ]
  for (const [index, whom] of investorNames.entries()) bind(`@${kindOf(whom)}:${whom}`, created[index]?.id ?? "")

  /** The latest answer for each prospect, by its id. */
  const answers = new Map<string, Answer>()
  const { pathOf, send } = yield* requests.make(client, model, symbols, (id) => answers.get(id)?.etag)
  let emitted = (yield* client.events).length
  const nothing = { etag: "", shown: "" }
  let project = nothing

  /** Reads all prospects and compares each with the model; the ETag changes exactly when the answer does. */
  const compareProspects = Effect.gen(function* () {
    const off = model.prospects.filter((one) => isLiving(model, one) && !isOnList(model, one))
    const on = model.prospects.filter((one) => isOnList(model, one))
    const [list, ...removed] = yield* Effect.all(
      [prospects.list("?page_size=500"), ...off.map(({ number }) => prospects.get(meaningOf(`@prospect:${number}`)))],
      { concurrency: 3 }
    )
    assert.strictEqual(list.status, model.project.deletedAt === null ? 200 : 404)
    if (model.project.deletedAt !== null) return
    const { data } = list.body
    const order = data.map(({ createdUtc, id }) => `${createdUtc} ${id}`)
    assert.deepStrictEqual(order, order.toSorted())
    assert.lengthOf(data, on.length)
    const found = new Map([...data, ...removed.map(({ body }) => body as Answer)].map((one) => [one.id, one]))
    const moved = [...on, ...off].find(({ updatedAt }) => updatedAt === model.step)
    const now = found.get(meaningOf(`@prospect:${moved?.number}`))
    if (now !== undefined) bind(`@at:${model.step}`, now.updatedUtc)
    for (const one of [...on, ...off]) {
      const id = meaningOf(`@prospect:${one.number}`)
      const answer = found.get(id)
      assert.isDefined(answer, `${id} is there`)
      const former = answers.get(id)
      assert.deepStrictEqual<unknown>(answer, { ...resolve(answerOf(model, one)), etag: answer.etag })
      if (former !== undefined) {
        assert.strictEqual(
          answer.etag !== former.etag,
          one.updatedAt === model.step,
          `${former.etag}, then ${answer.etag}`
        )
        assert.isAtLeast(Date.parse(answer.updatedUtc), Date.parse(former.updatedUtc))
      }
      answers.set(id, answer)
    }
  })

  const compareProject = Effect.gen(function* () {
    const { body, status } = yield* ask("GET", `/api/v1/projects/${projectId}`)
    assert.strictEqual(status, model.project.deletedAt === null ? 200 : 404)
    if (status === 404) {
      project = nothing
      return
    }
    const expected = resolve(projectOf(model))
    assert.deepInclude(body, expected)
    const now = { etag: String(body["etag"]), shown: JSON.stringify(expected) }
    assert.strictEqual(now.etag !== project.etag, now.shown !== project.shown)
    project = now
  })

  /** Compares the events of the operation. */
  const compareEvents = Effect.fnUntraced(function* (operation: Operation, outcome: Outcome) {
    const events = (yield* client.events).slice(emitted)
    emitted += events.length
    for (const { timestamp } of events) bind(`@at:${model.step}`, String(timestamp))
    const own = events.filter(({ resource_type }) => resource_type === "project" || resource_type === "prospect")
    assert.deepStrictEqual(
      byResource(own.map(({ action_id: _number, timestamp: _time, ...event }) => event)),
      byResource(
        outcome.events.map((event) => ({
          ...resolve(event),
          resource_type: String(event["event"]).split(".")[0],
          actor_user_id: operation.do === "milestone" ? null : client.user,
          change_initiator: null
        }))
      )
    )
  })

  /** Compares the answer with what is read afterwards. */
  const compareReply = ({ do: name }: Operation, { body }: Reply, { answer, prospect }: Outcome) => {
    if (prospect !== undefined) {
      assert.deepStrictEqual<unknown>(body, answers.get(meaningOf(`@prospect:${prospect.number}`)))
    }
    if (answer === undefined) return
    if (name === "classify") {
      const { classified, failed } = body as Readonly<Record<string, unknown>> & prospectsFixture.Classified
      const codes = failed.map(({ code, id }) => ({ id, code }))
      assert.deepStrictEqual<unknown>({ classified, failed: codes }, resolve(answer))
      return
    }
    const results = body["results"] as ReadonlyArray<Result>
    assert.deepStrictEqual<unknown>(
      results.map(({ id, problem, status }) => ({
        status,
        id,
        ...(problem === undefined ? {} : { code: problem.code })
      })),
      resolve(answer)
    )
    for (const { etag, id } of results)
      if (id !== null && etag !== null) assert.strictEqual(etag, answers.get(id)?.etag)
  }

  /** Sends an operation, and compares everything that can be read afterwards. */
  const run = Effect.fnUntraced(function* (operation: Operation) {
    const reply = yield* send(operation)
    const outcome = apply(model, operation)
    assert.deepStrictEqual(
      { status: reply.status, code: reply.body["code"] },
      { status: outcome.status, code: outcome.code },
      reply.text
    )
    const ids = outcome.created.length === 0 ? [] : requests.createdIds(operation, reply)
    for (const [index, symbol] of outcome.created.entries()) bind(symbol, ids[index] ?? "")
    yield* compareEvents(operation, outcome)
    yield* Effect.all([compareProspects, compareProject], { concurrency: 2 })
    compareReply(operation, reply, outcome)
  })

  /** Compares what needs several requests. */
  const finish = Effect.gen(function* () {
    if (model.project.deletedAt !== null) yield* run({ do: "project", move: "restore" })
    yield* compareRelated(client, model, symbols, pathOf)
  })

  return { model, run, finish }
})
