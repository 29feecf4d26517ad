/** The modes that the properties of a teaser, and the team's plan, leave to choose from: docs/behaviour/teasers.md#template. Pure. */
import type { Plan } from "../../../identity/teams/Team.ts"
import type { Facts } from "./facts.ts"
import { type AvailableModes, eachPart, isAllowed, type Mode, modes, type Part } from "./modes.ts"

const hasPlace = ({ country, locality, region }: Facts) => country !== null || region !== null || locality !== null

/** Whether something is known that a mode would show. */
const canServe = (part: Part, mode: Mode, facts: Facts): boolean => {
  if (mode === "hidden") return true
  switch (part) {
    case "location":
      // An address alone would be the most discreet place to show, and the default.
      return mode === "address" ? facts.address !== null && hasPlace(facts) : facts[mode as "country"] !== null
    case "price":
      return facts.prices.length > 0
    case "zoning":
      return facts.zoningGfa !== null
    case "energy":
      return facts.energyClass !== null
    case "tenants":
      return facts.tenants.some(({ name }) => mode === "sector" || name !== null)
    case "categories":
    case "tags":
    case "conversions":
      return facts[part].length > 0
    case "area":
    case "tenure":
    case "wault":
    case "yearBuilt":
    case "yield":
      return facts[part] !== null
  }
}

/** The modes that each part can have. */
export const availableModes = (facts: Facts, plan: Plan): AvailableModes =>
  eachPart((part) => {
    const all: ReadonlyArray<Mode> = modes[part]
    return all.filter((mode) => isAllowed(plan, mode) && canServe(part, mode, facts))
  }) as AvailableModes
