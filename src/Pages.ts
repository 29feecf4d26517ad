/** The console: one line for each module that has pages, and what stands where in its navigation. */
import * as account from "./console/AccountPages.ts"
import * as drafts from "./console/DraftPages.ts"
import * as keyboard from "./console/KeyboardPages.ts"
import * as apps from "./console/AppPages.ts"
import * as approvals from "./console/ApprovalPages.ts"
import * as security from "./console/SecurityPages.ts"
import * as tokens from "./console/TokenPages.ts"
import * as activities from "./content/activities/pages.ts"
import * as today from "./deals/today/pages.ts"
import * as prospects from "./deals/prospects/pages.ts"
import * as projects from "./deals/projects/pages.ts"
import * as audit from "./console/AuditPages.ts"
import * as member from "./console/MemberPages.ts"
import * as filters from "./console/FilterPages.ts"
import * as files from "./content/files/pages.ts"
import * as offers from "./deals/offers/pages.ts"
import * as rooms from "./deals/rooms/pages.ts"
import * as dealTeasers from "./deals/teasers/pages.ts"
import * as merges from "./network/merges/pages.ts"
import * as market from "./market/pages.ts"
import * as network from "./network/pages.ts"
import * as investors from "./network/projects/pages.ts"
import * as start from "./start/pages.ts"
import * as journal from "./webhooks/changes/pages.ts"
import * as clients from "./webhooks/clients/pages.ts"
import * as tags from "./network/tags/pages.ts"
import * as webhooks from "./webhooks/pages.ts"
import * as teams from "./tenancy/pages.ts"
import * as privacy from "./privacy/pages.ts"
import * as runs from "./tenancy/RunPages.ts"
import * as installation from "./doctor/pages.ts"
import * as queues from "./doctor/QueuePages.ts"
import * as statements from "./doctor/StatementPages.ts"
import * as receivers from "./webhooks/deliveries/OperatorPages.ts"
import * as imports from "./transfer/pages.ts"
import * as exports from "./transfer/ExportPages.ts"
import * as teasers from "./deals/teasers/ReviewPages.ts"
import * as users from "./console/UserPages.ts"
import * as team from "./console/TeamPages.ts"
import * as deliveries from "./webhooks/deliveries/pages.ts"
import * as requests from "./console/RequestPages.ts"
import * as docs from "./console/DocsPages.ts"
import * as inbox from "./webhooks/inbox/pages.ts"
import type { AreasOf } from "./console/Console.ts"
import { texts } from "./console/Texts.ts"

/** All pages. */
export const pages = [
  // The person.
  ...start.pages,
  ...account.pages,
  ...security.pages,
  ...tokens.pages,
  ...keyboard.pages,
  ...drafts.pages,
  ...filters.pages,
  // The team, and what it has.
  ...team.pages,
  ...member.pages,
  ...clients.pages,
  ...tags.pages,
  ...activities.pages,
  ...audit.pages,
  // Deals.
  ...today.pages,
  ...projects.pages,
  ...prospects.pages,
  ...dealTeasers.pages,
  ...rooms.pages,
  ...offers.pages,
  ...files.pages,
  // The network.
  ...network.pages,
  ...investors.pages,
  ...merges.pages,
  ...imports.pages,
  ...exports.pages,
  // The market.
  ...market.pages,
  // Integration.
  ...journal.pages,
  ...inbox.pages,
  ...docs.pages,
  ...requests.pages,
  ...webhooks.pages,
  ...deliveries.pages,
  // The operators.
  ...installation.pages,
  ...teams.pages,
  ...runs.pages,
  ...users.pages,
  ...apps.pages,
  ...approvals.pages,
  ...teasers.pages,
  ...privacy.pages,
  ...receivers.pages,
  ...queues.pages,
  ...statements.pages
]

const words = texts({
  deals: ["Deals", "Deals"],
  dealsAbout: [
    "Projects, their investors, tasks, teasers, offers and rooms.",
    "Projekte, ihre Investoren, Aufgaben, Teaser, Angebote und Datenräume."
  ],
  network: ["Network", "Netzwerk"],
  networkAbout: [
    "People and companies, and what is known of them.",
    "Menschen und Firmen, und was über sie bekannt ist."
  ],
  market: ["Market", "Markt"],
  marketAbout: ["What is for sale, and what is sought.", "Was zum Verkauf steht, und was gesucht wird."],
  integration: ["Integration", "Integration"],
  integrationAbout: ["What programs receive, send and ask.", "Was Programme empfangen, senden und fragen."],
  team: ["Team", "Team"],
  teamAbout: ["Members, programs and settings.", "Mitglieder, Programme und Einstellungen."],
  operation: ["Operation", "Betrieb"],
  operationAbout: ["How this installation does, across all teams.", "Wie es dieser Installation geht, über alle Teams."]
})

/** The parts of the console that a person sees in the navigation: each module says which of its pages they may use. */
export const areasOf: AreasOf = (page) => {
  const t = words[page.reader.language]
  return [
    {
      title: t.deals,
      about: t.dealsAbout,
      links: [...today.links(page), ...projects.links(page), ...offers.links(page)]
    },
    {
      title: t.network,
      about: t.networkAbout,
      links: [...network.links(page), ...imports.links(page), ...exports.links(page)]
    },
    {
      title: t.market,
      about: t.marketAbout,
      links: [...market.links(page)]
    },
    {
      title: t.integration,
      about: t.integrationAbout,
      links: [
        // Of those who write programs.
        ...webhooks.links(page),
        ...journal.links(page),
        ...inbox.links(page),
        ...requests.links(page),
        ...docs.links(page)
      ]
    },
    {
      title: t.team,
      about: t.teamAbout,
      links: [
        ...team.links.first(page),
        ...member.links(page),
        ...clients.links(page),
        ...tags.links(page),
        ...team.links.last(page),
        // Of those who administer.
        ...privacy.linksOfTeam(page),
        ...audit.linksOfTeam(page)
      ]
    },
    {
      title: t.operation,
      about: t.operationAbout,
      links: [
        // Of operators alone.
        ...installation.links(page),
        ...teams.links(page),
        ...runs.links(page),
        ...users.links(page),
        ...apps.links(page),
        ...approvals.links(page),
        ...teasers.links(page),
        ...receivers.links(page),
        ...queues.links(page),
        ...statements.links(page),
        ...privacy.linksOfOperation(page),
        ...audit.linksOfOperation(page)
      ]
    }
  ].filter(({ links }) => links.length > 0)
}
