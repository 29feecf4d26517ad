/** The decisions on OAuth clients (docs/behaviour/identity.md#oauth-clients): pure. */
import type { Actor } from "../../core/auth/CurrentActor.ts"

type Kind = "broker" | "investor"

/**
 * The capabilities of a bot that an administrator creates: what they may do themselves, it may, and what they may not, is requested for
 * it, so that nobody gets through a bot what the operator did not approve.
 */
export const capabilitiesOfBot = (
  maker: Pick<Actor, Kind>,
  asked: ReadonlyArray<Kind>
): { readonly [Name in Kind]: "active" | "pending" | null } => {
  const of = (kind: Kind) => (asked.includes(kind) ? (maker[kind] === "active" ? "active" : "pending") : null)
  return { broker: of("broker"), investor: of("investor") }
}
