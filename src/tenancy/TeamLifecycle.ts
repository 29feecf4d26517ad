/**
 * How whole teams end and come back: docs/behaviour/identity.md#deleted-teams. A deleted team is closed to everybody at once, and what it
 * shared is as when its projects are closed. It comes back when it is restored in time; else a job removes all that it has, in steps.
 */
import * as Id from "../core/Id.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { Context, Effect, Exit, Layer, Option } from "effect"
import { FileRetention } from "../content/files/FileRetention.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { onlyOperator } from "../core/auth/CurrentActor.ts"
import { DryRun } from "../core/mutation/ChangeRecord.ts"
import { Quotas } from "../core/quotas/Quotas.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { ProjectLifecycle } from "../deals/lifecycle/ProjectLifecycle.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { graceDays, teamStateOf, teamTransitions } from "../identity/teams/rules.ts"
import { ConfirmationRequired, type TeamOfOperator, TeamPurged } from "../identity/teams/Team.ts"
import { NewInvestors, Teams } from "../identity/teams/Teams.ts"
import { inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { now } from "../platform/Time.ts"
import { WebhookHealth } from "../webhooks/WebhookHealth.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { PurgeRepo, type RemovedRows } from "./PurgeRepo.ts"

const graceMillis = graceDays * 86_400_000

/** How many rows of a team one transaction removes, and how many of all teams it looks at where no index finds those of one. */
const step = { limit: 1000, pageSize: 20_000 }

const noSuchTeam = new NotFound({ detail: "There is no team with this id: `admin team list` shows them." })

const isPurged = new TeamPurged({
  detail: "The team is being purged, for good: an archive of it can be imported later."
})

const timesOf = (team: TeamOfOperator) => ({
  id: Id.fromUuid("team", team.id),
  name: team.name,
  state: teamStateOf(team),
  createdUtc: team.createdAt.toISOString(),
  deletedUtc: team.deletedAt?.toISOString() ?? null,
  purgeUtc: team.deletedAt === null ? null : (team.purgeAt?.toISOString() ?? null)
})

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* PurgeRepo
  const teams = yield* Teams
  const clients = yield* Clients
  const quotas = yield* Quotas
  const webhooks = yield* Webhooks
  const health = yield* WebhookHealth
  const projects = yield* ProjectLifecycle
  const investors = yield* NewInvestors
  const retention = yield* FileRetention
  const auditLog = yield* AuditLog

  const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Transaction.run(self).pipe(Effect.provideService(Database, sql))

  const load = Effect.fnUntraced(function* (id: string) {
    const uuid = Id.toUuid("team", id)
    return (uuid === undefined ? undefined : yield* teams.find(uuid)) ?? (yield* noSuchTeam)
  })

  const lock = Effect.fnUntraced(function* (uuid: string) {
    return (yield* teams.lock(uuid)) ?? (yield* noSuchTeam)
  })

  /** A team, deleted or not, with its members, clients and webhooks, and how much it has. For the operator only. */
  const show = Effect.fn("TeamLifecycle.show")(function* (id: string) {
    yield* onlyOperator
    const team = yield* load(id)
    const usage = yield* inTeam(team.id)(quotas.usage(team.id))
    const used = (kind: string) => usage.find((one) => one.kind === kind)?.used ?? 0
    return {
      ...timesOf(team),
      plan: team.plan,
      members: (yield* teams.membersOfOperator(team.id)).map(({ deactivatedAt, id, isBot, ...member }) => ({
        id: Id.fromUuid("user", id),
        ...member,
        ...(isBot ? { isBot: true } : {}),
        ...(deactivatedAt === null ? {} : { deactivated: true })
      })),
      clients: yield* clients.list(id),
      webhooks: yield* inTeam(team.id)(health.status(id)),
      records: Object.fromEntries(
        usage.flatMap(({ kind, used }) => (used === null || kind.endsWith("_bytes") ? [] : [[kind, used] as const]))
      ),
      storageBytes: used("file_bytes"),
      quotas: usage
    }
  })

  // Projects, one transaction each: a job goes on with those that are left when a command is interrupted.

  const closeProjects = Effect.fnUntraced(function* (team: string) {
    const open = yield* projects.openOf(team)
    const closed = yield* Effect.forEach(open, (uuid) => projects.closeWithTeam(team, uuid))
    return closed.filter((isClosed) => isClosed).length
  })

  const reopenProjects = Effect.fnUntraced(function* ({ id, openProjects, purgeAt }: TeamOfOperator) {
    // A restored team keeps the time of its purge until here, so that a restore that was interrupted goes on.
    const since = new Date((purgeAt ?? (yield* now)).getTime() - graceMillis)
    const reopened = yield* Effect.forEach(openProjects ?? [], (uuid) => projects.reopenWithTeam(id, uuid, since))
    yield* inTransaction(
      Effect.gen(function* () {
        const locked = yield* lock(id)
        if (locked.deletedAt === null) yield* teams.mark(id, { ...locked, purgeAt: null, openProjects: null })
      })
    )
    return reopened.filter((isOpen) => isOpen).length
  })

  /**
   * A step of a purge, while that goes on: another process may have ended it since, and an archive have brought the team back. None then.
   */
  const whilePurging = <A, E, R>(team: string, step: Effect.Effect<A, E, R>) =>
    inTransaction(
      Effect.flatMap(teams.lock(team), (locked) =>
        locked !== undefined && teamStateOf(locked) === "purging" ? Effect.asSome(step) : Effect.succeedNone
      )
    )

  /**
   * Removes all that a deleted team has, for good. Repeating it goes on where it was interrupted. Returns how many rows it removed from
   * each table.
   */
  const purge = Effect.fnUntraced(function* (team: string) {
    yield* inTransaction(
      Effect.gen(function* () {
        const locked = yield* lock(team)
        if (teamTransitions[teamStateOf(locked)].purge === "refused") return yield* noSuchTeam
        yield* teams.mark(team, { ...locked, purgeBeganAt: locked.purgeBeganAt ?? (yield* now) })
      })
    )
    const bots = yield* repo.botsOf(team)
    yield* whilePurging(team, repo.removeByWhatItHas(team))
    const removed: { [table: string]: number } = {}
    for (const table of yield* repo.tables) {
      let after: ReadonlyArray<string> | undefined = []
      while (after !== undefined) {
        const from: ReadonlyArray<string> = after
        const some: Option.Option<RemovedRows> = yield* whilePurging(team, repo.removeSome(team, table, from, step))
        if (Option.isNone(some)) return removed
        const { contents, next, removed: count } = some.value
        // What fails here is removed by the sweep of objects without a file.
        if (contents.length > 0) yield* Effect.ignoreCause(retention.discardObjects({ contents, teamId: team }))
        if (count > 0) removed[table.name] = (removed[table.name] ?? 0) + count
        after = next
      }
    }
    yield* whilePurging(
      team,
      Effect.gen(function* () {
        yield* repo.removeTeam(team)
        yield* repo.removeBots(bots)
        const target = { type: "team", id: Id.fromUuid("team", team) } as const
        yield* auditLog.record({ action: "team.purged", target, teamId: team })
      })
    )
    return removed
  })

  const purgeTeam = (team: string) => inTeam(team)(purge(team))

  /**
   * Deletes a team: at once, nobody reaches it, nothing is sent to its webhooks, and its open projects are closed. It can be restored for
   * {@link graceDays} days, unless `now` is asked for, with the name of the team: then all that it has is removed. For the operator only.
   */
  const remove = Effect.fn("TeamLifecycle.delete")(function* (
    id: string,
    options: { readonly now: boolean; readonly confirm: string | undefined }
  ) {
    yield* onlyOperator
    const { id: uuid, name, ...found } = yield* load(id)
    if (options.now && options.confirm !== name) {
      return yield* new ConfirmationRequired({
        detail: `This removes all that the team has, for good. Type its name: --confirm ${JSON.stringify(name)}`
      })
    }
    const usage = (yield* inTeam(uuid)(quotas.usage(uuid))).flatMap(({ kind, used }) =>
      used === null || used === 0 ? [] : [[kind, used] as const]
    )
    const counts = {
      members: (yield* teams.membersOfOperator(uuid)).length,
      clients: (yield* clients.list(id)).filter(({ revokedUtc }) => revokedUtc === null).length,
      has: Object.fromEntries(usage)
    }
    const openNow = yield* inTeam(uuid)(projects.openOf(uuid))
    const at = yield* now
    const purgeAt = options.now ? at : new Date(at.getTime() + graceMillis)
    if ((yield* DryRun) !== undefined) {
      const state = teamTransitions[teamStateOf(found)].delete
      return { id, name, state, purgeUtc: purgeAt.toISOString(), closedProjects: openNow.length, ...counts }
    }
    const stopped = yield* inTransaction(
      Effect.gen(function* () {
        const locked = yield* lock(uuid)
        if (locked.deletedAt !== null) {
          if (options.now) yield* teams.mark(uuid, { ...locked, purgeAt })
          return 0
        }
        // Those that a restore was still reopening are closed again.
        const openProjects = new Set([...(yield* projects.openOf(uuid)), ...(locked.openProjects ?? [])])
        yield* teams.mark(uuid, { deletedAt: at, purgeAt, purgeBeganAt: null, openProjects: [...openProjects] })
        yield* auditLog.record({ action: "team.deleted", target: { type: "team", id }, teamId: uuid })
        return yield* webhooks.stop(uuid)
      }).pipe(inTeam(uuid))
    )
    const closedProjects = found.purgeBeganAt === null ? yield* inTeam(uuid)(closeProjects(uuid)) : 0
    const deleted = { ...timesOf(yield* load(id)), closedProjects, stoppedWebhooks: stopped, ...counts }
    return options.now ? { ...deleted, state: "purged" as const, removed: yield* purgeTeam(uuid) } : deleted
  })

  /** Restores a deleted team, with all that it had: its tokens, clients, webhooks and open projects. For the operator only. */
  const restore = Effect.fn("TeamLifecycle.restore")(function* (id: string) {
    yield* onlyOperator
    const found = yield* load(id)
    const uuid = found.id
    if (teamTransitions[teamStateOf(found)].restore === "refused") return yield* isPurged
    if ((yield* DryRun) !== undefined) {
      return { ...timesOf(found), state: "active" as const, reopens: found.openProjects?.length ?? 0 }
    }
    const startedWebhooks = yield* inTransaction(
      Effect.gen(function* () {
        const locked = yield* lock(uuid)
        if (teamTransitions[teamStateOf(locked)].restore === "refused") return yield* isPurged
        if (locked.deletedAt === null) return 0
        yield* teams.mark(uuid, { ...locked, deletedAt: null })
        yield* auditLog.record({ action: "team.restored", target: { type: "team", id }, teamId: uuid })
        return yield* webhooks.start(uuid)
      }).pipe(inTeam(uuid))
    )
    const reopenedProjects = yield* inTeam(uuid)(reopenProjects(found))
    // What was sent to its investors meanwhile.
    yield* Effect.forEach(yield* teams.membersOfOperator(uuid), (member) => investors.arrived(member.id))
    return { ...timesOf(yield* load(id)), reopenedProjects, startedWebhooks }
  })

  /**
   * Goes on with what was not finished, for a job: closes projects of deleted teams, reopens those of restored ones, and purges the teams
   * whose grace is over. What fails for a team does not stop the others.
   */
  const finish = Effect.fn("TeamLifecycle.finish")(function* () {
    const at = yield* now
    const exits = yield* Effect.forEach(yield* teams.unfinished(), (team) => {
      const isDue = team.purgeAt !== null && team.purgeAt <= at
      const work =
        team.deletedAt === null
          ? reopenProjects(team)
          : Effect.andThen(
              team.purgeBeganAt === null ? closeProjects(team.id) : Effect.void,
              // Another process may have purged it meanwhile.
              isDue ? Effect.ignore(purge(team.id)) : Effect.void
            )
      return Effect.exit(inTeam(team.id)(Effect.orDie(Effect.asVoid(work))))
    })
    yield* Exit.asVoidAll(exits)
  })

  return { show, delete: remove, restore, finish }
})

/** The end of teams. Only the operator may call `show`, `delete` and `restore`; `finish` is for a job. */
export class TeamLifecycle extends Context.Service<TeamLifecycle, Effect.Success<typeof make>>()(
  "tenancy/TeamLifecycle"
) {
  static readonly layer = Layer.effect(TeamLifecycle, make).pipe(
    Layer.provide([
      Clients.layer,
      FileRetention.layer,
      ProjectLifecycle.layer,
      PurgeRepo.layer,
      Teams.layer,
      WebhookHealth.layer,
      Webhooks.layer
    ])
  )
}
