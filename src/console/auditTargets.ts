/** The pages of what entries of the audit log are about. */
import type { AuditEntry } from "../core/audit/AuditEntry.ts"
import type { Viewer } from "./Console.ts"

/** The entries after which their target is no more. */
const ends: ReadonlySet<string> = new Set(["invitation.revoked", "team.purged", "webhook.deleted"])

type Addresses = { readonly [type: string]: (id: string, base: string) => string }

/** Of the installation's log: pages of operators. */
const ofOperation: Addresses = {
  app: (id) => `/console/operation/apps/${id}`,
  client: (id) => `/console/operation/clients/${id}`,
  delivery: (id) => `/console/operation/deliveries/${id}`,
  project: (id) => `/console/operation/teasers/${id}`,
  property: (id) => `/console/operation/teasers/${id}`,
  room: (id) => `/console/operation/teasers/${id}`,
  team: (id) => `/console/operation/teams/${id}`,
  user: (id) => `/console/operation/users/${id}`,
  webhook: (id) => `/console/operation/deliveries?webhook=${id}`
}

/** Of the log of a team: its own pages. */
const ofTeam: Addresses = {
  app: (_, base) => `${base}/apps`,
  client: (id, base) => `${base}/clients/${id}`,
  grant: (_, base) => `${base}/apps`,
  invitation: (_, base) => `${base}/members`,
  team: (_, base) => `${base}/profile`,
  user: (id, base) => `${base}/members?open=${id}`,
  webhook: (id, base) => `${base}/webhooks/${id}`
}

/** Of the log of a team, for those who also see its records. */
const ofBrokers: Addresses = {
  contact: (id, base) => `${base}/contacts/${id}`,
  project: (id, base) => `${base}/projects/${id}`,
  property: (id, base) => `${base}/properties/${id}`,
  room: (id, base) => `${base}/rooms/${id}`
}

/** Where the target of an entry is shown; undefined if it has no page that this person may use. */
export const targetAddress = (
  { base, seat }: Pick<Viewer, "base" | "seat">,
  { action, target }: Pick<AuditEntry, "action" | "target">
): string | undefined => {
  if (target === null || target.id === null || ends.has(action)) return undefined
  const addresses =
    seat === undefined ? ofOperation : seat.actor.broker === "active" ? { ...ofTeam, ...ofBrokers } : ofTeam
  return addresses[target.type]?.(target.id, base)
}

/** Where the person or bot who acted is shown. */
export const actorAddress = (
  { base, seat }: Pick<Viewer, "base" | "seat">,
  { actor }: Pick<AuditEntry, "actor">
): string | undefined => {
  if (actor.id === null || (actor.kind !== "user" && actor.kind !== "bot")) return undefined
  return (seat === undefined ? ofOperation : ofTeam)["user"]?.(actor.id, base)
}
