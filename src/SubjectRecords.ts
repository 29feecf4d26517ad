/** What notes, files and timelines belong to, as `content/Subjects.ts` asks: each kind is the use-case of its own module. */
import { Effect, Layer } from "effect"
import { type AuthorizedSubject, type ResourceParams, Subjects, type SubjectsOf } from "./content/Subjects.ts"
import type { Actor, CurrentActor } from "./core/auth/CurrentActor.ts"
import type { ProjectTimelineQuery } from "./core/mutation/Timeline.ts"
import type { CapabilityRequired, MembershipPending, Merged, NotFound } from "./core/usecase/Problem.ts"
import { Offers } from "./deals/offers/Offers.ts"
import { Projects } from "./deals/projects/Projects.ts"
import { subjectsOf } from "./deals/prospects/rules.ts"
import { type LoadedProspect, Prospects } from "./deals/prospects/Prospects.ts"
import { ProspectWrites } from "./deals/prospects/ProspectWrites.ts"
import { Properties } from "./market/properties/Properties.ts"
import { Companies } from "./network/companies/Companies.ts"
import { Contacts } from "./network/contacts/Contacts.ts"

type Standalone<AuthorizeError> = SubjectsOf<ResourceParams, ProjectTimelineQuery, AuthorizeError, AuthorizeError>

/** The resources of a type without roll-ups and without a note count: who may read one may add to it. */
const standalone = <AuthorizeError>(
  type: "contact" | "company" | "project" | "property",
  module: {
    readonly authorizeRead: (
      id: string
    ) => Effect.Effect<
      { readonly actor: Actor; readonly uuid: string },
      CapabilityRequired | MembershipPending | NotFound | AuthorizeError,
      CurrentActor
    >
    readonly actions: (
      id: string,
      request: Parameters<Standalone<AuthorizeError>["timeline"]>[1]
    ) => ReturnType<Standalone<AuthorizeError>["timeline"]>
  }
): Standalone<AuthorizeError> => {
  const authorize = ({ id }: ResourceParams) =>
    Effect.map(module.authorizeRead(id), ({ actor, uuid }) => ({
      actor,
      subject: { teamId: actor.teamId, type, id: uuid },
      timelineSubjects: [{ type, id: uuid }],
      addToNoteCount: () => Effect.void
    }))
  return {
    authorizeRead: authorize,
    authorizeWrite: authorize,
    timeline: ({ id }, request) => module.actions(id, request)
  }
}

const ofProspect = (prospect: LoadedProspect): AuthorizedSubject => ({
  actor: prospect.actor,
  subject: { teamId: prospect.actor.teamId, type: "prospect", id: prospect.uuid },
  timelineSubjects: subjectsOf(prospect)
})

const make = Effect.gen(function* () {
  const offers = yield* Offers
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites

  return Subjects.of({
    contact: standalone<Merged>("contact", yield* Contacts),
    company: standalone<Merged>("company", yield* Companies),
    property: standalone<never>("property", yield* Properties),
    project: standalone<never>("project", yield* Projects),
    prospect: {
      authorizeRead: ({ id, projectId }) => Effect.map(prospects.authorizeRead(projectId, id), ofProspect),
      authorizeWrite: ({ id, projectId }) =>
        Effect.map(prospects.authorizeWrite(projectId, id), (loaded) => ({
          ...ofProspect(loaded),
          addToNoteCount: (change, delta) => writes.addToNoteCount(change, loaded, delta)
        })),
      timeline: ({ id, projectId }, request) => prospects.actions(projectId, id, request)
    },
    offer: { timeline: ({ id }, request) => offers.actions(id, request) },
    sharesFile: offers.sharesFile
  })
})

/** The resources of all modules. */
export const layer = Layer.effect(Subjects, make).pipe(
  Layer.provide([
    Companies.layer,
    Contacts.layer,
    Offers.layer,
    Projects.layer,
    Properties.layer,
    Prospects.layer,
    ProspectWrites.layer
  ])
)
