/** Users, people and bots, and their capabilities: docs/behaviour/identity.md#users. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { Country } from "../../core/fields/Place.ts"
import { Email, NullableEmail, WebUrl } from "../../core/fields/InternetAddress.ts"
import { canonicalLanguage, Language, Name, OpenEnum, Text, TimeZone } from "../../core/fields/Text.ts"
import { IdOf } from "../../core/Id.ts"
import { declare, members } from "../../core/usecase/Problem.ts"
import { Role, Team } from "../teams/Team.ts"

const capability = (meaning: string) =>
  Schema.optionalKey(
    OpenEnum(["active", "pending"], `${meaning} \`pending\` until the request is approved; absent without a request.`)
  )

/** The capabilities that a user has requested or is verified for. */
export const Capabilities = Schema.Struct({
  broker: capability("Brokers work with their network, projects, prospects, properties and teasers."),
  investor: capability("Investors read offers and manage mandates.")
}).annotate({
  identifier: "Capabilities",
  description: "A capability is present only if the caller has requested it.",
  examples: [{ broker: "active" }]
})
export type Capabilities = typeof Capabilities.Type

/** The caller. */
export const Me = Schema.Struct({
  id: IdOf("user"),
  name: Schema.String.annotate({ description: "The display name.", examples: ["Anna Berg"] }),
  firstName: Schema.NullOr(Schema.String).annotate({ description: "Given name.", examples: ["Anna"] }),
  lastName: Schema.NullOr(Schema.String).annotate({ description: "Family name.", examples: ["Berg"] }),
  email: NullableEmail.annotate({ description: "Primary e-mail address; null for bots." }),
  emailConfirmed: Schema.Boolean.annotate({
    description: "Whether the primary e-mail address is verified.",
    examples: [true]
  }),
  phone: Schema.NullOr(Schema.String).annotate({ description: "Primary phone number.", examples: ["+49 30 1234567"] }),
  phoneConfirmed: Schema.Boolean.annotate({
    description: "Whether the primary phone number is verified.",
    examples: [false]
  }),
  isBot: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "True for automated service accounts; omitted for people.",
      examples: [true]
    })
  ),
  profilePictureUrl: Schema.NullOr(WebUrl).annotate({
    description: "Absolute URL of the avatar.",
    examples: ["https://cdn.example.com/anna.png"]
  }),
  culture: Language.annotate({ description: "BCP-47 culture tag for dates and numbers.", examples: ["de-DE"] }),
  uiCulture: Language.annotate({
    description: "BCP-47 tag of the language of the user interface.",
    examples: ["en-US"]
  }),
  region: Country.annotate({ description: "ISO 3166-1 alpha-2 code." }),
  timeZone: Schema.String.annotate({ description: "IANA time-zone identifier.", examples: ["Europe/Berlin"] }),
  capabilities: Capabilities,
  primaryTeam: Schema.NullOr(Team).annotate({
    description: "The caller's primary team; null when the caller has no active team."
  }),
  secondaryTeams: Schema.optionalKey(
    Schema.Array(Team).annotate({
      description:
        "Other teams that the caller belongs to or is invited to, as `membership.status` says. Omitted if there are none."
    })
  )
}).annotate({ identifier: "Me", description: "The caller: a person, or a bot that a client acts for." })
export type Me = typeof Me.Type

/** The status of a capability. */
export const CapabilityStatus = Schema.Literals(["active", "pending"]).annotate({
  description: "`active` when approved, `pending` when requested.",
  examples: ["active"]
})

/** The input for a new user. */
export const UserCreate = Schema.Struct({
  email: Email,
  name: Name.annotate({ description: "First and last name.", examples: ["Anna Berg"] }),
  teamId: Schema.String.annotate({
    description: "The team that the user joins. It becomes their primary team.",
    examples: ["team_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  role: Role,
  phone: Schema.optionalKey(Text(64).annotate({ examples: ["+49 30 1234567"] })),
  broker: Schema.optionalKey(CapabilityStatus),
  investor: Schema.optionalKey(CapabilityStatus)
})
export type UserCreate = typeof UserCreate.Type

/** A change of a user's capabilities: null removes one, an omitted one stays. */
export const CapabilitiesPatch = Schema.Struct({
  email: Email,
  broker: Schema.optionalKey(Schema.NullOr(CapabilityStatus)),
  investor: Schema.optionalKey(Schema.NullOr(CapabilityStatus))
})
export type CapabilitiesPatch = typeof CapabilitiesPatch.Type

/** What a person changes of their own profile: an omitted member stays. */
export const ProfilePatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  phone: Schema.optionalKey(Schema.NullOr(Text(64))),
  culture: Schema.optionalKey(Language),
  uiCulture: Schema.optionalKey(Language),
  region: Schema.optionalKey(Country),
  timeZone: Schema.optionalKey(TimeZone)
})
export type ProfilePatch = typeof ProfilePatch.Type

/** A patch with its languages in canonical case. */
export const canonicalProfile = ({ culture, uiCulture, ...rest }: ProfilePatch): ProfilePatch => ({
  ...rest,
  ...(culture === undefined ? {} : { culture: canonicalLanguage(culture) ?? culture }),
  ...(uiCulture === undefined ? {} : { uiCulture: canonicalLanguage(uiCulture) ?? uiCulture })
})

/** Splits a display name into the given name (the first word) and the family name (the rest). */
export const partsOf = (name: string): { readonly firstName: string; readonly lastName: string | null } => {
  const [firstName = "", ...rest] = name.split(/\s+/)
  return { firstName, lastName: rest.length === 0 ? null : rest.join(" ") }
}

// Refusals of the operator's commands on accounts: docs/behaviour/identity.md#accounts.

/** 409: the account was deleted, for good. */
export class UserDeleted extends HttpApiError.Problem<UserDeleted>()(
  "UserDeleted",
  declare("user_deleted", 409, "The account was deleted."),
  members("user_deleted")
) {}
