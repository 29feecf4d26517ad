import { Schema } from "effect"

/**
 * Why a receiver's address is refused. `reason` is a sentence for people. Of a name that DNS was asked for it tells
 * nothing, not even whether there is such a name: whoever may add webhooks could list the hosts of our network with it.
 */
export class UrlRejected extends Schema.TaggedError<UrlRejected>()("UrlRejected", {
  code: Schema.Literals(["not_https", "credentials", "fragment", "forbidden_address", "malformed", "too_long"]),
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}
