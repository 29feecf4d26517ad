/** Compares what needs several requests: the delta with tombstones, filters, and tasks, notes and projects of prospects. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Prospect as Answer } from "../../../../src/deals/prospects/Prospect.ts"
import type { Page } from "../../../../src/core/usecase/Page.ts"
import { type Row, untilSettled } from "../../../support/RecordsClient.ts"
import type { Client } from "./requests.ts"
import { answerOf, isActive, isLiving, isOnList, type Model, type Prospect, stageOf, tombstoneOf } from "./Model.ts"
import { type InvestorName, investorNames } from "./operations.ts"
import { dayOf, type Symbols } from "./symbols.ts"

const filtersOf = ({ investors }: Model): ReadonlyArray<readonly [string, (one: Prospect) => boolean]> => {
  const isDue = ({ tasks }: Prospect, isMeant: (due: number) => boolean) =>
    tasks.some(({ due, state }) => state === "open" && isMeant(due))
  return [
    ["classification=bidder", ({ classification }) => classification === "bidder"],
    ["interest=none", ({ interest }) => interest === null],
    ["stage=im", (one) => stageOf(one) === "im"],
    ["capability=communicated", ({ teaserAt }) => teaserAt !== null],
    [
      "project_tags=FIRST&project_tags=x",
      ({ projectTags }) => projectTags.some((tag) => tag.toLowerCase() === "first")
    ],
    ["tags=core&tags=x", ({ whom }) => investors[whom].tags.includes("core")],
    ["task_due=overdue", (one) => isDue(one, (due) => due < 0)],
    ["task_due=today", (one) => isDue(one, (due) => due === 0)],
    ["external_ref=crm:1", ({ refs }) => refs.includes("crm:1")]
  ]
}

/** Compares all of it; the project is not deleted. */
export const compareRelated = Effect.fnUntraced(function* (
  { ask, projectId, prospects }: Client,
  model: Model,
  { meaningOf, now, resolve }: Symbols,
  pathOf: (whom: InvestorName) => string
) {
  const idOf = ({ number }: Pick<Prospect, "number">) => meaningOf(`@prospect:${number}`)
  const listed = model.prospects.filter((one) => isOnList(model, one))

  yield* untilSettled("prospects")
  const delta = `?updated_since=${dayOf(-1, now)}&include_deleted=true&page_size=500`
  const { data } = (yield* prospects.list(delta)).body
  // The tenant has no other project.
  assert.deepStrictEqual((yield* ask<Page<Answer>>("GET", `/api/v1/prospects${delta}`)).body.data, data)
  assert.lengthOf(data, model.prospects.length)
  const order = data.map(({ id, updatedUtc }) => `${updatedUtc} ${id}`)
  assert.deepStrictEqual(order, order.toSorted())
  for (const one of model.prospects) {
    const row = data.find(({ id }) => id === idOf(one))
    const expected = resolve(isOnList(model, one) ? answerOf(model, one) : tombstoneOf(one))
    assert.deepStrictEqual<unknown>(row, { ...expected, etag: row?.etag })
  }

  const taskOf = (number: number) => meaningOf(`@task:${number}`)
  const living = model.prospects.filter((one) => isLiving(model, one))
  const everyTask = (yield* ask<Page<Row>>("GET", "/api/v1/tasks?page_size=500")).body.data
  assert.sameDeepMembers(
    everyTask.map(({ id, prospectId, status }) => [id, prospectId, status]),
    living.flatMap((one) => one.tasks.map(({ number, state }) => [taskOf(number), idOf(one), state]))
  )

  const compareFilter = Effect.fnUntraced(function* ([query, isMeant]: ReturnType<typeof filtersOf>[number]) {
    const found = (yield* prospects.list(`?${query}`)).body.data.map(({ id }) => id)
    assert.deepStrictEqual(found.toSorted(), listed.filter(isMeant).map(idOf).toSorted(), query)
  })

  const compareBelow = Effect.fnUntraced(function* (one: Prospect) {
    const path = `${prospects.path}/${idOf(one)}`
    if (!isLiving(model, one)) {
      assert.strictEqual((yield* ask("GET", path)).status, 404)
      return
    }
    const tasks = (yield* ask<Page<Row>>("GET", `${path}/tasks`)).body.data
    assert.deepStrictEqual(
      tasks.map(({ id, status }) => [id, status]),
      one.tasks.toSorted((a, b) => a.number - b.number).map(({ number, state }) => [taskOf(number), state])
    )
    const rows = (yield* prospects.actions(idOf(one), "?type=notes&include_rollups=false&page_size=500")).body.data
    assert.sameMembers(
      rows.filter(({ type }) => type === "note").map(({ id }) => id),
      one.notes.filter(isActive).map(({ number }) => meaningOf(`@note:${number}`))
    )
  })

  const compareProjects = Effect.fnUntraced(function* (whom: InvestorName) {
    const projects = (yield* ask<Page<Row>>("GET", `${pathOf(whom)}/projects`)).body.data
    assert.deepStrictEqual(
      projects.map(({ id, prospectClassification }) => [id, prospectClassification]),
      listed.filter((one) => one.whom === whom).map(({ classification }) => [projectId, classification])
    )
  })

  yield* Effect.all(
    [
      ...filtersOf(model).map(compareFilter),
      ...model.prospects.map(compareBelow),
      ...investorNames.filter((one) => model.investors[one].state === "living").map(compareProjects)
    ],
    { concurrency: 4, discard: true }
  )
})
