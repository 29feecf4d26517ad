/** The anonymous description of a property that investors receive: docs/behaviour/teasers.md. */
import { Record, Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../../core/mutation/Audit.ts"
import { Name, OpenEnum, Tags } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { propertyTags } from "../../market/properties/members/vocabulary.ts"
import { declare, members } from "../../core/usecase/Problem.ts"
import { type Mode, modes, type Part, Projection } from "./projection/Projection.ts"

/** The stages of a teaser, in their order. */
export const stages = ["property_added", "drafting", "published", "verified", "communicated"] as const

/** A stage of a teaser. */
export type Stage = (typeof stages)[number]

/** What a teaser can be about. */
export const subjectTypes = ["project", "property", "room"] as const
export type SubjectType = (typeof subjectTypes)[number]

const shows: { readonly [P in Part]: string } = {
  location: "How precisely the place is shown.",
  categories: "Whether the uses are shown.",
  price: "How precisely the asking price is shown.",
  yield: "How precisely the net initial yield is shown.",
  area: "How precisely the area is shown.",
  yearBuilt: "How precisely the year of construction is shown.",
  zoning: "How precisely the floor area that may be built is shown.",
  tenure: "Whether the tenure is shown.",
  tags: "Whether the tags are shown.",
  conversions: "Whether the conversions are shown.",
  energy: "Whether the energy class is shown.",
  wault: "Whether the remaining term of the leases is shown.",
  tenants: "Whether the tenants are shown, by their sectors or their names."
}

type Literals = readonly [string, ...Array<string>]

const Options = Schema.Struct(
  Record.map(modes, (values: Literals, part) => OpenEnum(values, shows[part as Part])) as {
    readonly [P in Part]: ReturnType<typeof OpenEnum>
  }
).annotate({
  identifier: "TeaserOptions",
  description:
    "The mode of each part. A part that was never set has the most discreet mode of `template` that is not `hidden`."
})

const OptionsPatch = Schema.Struct(
  Record.map(modes, (values: Literals, part) =>
    Schema.optionalKey(Schema.NullOr(Schema.Literals(values))).annotate({
      description: shows[part as Part]
    })
  ) as { readonly [P in Part]: Schema.optionalKey<Schema.NullOr<Schema.Literals<ReadonlyArray<Mode<P>>>>> }
).annotate({
  identifier: "TeaserOptionsPatch",
  description:
    "The modes to change. Null: as if the mode was never set. One that `template` does not have is rejected with 400."
})

const { tags: _, ...partsWithModes } = modes

const Template = Schema.Struct({
  ...(Record.map(partsWithModes, (values: Literals, part) =>
    Schema.Array(OpenEnum(values, "One of them.")).annotate({
      description: `The modes of \`${part}\`.`
    })
  ) as { readonly [P in Exclude<Part, "tags">]: Schema.$Array<ReturnType<typeof OpenEnum>> }),
  tags: Schema.Array(OpenEnum(propertyTags, "One of them.")).annotate({
    description:
      "The tags of the properties, of which the teaser can show some. `options.tags` can be `hidden`, and `shown` if there are any.",
    examples: [["single_tenant"]]
  })
}).annotate({
  identifier: "TeaserTemplate",
  description:
    "What the properties, as they are now, and the plan of the team leave to choose from: the modes of each part, the most discreet one first, and the tags."
})

const moment = (description: string) => Schema.NullOr(Timestamp).annotate({ description, examples: [null] })

const title = (description: string) => Schema.NullOr(Name).annotate({ description, examples: ["Core office, Bavaria"] })

const { changeOrigin, changeType, createdUtc, deletedUtc, etag, updatedUtc } = auditFields

/** The answer for a teaser. */
export const Teaser = Schema.Struct({
  stage: OpenEnum(
    stages,
    "How far the teaser is: the last of these that it reached. `property_added`: there is none yet; `drafting`: it is being written."
  ),
  publishedUtc: moment("When it was published."),
  verifiedUtc: moment("When the operator verified it."),
  communicatedUtc: moment("When it was first communicated."),
  options: Options,
  template: Template,
  tags: Schema.Array(OpenEnum(propertyTags, "One of them.")).annotate({
    description:
      "The tags to show. Once the teaser is written, they stay when those of the properties change; before, they are those of the properties.",
    examples: [["single_tenant"]]
  }),
  title: title("The title that the broker wrote; null if it is composed."),
  projection: Projection,
  clamped: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "`true` on the free plan, which shows only `hidden`, `country` and `range`. What was stored under another plan stays, and is shown again under such a plan.",
      examples: [true]
    })
  ),
  nudge: Schema.optionalKey(
    Schema.Struct({
      code: OpenEnum(
        ["no_pre_market_yet", "room_teaser_not_designed"],
        "`no_pre_market_yet`: the property has no teaser. `room_teaser_not_designed`: this is the teaser of the project, since the room has none of its own."
      )
    }).annotate({ identifier: "TeaserNudge", description: "What is still to do: the first PATCH does it." })
  ),
  createdUtc: Schema.NullOr(createdUtc),
  updatedUtc: Schema.NullOr(updatedUtc),
  etag,
  changeType: Schema.NullOr(changeType),
  changeOrigin: Schema.NullOr(changeOrigin),
  deletedUtc
}).annotate({
  identifier: "Teaser",
  description:
    "A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes."
})
export type Teaser = typeof Teaser.Type

/** The body of a patch. */
export const TeaserPatch = Schema.Struct({
  options: Schema.optionalKey(OptionsPatch),
  tags: Schema.optionalKey(Schema.NullOr(Tags)).annotate({
    description:
      "The tags to show: the whole list, each once. Those that `template.tags` does not have are left out. Null: the `template.tags` of this moment.",
    examples: [["single_tenant"]]
  }),
  title: Schema.optionalKey(
    title(
      "The title. Null: it is composed. One that names the property, a tenant or a place that is hidden is rejected with 400."
    )
  )
}).annotate({
  identifier: "TeaserPatch",
  description:
    "A merge patch (RFC 7396): omitted members and options stay. Read-only members may be sent with their present value.",
  examples: [{ options: { location: null, tenants: "hidden" }, tags: ["single_tenant"] }]
})
export type TeaserPatch = typeof TeaserPatch.Type

/** 409: the teaser shows too little to be published. */
export class TeaserIncomplete extends HttpApiError.Problem<TeaserIncomplete>()(
  "TeaserIncomplete",
  declare("teaser_incomplete", 409, "The teaser shows too little."),
  members("teaser_incomplete")
) {}

/** 409: the teaser is not published. */
export class TeaserNotPublished extends HttpApiError.Problem<TeaserNotPublished>()(
  "TeaserNotPublished",
  declare("teaser_not_published", 409, "The teaser is not published."),
  members("teaser_not_published")
) {}

/** 409: investors have the teaser already. */
export class TeaserCommunicated extends HttpApiError.Problem<TeaserCommunicated>()(
  "TeaserCommunicated",
  declare("teaser_communicated", 409, "The teaser was communicated."),
  members("teaser_communicated")
) {}
