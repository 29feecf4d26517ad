/** The pure decisions on prospects: each answers the state that follows, and what is told of it (decisions §6). */
import type { ActionDetails, ActionEvent } from "../changes/Action.ts"
import type { EventExtras } from "../changes/Event.ts"
import type { ChangeRecord } from "../changes/ChangeRecord.ts"
import type { AuditPartition } from "../changes/Timeline.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { distinctTags } from "../fields/Tags.ts"
import { differing } from "../usecase/MergePatch.ts"
import { type Milestone, milestoneStages, type Stage, stages } from "./Prospect.ts"
import type { ProspectRef, ProspectState, StageSources } from "./ProspectState.ts"

/** What is told of one thing that happened to a prospect: a row of the timelines, and perhaps an event. */
export interface AuditEntry {
  readonly change: ChangeRecord["change"]
  readonly event: ActionEvent
  readonly details?: Omit<Extract<ActionDetails, { readonly kind: "audit" }>, "kind">
  readonly partition?: AuditPartition
  /** The UUID of the row, where it is known beforehand. */
  readonly id?: string
  readonly webhook?: {
    readonly type: "prospect.created" | "prospect.updated" | "prospect.deleted"
    readonly extras: EventExtras
  }
}

/** What a decision comes to. */
export interface Decision {
  readonly state: ProspectState
  readonly emitted: ReadonlyArray<AuditEntry>
}

/** A prospect's rows are on its own timeline and, rolled up, on that of its project. */
export const subjectsOf = ({ projectUuid, uuid }: ProspectRef): ChangeRecord["subjects"] => [
  { type: "prospect", id: uuid },
  { type: "project", id: projectUuid, rollUp: "prospect" }
]

/** The change record of an entry. */
export const changeRecordOf = (ref: ProspectRef, entry: AuditEntry): ChangeRecord => ({
  change: entry.change,
  resource: { type: "prospect", id: ref.uuid },
  subjects: subjectsOf(ref),
  timeline: {
    event: entry.event,
    details: { kind: "audit", ...entry.details },
    ...(entry.partition === undefined ? {} : { partition: entry.partition }),
    ...(entry.id === undefined ? {} : { id: entry.id })
  },
  ...(entry.webhook === undefined
    ? {}
    : {
        event: { type: entry.webhook.type, resource: "prospect", extras: entry.webhook.extras }
      })
})

const higher = (a: Stage, b: Stage): Stage => (stages.indexOf(a) >= stages.indexOf(b) ? a : b)

/** The stage: what happened reaches it; a correction says it anew, and what happens after that can still raise it. */
export const stageOf = ({ overrideStage, raisedStage, reachedStage }: StageSources): Stage =>
  overrideStage === null ? reachedStage : higher(overrideStage, raisedStage)

const staged = (state: ProspectState): ProspectState => ({ ...state, stage: stageOf(state) })

/** An event of an update: `action` tells what caused it; `changed` are listed names of members. */
const updated = (
  action: EventExtras["action"],
  changed: ReadonlyArray<string> | null = null
): NonNullable<AuditEntry["webhook"]> => ({
  type: "prospect.updated",
  extras: { changed_fields: changed, ...(action === undefined ? {} : { action }) }
})

/** `from` and `to`, as far as there is something to name. */
const between = (from: string | null, to: string | null) => ({
  ...(from === null ? {} : { from }),
  ...(to === null ? {} : { to })
})

const nothing = (state: ProspectState): Decision => ({ state, emitted: [] })

/** Several decisions, each on what the one before left. */
const inTurn = (state: ProspectState, ...decisions: ReadonlyArray<(state: ProspectState) => Decision>): Decision =>
  decisions.reduce<Decision>((before, decide) => {
    const after = decide(before.state)
    return { state: after.state, emitted: [...before.emitted, ...after.emitted] }
  }, nothing(state))

/** Interest is recorded, or cleared with null. */
export const interestChanged = (state: ProspectState, to: string | null): Decision =>
  state.interest === to
    ? nothing(state)
    : {
        state: { ...state, interest: to },
        emitted: [
          {
            change: "updated",
            event: "prospect.interest_changed",
            details: between(state.interest, to),
            webhook: updated({ type: "interest_changed", ...between(state.interest, to) })
          }
        ]
      }

/**
 * The classification is written as it was given; `bidder` records the interest `interested`, too, unless an interest is
 * given besides. With a `noteId` (the public id of the note that comments it) there is a row even where nothing changes.
 */
export const classified = (
  state: ProspectState,
  to: string,
  options: { readonly noteId?: string | undefined; readonly interestGiven?: boolean } = {}
): Decision => {
  const { interestGiven = false, noteId } = options
  const isNew = state.classification !== to
  const emitted: ReadonlyArray<AuditEntry> =
    !isNew && noteId === undefined
      ? []
      : [
          {
            change: "updated",
            event: "prospect.classified",
            details: { ...between(state.classification, to), ...(noteId === undefined ? {} : { noteId }) },
            ...(noteId === undefined ? {} : { partition: "comment" }),
            ...(isNew
              ? {
                  webhook: updated({
                    type: "classified",
                    ...between(state.classification, to),
                    ...(noteId === undefined ? {} : { note_id: noteId })
                  })
                }
              : {})
          }
        ]
  const written = { state: isNew ? { ...state, classification: to } : state, emitted }
  if (to !== "bidder" || interestGiven) return written
  const after = interestChanged(written.state, "interested")
  return { state: after.state, emitted: [...emitted, ...after.emitted] }
}

/** Who does something, and when: a public id, and ISO 8601. */
export interface By {
  readonly userId: string | null
  readonly at: string
}

/** The stage is corrected by hand. Without a reason, the present stage and that of the present correction change nothing. */
export const stageOverridden = (state: ProspectState, to: Stage, reason: string | undefined, by: By): Decision => {
  if (reason === undefined && (state.overrideStage === to || state.stage === to)) return nothing(state)
  return {
    state: staged({
      ...state,
      overrideStage: to,
      overrideBy: by.userId,
      overrideUtc: by.at,
      overrideReason: reason ?? null,
      raisedStage: "not_contacted"
    }),
    emitted: [
      {
        change: "updated",
        event: "prospect.stage_overridden",
        details: { ...between(state.stage, to), ...(reason === undefined ? {} : { message: reason }) },
        webhook: updated({ type: "stage_overridden", from: state.stage, to })
      }
    ]
  }
}

/** Every correction is withdrawn: the stage is what happened. */
export const overrideWithdrawn = (state: ProspectState): Decision => {
  if (state.overrideStage === null) return nothing(state)
  const after = staged({
    ...state,
    overrideStage: null,
    overrideBy: null,
    overrideUtc: null,
    overrideReason: null,
    raisedStage: "not_contacted"
  })
  return {
    state: after,
    emitted: [
      {
        change: "updated",
        event: "prospect.stage_override_withdrawn",
        details: between(state.stage, after.stage),
        webhook: updated({ type: "stage_overridden", from: state.stage, to: after.stage })
      }
    ]
  }
}

const rowOf = {
  teaser_communicated: "prospect.teaser_communicated",
  im_shared: "prospect.im_shared",
  room_access_granted: "prospect.room_access_granted",
  bid_recorded: "prospect.bid_recorded"
} as const satisfies { readonly [kind in Milestone]: ActionEvent }

/** Something happened in the process (`at` is ISO 8601): it may raise the stage, and never lowers it. */
export const happened = (state: ProspectState, kind: Milestone, at: string): Decision => {
  const reached = milestoneStages[kind]
  const next = staged({
    ...state,
    reachedStage: higher(state.reachedStage, reached),
    raisedStage: state.overrideStage === null ? state.raisedStage : higher(state.raisedStage, reached),
    teaserCommunicatedUtc: state.teaserCommunicatedUtc ?? (kind === "teaser_communicated" ? at : null),
    roomAccessUtc: state.roomAccessUtc ?? (kind === "room_access_granted" ? at : null)
  })
  const isRaised = next.stage !== state.stage
  return {
    state: isSame(state, next) ? state : next,
    emitted: [
      {
        change: "updated",
        event: rowOf[kind],
        ...(isRaised ? { details: between(state.stage, next.stage) } : {}),
        ...(isRaised ? { webhook: updated({ type: "stage_raised", from: state.stage, to: next.stage }) } : {})
      }
    ]
  }
}

/** Whether nothing that is written differs. */
export const isSame = (before: ProspectState, after: ProspectState): boolean =>
  before === after || differing(after, before).length === 0

/** What is written and not answered. */
const unanswered: ReadonlyArray<keyof ProspectState> = ["reachedStage", "raisedStage", "roomAccessUtc"]

/** Whether nothing that is answered differs. */
export const isSameAnswer = (before: ProspectState, after: ProspectState): boolean =>
  differing(after, before).every((member) => unanswered.includes(member))

/** A change of a prospect, with what it names resolved. */
export interface Patch {
  readonly classification?: string
  readonly interest?: string | null
  readonly stage?: Stage
  readonly stageReason?: string
  readonly projectTags?: ReadonlyArray<string>
  readonly ownerId?: string | null
  readonly accessExpiryUtc?: string | null
  readonly externalRefs?: ReadonlyArray<ExternalRef>
}

const row = (event: ActionEvent, webhook?: AuditEntry["webhook"]): AuditEntry => ({
  change: "updated",
  event,
  ...(webhook === undefined ? {} : { webhook })
})

/** That the project tags are others. */
export const projectTagsEntry: AuditEntry = row("prospect.project_tags_changed", updated(undefined, ["project_tags"]))

/** Writes one member, which is told when it differs. */
const writing =
  <Member extends keyof ProspectState>(member: Member, value: ProspectState[Member] | undefined, emitted: AuditEntry) =>
  (state: ProspectState): Decision => {
    if (value === undefined || differing({ [member]: value }, state).length === 0) return nothing(state)
    return { state: { ...state, [member]: value }, emitted: [emitted] }
  }

/** Changes members; where classification comes with interest or stage, those win. */
export const patched = (state: ProspectState, patch: Patch, by: By): Decision => {
  const { classification, interest, stage } = patch
  return inTurn(
    state,
    (now) =>
      classification === undefined
        ? nothing(now)
        : classified(now, classification, { interestGiven: interest !== undefined }),
    (now) => (interest === undefined ? nothing(now) : interestChanged(now, interest)),
    (now) => (stage === undefined ? nothing(now) : stageOverridden(now, stage, patch.stageReason, by)),
    writing(
      "projectTags",
      patch.projectTags === undefined ? undefined : distinctTags(patch.projectTags),
      projectTagsEntry
    ),
    writing(
      "externalRefs",
      patch.externalRefs,
      row("prospect.external_refs_changed", updated(undefined, ["external_refs"]))
    ),
    writing("ownerId", patch.ownerId, row("prospect.owner_changed")),
    writing("accessExpiryUtc", patch.accessExpiryUtc, row("prospect.access_expiry_changed"))
  )
}

/** A new prospect is told. */
export const addedEntry: AuditEntry = {
  change: "created",
  event: "prospect.created",
  webhook: { type: "prospect.created", extras: { action: { type: "added" } } }
}

/** The entry of a removal from the list. */
export const removedEntry: AuditEntry = {
  change: "updated",
  event: "prospect.removed",
  webhook: updated({ type: "removed" }, ["deleted_at"])
}

/** Removes a prospect from the list; it keeps everything. */
export const removed = (state: ProspectState, at: string): Decision =>
  state.removedUtc !== null
    ? nothing(state)
    : {
        state: { ...state, removedUtc: at },
        emitted: [removedEntry]
      }

/** It comes back on the list, as it was. */
export const restored = (state: ProspectState): Decision =>
  state.removedUtc === null
    ? nothing(state)
    : {
        state: { ...state, removedUtc: null },
        emitted: [
          { change: "restored", event: "prospect.restored", webhook: updated({ type: "restored" }, ["deleted_at"]) }
        ]
      }

/** A deleted prospect is told, with the references that it had. */
export const deletedEntry = (externalRefs: ReadonlyArray<ExternalRef>): AuditEntry => ({
  change: "deleted",
  event: "prospect.deleted",
  webhook: {
    type: "prospect.deleted",
    extras: { external_refs: externalRefs.map(({ externalId, namespace }) => ({ namespace, id: externalId })) }
  }
})

/** A stage that was raised by what others had, where it was. */
export const raisedEntry = (from: Stage, to: Stage): ReadonlyArray<AuditEntry> =>
  from === to
    ? []
    : [
        {
          change: "updated",
          event: "prospect.updated",
          details: between(from, to),
          webhook: updated({ type: "stage_raised", from, to })
        }
      ]

/** What project tags are found by: their case does not count. */
export const keysOfTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> =>
  // Twice, for letters that have several of the other case: ß is ss, and a sigma at the end is one.
  distinctTags(tags.map((tag) => tag.normalize("NFC").toUpperCase().toLowerCase()))
