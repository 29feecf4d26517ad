/** The tools of offers. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { type Finder, reference, References } from "../../mcp/References.ts"
import { cutLists } from "../../mcp/text.ts"
import { type Offer, offerFilters } from "./Offer.ts"
import { Offers } from "./Offers.ts"

const line = { id: Schema.String, status: Schema.String, category: Schema.String }

const lineOf = (offer: Offer) => ({
  ...Struct.pick(offer, ["id", "status", "category", "receivedUtc", "readUtc", "expiresUtc", "matchedMandateIds"]),
  teaser:
    offer.teaser === null ? null : Struct.pick(offer.teaser, ["title", "categories", "country", "locality", "price"])
})

// The characters of JSON that the long lists of a teaser may take.
const rooms = { tenants: 10_000, prices: 4_000 }

const viewOf = ({ teaser, ...offer }: Offer) => ({
  ...Struct.omit(offer, ["createdUtc", "changeType", "changeOrigin", "deletedUtc"]),
  teaser: teaser === null ? null : cutLists(teaser, rooms)
})

/** Finds offers by an external reference: none, since other systems cannot name offers. */
export const finder: Effect.Effect<Finder, never, Offers> = Effect.map(Offers, (offers) => () => offers.named())

/** The tools of offers. They need the `investor` capability. */
export const tools = Effect.gen(function* () {
  const offers = yield* Offers
  const { resolve } = yield* References
  return [
    Tool.list({
      name: "list_offers",
      title: "List offers",
      description: "Teasers and invitations to rooms that the team received, the newest first. Marks none as read.",
      toolset: "offers",
      input: {
        filter: Schema.optionalKey(
          Schema.Literals(offerFilters).annotate({
            description:
              "all (default): not removed. active: unanswered, pending, accepted. ongoing: accepted. inactive: rejected, expired, closed. unanswered: the one that has waited longest."
          })
        )
      },
      items: "offers",
      item: line,
      rows: ({ filter }, page) => offers.list(page.request({ filter })),
      concise: lineOf,
      detailed: viewOf
    }),
    Tool.read({
      name: "get_offer",
      title: "Get an offer",
      description: "One offer with its teaser. The first look marks it as read. People answer offers in the product.",
      toolset: "offers",
      input: { offer: reference("offer") },
      output: { ...line, etag: Schema.String },
      read: ({ offer }) =>
        Effect.map(
          Effect.flatMap(resolve("offer", "offer", offer), (id) => offers.get(id)),
          viewOf
        )
    })
  ]
})
