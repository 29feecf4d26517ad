/** The pure decisions on teasers: docs/behaviour/teasers.md. */
import * as Id from "../../core/Id.ts"
import type { ChangeRecord } from "../../core/mutation/ChangeRecord.ts"
import { changedFieldNames, type EventType, namesOf } from "../../core/mutation/Event.ts"
import type { Plan } from "../../identity/teams/Team.ts"
import { ProjectClosed } from "../projects/Project.ts"
import type { Property } from "../../market/properties/Property.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { contentEtag } from "../../core/usecase/UseCaseRequest.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import { factsOf } from "./projection/facts.ts"
import { type ChosenOptions, type Mode, parts, type Projection } from "./projection/Projection.ts"
import { type Design, project } from "./projection/investorView.ts"
import {
  type Stage,
  type SubjectType,
  type Teaser,
  TeaserCommunicated,
  TeaserIncomplete,
  TeaserNotPublished,
  type TeaserPatch
} from "./Teaser.ts"

/** What a teaser is about. */
export type Subject =
  | { readonly type: "project" | "property"; readonly uuid: string }
  | { readonly type: "room"; readonly uuid: string; readonly projectUuid: string }

/** When a teaser reached its stages. */
export interface Times {
  readonly publishedUtc: string | null
  readonly verifiedUtc: string | null
  readonly communicatedUtc: string | null
}

/** A teaser that was written. */
export interface StoredTeaser extends Design, Times {
  readonly version: number
  readonly audit: Pick<Teaser, "createdUtc" | "updatedUtc" | "changeType" | "changeOrigin">
}

/** All that decides what a teaser shows. */
export interface TeaserState {
  readonly subject: Subject
  /** The teaser itself, if it was written. */
  readonly own: StoredTeaser | undefined
  /** Of a room: the teaser of its project, if that was written. */
  readonly ofProject: StoredTeaser | undefined
  readonly properties: ReadonlyArray<Property>
  /** Whether its project is closed; a property is never. */
  readonly isClosed: boolean
  readonly plan: Plan
  /** The language of the caller. */
  readonly language: string
}

/** Nothing was reached yet. */
export const unreached: Times = { publishedUtc: null, verifiedUtc: null, communicatedUtc: null }

const undesigned: Design = { options: {}, tags: null, title: null }

/** The teaser that is shown: its own, or that of the project of a room. */
const shownOf = ({ ofProject, own }: TeaserState) => own ?? ofProject

/** The stage of a teaser. */
export const stageOf = (teaser: Times | undefined): Stage => {
  if (teaser === undefined) return "property_added"
  if (teaser.communicatedUtc !== null) return "communicated"
  if (teaser.verifiedUtc !== null) return "verified"
  return teaser.publishedUtc === null ? "drafting" : "published"
}

const nudgeOf = ({ own, subject: { type } }: TeaserState): Pick<Teaser, "nudge"> => {
  if (own !== undefined || type === "project") return {}
  return { nudge: { code: type === "property" ? "no_pre_market_yet" : "room_teaser_not_designed" } }
}

/** The answer for a teaser. */
export const answerOf = (state: TeaserState): Teaser => {
  const shown = shownOf(state)
  const design = shown ?? undesigned
  const { available, options, pool, projection, tags } = project(state.properties, design, state)
  const { communicatedUtc, publishedUtc, verifiedUtc } = shown ?? unreached
  const answer = {
    stage: stageOf(shown),
    publishedUtc,
    verifiedUtc,
    communicatedUtc,
    options,
    template: { ...available, tags: pool },
    tags,
    title: design.title,
    projection,
    ...(state.plan === "free" ? { clamped: true } : {}),
    ...nudgeOf(state),
    ...(shown?.audit ?? { createdUtc: null, updatedUtc: null, changeType: null, changeOrigin: null }),
    deletedUtc: null
  }
  return { ...answer, etag: contentEtag(JSON.stringify(answer)) }
}

/** What investors see. */
export const projectionOf = (state: TeaserState): Projection =>
  project(state.properties, shownOf(state) ?? undesigned, state).projection

/** What is shown now, with the tags of this moment if none were written: those are kept when the teaser is written. */
const pinnedOf = (state: TeaserState) => {
  const { options, tags, title } = shownOf(state) ?? undesigned
  return { options, tags: tags ?? factsOf(state.properties).tags, title }
}

/** A patch as it is decoded. */
type Sent = TeaserPatch

const sameList = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index])

/** The modes that are chosen after a patch. One that is sent as it is answered stays what it was, also where the plan clamps it. */
const chosenAfter = (current: ChosenOptions, sent: NonNullable<Sent["options"]>, answered: Teaser["options"]) =>
  Object.fromEntries(
    parts.flatMap((part): ReadonlyArray<readonly [string, Mode]> => {
      const [mode, before] = [sent[part], current[part]]
      const after = mode === undefined || mode === answered[part] ? before : mode
      return after === undefined || after === null ? [] : [[part, after]]
    })
  ) as ChosenOptions

/** The tags after a patch: those of the pool among the sent ones. Tags that are sent as they are stay, whatever the pool is now. */
const tagsAfter = (
  current: ReadonlyArray<string>,
  sent: Sent["tags"],
  pool: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (sent === undefined || (sent !== null && sameList(current, sent))) return current
  return sent === null ? pool : [...new Set(sent)].filter((tag) => pool.includes(tag))
}

/** The teaser as a patch makes it, and the members that changed. */
export interface Patched {
  readonly design: Design
  readonly changed: ReadonlyArray<"options" | "tags" | "title">
}

/** Applies a patch; null if it changes nothing. The first patch always does: it makes the teaser. */
export const patched = (state: TeaserState, sent: Sent): Patched | null => {
  const current = pinnedOf(state)
  const { options: answered, template } = answerOf(state)
  const options = chosenAfter(current.options, sent.options ?? {}, answered)
  const tags = tagsAfter(current.tags, sent.tags, template.tags)
  const title = sent.title === undefined ? current.title : sent.title
  const changed = [
    ...(parts.some((part) => options[part] !== current.options[part]) ? (["options"] as const) : []),
    ...(sameList(current.tags, tags) ? [] : (["tags"] as const)),
    ...(title === current.title ? [] : (["title"] as const))
  ]
  return changed.length === 0 && state.own !== undefined ? null : { design: { options, tags, title }, changed }
}

/** The faults of a patch: modes that the template does not have, and a title that names what is hidden. */
export const faultsOf = (state: TeaserState, sent: Sent, after: Patched | null): ReadonlyArray<Fault> => {
  const { available } = project(state.properties, undesigned, state)
  const answered = answerOf(state).options
  const unavailable = parts.flatMap((part) => {
    const mode = sent.options?.[part]
    const modes: ReadonlyArray<Mode> = available[part]
    return mode === undefined || mode === null || mode === answered[part] || modes.includes(mode)
      ? []
      : [
          bodyFault(
            `/options/${part}`,
            "unavailable_mode",
            `Must be one that the template has: ${modes.map((one) => `\`${one}\``).join(", ")}.`
          )
        ]
  })
  const isNewTitle = typeof sent.title === "string" && after?.changed.includes("title") === true
  if (unavailable.length > 0 || !isNewTitle) return unavailable
  return project(state.properties, after.design, state).projection.title === sent.title
    ? []
    : [bodyFault("/title", "names_hidden", "Must not name the property, or a place or tenant that is hidden.")]
}

/** What happens to a teaser, besides patches. */
export type Move = "publish" | "unpublish" | "verify" | "unverify" | "communicate"

/** A refusal of a move. */
export type MoveRefusal = ProjectClosed | TeaserIncomplete | TeaserNotPublished | TeaserCommunicated

const incomplete = new TeaserIncomplete({
  detail: "A teaser shows at least a category and the country. Complete the properties, or show more of them."
})

const notPublished = new TeaserNotPublished({ detail: "Publish the teaser first." })

const communicated = new TeaserCommunicated({
  detail: "Investors have the teaser, so its publication cannot be withdrawn. Close the project instead."
})

/**
 * The stage that a move leads to (docs/behaviour/teasers.md#stages). The same stage: at most a time changes. Of a communicated teaser,
 * the verification may change, but not the stage.
 */
export const transitions: {
  readonly [from in Stage]: { readonly [move in Move]: Stage | "not_published" | "communicated_before" }
} = {
  property_added: {
    publish: "published",
    unpublish: "property_added",
    verify: "not_published",
    unverify: "property_added",
    communicate: "not_published"
  },
  drafting: {
    publish: "published",
    unpublish: "drafting",
    verify: "not_published",
    unverify: "drafting",
    communicate: "not_published"
  },
  published: {
    publish: "published",
    unpublish: "drafting",
    verify: "verified",
    unverify: "published",
    communicate: "communicated"
  },
  verified: {
    publish: "verified",
    unpublish: "drafting",
    verify: "verified",
    unverify: "published",
    communicate: "communicated"
  },
  communicated: {
    publish: "communicated",
    unpublish: "communicated_before",
    verify: "communicated",
    unverify: "communicated",
    communicate: "communicated"
  }
}

/** The times after a move that is allowed, at a time. */
const timesAfter = (times: Times, move: Move, at: string): Times => {
  switch (move) {
    case "publish":
      return { ...times, publishedUtc: times.publishedUtc ?? at }
    case "unpublish":
      // What is not published is not verified either.
      return { ...times, publishedUtc: null, verifiedUtc: null }
    case "verify":
      return { ...times, verifiedUtc: times.verifiedUtc ?? at }
    case "unverify":
      return { ...times, verifiedUtc: null }
    case "communicate":
      return { ...times, communicatedUtc: times.communicatedUtc ?? at }
  }
}

/** Whether investors would see enough. What the plan hides counts: it can show again at any time. */
const isComplete = (state: TeaserState): boolean => {
  const { categories, country } = projectionOf({ ...state, plan: "plus" })
  return categories.length > 0 && country !== null
}

/** The teaser after a move. */
export interface Moved {
  readonly design: Design
  readonly times: Times
}

/** Decides a move: what the teaser is after it, by its time; null if it changes nothing; or the refusal. */
export const moved = (state: TeaserState, move: Move): ((at: string) => Moved) | null | MoveRefusal => {
  const stage = transitions[stageOf(state.own)][move]
  if (stage === "not_published") return notPublished
  if (stage === "communicated_before") return communicated
  const current = state.own ?? unreached
  const isPublication = move === "publish" && current.publishedUtc === null
  if ((isPublication || move === "communicate") && !isComplete(state)) return incomplete
  const after = (at: string) => timesAfter(current, move, at)
  const members = ["publishedUtc", "verifiedUtc", "communicatedUtc"] as const
  if (members.every((member) => after("")[member] === current[member])) return null
  if (state.isClosed) return ProjectClosed.rejection()
  return (at) => ({ design: pinnedOf(state), times: after(at) })
}

/** The events of moves. */
export const moveEvents = {
  publish: "teaser.published",
  unpublish: "teaser.unpublished",
  verify: "teaser.verified",
  unverify: "teaser.unverified",
  communicate: "teaser.communicated"
} as const satisfies { readonly [move in Move]: EventType }

const namesOfSubject = (subject: Subject) => {
  const named = { [`${subject.type}_id`]: Id.fromUuid(subject.type, subject.uuid) }
  return subject.type === "room" ? { project_id: Id.fromUuid("project", subject.projectUuid), ...named } : named
}

/** The timelines that show what happens to a teaser. */
const timelinesOf = (subject: Subject): ChangeRecord["subjects"] => [
  { type: subject.type, id: subject.uuid },
  ...(subject.type === "room" ? [{ type: "project" as const, id: subject.projectUuid, rollUp: "room" as const }] : [])
]

/** The change record of what happened to a teaser: of a move, or of a patch of these members. */
export const toChangeRecord = (
  subject: Subject,
  happened: { readonly move: Move } | { readonly changed: Patched["changed"] }
): ChangeRecord => {
  const shared = {
    // A teaser has no id of its own: it is a part of its subject.
    change: "updated" as const,
    resource: { type: subject.type, id: subject.uuid },
    subjects: timelinesOf(subject),
    names: namesOfSubject(subject)
  }
  if ("move" in happened) {
    const event = moveEvents[happened.move]
    return { ...shared, timeline: { event, details: { kind: "audit" } }, event: { type: event, extras: {} } }
  }
  const { changed } = happened
  return {
    ...shared,
    timeline: { event: "teaser.updated", details: { kind: "audit", changedFields: changed } },
    event: { type: "teaser.updated", extras: { changed_fields: namesOf(changedFieldNames.teaser, changed) } }
  }
}

/** The type of a subject by its id, and its UUID. */
export const subjectOf = (id: string): { readonly type: SubjectType; readonly uuid: string } | undefined => {
  for (const type of ["project", "property", "room"] as const) {
    const uuid = Id.toUuid(type, id)
    if (uuid !== undefined) return { type, uuid }
  }
  return undefined
}
