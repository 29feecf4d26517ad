/**
 * The SQL of matches that can have a score: which criteria other than the place are met, as in `match` of rules.ts. Numbers in JSON are
 * exact decimals.
 */
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../platform/db/Database.ts"
import { columnName } from "../../core/records/Table.ts"
import { costs, type CriterionName, maxScore } from "./Match.ts"
import { type ComparedMandate, type ComparedProperty, orderOfClasses, toleratedYears } from "./rules.ts"

type Ranges = NonNullable<ComparedMandate["investmentSize"]>

/** What a criterion costs where it is failed, half of it where it is met partly, and when it is not. */
interface Limited {
  readonly cost: number
  readonly isMet: Fragment
  /** Met, or met partly; undefined where it cannot be partly. */
  readonly isPartly: Fragment | undefined
}

/** Makes the conditions. */
export const makeReaching = (sql: Database["Service"]) => {
  const one = sql`1`

  /** A criterion by its conditions, of which `isPartly` includes what is met; null is false. */
  const limited = (
    criterion: Exclude<CriterionName, "categories" | "country" | "geography" | "negativeTags">,
    { isMet, isOpen, isPartly }: { readonly isOpen: Fragment; readonly isMet: Fragment; readonly isPartly?: Fragment }
  ): Limited => ({
    cost: costs[criterion],
    isMet: sql`coalesce(${isOpen} or ${isMet}, false)`,
    isPartly: isPartly === undefined ? undefined : sql`coalesce(${isOpen} or ${isPartly}, false)`
  })

  const ofKnown = <A>(value: A | null | undefined, make: (value: A) => Limited): ReadonlyArray<Limited> =>
    value === null || value === undefined ? [] : [make(value)]

  const ofSome = (values: ReadonlyArray<string>, make: (values: Fragment) => Limited): ReadonlyArray<Limited> =>
    values.length === 0 ? [] : [make(sql`${values}::text[]`)]

  /** Whether a value is between ends that may be null: all are SQL. */
  const between = (value: Fragment, min: Fragment, max: Fragment) =>
    sql`(coalesce(${min} <= ${value}, true) and coalesce(${value} <= ${max}, true))`

  /** Between the ends, or beyond by a tenth. */
  const inRange = (value: Fragment, min: Fragment, max: Fragment) => ({
    isMet: between(value, min, max),
    isPartly: between(sql`${value} * 10`, sql`${min} * 9`, sql`${max} * 11`)
  })

  /** The criteria of mandates that a property does not leave open. */
  const ofMandates = (property: ComparedProperty): ReadonlyArray<Limited> => {
    const { country, energy, income, lettableArea, pricing } = property
    const end = (column: string, which: "max" | "min", factor: Fragment) =>
      sql`(${sql.literal(column)} ->> '${sql.literal(which)}')::numeric * ${factor}`
    const ranged = (criterion: Parameters<typeof limited>[0], value: number | null | undefined) => {
      const column = columnName(criterion)
      return ofKnown(value, (known) =>
        limited(criterion, {
          isOpen: sql`${sql.literal(column)} is null`,
          ...inRange(sql`${known}::numeric`, end(column, "min", one), end(column, "max", one))
        })
      )
    }
    const priced = (criterion: "investmentSize" | "pricePerSqm", per: number) => {
      const column = columnName(criterion)
      const range = sql.literal(column)
      const factor = sql`(case ${range} ->> 'scale' when 'million' then 1e6 when 'thousand' then 1e3 else 1 end * ${per}::numeric)`
      return ofKnown(pricing?.askingPrice, ({ currency, value }) =>
        limited(criterion, {
          isOpen: sql`${range} is null or ${range} ->> 'currency' <> ${currency}`,
          ...inRange(sql`${value}::numeric`, end(column, "min", factor), end(column, "max", factor))
        })
      )
    }
    const listed = (criterion: "conversions" | "subcategories", values: ReadonlyArray<string>) => {
      const column = sql.literal(columnName(criterion))
      return ofSome(values, (found) =>
        limited(criterion, { isOpen: sql`${column} = '{}'`, isMet: sql`${column} && ${found}` })
      )
    }
    const named = (criterion: "lifecycleStages" | "tenures", value: string | null) => {
      const column = sql.literal(columnName(criterion))
      return ofKnown(value, (found) =>
        limited(criterion, { isOpen: sql`${column} = '{}'`, isMet: sql`${found} = any(${column})` })
      )
    }
    const classes = sql`${orderOfClasses}::text[]`
    const worse = (found: string) =>
      sql`coalesce(array_position(${classes}, ${found}), 0) - coalesce(array_position(${classes}, worst_energy_class), 0)`
    return [
      ...priced("investmentSize", 1),
      ...ranged("lettableArea", lettableArea?.value),
      ...named("lifecycleStages", property.lifecycleStage),
      ...listed("subcategories", property.subcategories),
      ...named("tenures", property.tenure),
      ...ofKnown(property.dealStructure === "either" ? null : property.dealStructure, (structure) =>
        limited("dealStructures", {
          isOpen: sql`deal_structures = '{}'`,
          isMet: sql`deal_structures && ${[structure, "either"]}::text[]`
        })
      ),
      ...ranged("netInitialYield", pricing?.netInitialYield?.value),
      ...(lettableArea === null || lettableArea.value === 0 ? [] : priced("pricePerSqm", lettableArea.value)),
      ...ranged("wault", (income?.waultToBreak ?? income?.waultToExpiry)?.value),
      ...ranged("vacancyRate", income?.vacancyRate?.value),
      ...ofKnown(property.yearBuilt, (year) => {
        const [min, max] = [end("year_built", "min", one), end("year_built", "max", one)]
        return limited("yearBuilt", {
          isOpen: sql`year_built is null`,
          isMet: between(sql`${year}::numeric`, min, max),
          isPartly: between(sql`${year}::numeric`, sql`${min} - ${toleratedYears}`, sql`${max} + ${toleratedYears}`)
        })
      }),
      ...ranged("parcelArea", property.parcelArea?.value),
      ...ranged("zoningGfa", property.zoning?.gfa?.value),
      ...ranged("unitCount", property.unitCount),
      ...ofKnown(energy?.class, (found) =>
        limited("worstEnergyClass", {
          isOpen: sql`worst_energy_class is null
            or ${energy?.country ?? null}::text <> coalesce(${country}::text, country, '')`,
          isMet: sql`${worse(found)} <= 0`,
          isPartly: sql`${worse(found)} <= 1`
        })
      ),
      ...listed("conversions", property.conversions),
      ...ofSome(property.tags, (found) =>
        limited("positiveTags", {
          isOpen: sql`positive_tags = '{}'`,
          isMet: sql`positive_tags <@ ${found}`,
          isPartly: sql`positive_tags && ${found}`
        })
      )
    ]
  }

  /** The criteria of properties that a mandate does not leave open. */
  const ofProperties = (mandate: ComparedMandate): ReadonlyArray<Limited> => {
    const ranged = (
      criterion: Parameters<typeof limited>[0],
      text: string,
      range: { readonly min: number | null; readonly max: number | null } | null
    ) => {
      const found = sql`(${sql.literal(text)})::numeric`
      return ofKnown(range, ({ max, min }) =>
        limited(criterion, {
          isOpen: sql`${sql.literal(text)} is null`,
          ...inRange(found, sql`${min}::numeric`, sql`${max}::numeric`)
        })
      )
    }
    const price = sql`(pricing #>> '{askingPrice,value}')::numeric`
    const area = sql`(lettable_area ->> 'value')::numeric`
    const priced = (
      criterion: "investmentSize" | "pricePerSqm",
      range: Ranges | null,
      isOpen: Fragment,
      per: Fragment
    ) =>
      ofKnown(range, ({ currency, max, min, scale }) => {
        const factor = sql`(${{ unit: 1, thousand: 1e3, million: 1e6 }[scale]}::numeric * ${per})`
        return limited(criterion, {
          isOpen: sql`${price} is null or pricing #>> '{askingPrice,currency}' <> ${currency} or ${isOpen}`,
          ...inRange(price, sql`${min}::numeric * ${factor}`, sql`${max}::numeric * ${factor}`)
        })
      })
    const listed = (criterion: "conversions" | "subcategories", values: ReadonlyArray<string>) => {
      const column = sql.literal(columnName(criterion))
      return ofSome(values, (wanted) =>
        limited(criterion, { isOpen: sql`${column} = '{}'`, isMet: sql`${column} && ${wanted}` })
      )
    }
    const named = (
      criterion: "dealStructures" | "lifecycleStages" | "tenures",
      column: string,
      values: ReadonlyArray<string>
    ) =>
      ofSome(values, (wanted) =>
        limited(criterion, {
          isOpen: sql`${sql.literal(column)} is null`,
          isMet: sql`${sql.literal(column)} = any(${wanted})`
        })
      )
    const { dealStructures, positiveTags, worstEnergyClass, yearBuilt } = mandate
    const classes = sql`${orderOfClasses}::text[]`
    const worse = (worst: string) =>
      sql`coalesce(array_position(${classes}, energy ->> 'class'), 0) - coalesce(array_position(${classes}, ${worst}), 0)`
    return [
      ...priced("investmentSize", mandate.investmentSize, sql`false`, one),
      ...ranged("lettableArea", "lettable_area ->> 'value'", mandate.lettableArea),
      ...named("lifecycleStages", "lifecycle_stage", mandate.lifecycleStages),
      ...listed("subcategories", mandate.subcategories),
      ...named("tenures", "tenure", mandate.tenures),
      ...(dealStructures.includes("either") || dealStructures.length === 0
        ? []
        : named("dealStructures", "deal_structure", [...dealStructures, "either"])),
      ...ranged("netInitialYield", "pricing #>> '{netInitialYield,value}'", mandate.netInitialYield),
      ...priced("pricePerSqm", mandate.pricePerSqm, sql`coalesce(${area}, 0) = 0`, area),
      ...ranged(
        "wault",
        "coalesce(income #>> '{waultToBreak,value}', income #>> '{waultToExpiry,value}')",
        mandate.wault
      ),
      ...ranged("vacancyRate", "income #>> '{vacancyRate,value}'", mandate.vacancyRate),
      ...ofKnown(yearBuilt, ({ max, min }) =>
        limited("yearBuilt", {
          isOpen: sql`year_built is null`,
          isMet: between(sql`year_built`, sql`${min}::numeric`, sql`${max}::numeric`),
          isPartly: between(
            sql`year_built`,
            sql`${min}::numeric - ${toleratedYears}`,
            sql`${max}::numeric + ${toleratedYears}`
          )
        })
      ),
      ...ranged("parcelArea", "parcel_area ->> 'value'", mandate.parcelArea),
      ...ranged("zoningGfa", "zoning #>> '{gfa,value}'", mandate.zoningGfa),
      ...ranged("unitCount", "unit_count", mandate.unitCount),
      ...ofKnown(worstEnergyClass, (worst) =>
        limited("worstEnergyClass", {
          isOpen: sql`energy ->> 'class' is null
            or energy ->> 'country' <> coalesce(country, ${mandate.country}::text, '')`,
          isMet: sql`${worse(worst)} <= 0`,
          isPartly: sql`${worse(worst)} <= 1`
        })
      ),
      ...listed("conversions", mandate.conversions),
      ...ofSome(positiveTags, (wanted) =>
        limited("positiveTags", {
          isOpen: sql`tags = '{}'`,
          isMet: sql`tags @> ${wanted}`,
          isPartly: sql`tags && ${wanted}`
        })
      )
    ]
  }

  /** Conditions of a score of at least `minScore`: criteria that cost more than it leaves. */
  const reaching = (minScore: number, criteria: ReadonlyArray<Limited>): ReadonlyArray<Fragment> =>
    criteria.flatMap(({ cost, isMet, isPartly }) => {
      if (cost <= maxScore - minScore) return []
      return [isPartly === undefined || cost / 2 > maxScore - minScore ? isMet : isPartly]
    })

  return {
    /** Conditions of mandates with which a property has at least this score. */
    mandates: (property: ComparedProperty, minScore: number) => reaching(minScore, ofMandates(property)),
    /** Conditions of properties with which a mandate has at least this score. */
    properties: (mandate: ComparedMandate, minScore: number) => reaching(minScore, ofProperties(mandate))
  }
}
