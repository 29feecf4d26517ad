/** The pure decision on the prospects of merged contacts or companies (docs/behaviour/projects-and-prospects.md#merged-investors). */
import * as Id from "../../core/Id.ts"
import { Result } from "effect"
import { maxRefs } from "../../core/externalRefs/ExternalRef.ts"
import { distinctTags, maxTags } from "../../core/fields/Text.ts"
import type { Stored } from "../../core/records/Table.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { differing } from "../../core/usecase/UnvalidatedJson.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { type AuditEntry, deletedEntry, isSame, projectTagsChangedEntry, stageOf, stageRaisedEntries } from "./rules.ts"
import { type ProspectRow, type ProspectState, type Stage, stages, type StoredNextTask } from "./Prospect.ts"

/** The contacts or companies `from`, which are merged into `to`, by their UUIDs. */
export interface Reassignment {
  readonly type: "contact" | "company"
  readonly from: ReadonlyArray<string>
  readonly to: string
}

type StoredProspect = Stored<ProspectRow>

/** When tasks were created, by their ids: of tasks that are due on one day, the oldest is next. */
export type TaskCreationTimes = ReadonlyMap<string, string>

/** When the active access of prospects to rooms ends, by their UUIDs; null: never. Those without active access are not in it. */
export type ActiveEnds = ReadonlyMap<string, string | null>

/** What the plan of a merge depends on beside the prospects. */
export interface MergeContext {
  /** Whether survivors may exceed the limit of external references, as in later steps of a merge that was accepted. */
  readonly mayExceed?: boolean
  readonly createdUtcById: TaskCreationTimes
  readonly activeEnds: ActiveEnds
}

/** The merge of the prospects on one project: one survives, and absorbs the others. */
export interface ProspectMerge {
  readonly survivor: StoredProspect
  readonly absorbed: ReadonlyArray<StoredProspect>
  /** The survivor's state after the merge. */
  readonly state: ProspectState
  /** Whether that differs from the state before. */
  readonly isChanged: boolean
  readonly emitted: ReadonlyArray<AuditEntry>
}

/** On the list before removed, living before deleted with the project. */
const rankOf = ({ deletedUtc, removedUtc }: ProspectRow) =>
  (deletedUtc === null ? 0 : 2) + (removedUtc === null ? 0 : 1)

/** Compares keys member by member. */
const compareKeys = (a: ReadonlyArray<number | string>, b: ReadonlyArray<number | string>): number => {
  const first = a.findIndex((value, index) => value !== b[index])
  return first < 0 ? 0 : (a[first] ?? "") < (b[first] ?? "") ? -1 : 1
}

const highest = (reached: ReadonlyArray<Stage>): Stage =>
  stages.findLast((stage) => reached.includes(stage)) ?? "not_contacted"

const earliest = (moments: ReadonlyArray<string | null>): string | null =>
  moments.filter((moment) => moment !== null).toSorted()[0] ?? null

const nextTaskOf = (
  tasks: ReadonlyArray<StoredNextTask | null>,
  createdUtcById: TaskCreationTimes
): StoredNextTask | null => {
  const keyOf = ({ due, id }: StoredNextTask) => [due, createdUtcById.get(id) ?? "", id]
  return tasks.filter((task) => task !== null).toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)))[0] ?? null
}

/**
 * Whether the access and the offers of a prospect stay suspended when `survivor` absorbs it: somebody took it off the list, and the
 * survivor is on it.
 */
const staysSuspended = (survivor: StoredProspect, { resource }: StoredProspect): boolean =>
  resource.removedUtc !== null && survivor.resource.removedUtc === null

/** The survivor and those absorbed prospects whose access and offers it takes over. */
const withoutSuspended = (
  survivor: StoredProspect,
  absorbed: ReadonlyArray<StoredProspect>
): ReadonlyArray<StoredProspect> => [survivor, ...absorbed.filter((prospect) => !staysSuspended(survivor, prospect))]

/** The absorbed prospects (UUIDs) whose access and offers the survivors do not take over. */
export const suspendedIn = (merges: ReadonlyArray<ProspectMerge>): ReadonlySet<string> =>
  new Set(
    merges.flatMap(({ absorbed, survivor }) =>
      absorbed.filter((prospect) => staysSuspended(survivor, prospect)).map(({ uuid }) => uuid)
    )
  )

/** The survivors (UUIDs) that are not on the list. */
export const removedIn = (merges: ReadonlyArray<ProspectMerge>): ReadonlySet<string> =>
  new Set(merges.flatMap(({ survivor }) => (survivor.resource.removedUtc === null ? [] : [survivor.uuid])))

/**
 * The end of access after a merge: the latest of active access, so that access that was withdrawn or has ended touches no other. Without
 * active access, that of the first prospect that ever had access.
 */
const mergedEnd = (
  survivor: StoredProspect,
  absorbed: ReadonlyArray<StoredProspect>,
  activeEnds: ActiveEnds
): string | null => {
  const all = withoutSuspended(survivor, absorbed)
  const ends = all.map(({ uuid }) => activeEnds.get(uuid)).filter((end) => end !== undefined)
  if (ends.length === 0) {
    return (all.find(({ resource }) => resource.roomAccessUtc !== null) ?? all[0])?.resource.accessExpiryUtc ?? null
  }
  return ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null)
}

/** Merges the states; what people said of the survivor (classification, interest, owner …) stays its own. */
const mergeStates = (
  survivor: StoredProspect,
  absorbed: ReadonlyArray<StoredProspect>,
  { activeEnds, createdUtcById }: MergeContext
): ProspectState => {
  const all: ReadonlyArray<ProspectState> = [survivor, ...absorbed].map(({ resource }) => resource)
  const withOffers = withoutSuspended(survivor, absorbed).map(({ resource }) => resource)
  const sum = (member: "noteCount" | "openTaskCount") => all.reduce((total, state) => total + state[member], 0)
  const state: ProspectState = {
    ...survivor.resource,
    projectTags: distinctTags(all.flatMap(({ projectTags }) => projectTags)).slice(0, maxTags),
    externalRefs: all.flatMap(({ externalRefs }) => externalRefs),
    milestoneStage: highest(all.map(({ milestoneStage }) => milestoneStage)),
    teaserCommunicatedUtc: earliest(all.map(({ teaserCommunicatedUtc }) => teaserCommunicatedUtc)),
    roomAccessUtc: earliest(all.map(({ roomAccessUtc }) => roomAccessUtc)),
    accessExpiryUtc: mergedEnd(survivor, absorbed, activeEnds),
    accepted: withOffers.some(({ accepted }) => accepted),
    chat: withOffers.some(({ chat }) => chat),
    invitation: withOffers.some(({ invitation }) => invitation),
    noteCount: sum("noteCount"),
    openTaskCount: sum("openTaskCount"),
    nextTask: nextTaskOf(
      all.map(({ nextTask }) => nextTask),
      createdUtcById
    )
  }
  return { ...state, stage: stageOf(state) }
}

const byProject = (prospects: ReadonlyArray<StoredProspect>): ReadonlyArray<ReadonlyArray<StoredProspect>> => [
  ...Map.groupBy(prospects, ({ resource }) => resource.projectId).values()
]

/** The ids of the next tasks whose age {@link planMerge} needs: those of prospects that share a project. */
export const competingNextTasks = (prospects: ReadonlyArray<StoredProspect>): ReadonlyArray<string> =>
  byProject(prospects).flatMap((group) =>
    group.length < 2 ? [] : group.flatMap(({ resource }) => resource.nextTask?.id ?? [])
  )

/** The entries of a survivor: subscribers hear of it while it is on the list. */
const entriesOf = ({ deleted, resource }: StoredProspect, state: ProspectState): ReadonlyArray<AuditEntry> =>
  deleted || resource.removedUtc !== null
    ? []
    : [
        ...stageRaisedEntries(resource.stage, state.stage),
        ...(differing({ projectTags: state.projectTags }, resource).length === 0 ? [] : [projectTagsChangedEntry])
      ]

/** The refusal of a merge after which a prospect on this project would have too many references. */
export const overfull = (projectId: string, prospectId = "a prospect"): InvalidRequest =>
  InvalidRequest.of([
    bodyFault(
      "/from",
      "too_many",
      `On ${projectId}, ${prospectId} would have more than ${maxRefs} external references after the merge.`
    )
  ])

/**
 * Plans the merge of all prospects of the merged contacts or companies and of the one that absorbs them, project by project.
 * Of several on one project, a prospect on the list survives before a removed one, then the absorbing investor's own before
 * others, then the oldest. The survivor takes over tasks, notes and timelines, external references, project tags (after its
 * own, at most 50 in all), the highest stage that was reached, and communication and access, which ends
 * with the latest active one; not the suspended access and offers of removed prospects, if it is on the list itself. Fails when a
 * survivor would exceed the limit of external references.
 */
export const planMerge = (
  prospects: ReadonlyArray<StoredProspect>,
  { to, type }: Reassignment,
  context: MergeContext
): Result.Result<ReadonlyArray<ProspectMerge>, InvalidRequest> => {
  const member = type === "contact" ? ("contactId" as const) : ("companyId" as const)
  const investorId = Id.fromUuid(type, to)
  const keyOf = ({ resource }: StoredProspect) => [
    rankOf(resource),
    resource[member] === investorId ? 0 : 1,
    resource.createdUtc,
    resource.id
  ]
  const merges: Array<ProspectMerge> = []
  for (const group of byProject(prospects)) {
    const [survivor, ...absorbed] = group.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)))
    if (survivor === undefined) continue
    const before: ProspectState = survivor.resource
    const state = {
      ...mergeStates(survivor, absorbed, context),
      [member]: investorId
    }
    if (state.externalRefs.length > maxRefs && context.mayExceed !== true) {
      return Result.fail(overfull(state.projectId, survivor.resource.id))
    }
    merges.push({
      survivor,
      absorbed,
      state,
      isChanged: !isSame(before, state),
      emitted: entriesOf(survivor, state)
    })
  }
  return Result.succeed(merges)
}

/** The entry of a prospect that was absorbed by `survivorId`, with the references that it had. */
export const mergedEntry = ({ externalRefs, id }: ProspectRow, survivorId: string): AuditEntry => {
  const entry = deletedEntry(externalRefs)
  return {
    ...entry,
    // The row is on the survivor's timeline.
    event: "prospect.updated",
    details: { message: `Became part of this prospect: ${id}.` },
    ...(entry.webhook === undefined
      ? {}
      : {
          webhook: {
            type: entry.webhook.type,
            extras: { ...entry.webhook.extras, action: { type: "merged", to: survivorId } }
          }
        })
  }
}
