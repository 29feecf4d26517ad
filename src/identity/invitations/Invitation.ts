/** Invitations to teams by link: docs/behaviour/identity.md#invitations. */
import { Schema } from "effect"
import { Email } from "../../core/fields/InternetAddress.ts"
import { Name } from "../../core/fields/Text.ts"
import { Role } from "../teams/Team.ts"

/** For how many days an invitation is valid. */
export const validDays = 7

/** The input for an invitation: whom, and as what. */
export const InvitationCreate = Schema.Struct({ email: Email, role: Role })

/** What somebody without an account says of themselves when they accept an invitation. */
export const Newcomer = Schema.Struct({
  name: Name.annotate({ description: "First and last name.", examples: ["Anna Berg"] })
})

/** An invitation, for the administrators of its team. `id` is a UUID: no API has it. */
export interface OpenInvitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string | null
  readonly createdUtc: string
  readonly expiresUtc: string
}
