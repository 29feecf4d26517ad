/** The console: one line for each module that has pages, and what stands where in its navigation. */
import * as account from "./console/AccountPages.ts"
import * as activities from "./content/activities/pages.ts"
import * as audit from "./console/AuditPages.ts"
import * as start from "./console/StartPages.ts"
import type { AreasOf } from "./console/Console.ts"
import { texts } from "./console/Texts.ts"

/** All pages. */
export const pages = [
  // The person.
  ...start.pages,
  ...account.pages,
  // The team, and what it has.
  ...activities.pages,
  ...audit.pages
]

const words = texts({
  deals: ["Deals", "Deals"],
  network: ["Network", "Netzwerk"],
  market: ["Market", "Markt"],
  integration: ["Integration", "Integration"],
  team: ["Team", "Team"],
  operation: ["Operation", "Betrieb"]
})

/** The parts of the console that a person sees in the navigation: each module says which of its pages they may use. */
export const areasOf: AreasOf = (page) => {
  const t = words[page.reader.language]
  return [
    { title: t.deals, links: [] },
    { title: t.network, links: [] },
    { title: t.market, links: [] },
    { title: t.integration, links: [] },
    {
      title: t.team,
      links: [
        // Of those who administer.
        ...audit.linksOfTeam(page)
      ]
    },
    {
      title: t.operation,
      links: [
        // Of operators alone.
        ...audit.linksOfOperation(page)
      ]
    }
  ].filter(({ links }) => links.length > 0)
}
