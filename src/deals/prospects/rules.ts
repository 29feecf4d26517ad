/**
 * The pure decisions on prospects. Each returns the next state and its audit entries, which are the rows of timelines and the events
 * (docs/behaviour/projects-and-prospects.md#classification-interest-and-stage).
 */
import * as Id from "../../core/Id.ts"
import { differing, makeMergePatch, type UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import { changedFieldNames, type EventExtras, type EventNames, type EventType } from "../../core/mutation/Event.ts"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import { distinctTags } from "../../core/fields/Text.ts"
import {
  amountOf,
  type Bid,
  type Milestone,
  milestoneStages,
  Prospect,
  ProspectPatch,
  type ProspectRef,
  type ProspectState,
  type ProspectSubject,
  type Stage,
  stages,
  type StageSources
} from "./Prospect.ts"
import type { ActionDetails, AuditPartition } from "../../core/mutation/Timeline.ts"
import type { ChangeRecord, ChatTimelineRow } from "../../core/mutation/ChangeRecord.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import { expiryOf } from "./projection.ts"

/** One thing that happened to a prospect: a row of its timelines, its event, and where `webhook` is set, an event of the record. */
export interface AuditEntry {
  readonly change: ChangeRecord["change"]
  readonly event: EventType
  readonly details?: Omit<Extract<ActionDetails, { readonly kind: "audit" }>, "kind">
  readonly partition?: AuditPartition
  /** The UUID of the row, if the caller chooses it. */
  readonly id?: string
  /** The event of the same prospect from which this one follows. */
  readonly causedBy?: EventType
  readonly webhook?: {
    readonly type: "prospect.created" | "prospect.updated" | "prospect.deleted"
    readonly extras: EventExtras
  }
}

/** A prospect's rows are on its own timeline and, rolled up, on that of its project. */
export const subjectsOf = ({ projectUuid, uuid }: ProspectRef): ChangeRecord["subjects"] => [
  { type: "prospect", id: uuid },
  { type: "project", id: projectUuid, rollUp: "prospect" }
]

/** What every event of a prospect names, so that subscribers can reach it and its investor. */
const namesOf = ({ companyId, contactId, projectUuid }: ProspectSubject): EventNames => ({
  project_id: Id.fromUuid("project", projectUuid),
  ...(contactId === null ? {} : { contact_id: contactId }),
  ...(companyId === null ? {} : { company_id: companyId })
})

/** The change record of an entry. */
export const changeRecordOf = (ref: ProspectSubject, entry: AuditEntry): ChangeRecord => ({
  change: entry.change,
  resource: { type: "prospect", id: ref.uuid },
  subjects: subjectsOf(ref),
  timeline: {
    event: entry.event,
    details: { kind: "audit", ...entry.details },
    ...(entry.partition === undefined ? {} : { partition: entry.partition }),
    ...(entry.id === undefined ? {} : { id: entry.id })
  },
  ...(entry.webhook === undefined ? {} : { event: entry.webhook }),
  ...(entry.causedBy === undefined
    ? {}
    : { cause: { event: entry.causedBy, resource: { type: "prospect", id: ref.uuid } } }),
  names: namesOf(ref)
})

/** The change record of a row of chat. */
export const chatRecordOf = (
  ref: ProspectSubject,
  row: Pick<ChatTimelineRow, "id" | "event" | "details">
): ChangeRecord => ({
  change: "updated",
  resource: { type: "prospect", id: ref.uuid },
  subjects: subjectsOf(ref),
  timeline: { type: "chat", ...row },
  names: namesOf(ref)
})

/** The change record of an update that only dry runs list: no timeline row and no event. */
export const silentUpdate = (uuid: string): ChangeRecord => ({
  change: "updated",
  resource: { type: "prospect", id: uuid },
  subjects: []
})

/** The event of an update: `action` is its cause, `changed` are names from the changed-field table. */
const updateEvent = (
  action: EventExtras["action"],
  changed: ReadonlyArray<string> | null = null
): NonNullable<AuditEntry["webhook"]> => ({
  type: "prospect.updated",
  extras: { changed_fields: changed, ...(action === undefined ? {} : { action }) }
})

/** `from` and `to`, without those that are null. */
export const fromTo = (from: string | null, to: string | null) => ({
  ...(from === null ? {} : { from }),
  ...(to === null ? {} : { to })
})

/** An entry of an update. */
const updateEntry = (event: EventType, webhook?: AuditEntry["webhook"]): AuditEntry => ({
  change: "updated",
  event,
  ...(webhook === undefined ? {} : { webhook })
})

/** The entry of another end of access (ISO 8601; null: none). */
const expiryEntry = (end: string | null | undefined): AuditEntry => ({
  ...updateEntry("prospect.access_expiry_changed"),
  ...(typeof end === "string" ? { details: { message: end } } : {})
})

/** The entry of changed project tags. */
export const projectTagsChangedEntry: AuditEntry = updateEntry(
  "prospect.project_tags_changed",
  updateEvent(undefined, ["project_tags"])
)

/** The entry of a new prospect. */
export const addedEntry: AuditEntry = {
  change: "created",
  event: "prospect.created",
  webhook: { type: "prospect.created", extras: { action: { type: "added" } } }
}

/** The entry of a removal from the list. */
export const removedEntry: AuditEntry = {
  change: "updated",
  event: "prospect.removed",
  webhook: updateEvent({ type: "removed" }, ["deleted_at"])
}

/** The entry of a return to the list. */
export const restoredEntry: AuditEntry = {
  change: "restored",
  event: "prospect.restored",
  webhook: updateEvent({ type: "restored" }, ["deleted_at"])
}

/** What deletions of contacts and companies changed which removed these prospects from lists. */
export const removalsOf = (removed: ReadonlyArray<ProspectSubject>) =>
  removed.flatMap(({ companyId, contactId, uuid }) => {
    const cause = Id.toUuid("contact", contactId ?? "") ?? Id.toUuid("company", companyId ?? "")
    return cause === undefined ? [] : [{ cause, uuid, fields: { removedUtc: null } }]
  })

/** The entry of a deleted prospect, with the references that it had. */
export const deletedEntry = (externalRefs: ReadonlyArray<ExternalRef>): AuditEntry => ({
  change: "deleted",
  event: "prospect.deleted",
  webhook: {
    type: "prospect.deleted",
    extras: { external_refs: externalRefs.map(({ externalId, namespace }) => ({ namespace, id: externalId })) }
  }
})

/** The entry of a stage that a merge raised; none if it stayed the same. */
export const stageRaisedEntries = (from: Stage, to: Stage): ReadonlyArray<AuditEntry> =>
  from === to
    ? []
    : [
        {
          change: "updated",
          event: "prospect.updated",
          details: fromTo(from, to),
          webhook: updateEvent({ type: "stage_raised", from, to })
        }
      ]

// Decisions.

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

/** Records that access to a data room was given, which tells when it ends. */
const admit = (state: ProspectState, end: string | null, at: string): Decision => {
  const reached = reachMilestone(state, "room_access_granted", at)
  if (end === null) return reached
  return {
    ...reached,
    emitted: reached.emitted.map((entry) => ({ ...entry, details: { ...entry.details, message: end } }))
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
    (current) => (access.isNew ? admit(current, access.accessExpiryUtc, at) : unchanged(current)),
    setMember("accessExpiryUtc", access.accessExpiryUtc, expiryEntry(access.accessExpiryUtc))
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
    setMember("accessExpiryUtc", patch.accessExpiryUtc, expiryEntry(patch.accessExpiryUtc))
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
        emitted: [restoredEntry]
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

/** Puts a project tag in the place of another. Of tags that then differ in case alone, the first stays. */
export const renameTag = (state: ProspectState, from: string, to: string): Decision => {
  const renamed = state.projectTags.map((tag) => (tag === from ? to : tag))
  return setMember(
    "projectTags",
    state.projectTags.includes(from) ? changedTags([], { added: renamed, removed: [] }) : undefined,
    projectTagsChangedEntry
  )(state)
}

/** The keys by which project tags are found, which ignore case. */
export const tagKeys = (tags: ReadonlyArray<string>): ReadonlyArray<string> =>
  // Upper case first, then lower case, for letters with several forms: ß equals ss, and a final sigma equals any other.
  distinctTags(tags.map((tag) => tag.normalize("NFC").toUpperCase().toLowerCase()))

// Patches, as they are sent (docs/behaviour/projects-and-prospects.md#updating-prospects).

const decodeMembers = makeMergePatch(ProspectPatch, Prospect.fields)

/** Decodes a patch. The owner is sent as an id and answered with a name; one that is sent as it was answered changes nothing. */
export const decodePatch = (document: UnvalidatedJson, current: Partial<Prospect>) => {
  const { value } = document
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  if (!isObject || !("owner" in value) || typeof value.owner !== "object" || value.owner === null) {
    return decodeMembers(document, current)
  }
  const { owner, ...others } = value
  const asAnswered = current.owner !== undefined && differing({ owner }, current).length === 0
  return decodeMembers(asAnswered ? { ...document, value: others } : document, current)
}

/** The id of the new owner, where `me` is the caller; undefined without one. */
export const ownerIdOf = ({ owner }: ProspectPatch, me: string | null): string | undefined =>
  owner === null ? undefined : owner === "me" ? (me ?? "me") : owner

/** The values that a patch writes, and its faults. */
export const resolvePatch = (
  input: ProspectPatch,
  state: ProspectState,
  context: {
    readonly now: Date
    readonly ownerId: string | undefined
    /** Whether this user is an active member of the team. */
    readonly isMember: (userId: string) => boolean
  }
): { readonly patch: Patch; readonly faults: ReadonlyArray<Fault> } => {
  const { accessExpiry, owner, stageReason, ...plain } = input
  const faults: Array<Fault> = []
  if (stageReason !== undefined && input.stage === undefined) {
    faults.push(bodyFault("/stageReason", "not_allowed", "Is only allowed together with `stage`."))
  }
  const isNewOwner = context.ownerId !== undefined && context.ownerId !== state.ownerId
  if (isNewOwner && !context.isMember(context.ownerId)) {
    faults.push(bodyFault("/owner", "invalid_reference", "There is no active member of the team with this id."))
  }
  const expiry = typeof accessExpiry === "string" ? expiryOf(accessExpiry, context.now) : undefined
  if (typeof accessExpiry === "string") {
    if (expiry === undefined) {
      faults.push(
        bodyFault(
          "/accessExpiry",
          "invalid_expiry",
          "Must be a number of days, weeks or months (3d, 2w, 1m), tomorrow, next_week, next_month, or an ISO 8601 date or date and time."
        )
      )
    } else if (expiry.getTime() <= context.now.getTime()) {
      faults.push(bodyFault("/accessExpiry", "not_in_future", "Must be in the future."))
    }
    if (state.roomAccessUtc === null) {
      faults.push(bodyFault("/accessExpiry", "no_room", "The prospect has no access to a room."))
    }
  }
  return {
    faults,
    patch: {
      ...plain,
      ...(stageReason === undefined ? {} : { stageReason }),
      ...(owner === undefined ? {} : { ownerId: context.ownerId ?? null }),
      ...(accessExpiry === undefined ? {} : { accessExpiryUtc: expiry?.toISOString() ?? null })
    }
  }
}
