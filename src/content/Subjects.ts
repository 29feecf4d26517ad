/**
 * What notes, files and timelines belong to: records and deals of any kind, which are above this folder. It says here what it asks of
 * them, and `src/SubjectRecords.ts` answers.
 */
import { Context, type Effect } from "effect"
import type { Actor, CurrentActor } from "../core/auth/CurrentActor.ts"
import type { Action, AnyTimelineQuery, ProjectTimelineQuery, Subject } from "../core/mutation/Timeline.ts"
import type { TimelineSubject } from "../core/mutation/ChangeRecord.ts"
import type { Change } from "../core/mutation/Changes.ts"
import type { Page } from "../core/usecase/Page.ts"
import type {
  CapabilityRequired,
  InvalidCursor,
  InvalidRequest,
  MembershipPending,
  Merged,
  NotFound,
  ProspectErased,
  ProspectRemoved
} from "../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../core/usecase/UseCaseRequest.ts"

/** Names a resource by its public id. */
export interface ResourceParams {
  readonly id: string
}

/** Names a prospect by its public id and that of its project. */
export interface ProspectParams extends ResourceParams {
  readonly projectId: string
}

/** A resource that a caller is authorized for. */
export interface AuthorizedSubject {
  readonly actor: Actor
  readonly subject: Subject
  /** The timelines that rows about it are on: its own and, rolled up, that of the resource it is part of. */
  readonly timelineSubjects: ReadonlyArray<TimelineSubject>
}

/** A resource that a caller may add to. */
export interface WritableSubject<WriteError> extends AuthorizedSubject {
  /** Adds `delta` to the number of its notes, if it has one. Locks the resource, so call it before timelines are locked. */
  readonly addToNoteCount: (change: Change, delta: number) => Effect.Effect<void, NotFound | WriteError>
}

/** Why a resource of any type is not shown. */
type ReadRefusal = CapabilityRequired | MembershipPending | NotFound

/** The timelines of one type of resource. `Params` are the public ids that name one. */
interface TimelinesOf<Params, Query, ReadError> {
  /** A page of the timeline of a resource that the caller may read, newest first. */
  readonly timeline: (
    params: Params,
    request: Pick<UseCaseRequest<Query>, "query">
  ) => Effect.Effect<Page<Action>, ReadRefusal | InvalidCursor | InvalidRequest | ReadError, CurrentActor>
}

/**
 * The resources of one type that have notes, and files of them. `ReadError` and `WriteError` are the errors of this type, besides those
 * of all types.
 */
export interface SubjectsOf<Params, Query, ReadError, WriteError> extends TimelinesOf<Params, Query, ReadError> {
  /** Loads a living resource that the caller may read. */
  readonly authorizeRead: (params: Params) => Effect.Effect<AuthorizedSubject, ReadRefusal | ReadError, CurrentActor>
  /** Loads a living resource that the caller may change or add to. */
  readonly authorizeWrite: (
    params: Params
  ) => Effect.Effect<WritableSubject<WriteError>, ReadRefusal | WriteError, CurrentActor>
}

/** A file of a broker's team that investors may read, by UUIDs. */
export interface SharedFile {
  readonly teamId: string
  readonly subject: { readonly type: "prospect" | "offer" | "room"; readonly id: string }
}

/** The resources, by their type. */
export class Subjects extends Context.Service<
  Subjects,
  {
    readonly contact: SubjectsOf<ResourceParams, ProjectTimelineQuery, Merged, Merged>
    readonly company: SubjectsOf<ResourceParams, ProjectTimelineQuery, Merged, Merged>
    readonly property: SubjectsOf<ResourceParams, ProjectTimelineQuery, never, never>
    readonly project: SubjectsOf<ResourceParams, ProjectTimelineQuery, never, never>
    readonly prospect: SubjectsOf<ProspectParams, AnyTimelineQuery, never, ProspectErased | ProspectRemoved>
    readonly offer: TimelinesOf<ResourceParams, ProjectTimelineQuery, never>
    /** Whether an investor may read a file: of a message, if the offer stands, and of a room, with access to it. */
    readonly sharesFile: (investor: Actor, file: SharedFile, now: Date) => Effect.Effect<boolean>
  }
>()("content/Subjects") {}
