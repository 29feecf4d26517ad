/** The tools of mandates. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Result, Schema, Struct } from "effect"
import { Country } from "../../core/fields/Place.ts"
import { Currency } from "../../core/fields/Measure.ts"
import { LongText } from "../../core/fields/Text.ts"
import { findingIn, reference, References } from "../../mcp/References.ts"
import { cutLists, excerpt } from "../../mcp/text.ts"
import { bodyFault, orReject } from "../../core/usecase/Input.ts"
import { bboxOf, type Geography, positionsOf, Radius } from "./geography/Geography.ts"
import { categories, type Mandate, statuses, type WrittenMandate } from "./Mandate.ts"
import { Mandates } from "./Mandates.ts"
import type { Fault } from "../../core/usecase/Problem.ts"

const text = Schema.NullOr(Schema.String)

const line = { id: Schema.String, name: text, status: text }

const written = { id: Schema.String, etag: Schema.String }

const lineOf = (mandate: Mandate) => ({
  ...Struct.pick(mandate, [
    "id",
    "name",
    "status",
    "validUntilUtc",
    "investor",
    "categories",
    "investmentSize",
    "country"
  ]),
  ...(mandate.description === null ? {} : { description: excerpt(mandate.description) })
})

// The characters of JSON that external references and an outline may take of an answer.
const maxRefs = 4_000
const maxGeography = 20_000

/** All members but the outline of a place, which may have thousands of positions. */
const rowOf = (mandate: Mandate) =>
  cutLists(
    {
      ...Struct.omit(mandate, ["geography", "externalRefs", "changeType", "changeOrigin", "deletedUtc"]),
      externalRefs: Tool.refTexts(mandate.externalRefs)
    },
    { externalRefs: maxRefs }
  )

/** All members; of an outline that an answer has no room for, the box around it and how many positions it has. */
const viewOf = (mandate: Mandate) => {
  const { geography } = mandate
  const row = rowOf(mandate)
  if (geography === null || JSON.stringify(geography).length <= maxGeography) return { ...row, geography }
  const positions = positionsOf(geography as Geography)
  return { ...row, bbox: bboxOf(positions), leftOut: { ...row.leftOut, geography: positions.length } }
}

const writtenOf = ({ resolvedLocation, ...mandate }: WrittenMandate) => ({
  ...rowOf(mandate),
  ...(resolvedLocation === undefined ? {} : { resolvedLocation })
})

// The schemas of REST validate what is in them; theirs are too long to be read with each conversation.
const near = Schema.Struct({ latitude: Schema.Finite, longitude: Schema.Finite })
const geography = Schema.Record(Schema.String, Schema.Json)

const place = {
  geography: Schema.optionalKey(geography.annotate({ description: "GeoJSON Polygon or MultiPolygon." })),
  near: Schema.optionalKey(near.annotate({ description: "Centre of a circle; needs radius." })),
  radius: Schema.optionalKey(Radius.annotate({ description: "Metres; needs near." })),
  location: Schema.optionalKey(Schema.String.annotate({ description: "Name of a place, such as Munich." }))
}

const uses = Schema.Array(Schema.Literals(categories))

const amount = Schema.Finite

const kinds = {
  description: [LongText, "What is wanted, in words."],
  investmentSizeMin: [amount, "Per deal."],
  investmentSizeMax: [amount, "Per deal."],
  lettableAreaMin: [amount, "Square metres."],
  lettableAreaMax: [amount, "Square metres."],
  country: [Country, "ISO 3166-1 alpha-2."]
} as const

const lists = {
  status: Schema.optionalKey(Schema.Literals(statuses).annotate({ description: "New: active." })),
  currency: Schema.optionalKey(Currency.annotate({ description: "ISO 4217." })),
  categories: Schema.optionalKey(uses.annotate({ description: "The whole list." })),
  externalRefs: Tool.externalRefs
}

const hints = {
  invalid_request:
    "Correct the arguments in errors, and call again. Name a place in one way; for an ambiguous location, send a candidate's spelling."
}

interface Sent extends FlatRanges {
  readonly contact?: string | null | undefined
  readonly company?: string | null | undefined
  readonly externalRefs?: ReadonlyArray<string> | undefined
}

/** Finds mandates by an external reference. */
export const finder = Effect.map(Mandates, ({ list }) => findingIn(list))

/** The tools of mandates. They need the `investor` capability, approved or requested, or the `broker` capability. */
export const tools = Effect.gen(function* () {
  const mandates = yield* Mandates
  const { resolve } = yield* References
  const find = (argument: string) => resolve("mandate", "mandate", argument)
  const idOf = <None extends null | undefined>(type: "company" | "contact", argument: string | None) =>
    typeof argument === "string" ? resolve(type, type, argument) : Effect.succeed(argument as None)

  const bodyOf = Effect.fnUntraced(function* (sent: Sent, isChange: boolean) {
    const { company, contact, currency, externalRefs, ...rest } = sent
    const { investmentSizeMax, investmentSizeMin, lettableAreaMax, lettableAreaMin, ...members } = rest
    const ranges = yield* orReject(
      rangesOf({ currency, investmentSizeMax, investmentSizeMin, lettableAreaMax, lettableAreaMin }, isChange)
    )
    const investor = investorOf(yield* idOf("contact", contact), yield* idOf("company", company))
    return { ...members, ...ranges, ...investor, ...Tool.refsOf(externalRefs) } as never
  })

  return [
    Tool.list({
      name: "list_mandates",
      title: "List mandates",
      description: "What investors look for, the latest last. search_mandates finds mandates by place.",
      toolset: "mandates",
      input: {
        status: Schema.optionalKey(Schema.Literals(statuses).annotate({ description: "All if omitted." })),
        contact: Schema.optionalKey(reference("contact", "Kept for this contact")),
        company: Schema.optionalKey(reference("company", "Kept for this company"))
      },
      items: "mandates",
      item: line,
      rows: ({ company, contact, status }, page) =>
        Effect.flatMap(Effect.all([idOf("contact", contact), idOf("company", company)]), ([contactId, companyId]) =>
          mandates.list(page.request({ status, contact_id: contactId, company_id: companyId }))
        ),
      concise: lineOf,
      detailed: rowOf
    }),
    Tool.list({
      name: "search_mandates",
      title: "Search mandates by place",
      description:
        "Mandates whose place meets a place: exactly one of geography, near with radius, or location. Those without a place have match anywhere. A page may be empty: go on while there is a nextCursor.",
      toolset: "mandates",
      input: {
        ...place,
        categories: Schema.optionalKey(uses.annotate({ description: "Uses that a mandate wants, or leaves open." })),
        status: Schema.optionalKey(
          Schema.Literals([...statuses, "all"]).annotate({ description: "If omitted: active and still valid." })
        )
      },
      hints,
      items: "mandates",
      item: { ...line, match: Schema.String },
      rows: (input, page) => mandates.search(page.body(input)),
      concise: ({ match, ...mandate }) => ({ ...lineOf(mandate), match }),
      detailed: ({ match, ...mandate }) => ({ ...rowOf(mandate), match })
    }),
    Tool.read({
      name: "get_mandate",
      title: "Get a mandate",
      description:
        "One mandate with all its criteria, its place and its etag. Of a long geography it has bbox, and leftOut counts the positions: REST has them.",
      toolset: "mandates",
      input: { mandate: reference("mandate") },
      output: { ...line, etag: Schema.String },
      read: ({ mandate }) => Effect.map(Effect.flatMap(find(mandate), mandates.get), viewOf)
    }),
    Tool.create({
      name: "create_mandate",
      title: "Create a mandate",
      description:
        "Adds a mandate, the team's own or kept for a contact or a company. Place: one of geography, near with radius, location.",
      toolset: "mandates",
      input: {
        name: Tool.name,
        contact: Schema.optionalKey(reference("contact")),
        company: Schema.optionalKey(reference("company")),
        ...Tool.members(kinds),
        ...lists,
        ...place
      },
      hints,
      output: written,
      write: (input, given) =>
        Effect.flatMap(bodyOf(input, false), (body) =>
          Effect.map(mandates.create(given.request({ body })), ({ value }) => writtenOf(value))
        )
    }),
    Tool.update({
      name: "update_mandate",
      title: "Update a mandate",
      description:
        "Changes the members that are sent. A range needs both ends; a place is one of geography, near with radius, location.",
      toolset: "mandates",
      input: {
        mandate: reference("mandate"),
        name: Schema.optionalKey(Tool.name),
        contact: Schema.optionalKey(Schema.NullOr(reference("contact"))),
        company: Schema.optionalKey(Schema.NullOr(reference("company"))),
        ...Tool.clearables(kinds),
        ...Struct.omit(lists, ["externalRefs"]),
        ...place,
        geography: Schema.optionalKey(Schema.NullOr(geography).annotate({ description: "GeoJSON; null: no place." }))
      },
      hints,
      output: written,
      write: ({ mandate, ...input }, given) =>
        Effect.gen(function* () {
          const id = yield* find(mandate)
          const body = yield* bodyOf(input, true)
          return writtenOf(yield* mandates.patch(id, given.request({ about: [id], body })))
        })
    }),
    Tool.remove({
      name: "delete_mandate",
      title: "Delete a mandate",
      description: "Deletes a mandate. To keep it, update_mandate its status to closed.",
      toolset: "mandates",
      input: { mandate: reference("mandate") },
      output: { id: Schema.String },
      write: ({ mandate }, given) =>
        Effect.flatMap(find(mandate), (id) =>
          Effect.as(mandates.delete(id, given.request({ about: [id] })), { id, deleted: true })
        )
    })
  ]
})

// The flat arguments of agents for members that REST nests: ranges and investors. Pure.

type End = number | null | undefined

/** The ends of the ranges that agents can write. */
export interface FlatRanges {
  readonly investmentSizeMin?: End
  readonly investmentSizeMax?: End
  readonly currency?: string | undefined
  readonly lettableAreaMin?: End
  readonly lettableAreaMax?: End
}

const faultAt = (argument: string, detail: string) => bodyFault(`/${argument}`, "required", detail)

/**
 * A member with a range, from its two ends: nothing if neither is sent, null if both are null. A range is replaced as a whole, so a
 * change needs both ends: one alone would open the other unseen.
 */
const rangeOf = (member: string, [min, max]: readonly [End, End], others: object, isChange: boolean) => {
  if (min === undefined && max === undefined) return Result.succeed({})
  if (isChange && (min === undefined || max === undefined)) {
    const missing = `${member}${min === undefined ? "Min" : "Max"}`
    return Result.fail([faultAt(missing, "Send both ends of a range; null for an open end.")])
  }
  const ends = { min: min ?? null, max: max ?? null }
  return Result.succeed({ [member]: ends.min === null && ends.max === null ? null : { ...ends, ...others } })
}

/** The ranges of a body. */
export const rangesOf = (
  sent: FlatRanges,
  isChange: boolean
): Result.Result<{ readonly [member: string]: object | null }, ReadonlyArray<Fault>> => {
  const { currency, investmentSizeMax, investmentSizeMin, lettableAreaMax, lettableAreaMin } = sent
  const hasSize = typeof investmentSizeMin === "number" || typeof investmentSizeMax === "number"
  if (hasSize && currency === undefined) {
    return Result.fail([faultAt("currency", "Needs the currency of investmentSizeMin and investmentSizeMax.")])
  }
  if (!hasSize && currency !== undefined) {
    return Result.fail([faultAt("investmentSizeMin", "Needs an end of the range that currency belongs to.")])
  }
  return Result.gen(function* () {
    const size = [investmentSizeMin, investmentSizeMax] as const
    const area = [lettableAreaMin, lettableAreaMax] as const
    return {
      ...(yield* rangeOf("investmentSize", size, { currency, scale: "unit" }, isChange)),
      ...(yield* rangeOf("lettableArea", area, { unit: "sqm" }, isChange))
    }
  })
}

/** The member `investor` of a body, from the ids that were sent: null clears it. */
export const investorOf = (contactId: string | null | undefined, companyId: string | null | undefined) => {
  if (contactId === undefined && companyId === undefined) return {}
  const ids = {
    ...(typeof contactId === "string" ? { contactId } : {}),
    ...(typeof companyId === "string" ? { companyId } : {})
  }
  return { investor: Object.keys(ids).length === 0 ? null : ids }
}
