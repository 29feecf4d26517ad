/**
 * The pure decisions on prospects: each returns the next state and its audit entries
 * (docs/behaviour/projects-and-prospects.md#classification-interest-and-stage).
 */
import type { EventType } from "../../core/mutation/Event.ts"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import { changedFieldNames } from "../../core/mutation/ChangedFields.ts"
import { distinctTags } from "../../core/fields/Text.ts"
import { differing } from "../../core/usecase/MergePatch.ts"
import { amountOf, type Bid } from "./Bid.ts"
import { type AuditEntry, fromTo, projectTagsChangedEntry, removedEntry, updateEntry, updateEvent } from "./entries.ts"
import { type Milestone, milestoneStages, type Stage, stages } from "./Prospect.ts"
import type { ProspectState, StageSources } from "./ProspectState.ts"

const prospectFields = changedFieldNames.prospect

/** The result of a decision. */
export interface Decision {
  readonly state: ProspectState
  readonly emitted: ReadonlyArray<AuditEntry>
}

const higherStage = (a: Stage, b: Stage): Stage => (stages.indexOf(a) >= stages.indexOf(b) ? a : b)

/** Derives the stage: milestones raise it, an override replaces it, and milestones after the override can raise it again. */
export const stageOf = ({ overrideStage, milestoneStageSinceOverride, milestoneStage }: StageSources): Stage =>
  overrideStage === null ? milestoneStage : higherStage(overrideStage, milestoneStageSinceOverride)

const withStage = (state: ProspectState): ProspectState => ({ ...state, stage: stageOf(state) })

const unchanged = (state: ProspectState): Decision => ({ state, emitted: [] })

/** Applies decisions one after the other, each to the state that the one before returned. */
const inSequence = (state: ProspectState, ...decisions: ReadonlyArray<(state: ProspectState) => Decision>): Decision =>
  decisions.reduce<Decision>((before, decide) => {
    const after = decide(before.state)
    return { state: after.state, emitted: [...before.emitted, ...after.emitted] }
  }, unchanged(state))

/** Records the interest, or clears it with null. */
export const changeInterest = (state: ProspectState, to: string | null): Decision =>
  state.interest === to
    ? unchanged(state)
    : {
        state: { ...state, interest: to },
        emitted: [
          {
            change: "updated",
            event: "prospect.interest_changed",
            details: fromTo(state.interest, to),
            webhook: updateEvent({ type: "interest_changed", ...fromTo(state.interest, to) })
          }
        ]
      }

/** Makes an entry one that follows from another. */
const followingOf =
  (cause: AuditEntry) =>
  (entry: AuditEntry): AuditEntry => ({ ...entry, causedBy: cause.webhook?.type ?? cause.event })

/**
 * Classifies. `bidder` also records the interest `interested`, unless `interestGiven`: the same request sets the interest.
 * With a `noteId` (the public id of the note with the comment) there is a row even if the classification stays the same.
 */
export const classify = (
  state: ProspectState,
  to: string,
  options: { readonly noteId?: string | undefined; readonly interestGiven?: boolean } = {}
): Decision => {
  const { interestGiven = false, noteId } = options
  const isChanged = state.classification !== to
  const emitted: ReadonlyArray<AuditEntry> =
    !isChanged && noteId === undefined
      ? []
      : [
          {
            change: "updated",
            event: "prospect.classified",
            details: { ...fromTo(state.classification, to), ...(noteId === undefined ? {} : { noteId }) },
            ...(noteId === undefined ? {} : { partition: "comment" }),
            ...(isChanged
              ? {
                  webhook: updateEvent({
                    type: "classified",
                    ...fromTo(state.classification, to),
                    ...(noteId === undefined ? {} : { note_id: noteId })
                  })
                }
              : {})
          }
        ]
  const written = { state: isChanged ? { ...state, classification: to } : state, emitted }
  if (to !== "bidder" || interestGiven) return written
  const after = changeInterest(written.state, "interested")
  const [classified] = emitted
  const followed = classified === undefined ? after.emitted : after.emitted.map(followingOf(classified))
  return { state: after.state, emitted: [...emitted, ...followed] }
}

/** The actor and time of a decision: the public id of the user (null for the operator), and ISO 8601. */
export interface Attribution {
  readonly userId: string | null
  readonly at: string
}

/** Overrides the stage. Without a reason, the current stage and the stage of the current override change nothing. */
export const overrideStage = (
  state: ProspectState,
  to: Stage,
  reason: string | undefined,
  attribution: Attribution
): Decision => {
  if (reason === undefined && (state.overrideStage === to || state.stage === to)) return unchanged(state)
  return {
    state: withStage({
      ...state,
      overrideStage: to,
      overrideBy: attribution.userId,
      overrideUtc: attribution.at,
      overrideReason: reason ?? null,
      milestoneStageSinceOverride: "not_contacted"
    }),
    emitted: [
      {
        change: "updated",
        event: "prospect.stage_overridden",
        details: { ...fromTo(state.stage, to), ...(reason === undefined ? {} : { message: reason }) },
        webhook: updateEvent({ type: "stage_overridden", from: state.stage, to })
      }
    ]
  }
}

/** Withdraws every override: milestones alone decide the stage again. */
export const withdrawStageOverride = (state: ProspectState): Decision => {
  if (state.overrideStage === null) return unchanged(state)
  const after = withStage({
    ...state,
    overrideStage: null,
    overrideBy: null,
    overrideUtc: null,
    overrideReason: null,
    milestoneStageSinceOverride: "not_contacted"
  })
  return {
    state: after,
    emitted: [
      {
        change: "updated",
        event: "prospect.stage_override_withdrawn",
        details: fromTo(state.stage, after.stage),
        webhook: updateEvent({ type: "stage_overridden", from: state.stage, to: after.stage })
      }
    ]
  }
}

/** The event of each milestone. */
export const milestoneEvents = {
  teaser_communicated: "prospect.teaser_communicated",
  im_shared: "prospect.im_shared",
  room_access_granted: "prospect.room_access_granted",
  bid_recorded: "prospect.bid_recorded"
} as const satisfies { readonly [milestone in Milestone]: EventType }

/** Records a milestone (`at` is ISO 8601), which may raise the stage and never lowers it. */
export const reachMilestone = (state: ProspectState, milestone: Milestone, at: string): Decision => {
  const reached = milestoneStages[milestone]
  const next = withStage({
    ...state,
    milestoneStage: higherStage(state.milestoneStage, reached),
    milestoneStageSinceOverride:
      state.overrideStage === null
        ? state.milestoneStageSinceOverride
        : higherStage(state.milestoneStageSinceOverride, reached),
    teaserCommunicatedUtc: state.teaserCommunicatedUtc ?? (milestone === "teaser_communicated" ? at : null),
    roomAccessUtc: state.roomAccessUtc ?? (milestone === "room_access_granted" ? at : null)
  })
  const isRaised = next.stage !== state.stage
  return {
    state: isSame(state, next) ? state : next,
    emitted: [
      {
        change: "updated",
        event: milestoneEvents[milestone],
        ...(isRaised ? { details: fromTo(state.stage, next.stage) } : {}),
        ...(isRaised ? { webhook: updateEvent({ type: "stage_raised", from: state.stage, to: next.stage }) } : {})
      }
    ]
  }
}

/** Records a bid, of which the row with the UUID `rowUuid` tells. */
export const recordBid = (state: ProspectState, bid: Bid, rowUuid: string, at: string): Decision => {
  const reached = reachMilestone(state, "bid_recorded", at)
  return {
    ...reached,
    emitted: reached.emitted.map((entry) => ({
      ...entry,
      id: rowUuid,
      details: { ...entry.details, message: amountOf(bid) }
    }))
  }
}

/** What access to a data room does to a prospect: new access is a milestone, and it ends then (ISO 8601; null: no end). */
export const enterRoom = (
  state: ProspectState,
  access: { readonly isNew: boolean; readonly accessExpiryUtc: string | null },
  at: string
): Decision =>
  inSequence(
    state,
    (current) => (access.isNew ? reachMilestone(current, "room_access_granted", at) : unchanged(current)),
    setMember("accessExpiryUtc", access.accessExpiryUtc, updateEntry("prospect.access_expiry_changed"))
  )

/** Whether two states are equal. */
export const isSame = (before: ProspectState, after: ProspectState): boolean =>
  before === after || differing(after, before).length === 0

/** Members that are stored, but not part of any answer. */
const internalMembers: ReadonlyArray<keyof ProspectState> = [
  "milestoneStage",
  "milestoneStageSinceOverride",
  "roomAccessUtc"
]

/** Whether two states give the same answer. */
export const isSameAnswer = (before: ProspectState, after: ProspectState): boolean =>
  differing(after, before).every((member) => internalMembers.includes(member))

/** A patch of a prospect, with its references resolved. */
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

/** Sets one member, and emits `entry` if its value changes. */
const setMember =
  <Member extends keyof ProspectState>(member: Member, value: ProspectState[Member] | undefined, entry: AuditEntry) =>
  (state: ProspectState): Decision => {
    if (value === undefined || differing({ [member]: value }, state).length === 0) return unchanged(state)
    return { state: { ...state, [member]: value }, emitted: [entry] }
  }

/** Applies a patch. Where classification comes with interest or stage, these win. */
export const applyPatch = (state: ProspectState, patch: Patch, attribution: Attribution): Decision => {
  const { classification, interest, stage } = patch
  return inSequence(
    state,
    (current) =>
      classification === undefined
        ? unchanged(current)
        : classify(current, classification, { interestGiven: interest !== undefined }),
    (current) => (interest === undefined ? unchanged(current) : changeInterest(current, interest)),
    (current) =>
      stage === undefined ? unchanged(current) : overrideStage(current, stage, patch.stageReason, attribution),
    setMember(
      "projectTags",
      patch.projectTags === undefined ? undefined : distinctTags(patch.projectTags),
      projectTagsChangedEntry
    ),
    setMember(
      "externalRefs",
      patch.externalRefs,
      updateEntry("prospect.external_refs_changed", updateEvent(undefined, ["external_refs"]))
    ),
    setMember("ownerId", patch.ownerId, updateEntry("prospect.owner_changed")),
    setMember("accessExpiryUtc", patch.accessExpiryUtc, updateEntry("prospect.access_expiry_changed"))
  )
}

/** Records that the investor accepted an offer: from then on the two can exchange messages. */
export const accept = (state: ProspectState): Decision => ({
  state: { ...state, accepted: true, chat: true },
  emitted: [
    updateEntry(
      "prospect.accepted",
      updateEvent({ type: "accepted" }, [...prospectFields.accepted, ...prospectFields.chat])
    )
  ]
})

/** Records that the investor rejected an offer, and that they are not interested where no interest is recorded. */
export const reject = (state: ProspectState, reason: string | null): Decision => {
  const rejected: AuditEntry = {
    ...updateEntry("prospect.rejected"),
    ...(reason === null ? {} : { details: { message: reason } })
  }
  const after = state.interest === null ? changeInterest(state, "not_interested") : unchanged(state)
  return { state: after.state, emitted: [rejected, ...after.emitted.map(followingOf(rejected))] }
}

/** Removes a prospect from the list; it keeps everything. */
export const removeFromList = (state: ProspectState, at: string): Decision =>
  state.removedUtc !== null
    ? unchanged(state)
    : {
        state: { ...state, removedUtc: at },
        emitted: [removedEntry]
      }

/** Puts a removed prospect back on the list, unchanged. */
export const restoreToList = (state: ProspectState): Decision =>
  state.removedUtc === null
    ? unchanged(state)
    : {
        state: { ...state, removedUtc: null },
        emitted: [
          { change: "restored", event: "prospect.restored", webhook: updateEvent({ type: "restored" }, ["deleted_at"]) }
        ]
      }

/** Labels without some, and then with others, in their order. Labels that differ in case alone are the same. */
export const changedTags = (
  tags: ReadonlyArray<string>,
  { added, removed }: { readonly added: ReadonlyArray<string>; readonly removed: ReadonlyArray<string> }
): ReadonlyArray<string> => {
  const gone = new Set(tagKeys(removed))
  const kept = tags.filter((tag) => tagKeys([tag]).every((key) => !gone.has(key)))
  return added.reduce<ReadonlyArray<string>>(
    (all, tag) => (tagKeys([...all, tag]).length > tagKeys(all).length ? [...all, tag] : all),
    kept
  )
}

/** The keys by which project tags are found, which ignore case. */
export const tagKeys = (tags: ReadonlyArray<string>): ReadonlyArray<string> =>
  // Upper case first, then lower case, for letters with several forms: ß equals ss, and a final sigma equals any other.
  distinctTags(tags.map((tag) => tag.normalize("NFC").toUpperCase().toLowerCase()))
