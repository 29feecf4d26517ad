/** What the operator sees and sets of a team's quotas: docs/behaviour/quotas.md. */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { onlyOperator } from "../../core/auth/Operator.ts"
import { inTeam } from "../../platform/db/CurrentCell.ts"
import { kinds } from "../../core/quotas/Quota.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import type { Json } from "../../core/usecase/Input.ts"
import { Teams } from "./Teams.ts"

const decodeQuota = UnvalidatedJson.decoder(
  Schema.Struct({
    kind: Schema.Literals(kinds),
    quota: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })))
  })
)

const make = Effect.gen(function* () {
  const quotas = yield* Quotas
  const teams = yield* Teams

  /** The quotas of a team, and what it uses of them. For the operator only. */
  const usage = Effect.fn("TeamQuotas.usage")(function* (id: string) {
    yield* onlyOperator
    const uuid = yield* teams.resolve(id)
    return yield* inTeam(uuid)(quotas.usage(uuid))
  })

  /** Sets a quota of a team; null for the default. For the operator only. */
  const set = Effect.fn("TeamQuotas.set")(function* (id: string, input: Json) {
    yield* onlyOperator
    const { kind, quota } = yield* decodeQuota(UnvalidatedJson.of(input))
    const uuid = yield* teams.resolve(id)
    const used = yield* inTeam(uuid)(Effect.andThen(quotas.set(uuid, kind, quota), quotas.usage(uuid)))
    return used.filter((one) => one.kind === kind)
  })

  return { usage, set }
})

/** The use-cases of quotas. */
export class TeamQuotas extends Context.Service<TeamQuotas, Effect.Success<typeof make>>()(
  "identity/teams/TeamQuotas"
) {
  static readonly layer = Layer.effect(TeamQuotas, make)
}
