/** The profile of the person who is signed in. */
import { Effect } from "effect"
import { type Actor, CurrentActor } from "../auth/CurrentActor.ts"
import type { Users } from "../identity/users/Users.ts"

// Nothing of a profile depends on a team.
const personOf = (userId: string): Actor => ({
  userId,
  teamId: "00000000-0000-0000-0000-000000000000",
  clientId: null,
  role: "member",
  membership: "active",
  broker: null,
  investor: null,
  scopes: [],
  origin: "app"
})

/** The profile of a person (UUID) with their teams. */
export const profileOf = (users: Users["Service"], userId: string) =>
  Effect.orDie(Effect.provideService(users.me(), CurrentActor, personOf(userId)))
