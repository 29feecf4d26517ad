/**
 * The quotas of teams (docs/behaviour/quotas.md): what use-cases ask before they insert, in the transaction that inserts.
 *
 * Creates that run at the same time do not see each other's rows and do not wait for one another, so together they can exceed a quota
 * by what one transaction of each writes.
 */
import { inTeam } from "../../platform/db/Cells.ts"
import { Context, Effect, Layer } from "effect"
import {
  type Allowance,
  definitions,
  exceeded,
  type Figures,
  kinds,
  percentOf,
  type CreateQuotaKind,
  type QuotaUsage,
  type ResourceQuotaKind,
  roomOf,
  type TeamQuotaKind
} from "./Quota.ts"
import { QuotasRepo } from "./QuotasRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* QuotasRepo

  /**
   * The figures of a team, which may be another one than the caller's, for some kinds, in one statement. Of a kind that bounds one
   * resource, nothing is used.
   */
  const figures = Effect.fn("Quotas.figures")(function* <const Kind extends CreateQuotaKind>(
    teamId: string,
    ...of: ReadonlyArray<Kind>
  ) {
    const rows = new Map((yield* inTeam(teamId)(repo.read(teamId, of))).map((row) => [row.kind, row]))
    return (kind: Kind): Figures => {
      const { quota = null, used = 0 } = rows.get(kind) ?? {}
      return { quota: quota ?? definitions[kind].quota, used: Math.max(0, used) }
    }
  })

  /** What may still be created of a kind. `isOwn` says whether the team is that of the caller. */
  const allowanceOf = (
    kind: TeamQuotaKind,
    present: Figures,
    isOwn = true
  ): Allowance & { readonly room: () => number } => {
    let left = present
    return {
      room: () => roomOf(left),
      take: (amount = 1) => {
        if (amount > roomOf(left)) return exceeded(kind, left, isOwn)
        left = { ...left, used: left.used + amount }
        return undefined
      }
    }
  }

  /** What a team may still create of a kind. `callerTeamId` is that of the caller: an investor also writes to the broker's team. */
  const allowance = Effect.fn("Quotas.allowance")(function* (
    teamId: string,
    kind: TeamQuotaKind,
    callerTeamId: string = teamId
  ) {
    const of = yield* figures(teamId, kind)
    return allowanceOf(kind, of(kind), teamId === callerTeamId)
  })

  /**
   * What a team may still create of a kind, without and with an idempotency key, whose answer is stored. Both are used up together.
   */
  const allowances = Effect.fn("Quotas.allowances")(function* (teamId: string, kind: TeamQuotaKind, isKeyed: boolean) {
    const of = yield* figures(teamId, kind, ...(isKeyed ? (["stored_answer_bytes"] as const) : []))
    const [rows, answers] = [allowanceOf(kind, of(kind)), allowanceOf("stored_answer_bytes", of("stored_answer_bytes"))]
    const keyed: Allowance = { take: (amount) => answers.take() ?? rows.take(amount) }
    return { unkeyed: rows, keyed }
  })

  /** Fails unless a team may create so much more of a kind. */
  const require = Effect.fn("Quotas.require")(function* (
    teamId: string,
    kind: TeamQuotaKind,
    { amount = 1, callerTeamId = teamId }: { readonly amount?: number; readonly callerTeamId?: string } = {}
  ) {
    const refusal = (yield* allowance(teamId, kind, callerTeamId)).take(amount)
    if (refusal !== undefined) return yield* refusal
  })

  /** Fails unless a resource may have one more. `count` counts what it has, up to a number at which it may stop. */
  const requireOfResource = Effect.fn("Quotas.requireOfResource")(function* (
    teamId: string,
    kind: ResourceQuotaKind,
    count: (atMost: number) => Effect.Effect<number>
  ) {
    const { quota } = (yield* figures(teamId, kind))(kind)
    const used = yield* count(quota)
    if (used >= quota) return yield* exceeded(kind, { quota, used }, true)
  })

  /** All quotas of a team, and what is used of them. */
  const usage = Effect.fn("Quotas.usage")(function* (teamId: string) {
    const rows = new Map((yield* repo.read(teamId, kinds)).map((row) => [row.kind, row]))
    return kinds.map((kind): QuotaUsage => {
      const { quota: set = null, used = 0 } = rows.get(kind) ?? {}
      const quota = set ?? definitions[kind].quota
      const present = Math.max(0, used)
      const isOfTeam = definitions[kind].of === "team"
      return {
        kind,
        quota,
        isDefault: set === null,
        used: isOfTeam ? present : null,
        percent: isOfTeam && quota !== null ? percentOf({ quota, used: present }) : null
      }
    })
  })

  return { figures, allowance, allowances, require, requireOfResource, usage, set: repo.set }
})

/** The quotas of teams, for use-cases that have authorized their caller. */
export class Quotas extends Context.Service<Quotas, Effect.Success<typeof make>>()("core/quotas/Quotas") {
  static readonly layer = Layer.effect(Quotas, make).pipe(Layer.provide(QuotasRepo.layer))
}
