/** Records milestones of prospects, as the modules do that cause them. */
import * as Id from "../../src/core/Id.ts"
import { Effect } from "effect"
import { actAs, operatorOf } from "../../src/core/auth/CurrentActor.ts"
import { Changes } from "../../src/core/mutation/Changes.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { orDie } from "../../src/platform/db/DatabaseUnavailable.ts"
import type { Milestone } from "../../src/deals/prospects/Prospect.ts"
import { Prospects } from "../../src/deals/prospects/Prospects.ts"
import { ProspectWrites } from "../../src/deals/prospects/ProspectWrites.ts"
import { NotFound, ProspectRemoved } from "../../src/core/usecase/Problem.ts"

/** Records that a prospect reached a milestone, as the operator. Answers the prospect. */
export const reach = Effect.fn("milestones.reach")(function* (projectId: string, id: string, milestone: Milestone) {
  const sql = yield* Database
  const [projectUuid = "", uuid = ""] = [Id.toUuid("project", projectId), Id.toUuid("prospect", id)]
  const [team] = yield* orDie(sql<{ readonly id: string }>`
    select team_id as id from prospects where id = ${uuid} and project_id = ${projectUuid} and deleted_at is null`)
  if (team === undefined) return yield* new NotFound({ detail: "There is no such prospect." })
  const operator = operatorOf(team.id)
  const { commit } = yield* Changes
  const { reachAll } = yield* ProspectWrites
  yield* commit(operator, (change) =>
    Effect.gen(function* () {
      const reached = yield* reachAll(change, projectUuid, [uuid], milestone)
      if (reached.length === 0) yield* ProspectRemoved.rejection()
    })
  )
  const { getById } = yield* Prospects
  return yield* actAs(operator)(getById(id))
})
