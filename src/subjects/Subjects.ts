/** What notes, files and timelines hang on: any resource that callers reach by its id. */
import { Context, Effect, Layer } from "effect"
import type { Actor, CurrentActor } from "../auth/CurrentActor.ts"
import type { CapabilityRequired, MembershipPending, Merged, NotFound } from "../http/Problem.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"

/** The types of resources that are subjects. */
export type SubjectType = "contact" | "company"

/** A resource that a caller has reached. `id` is its UUID. */
export interface Reached {
  readonly actor: Actor
  readonly subject: { readonly teamId: string; readonly type: SubjectType; readonly id: string }
}

/** Finds subjects. */
export class Subjects extends Context.Service<Subjects, {
  /** The subject, if the caller may see it and it lives. */
  readonly reach: (
    type: SubjectType,
    id: string
  ) => Effect.Effect<Reached, CapabilityRequired | MembershipPending | Merged | NotFound, CurrentActor>
}>()("subjects/Subjects") {
  static readonly layer = Layer.effect(
    Subjects,
    Effect.gen(function*() {
      const rooms = { contact: yield* Contacts, company: yield* Companies }
      return Subjects.of({
        reach: Effect.fn("Subjects.reach")(function*(type, id) {
          const { actor, uuid } = yield* rooms[type].reach(id)
          return { actor, subject: { teamId: actor.teamId, type, id: uuid } }
        })
      })
    })
  )
}
