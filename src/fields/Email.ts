import { Schema } from "effect"
import { check, Text } from "./Text.ts"

// The pattern that browsers use for <input type="email">: the practical subset of RFC 5322.
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** An e-mail address: at most 320 characters (docs/behaviour/http.md#text). */
export const Email = Text(320)
  .check(
    check("invalid_email", "Must be an e-mail address such as anna@example.com.", (value: string) =>
      pattern.test(value)
    )
  )
  .annotate({ examples: ["anna.berg@example.com"] })

/** An {@link Email} or null, which clears the member. */
export const NullableEmail = Schema.NullOr(Email)
