import { Schema } from "effect"

/** Why a receiver's address is refused. `reason` is a sentence for people, and names no address found by DNS. */
export class UrlRefused extends Schema.TaggedError<UrlRefused>()("UrlRefused", {
  code: Schema.Literals([
    "not_https",
    "credentials",
    "fragment",
    "forbidden_address",
    "unresolvable",
    "malformed",
    "too_long"
  ]),
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}
