/** The network addresses of clients, for limits and for what people see of their sessions. */
import { Context, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"

/** How many proxies in front of the service are trusted to name the address of the client, in `X-Forwarded-For`. */
export const TrustedProxies = Context.Reference<number>("http/TrustedProxies", { defaultValue: () => 0 })

/** The network address of a client: the one that connects, or what the nearest of `hops` trusted proxies say. */
export const addressOf = (
  connected: string | undefined,
  forwarded: string | undefined,
  hops: number
): string | null => {
  const path = [...(forwarded ?? "").split(",").map((part) => part.trim()), connected ?? ""].filter(
    (part) => part !== ""
  )
  const address = path.at(-1 - hops) ?? connected
  return address === undefined ? null : address.replace(/^::ffff:(?=\d+\.)/, "").slice(0, 64)
}

/** The network address of the client of a request. */
export const addressOfClient = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) =>
  Effect.map(TrustedProxies, (hops) =>
    addressOf(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], hops)
  )
