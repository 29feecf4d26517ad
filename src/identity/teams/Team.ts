/** Teams, the tenants, and their members: docs/behaviour/identity.md#teams. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { Country } from "../../core/fields/Place.ts"
import { Email, NullableEmail, WebUrl } from "../../core/fields/InternetAddress.ts"
import { check, LongText, Name, OpenEnum } from "../../core/fields/Text.ts"
import { AreaRange, PriceRange, UnitRange } from "../../core/fields/Measure.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { pageQuery } from "../../core/usecase/Page.ts"
import { declare, members } from "../../core/usecase/Problem.ts"
import { IdOf } from "../../core/Id.ts"

const plans = ["free", "professional", "plus"] as const
const roles = ["admin", "member"] as const

/** The investment-profile categories. */
export const categories = [
  "institutional",
  "public",
  "private",
  "unlisted",
  "family",
  "private_equity",
  "investment_trust",
  "construction",
  "property_developer",
  "residential_developer",
  "investment",
  "asset_management",
  "foundation"
] as const

/** The plan that a team has. */
export const Plan = Schema.Literals(plans).annotate({ description: "The team's plan.", examples: ["professional"] })
export type Plan = typeof Plan.Type

/** The role of a member. */
export const Role = Schema.Literals(roles).annotate({
  description: "Admins manage the team; members work in it.",
  examples: ["member"]
})
export type Role = typeof Role.Type

/** The caller's membership in a team. */
export const Membership = Schema.Struct({
  status: OpenEnum(["active", "pending"], "Whether the caller has joined the team or is only invited to it."),
  role: OpenEnum(roles, "The caller's role in the team.")
}).annotate({ identifier: "Membership", description: "The caller's membership in the team." })

/** An active member of a team. */
export const TeamMember = Schema.Struct({
  id: IdOf("user"),
  name: Schema.String.annotate({ description: "The display name.", examples: ["Anna Berg"] }),
  firstName: Schema.NullOr(Schema.String).annotate({ description: "Given name.", examples: ["Anna"] }),
  lastName: Schema.NullOr(Schema.String).annotate({ description: "Family name.", examples: ["Berg"] }),
  email: NullableEmail.annotate({ description: "Null for bots." }),
  role: OpenEnum(roles, "The member's role in the team."),
  profilePictureUrl: Schema.NullOr(WebUrl).annotate({
    description: "Absolute URL of the avatar.",
    examples: ["https://cdn.example.com/anna.png"]
  }),
  joinedUtc: Timestamp
}).annotate({ identifier: "TeamMember", description: "An active member of a team." })
export type TeamMember = typeof TeamMember.Type

/** The contact person of a team. */
export const TeamContactPersonSummary = Schema.Struct({
  id: IdOf("user"),
  name: Schema.String.annotate({ description: "The display name.", examples: ["Anna Berg"] }),
  email: NullableEmail,
  phone: Schema.NullOr(Schema.String).annotate({ description: "Phone number.", examples: ["+49 30 1234567"] }),
  profilePictureUrl: Schema.NullOr(WebUrl).annotate({
    description: "Absolute URL of the avatar.",
    examples: ["https://cdn.example.com/anna.png"]
  })
}).annotate({ identifier: "TeamContactPersonSummary", description: "The team's designated contact person." })

const profile = {
  country: Schema.NullOr(Country).annotate({ description: "ISO 3166-1 alpha-2 code of the primary address." }),
  description: Schema.NullOr(LongText).annotate({
    description: "Free text.",
    examples: ["Advises family offices on logistics property."]
  }),
  homepageUrl: Schema.NullOr(WebUrl).annotate({
    description: "Public homepage.",
    examples: ["https://www.berg-partners.example"]
  }),
  investmentCapacity: Schema.NullOr(PriceRange).annotate({
    description: "Self-reported preferred ticket size per investment."
  }),
  leasableArea: Schema.NullOr(AreaRange).annotate({
    description: "Self-reported preferred leasable area in square metres."
  }),
  legalName: Schema.NullOr(Name).annotate({
    description: "Registered name when it is not the display name.",
    examples: ["Berg Partners GmbH"]
  }),
  profilePictureUrl: Schema.NullOr(WebUrl).annotate({
    description: "Absolute URL of the logo.",
    examples: ["https://cdn.example.com/berg.png"]
  }),
  propertyCount: Schema.NullOr(UnitRange).annotate({
    description: "Self-reported preferred number of properties per deal."
  }),
  propertyValue: Schema.NullOr(PriceRange).annotate({ description: "Self-reported preferred property value." }),
  restrictedInvestmentSize: Schema.NullOr(PriceRange).annotate({
    description: "Self-reported hard cap on the size of a single deal."
  }),
  strategy: Schema.NullOr(LongText).annotate({
    description: "Self-reported investment thesis, free text.",
    examples: ["Core-plus offices in the big seven"]
  }),
  vatNumber: Schema.NullOr(Name).annotate({
    description: "VAT or tax registration number.",
    examples: ["DE123456789"]
  })
}

/** A team as its members and invitees see it. */
export const Team = Schema.Struct({
  id: IdOf("team"),
  name: Schema.String.annotate({ description: "Display name.", examples: ["Berg Partners"] }),
  createdUtc: Timestamp,
  plan: OpenEnum(plans, "The team's plan."),
  categories: Schema.Array(OpenEnum(categories, "An investment-profile category.")).annotate({
    description: "Investment-profile categories; empty when none apply.",
    examples: [["asset_management"]]
  }),
  membership: Membership,
  contactPerson: Schema.NullOr(TeamContactPersonSummary),
  ...profile,
  memberCount: Schema.optionalKey(
    Schema.Int.annotate({
      description: "The number of active members. Omitted for callers with a pending invitation.",
      examples: [2]
    })
  ),
  hasMoreMembers: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "True if the team has more active members than `members` lists: `GET /api/v1/teams/{id}/members` lists all. Omitted for callers with a pending invitation.",
      examples: [false]
    })
  ),
  members: Schema.optionalKey(
    Schema.Array(TeamMember).annotate({
      description:
        "Active members, admins first, then by display name; at most 50. Omitted for callers with a pending invitation."
    })
  )
}).annotate({ identifier: "Team", description: "A team, the tenant that all resources belong to." })
export type Team = typeof Team.Type

/** The parameters of the members' list. */
export const TeamMembersQuery = Schema.Struct({
  ...pageQuery,
  role: Schema.optionalKey(Role.annotate({ description: "Only members with this role." }))
})
export type TeamMembersQuery = typeof TeamMembersQuery.Type

const Categories = Schema.Array(Schema.Literals(categories)).check(
  check(
    "not_unique",
    "Must not contain a category twice.",
    (all: ReadonlyArray<string>) => new Set(all).size === all.length
  )
)

/** The members of the profile that a new team takes and a change of one. */
const profileInputs = {
  country: Schema.optionalKey(profile.country),
  description: Schema.optionalKey(profile.description),
  homepageUrl: Schema.optionalKey(profile.homepageUrl),
  investmentCapacity: Schema.optionalKey(profile.investmentCapacity),
  leasableArea: Schema.optionalKey(profile.leasableArea),
  legalName: Schema.optionalKey(profile.legalName),
  profilePictureUrl: Schema.optionalKey(profile.profilePictureUrl),
  propertyCount: Schema.optionalKey(profile.propertyCount),
  propertyValue: Schema.optionalKey(profile.propertyValue),
  restrictedInvestmentSize: Schema.optionalKey(profile.restrictedInvestmentSize),
  strategy: Schema.optionalKey(profile.strategy),
  vatNumber: Schema.optionalKey(profile.vatNumber)
}

/** The input for a new team: a name and a plan, and optionally a profile. */
export const TeamCreate = Schema.Struct({
  name: Name.annotate({ description: "Display name.", examples: ["Berg Partners"] }),
  plan: Plan,
  categories: Schema.optionalKey(Categories),
  ...profileInputs
})
export type TeamCreate = typeof TeamCreate.Type

/** A change of the profile of a team by its administrators: null empties a member, an omitted one stays. */
export const TeamPatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  categories: Schema.optionalKey(Categories),
  contactPersonId: Schema.optionalKey(Schema.NullOr(IdOf("user"))),
  ...profileInputs
})
export type TeamPatch = typeof TeamPatch.Type

/** The profile of a team, with all members that its administrators change. */
export type TeamProfile = Required<TeamPatch>

/** A member, or somebody who is invited, for the team: what they may do, and for its administrators when they last signed in. */
export interface MemberOfTeam {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly isBot: boolean
  readonly role: Role
  readonly status: "active" | "pending"
  readonly isDeactivated: boolean
  readonly broker: "active" | "pending" | null
  readonly investor: "active" | "pending" | null
  readonly joinedUtc: string
  readonly lastSignInUtc: string | null
}

/** The input for an invitation to a team. */
export const Invitation = Schema.Struct({
  teamId: Schema.String.annotate({ description: "The team.", examples: ["team_01kb3n7x2ferwt5z8q4j6m9d0c"] }),
  email: Email,
  role: Role
})
export type Invitation = typeof Invitation.Type

// What the operator does with whole teams: docs/behaviour/identity.md#deleted-teams.

/** A team as the operator sees it. `id` is a UUID. */
export interface TeamOfOperator {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly createdAt: Date
  readonly deletedAt: Date | null
  readonly purgeAt: Date | null
  readonly purgeBeganAt: Date | null
  /** The projects (UUIDs) that its deletion closed, until they are reopened; null if there are none. */
  readonly openProjects: ReadonlyArray<string> | null
}

/** Which teams the operator looks for; members that are absent do not count. */
export interface TeamSearch {
  /** A part of the name. */
  readonly text?: string | undefined
  readonly state?: "active" | "deleted" | undefined
}

/** A member as the operator sees them. */
export interface MemberOfOperator {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly isBot: boolean
  readonly role: Role
  readonly status: "active" | "pending"
  readonly deactivatedAt: Date | null
}

/** 409: what the team had is being removed, so that it cannot be restored. */
export class TeamPurged extends HttpApiError.Problem<TeamPurged>()(
  "TeamPurged",
  declare("team_purged", 409, "The team is being purged."),
  members("team_purged")
) {}

/** 409: what cannot be undone needs the name of the team. */
export class ConfirmationRequired extends HttpApiError.Problem<ConfirmationRequired>()(
  "ConfirmationRequired",
  declare("confirmation_required", 409, "The name of the team is required."),
  members("confirmation_required")
) {}

/** 409: the team would be without an administrator. */
export class OnlyAdministrator extends HttpApiError.Problem<OnlyAdministrator>()(
  "OnlyAdministrator",
  declare("only_administrator", 409, "The team would be without an administrator."),
  members("only_administrator")
) {}
