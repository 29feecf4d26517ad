/** A personal access token (specification, Personal access token; decisions §3). */
import { Schema } from "effect"
import { Email } from "../../fields/Email.ts"
import { Name } from "../../fields/Text.ts"
import { Timestamp } from "../../fields/Timestamp.ts"
import { IdOf } from "../../Id.ts"

/** How long a personal token is good, in days. */
export const personalDays = 30

/** What the operator makes a personal token of. */
export const TokenCreate = Schema.Struct({
  email: Email.annotate({ description: "Whose it is." }),
  name: Name.annotate({ description: "What it is for.", examples: ["nightly import"] }),
  teamId: Schema.optionalKey(
    Schema.String.annotate({
      description: "The team that it acts in; the person's primary one unless told.",
      examples: ["team_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  )
})
export type TokenCreate = typeof TokenCreate.Type

/** A personal token as it can be seen after its creation: without its text. */
export const Token = Schema.Struct({
  id: IdOf("token"),
  name: Schema.NullOr(Schema.String),
  teamId: IdOf("team"),
  createdUtc: Timestamp,
  expiresUtc: Timestamp
})
export type Token = typeof Token.Type
