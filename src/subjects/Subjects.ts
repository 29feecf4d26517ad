/** What notes, files and timelines hang on: any resource that callers reach by its id. */
import { Context, Effect, Layer } from "effect"
import type { Actor, CurrentActor } from "../auth/CurrentActor.ts"
import type { Change } from "../changes/Changes.ts"
import type { TimelineSubject } from "../changes/ChangeRecord.ts"
import type { Subject } from "../changes/Timelines.ts"
import type { CapabilityRequired, MembershipPending, NotFound } from "../usecase/Problem.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import { Projects } from "../projects/Projects.ts"
import type { ProspectRemoved } from "../prospects/Prospect.ts"
import { Prospects } from "../prospects/Prospects.ts"

/** A resource that a caller has reached. */
export interface Reached {
  readonly actor: Actor
  readonly subject: Subject
  /** Where rows about it stand: on its own timeline, and rolled up on that of what it is part of. */
  readonly standing: ReadonlyArray<TimelineSubject>
}

/** One that a caller may add to. */
export interface Writable<Unwritten> extends Reached {
  /**
   * Within a running change, adds to the number of its notes, if it is one that says how many it has. Locks it, so it
   * comes before timelines are held.
   */
  readonly countNotes: (change: Change, more: number) => Effect.Effect<void, NotFound | Unwritten>
}

/**
 * The resources of one type. `Ref` is how callers name one, by its public ids; `Unread` and `Unwritten` are what they are
 * refused with besides what all types have.
 */
export interface SubjectsOf<Ref, Unread, Unwritten> {
  /** The resource, if the caller may see it and it lives. */
  readonly authorizeRead: (
    ref: Ref
  ) => Effect.Effect<Reached, CapabilityRequired | MembershipPending | NotFound | Unread, CurrentActor>
  /** The same, for what changes it or is added to it. */
  readonly authorizeWrite: (
    ref: Ref
  ) => Effect.Effect<Writable<Unwritten>, CapabilityRequired | MembershipPending | NotFound | Unwritten, CurrentActor>
}

/** A reference to a resource by its id alone. */
export interface ById {
  readonly id: string
}

/** A reference to a prospect, which is found on its project. */
export interface OnProject extends ById {
  readonly projectId: string
}

/** Finds resources that stand for themselves, by what their room says of an id. */
const alone = <Unread>(
  type: "contact" | "company" | "project",
  reachUuid: (
    id: string
  ) => Effect.Effect<
    { readonly actor: Actor; readonly uuid: string },
    CapabilityRequired | MembershipPending | NotFound | Unread,
    CurrentActor
  >
): SubjectsOf<ById, Unread, Unread> => {
  const authorizeRead = ({ id }: ById) =>
    Effect.map(reachUuid(id), ({ actor, uuid }) => ({
      actor,
      subject: { teamId: actor.teamId, type, id: uuid },
      standing: [{ type, id: uuid }],
      countNotes: () => Effect.void
    }))
  return { authorizeRead, authorizeWrite: authorizeRead }
}

/** Rows about a prospect stand on its project too. */
const onProject = ({
  actor,
  projectUuid,
  uuid
}: {
  readonly actor: Actor
  readonly projectUuid: string
  readonly uuid: string
}): Reached => ({
  actor,
  subject: { teamId: actor.teamId, type: "prospect", id: uuid },
  standing: [
    { type: "prospect", id: uuid },
    { type: "project", id: projectUuid, rollUp: "prospect" }
  ]
})

const make = Effect.gen(function* () {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const projects = yield* Projects
  const prospects = yield* Prospects

  const prospect: SubjectsOf<OnProject, never, ProspectRemoved> = {
    authorizeRead: ({ id, projectId }) => Effect.map(prospects.authorizeRead(projectId, id), onProject),
    authorizeWrite: ({ id, projectId }) =>
      Effect.map(prospects.authorizeWrite(projectId, id), (reached) => ({
        ...onProject(reached),
        countNotes: (change, more) => prospects.countNotes(change, reached, more)
      }))
  }

  return {
    contact: alone("contact", contacts.authorizeRead),
    company: alone("company", companies.authorizeRead),
    project: alone("project", projects.authorizeRead),
    prospect
  }
})

/** Finds subjects, by their type. */
export class Subjects extends Context.Service<Subjects, Effect.Success<typeof make>>()("subjects/Subjects") {
  static readonly layer = Layer.effect(Subjects, make)
}
