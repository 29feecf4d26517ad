/** The SQL of what a room keeps about its questions, scoped by team. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import { Database } from "../../../platform/db/Database.ts"
import { orDie } from "../../../platform/db/DatabaseUnavailable.ts"
import { nextVersionColumns } from "../../../core/records/RecordTable.ts"
import type { QaSettings } from "./asking.ts"
import { questionCategories } from "../Room.ts"
import type { QuestionCategory } from "./Question.ts"

interface Row {
  readonly qa_enabled: boolean
  readonly qa_limit_per_prospect: number | null
  readonly qa_deadline: Date | null
  readonly qa_categories: ReadonlyArray<QuestionCategory> | null
}

const toSettings = (row: Row): QaSettings => ({
  enabled: row.qa_enabled,
  limitPerProspect: row.qa_limit_per_prospect,
  deadline: row.qa_deadline,
  categories: row.qa_categories ?? questionCategories
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** What was set for the questions of a room. */
  const settingsOf = Effect.fn("QaRepo.settingsOf")(function* (teamId: string, roomUuid: string) {
    const [row] = yield* orDie(sql<Row>`
      select qa_enabled, qa_limit_per_prospect, qa_deadline, qa_categories
      from rooms where team_id = ${teamId} and id = ${roomUuid}`)
    return row === undefined ? yield* Effect.die(new Error("the room is gone")) : toSettings(row)
  })

  /** Sets them on a locked room. */
  const write = Effect.fn("QaRepo.write")(function* (change: Change, roomUuid: string, settings: QaSettings) {
    const { categories, deadline, enabled, limitPerProspect } = settings
    const all = questionCategories.every((category) => categories.includes(category))
    yield* orDie(sql`
      update rooms set qa_enabled = ${enabled}, qa_limit_per_prospect = ${limitPerProspect}, qa_deadline = ${deadline},
        qa_categories = ${all ? null : categories}, ${nextVersionColumns(sql, "rooms", change, "updated")}
      where team_id = ${change.actor.teamId} and id = ${roomUuid}`)
  })

  /** Makes the next version of a locked room, whose questions changed; `opened` is the change of its open ones. */
  const follow = Effect.fn("QaRepo.follow")(function* (change: Change, roomUuid: string, opened: -1 | 0 | 1) {
    yield* orDie(sql`
      update rooms set open_question_count = open_question_count + ${opened},
        ${nextVersionColumns(sql, "rooms", change, "updated")}
      where team_id = ${change.actor.teamId} and id = ${roomUuid}`)
  })

  return { settingsOf, write, follow }
})

/** What rooms keep about their questions. */
export class QaRepo extends Context.Service<QaRepo, Effect.Success<typeof make>>()("deals/rooms/questions/QaRepo") {
  static readonly layer = Layer.effect(QaRepo, make)
}
