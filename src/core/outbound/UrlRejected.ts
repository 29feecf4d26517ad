import { Schema } from "effect"

/**
 * The refusal of a receiver's URL. `reason` is a sentence for people. It does not reveal what a host name resolves to, nor
 * whether it exists: otherwise every user who may add webhooks could list the hosts of our network.
 */
export class UrlRejected extends Schema.TaggedError<UrlRejected>()("UrlRejected", {
  code: Schema.Literals(["not_https", "credentials", "fragment", "forbidden_address", "malformed", "too_long"]),
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}
