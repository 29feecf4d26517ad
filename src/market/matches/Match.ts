/** How well a property fits a mandate, and why (docs/behaviour/matches.md). */
import { Record, Schema, SchemaTransformation } from "effect"
import { check, OpenEnum } from "../../core/fields/Text.ts"
import { Mandate } from "../mandates/Mandate.ts"
import { Property } from "../properties/Property.ts"
import { PageOf, pageQuery } from "../../core/usecase/Page.ts"

/** The score of a match of which nothing is known to differ. */
export const maxScore = 100

/**
 * What a failed criterion does, in the order in which matches list them: it excludes the match, or costs these points of the
 * score. One that is met partly costs half of them. A single criterion that costs more than half of the score keeps a match off a list
 * with the default `min_score`: only the price does. The points of a criterion never depend on another one, so that a mandate that
 * becomes wider, also by leaving a criterion open, never fits worse.
 */
export const costs = {
  country: "excludes",
  geography: "excludes",
  categories: "excludes",
  negativeTags: "excludes",
  investmentSize: 60,
  lettableArea: 40,
  lifecycleStages: 40,
  subcategories: 30,
  tenures: 30,
  dealStructures: 30,
  netInitialYield: 30,
  pricePerSqm: 30,
  wault: 20,
  vacancyRate: 20,
  yearBuilt: 20,
  parcelArea: 20,
  zoningGfa: 20,
  unitCount: 20,
  worstEnergyClass: 20,
  conversions: 20,
  positiveTags: 20
} as const

/** A criterion: the name of the member of a mandate. */
export type CriterionName = keyof typeof costs

/** How a property compares with what a mandate wants. */
export const results = ["met", "partly", "failed", "unknown"] as const

/** One of {@link results}. */
export type CriterionResult = (typeof results)[number]

const excluding = Object.keys(Record.filter(costs, (cost) => cost === "excludes"))

const points = Object.entries(costs).flatMap(([name, cost]) => (cost === "excludes" ? [] : [`\`${name}\` ${cost}`]))

/** How a score comes about, in Markdown. */
export const explanation = `The score begins at ${maxScore}. A criterion with the result \`failed\` takes its points off, one with \`partly\` half of them; \`met\` and \`unknown\` cost nothing. The score is never below 0.

- **Excluded**, so never listed: a match of which ${excluding
  .map((name) => `\`${name}\``)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ")} failed.
- **Points**: ${points.join(", ")}.
- **unknown**: the mandate or the property leaves it open, or the two cannot be compared: another currency, the energy scale of another country.
- **partly**: outside of the range, but within a tenth of the end that is missed (\`yearBuilt\`: within 5 years); one energy class worse; some of the \`positiveTags\`.
- **Lists of codes**: one in common is enough; a deal structure \`either\` fits each. One of the \`negativeTags\` fails.
- **Compared with**: \`investmentSize\` with \`pricing.askingPrice\`; \`pricePerSqm\` with the asking price by \`lettableArea\`; \`zoningGfa\` with \`zoning.gfa\`; \`netInitialYield\` with that of \`pricing\`; \`vacancyRate\` with that of \`income\`; \`wault\` with \`income.waultToBreak\`, or else \`waultToExpiry\`; \`worstEnergyClass\` with \`energy.class\`; \`geography\` with \`coordinates\`; the others with the member of the same name. \`riskProfiles\` and \`targetIrr\` are not compared: properties do not have them.`

const Criterion = Schema.Struct({
  criterion: OpenEnum(Object.keys(costs) as [CriterionName, ...Array<CriterionName>], "The member of the mandate."),
  result: OpenEnum(results, "How the property compares with it."),
  wanted: Schema.Json.annotate({
    description:
      "What the mandate wants: the value of its member; of `geography`, the circle (`near` and `radius`) or the `bbox` (west, south, east, north). Null if it leaves the criterion open.",
    examples: [{ min: 3_000, max: null, unit: "sqm" }]
  }),
  found: Schema.Json.annotate({
    description: "What the property has, as its members say it; null if it leaves the criterion open.",
    examples: [{ value: 2_850, unit: "sqm" }]
  })
}).annotate({ identifier: "MatchCriterion", description: "A criterion of a match." })
export type Criterion = typeof Criterion.Type

/** What is compared in {@link matchExample}: the other criteria are left open. */
const compared: { readonly [Name in CriterionName]?: Omit<Criterion, "criterion"> } = {
  country: { result: "unknown", wanted: null, found: "DE" },
  geography: {
    result: "met",
    wanted: { near: { latitude: 48.1372, longitude: 11.5755 }, radius: 60_000 },
    found: { latitude: 48.1385, longitude: 11.5309 }
  },
  categories: { result: "met", wanted: ["office", "mixed_use"], found: ["office"] },
  negativeTags: { result: "met", wanted: ["contaminated_land"], found: ["multi_tenant", "partly_vacant"] },
  investmentSize: {
    result: "partly",
    wanted: { min: 20, max: 45, currency: "EUR", scale: "million" },
    found: { value: 46_500_000, currency: "EUR" }
  },
  lettableArea: {
    result: "met",
    wanted: { min: 5_000, max: null, unit: "sqm" },
    found: { value: 10_640, unit: "sqm" }
  },
  pricePerSqm: { result: "unknown", wanted: null, found: { value: 4_370.3008, currency: "EUR" } },
  positiveTags: {
    result: "partly",
    wanted: ["partly_vacant", "rail_access"],
    found: ["multi_tenant", "partly_vacant"]
  }
}

/** A match as it is answered. */
export const matchExample = {
  score: 60,
  criteria: (Object.keys(costs) as ReadonlyArray<CriterionName>).map((criterion) => ({
    criterion,
    ...(compared[criterion] ?? { result: "unknown", wanted: null, found: null })
  }))
}

const matchMembers = {
  score: Schema.Int.annotate({
    description: `How well the property fits the mandate, from 0 to ${maxScore}: ${maxScore} less the points of the criteria that are not met.`,
    examples: [matchExample.score]
  }),
  criteria: Schema.Array(Criterion).annotate({
    description: "Why: all criteria, those that exclude first, then by their points.",
    examples: [matchExample.criteria]
  })
}

/** A mandate that wants a property. */
export const MatchingMandate = Schema.Struct({ ...Mandate.fields, ...matchMembers }).annotate({
  identifier: "MatchingMandate",
  description: "A mandate that wants the property, with the score and the criteria of the match."
})
export type MatchingMandate = typeof MatchingMandate.Type

/** A property that fits a mandate. */
export const MatchingProperty = Schema.Struct({ ...Property.fields, ...matchMembers }).annotate({
  identifier: "MatchingProperty",
  description: "A property that fits the mandate, with the score and the criteria of the match."
})
export type MatchingProperty = typeof MatchingProperty.Type

/** The most records that are compared for one answer. */
export const maxCandidates = 10_000

/** The page of a list of matches. */
const MatchPageOf = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({
    ...PageOf(item, identifier).fields,
    isComplete: Schema.Boolean.annotate({
      description: `False if more than ${maxCandidates.toLocaleString("en")} records came into question: then only the newest ones were compared.`,
      examples: [true]
    })
  }).annotate({ identifier, description: "A page of matches, best first." })

/** A page of mandates that want a property. */
export const MandateMatchPage = MatchPageOf(MatchingMandate, "MandateMatchPage")
export type MandateMatchPage = typeof MandateMatchPage.Type

/** A page of properties that fit a mandate. */
export const PropertyMatchPage = MatchPageOf(MatchingProperty, "PropertyMatchPage")
export type PropertyMatchPage = typeof PropertyMatchPage.Type

/** The lowest score that is listed by default. */
export const defaultMinScore = 50

const MinScore = Schema.String.check(
  check(
    "out_of_range",
    `Must be a whole number from 0 to ${maxScore}.`,
    (value: string) => /^(?:0|[1-9]\d{0,2})$/.test(value) && Number(value) <= maxScore
  )
).pipe(
  Schema.decodeTo(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxScore })).annotate({
      description: "List only matches with at least this score.",
      default: defaultMinScore,
      examples: [defaultMinScore]
    }),
    SchemaTransformation.transform({ decode: Number, encode: String })
  )
)

/** The parameters of a list of matches. */
export const MatchListQuery = Schema.Struct({ ...pageQuery, min_score: Schema.optionalKey(MinScore) })
export type MatchListQuery = typeof MatchListQuery.Type
