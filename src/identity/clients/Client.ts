/** OAuth clients, the integrations of a team. Each acts as a bot: docs/behaviour/identity.md#oauth-clients. */
import { Schema } from "effect"
import { Name } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { IdOf } from "../../core/Id.ts"

const CapabilityStatus = Schema.Literals(["active", "pending"])

const which = {
  name: Name.annotate({ description: "The name of the integration.", examples: ["CRM sync"] }),
  botName: Schema.optionalKey(
    Name.annotate({
      description: "Creates a bot with this name, as which the client acts.",
      examples: ["Sync Bot"]
    })
  ),
  botId: Schema.optionalKey(Schema.String.annotate({ description: "The id of an existing bot of the team." }))
}

/** The input for a new client of an administrator's team: exactly one of `botName` and `botId`. */
export const OwnClientCreate = Schema.Struct({
  ...which,
  capabilities: Schema.optionalKey(Schema.Array(Schema.Literals(["broker", "investor"])))
})
export type OwnClientCreate = typeof OwnClientCreate.Type

/** The input for a new client: exactly one of `botName` and `botId`. */
export const ClientCreate = Schema.Struct({
  teamId: Schema.String.annotate({ description: "The id of the client's team." }),
  ...which,
  broker: Schema.optionalKey(Schema.NullOr(CapabilityStatus)),
  investor: Schema.optionalKey(Schema.NullOr(CapabilityStatus))
})
export type ClientCreate = typeof ClientCreate.Type

/** A client as it is shown after its creation, without its secret. */
export const Client = Schema.Struct({
  id: IdOf("client"),
  name: Schema.String,
  bot: Schema.Struct({ id: IdOf("user"), name: Schema.String }),
  scopes: Schema.Array(Schema.String),
  createdUtc: Timestamp,
  revokedUtc: Schema.NullOr(Timestamp)
})
export type Client = typeof Client.Type

/** A client of a team, and when it was last used. */
export interface UsedClient extends Client {
  readonly lastUsedUtc: string | null
}
