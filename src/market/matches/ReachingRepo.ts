/**
 * The SQL of matches that can have a score: which criteria other than the place are met, as in `match` of rules.ts. Numbers in JSON are
 * exact decimals.
 */
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../platform/db/Database.ts"
import { columnName } from "../../core/records/Table.ts"
import { costs, type CriterionName, maxScore } from "./Match.ts"
import {
  type ComparedMandate,
  type ComparedProperty,
  orderOfClasses,
  productOf,
  scales,
  toleratedYears
} from "./rules.ts"

interface Ends {
  readonly min: number | null
  readonly max: number | null
}

type Criterion = Exclude<CriterionName, "categories" | "country" | "geography" | "negativeTags">

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
    criterion: Criterion,
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
    const ranged = (criterion: Criterion, value: number | null | undefined) => {
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

  /**
   * The criteria of properties that a mandate does not leave open, as far as the indexes of candidates have their columns. A property that
   * leaves one open has null there, which is met.
   */
  const ofProperties = (mandate: ComparedMandate): ReadonlyArray<Limited> => {
    const known = (
      criterion: Criterion,
      { isMet, isPartly }: { readonly isMet: Fragment; readonly isPartly?: Fragment }
    ): Limited => ({
      cost: costs[criterion],
      isMet: sql`coalesce(${isMet}, true)`,
      isPartly: isPartly === undefined ? undefined : sql`coalesce(${isPartly}, true)`
    })
    /** Between the ends that there are. */
    const between = (value: Fragment, min: Fragment | undefined, max: Fragment | undefined) =>
      sql.and([
        ...(min === undefined ? [] : [sql`${value} >= ${min}`]),
        ...(max === undefined ? [] : [sql`${value} <= ${max}`])
      ])
    /** An end of a range, exactly: each is stated several times, and a product would be planned each time. */
    const end = (value: number | null, factors: ReadonlyArray<number>, per: Fragment | undefined) => {
      if (value === null) return
      const product = sql`${productOf([value, ...factors])}::numeric`
      return per === undefined ? product : sql`${product} * ${per}`
    }
    const inRange = (value: Fragment, { max, min }: Ends, scale = 1, per?: Fragment) => ({
      isMet: between(value, end(min, [scale], per), end(max, [scale], per)),
      isPartly: between(value, end(min, [scale, 0.9], per), end(max, [scale, 1.1], per))
    })
    const ranged = (criterion: Criterion, found: Fragment, range: Ends | null) =>
      ofKnown(range, (ends) => known(criterion, inRange(found, ends)))
    const price = sql`(pricing -> 'askingPrice' -> 'value')::numeric`
    const area = sql`nullif((lettable_area -> 'value')::numeric, 0)`
    const priced = (criterion: "investmentSize" | "pricePerSqm", range: Ranges | null, per?: Fragment) =>
      ofKnown(range, ({ currency, max, min, scale }) => {
        const { isMet, isPartly } = inRange(price, { min, max }, scales[scale], per)
        // The currency decides seldom, so it is read last.
        const orOther = (is: Fragment) => sql`(${is} or pricing -> 'askingPrice' ->> 'currency' <> ${currency})`
        return known(criterion, { isMet: orOther(isMet), isPartly: orOther(isPartly) })
      })
    const named = (
      criterion: "dealStructures" | "lifecycleStages" | "tenures",
      column: string,
      values: ReadonlyArray<string>
    ) => ofSome(values, (wanted) => known(criterion, { isMet: sql`${sql.literal(column)} = any(${wanted})` }))
    const { dealStructures, yearBuilt } = mandate
    const year = (value: number | null, tolerated: number) =>
      value === null ? undefined : sql`${value + tolerated}::integer`
    return [
      ...priced("investmentSize", mandate.investmentSize),
      ...ranged("lettableArea", sql`(lettable_area -> 'value')::numeric`, mandate.lettableArea),
      ...named("lifecycleStages", "lifecycle_stage", mandate.lifecycleStages),
      ...named("tenures", "tenure", mandate.tenures),
      ...(dealStructures.includes("either")
        ? []
        : named("dealStructures", "deal_structure", dealStructures.length === 0 ? [] : [...dealStructures, "either"])),
      ...ranged("netInitialYield", sql`(pricing -> 'netInitialYield' -> 'value')::numeric`, mandate.netInitialYield),
      ...priced("pricePerSqm", mandate.pricePerSqm, area),
      ...ofKnown(yearBuilt, ({ max, min }) =>
        known("yearBuilt", {
          isMet: between(sql`year_built`, year(min, 0), year(max, 0)),
          isPartly: between(sql`year_built`, year(min, -toleratedYears), year(max, toleratedYears))
        })
      ),
      ...ranged("parcelArea", sql`(parcel_area -> 'value')::numeric`, mandate.parcelArea),
      ...ranged("unitCount", sql`unit_count::numeric`, mandate.unitCount),
      ...ofSome(mandate.positiveTags, (wanted) =>
        known("positiveTags", {
          isMet: sql`tags = '{}' or tags @> ${wanted}`,
          isPartly: sql`tags = '{}' or tags && ${wanted}`
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

  /** The points that a criterion takes off. */
  const lostBy = ({ cost, isMet, isPartly }: Limited) =>
    isPartly === undefined
      ? sql`case when ${isMet} then 0 else ${sql.literal(String(cost))} end`
      : sql`case when ${isMet} then 0 when ${isPartly} then ${sql.literal(String(cost / 2))} else ${sql.literal(String(cost))} end`

  return {
    /** Conditions of mandates with which a property has at least this score. */
    mandates: (property: ComparedProperty, minScore: number) => reaching(minScore, ofMandates(property)),
    /** Conditions of properties with which a mandate may have at least this score, and the points that they are sure to lose. */
    properties: (mandate: ComparedMandate, minScore: number) => {
      const criteria = ofProperties(mandate)
      return {
        conditions: reaching(minScore, criteria),
        lost: criteria.reduce((sum, one) => sql`${sum} + ${lostBy(one)}`, sql`0`)
      }
    }
  }
}
