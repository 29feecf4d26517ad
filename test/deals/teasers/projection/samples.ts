/** Properties and projections for tests of the pure functions. */
import type { Property } from "../../../../src/market/properties/Property.ts"
import { blank } from "../../../../src/market/properties/rules.ts"
import type { Plan } from "../../../../src/identity/teams/Team.ts"
import { type Design, project } from "../../../../src/deals/teasers/projection/investorView.ts"

const audit = {
  createdUtc: "2026-11-21T09:30:00.000Z",
  updatedUtc: "2026-11-21T09:30:00.000Z",
  etag: '"v1"',
  changeType: "created",
  changeOrigin: "api",
  deletedUtc: null
}

/** A property with these members, and no others. */
export const propertyWith = (members: object): Property => ({
  id: "property_01kb3n7x2ferwt5z8q4j6m9d0c",
  ...blank,
  name: "Turm",
  ...members,
  ...audit
})

/** Some design. */
export const designOf = (design: Partial<Design> = {}): Design => ({ options: {}, tags: null, title: null, ...design })

/** What is made of some properties. */
export const made = (
  properties: ReadonlyArray<object>,
  design: Partial<Design> = {},
  { language = "en", plan = "plus" }: { readonly plan?: Plan; readonly language?: string } = {}
) => project(properties.map(propertyWith), designOf(design), { plan, language })

/** What investors see of a property with these members. */
export const projected = (members: object, design: Partial<Design> = {}) => made([members], design).projection
