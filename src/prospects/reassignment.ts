/** The pure decision on the prospects of contacts or companies that become part of another (decisions §4). */
import { Result } from "effect"
import { maxRefs } from "../externalRefs/ExternalRef.ts"
import { distinctTags, maxTags } from "../fields/Tags.ts"
import { bodyFault } from "../usecase/Input.ts"
import { differing } from "../usecase/MergePatch.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import type { Stored } from "../records/RecordTable.ts"
import type { Reassignment } from "./Cascade.ts"
import { type Stage, stages } from "./Prospect.ts"
import type { NextTask, ProspectRow, ProspectState } from "./ProspectState.ts"
import { deletedEntry, isSame, projectTagsEntry, raisedEntry, stageOf, type AuditEntry } from "./rules.ts"

type StoredProspect = Stored<ProspectRow>

/** When tasks were created, by their ids: of those that are due on one day, the oldest is the next. */
export type TaskTimes = ReadonlyMap<string, string>

/** A prospect that stays, and those on the same project that become part of it. */
export interface Kept {
  readonly stored: StoredProspect
  readonly state: ProspectState
  /** Whether the state is another than it was. */
  readonly isChanged: boolean
  readonly absorbed: ReadonlyArray<StoredProspect>
  readonly emitted: ReadonlyArray<AuditEntry>
}

/** On the list before removed, living before deleted with the project. */
const rankOf = ({ deletedUtc, removedUtc }: ProspectRow) =>
  (deletedUtc === null ? 0 : 2) + (removedUtc === null ? 0 : 1)

const before = (a: ReadonlyArray<number | string>, b: ReadonlyArray<number | string>): number => {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? "") < (b[at] ?? "") ? -1 : 1
}

const highest = (reached: ReadonlyArray<Stage>): Stage =>
  stages.findLast((stage) => reached.includes(stage)) ?? "not_contacted"

const earliest = (moments: ReadonlyArray<string | null>): string | null =>
  moments.filter((moment) => moment !== null).toSorted()[0] ?? null

const nextOf = (tasks: ReadonlyArray<NextTask | null>, times: TaskTimes): NextTask | null => {
  const orderOf = ({ due, id }: NextTask) => [due, times.get(id) ?? "", id]
  return tasks.filter((task) => task !== null).toSorted((a, b) => before(orderOf(a), orderOf(b)))[0] ?? null
}

/** What a prospect is with all that the others had; what people said of it (classification, interest, owner …) stays its own. */
const joined = (own: ProspectState, others: ReadonlyArray<ProspectState>, times: TaskTimes): ProspectState => {
  const all = [own, ...others]
  const sum = (member: "noteCount" | "openTaskCount") => all.reduce((total, state) => total + state[member], 0)
  const inRoom = all.find(({ roomAccessUtc }) => roomAccessUtc !== null)
  const state: ProspectState = {
    ...own,
    projectTags: distinctTags(all.flatMap(({ projectTags }) => projectTags)).slice(0, maxTags),
    externalRefs: all.flatMap(({ externalRefs }) => externalRefs),
    reachedStage: highest(all.map(({ reachedStage }) => reachedStage)),
    teaserCommunicatedUtc: earliest(all.map(({ teaserCommunicatedUtc }) => teaserCommunicatedUtc)),
    roomAccessUtc: earliest(all.map(({ roomAccessUtc }) => roomAccessUtc)),
    accessExpiryUtc: (inRoom ?? own).accessExpiryUtc,
    accepted: all.some(({ accepted }) => accepted),
    chat: all.some(({ chat }) => chat),
    invitation: all.some(({ invitation }) => invitation),
    noteCount: sum("noteCount"),
    openTaskCount: sum("openTaskCount"),
    nextTask: nextOf(
      all.map(({ nextTask }) => nextTask),
      times
    )
  }
  return { ...state, stage: stageOf(state) }
}

/** The prospects of each project. */
const byProject = (prospects: ReadonlyArray<StoredProspect>): ReadonlyArray<ReadonlyArray<StoredProspect>> => [
  ...Map.groupBy(prospects, ({ resource }) => resource.projectId).values()
]

/** The next tasks of which {@link planMerge} must know the age: those of prospects that come to be on one project. */
export const rivalTasks = (prospects: ReadonlyArray<StoredProspect>): ReadonlyArray<string> =>
  byProject(prospects).flatMap((group) =>
    group.length < 2 ? [] : group.flatMap(({ resource }) => resource.nextTask?.id ?? [])
  )

/**
 * What becomes of the prospects of contacts or companies that become part of another, its own among them, on all projects.
 * Of several on one project the one on the list stays, rather than one that was removed; then the other's own; then the
 * oldest. It takes over tasks, notes and timelines, external references, project tags (behind its own, at most 50 in all),
 * the highest stage that was reached and what there is of communication and access.
 */
export const planMerge = (
  prospects: ReadonlyArray<StoredProspect>,
  { to, type }: Reassignment,
  times: TaskTimes
): Result.Result<ReadonlyArray<Kept>, InvalidRequest> => {
  const member = type === "contact" ? ("contactId" as const) : ("companyId" as const)
  const survivor = Id.fromUuid(type, to)
  const orderOf = ({ resource }: StoredProspect) => [
    rankOf(resource),
    resource[member] === survivor ? 0 : 1,
    resource.createdUtc,
    resource.id
  ]
  const kept: Array<Kept> = []
  for (const group of byProject(prospects)) {
    const [stored, ...absorbed] = group.toSorted((a, b) => before(orderOf(a), orderOf(b)))
    if (stored === undefined) continue
    const own: ProspectState = stored.resource
    const state = {
      ...joined(
        own,
        absorbed.map(({ resource }) => resource),
        times
      ),
      [member]: survivor
    }
    if (state.externalRefs.length > maxRefs) {
      return Result.fail(
        InvalidRequest.of([
          bodyFault(
            "/from",
            "too_many",
            `With those of others on ${state.projectId}, ${stored.resource.id} would have more than ${maxRefs} external references.`
          )
        ])
      )
    }
    kept.push({ stored, state, isChanged: !isSame(own, state), absorbed, emitted: toldOf(stored, state) })
  }
  return Result.succeed(kept)
}

/** What subscribers must hear of one that took over what others had, while it is on the list. */
const toldOf = ({ deleted, resource }: StoredProspect, state: ProspectState): ReadonlyArray<AuditEntry> =>
  deleted || resource.removedUtc !== null
    ? []
    : [
        ...raisedEntry(resource.stage, state.stage),
        ...(differing({ projectTags: state.projectTags }, resource).length === 0 ? [] : [projectTagsEntry])
      ]

/** One that became part of another prospect (`into` is its id) is told, with the references that it had. */
export const mergedEntry = ({ externalRefs, id }: ProspectRow, into: string): AuditEntry => {
  const emitted = deletedEntry(externalRefs)
  return {
    ...emitted,
    // Its row stands on the one that stays.
    event: "prospect.updated",
    details: { message: `Became part of this prospect: ${id}.` },
    ...(emitted.webhook === undefined
      ? {}
      : {
          webhook: {
            type: emitted.webhook.type,
            extras: { ...emitted.webhook.extras, action: { type: "merged", to: into } }
          }
        })
  }
}
