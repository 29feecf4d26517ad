/** The resources that notes, files and timelines belong to: how a caller is authorized for one of any type. */
import { Context, Effect, Layer } from "effect"
import type { Actor, CurrentActor } from "../../core/auth/CurrentActor.ts"
import type { TimelineSubject } from "../../core/mutation/ChangeRecord.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Subject } from "../../core/mutation/Timeline.ts"
import { Companies } from "../../network/companies/Companies.ts"
import { Contacts } from "../../network/contacts/Contacts.ts"
import { Projects } from "../../deals/projects/Projects.ts"
import { Properties } from "../../market/properties/Properties.ts"
import { subjectsOf } from "../../deals/prospects/entries.ts"
import type { ProspectRemoved } from "../../deals/prospects/Prospect.ts"
import { type LoadedProspect, Prospects } from "../../deals/prospects/Prospects.ts"
import { ProspectWrites } from "../../deals/prospects/ProspectWrites.ts"
import type { CapabilityRequired, MembershipPending, NotFound } from "../../core/usecase/Problem.ts"

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

/**
 * The resources of one type. `Params` are the public ids that name one; `ReadError` and `WriteError` are the errors of this
 * type, besides those of all types.
 */
export interface SubjectsOf<Params, ReadError, WriteError> {
  /** Loads a living resource that the caller may read. */
  readonly authorizeRead: (
    params: Params
  ) => Effect.Effect<AuthorizedSubject, CapabilityRequired | MembershipPending | NotFound | ReadError, CurrentActor>
  /** Loads a living resource that the caller may change or add to. */
  readonly authorizeWrite: (
    params: Params
  ) => Effect.Effect<
    WritableSubject<WriteError>,
    CapabilityRequired | MembershipPending | NotFound | WriteError,
    CurrentActor
  >
}

/** Names a resource by its public id. */
export interface ResourceParams {
  readonly id: string
}

/** Names a prospect by its public id and that of its project. */
export interface ProspectParams extends ResourceParams {
  readonly projectId: string
}

/** The resources of a type without roll-ups and without a note count. */
const standalone = <AuthorizeError>(
  type: "contact" | "company" | "project" | "property",
  authorizeId: (
    id: string
  ) => Effect.Effect<
    { readonly actor: Actor; readonly uuid: string },
    CapabilityRequired | MembershipPending | NotFound | AuthorizeError,
    CurrentActor
  >
): SubjectsOf<ResourceParams, AuthorizeError, AuthorizeError> => {
  const authorize = ({ id }: ResourceParams) =>
    Effect.map(authorizeId(id), ({ actor, uuid }) => ({
      actor,
      subject: { teamId: actor.teamId, type, id: uuid },
      timelineSubjects: [{ type, id: uuid }],
      addToNoteCount: () => Effect.void
    }))
  return { authorizeRead: authorize, authorizeWrite: authorize }
}

const ofProspect = (prospect: LoadedProspect): AuthorizedSubject => ({
  actor: prospect.actor,
  subject: { teamId: prospect.actor.teamId, type: "prospect", id: prospect.uuid },
  timelineSubjects: subjectsOf(prospect)
})

const make = Effect.gen(function* () {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const properties = yield* Properties
  const projects = yield* Projects
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites

  const prospect: SubjectsOf<ProspectParams, never, ProspectRemoved> = {
    authorizeRead: ({ id, projectId }) => Effect.map(prospects.authorizeRead(projectId, id), ofProspect),
    authorizeWrite: ({ id, projectId }) =>
      Effect.map(prospects.authorizeWrite(projectId, id), (loaded) => ({
        ...ofProspect(loaded),
        addToNoteCount: (change, delta) => writes.addToNoteCount(change, loaded, delta)
      }))
  }

  return {
    contact: standalone("contact", contacts.authorizeRead),
    company: standalone("company", companies.authorizeRead),
    property: standalone("property", properties.authorizeRead),
    project: standalone("project", projects.authorizeRead),
    prospect
  }
})

/** Authorizes callers for resources, by their type. */
export class Subjects extends Context.Service<Subjects, Effect.Success<typeof make>>()("content/subjects/Subjects") {
  static readonly layer = Layer.effect(Subjects, make)
}
