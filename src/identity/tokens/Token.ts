/** Personal access tokens: docs/behaviour/identity.md#tokens. */
import { Schema } from "effect"
import { Email } from "../../core/fields/InternetAddress.ts"
import { Name } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { IdOf } from "../../core/Id.ts"

/** The lifetime of an access token, in seconds. */
export const accessSeconds = 3600

/** The lifetime of a personal token, in days. */
export const personalLifetimeDays = 30

/** The lifetime of a personal token with which a person tries operations in their browser, in seconds. */
export const briefSeconds = 900

/** The most valid personal tokens that a user may have. */
export const maxPersonal = 100

/** The input for a new personal token of a person who is signed in. */
export const OwnTokenCreate = Schema.Struct({
  name: Name.annotate({ description: "What the token is for." }),
  teamId: Schema.String.annotate({ description: "The team that the token acts in." })
})

/** The input for a new personal token. */
export const TokenCreate = Schema.Struct({
  email: Email.annotate({ description: "The user's e-mail address." }),
  name: Name.annotate({ description: "What the token is for.", examples: ["nightly import"] }),
  teamId: Schema.optionalKey(
    Schema.String.annotate({
      description: "The team that the token acts in. Defaults to the user's primary team.",
      examples: ["team_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  )
})
export type TokenCreate = typeof TokenCreate.Type

/** A personal token as it is shown after its creation, without its text. */
export const Token = Schema.Struct({
  id: IdOf("token"),
  name: Schema.NullOr(Schema.String),
  teamId: IdOf("team"),
  createdUtc: Timestamp,
  expiresUtc: Timestamp,
  lastUsedUtc: Schema.NullOr(Timestamp)
})
export type Token = typeof Token.Type
