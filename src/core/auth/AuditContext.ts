/**
 * By whom, by what and from where the running use-case is called, as far as it is known (docs/behaviour/audit-log.md#members). Adapters
 * provide it, and add to it what they learn of the caller.
 */
import { Context, Effect } from "effect"

/** What the audit log and the log lines say of a call besides its actor. Ids are UUIDs. */
export interface AuditContext {
  readonly requestId: string | null
  /** The network address of the client. */
  readonly address: string | null
  /** The command of the operator's command line, without the values of its arguments. */
  readonly command: string | null
  /** Who runs it on this machine. */
  readonly systemUser: { readonly uid: number | null; readonly name: string | null } | null
  /** The user or bot, where no actor is known: on pages, and at the token endpoint. */
  userId: string | null
  teamId: string | null
  clientId: string | null
  grantId: string | null
  tokenId: string | null
  sessionId: string | null
}

const nobody = { userId: null, teamId: null, clientId: null, grantId: null, tokenId: null, sessionId: null }

/** The context of a request. `addressOf` is asked when the address is needed. */
export const ofRequest = (requestId: string, addressOf: () => string | null): AuditContext => ({
  requestId,
  get address() {
    return addressOf()
  },
  command: null,
  systemUser: null,
  ...nobody
})

/** The context of a command. */
export const ofCommand = (command: string, systemUser: AuditContext["systemUser"]): AuditContext => ({
  requestId: null,
  address: null,
  command,
  systemUser,
  ...nobody
})

/** The context of a job that goes on with what a person (UUID) asked for. */
export const ofAsker = (userId: string): AuditContext => ({
  requestId: null,
  address: null,
  command: null,
  systemUser: null,
  ...nobody,
  userId
})

const ofService: AuditContext = Object.freeze({
  requestId: null,
  address: null,
  command: null,
  systemUser: null,
  ...nobody
})

/** The context of the running use-case: that of the service itself, unless an adapter provides one. */
export const CurrentAuditContext = Context.Reference<AuditContext>("core/audit/CurrentAuditContext", {
  defaultValue: () => ofService
})

/** What is learned of a caller. */
export type Identified = Partial<Pick<AuditContext, keyof typeof nobody>>

/** Adds to the context what was learned of the caller. */
export const identify = (found: Identified): Effect.Effect<void> =>
  Effect.map(CurrentAuditContext, (context) => {
    if (context !== ofService) Object.assign(context, found)
  })
