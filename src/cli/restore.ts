/** The operator's command that restores what a client or a user has deleted. */
import * as Id from "../core/Id.ts"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { now } from "../platform/Time.ts"
import { restorable } from "../network/restores/Restore.ts"
import { type RestoredOfType, Restores, type RestoreSummary } from "../network/restores/Restores.ts"
import { dryRunFlag, teamFlag, timeFlag } from "./Command.ts"
import { print, tableOf, withFlagNames } from "./Output.ts"
import { inTeam } from "./transfer.ts"

// How much is shown of what did not come back; --json has all of it.
const maxShown = 20

const linesOfSummary = ({ notRestored, records }: RestoreSummary): ReadonlyArray<string> => [
  ...(records.length === 0
    ? ["There is nothing to restore."]
    : tableOf([
        ["TYPE", "DELETED", "RESTORED"],
        ...records.map(({ deleted, restored, type }) => [type, String(deleted), String(restored)])
      ])),
  ...(notRestored.length === 0 ? [] : ["", "Not restored:"]),
  ...tableOf(
    notRestored
      .slice(0, maxShown)
      .map(({ code, externalId, holderId, id, namespace, type }) => [
        `  ${code}`,
        type,
        id ?? "-",
        namespace === null ? "" : `${namespace}:${externalId}`,
        holderId === null ? "" : `held by ${holderId}`
      ])
  ),
  ...(notRestored.length > maxShown ? [`  and ${notRestored.length - maxShown} more: --json lists all`] : [])
]

const linesOfRehearsal = ({
  records
}: {
  readonly records: ReadonlyArray<Pick<RestoredOfType, "deleted" | "type">>
}): ReadonlyArray<string> =>
  tableOf([["TYPE", "WOULD BE RESTORED"], ...records.map(({ deleted, type }) => [type, String(deleted)])])

/** `restore`. */
export const restore = Command.make(
  "restore",
  {
    deletedBy: Flag.String("deleted-by").pipe(
      Flag.withDescription("Who deleted: a client's id (`client list` shows it), or a user's id or e-mail address")
    ),
    since: timeFlag("since", "What was deleted since this time"),
    until: Flag.optional(timeFlag("until", "What was deleted until this time (by default, now)")),
    type: Flag.Literals("type", restorable).pipe(
      Flag.withDescription("Only records of this type. May be repeated (by default, all)"),
      Flag.atLeast(0)
    ),
    team: teamFlag,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Restore contacts and companies although others have their address or name by now"),
      Flag.withDefault(false)
    ),
    dryRun: dryRunFlag
  },
  Effect.fnUntraced(function* ({ deletedBy, dryRun, force, since, team, type, until }) {
    const at = yield* now
    yield* inTeam(team, (teamId) =>
      Effect.gen(function* () {
        const restores = yield* Restores
        const what = {
          teamId,
          by: yield* restores.deleterNamed(deletedBy),
          since: since(at),
          until: Option.getOrElse(until, () => () => at)(at),
          types: type.length === 0 ? restorable : type,
          force
        }
        if (dryRun) {
          const records = yield* restores.count(what)
          return yield* print({ dryRun: true, teamId: Id.fromUuid("team", teamId), records }, linesOfRehearsal)
        }
        const summary = yield* restores.restoreDeletedBy(what, (progress) =>
          Console.error(`Restored ${progress.restored} of ${progress.deleted}: ${progress.type}`)
        )
        yield* print(summary, linesOfSummary)
      }).pipe(asOperator, withFlagNames())
    )
  })
).pipe(
  Command.withDescription(
    "Restore what a client or user has deleted within the last 30 days, with what went with it: contacts and companies first, then properties, mandates and links that were deleted themselves. What is restored already is skipped, so that a command that was interrupted goes on where it stopped"
  ),
  Command.withExamples([
    { command: "restore --deleted-by client_… --since 2h --team team_… --dry-run" },
    { command: "restore --deleted-by eva@example.com --since 2026-11-20T10:00Z --type contact --team team_…" }
  ])
)
