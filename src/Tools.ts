/** The MCP surface: one line per module. */
import * as activities from "./content/activities/tools.ts"
import * as users from "./identity/users/tools.ts"
import * as mandates from "./market/mandates/tools.ts"
import * as matching from "./market/matches/tools.ts"
import * as companies from "./network/companies/tools.ts"
import * as contacts from "./network/contacts/tools.ts"
import * as investors from "./network/projects/tools.ts"
import * as offers from "./deals/offers/tools.ts"
import * as projects from "./deals/projects/tools.ts"
import * as properties from "./market/properties/tools.ts"
import * as tasks from "./deals/prospects/tasks/tools.ts"
import * as prospects from "./deals/prospects/tools.ts"
import * as questions from "./deals/rooms/questions/tools.ts"
import * as rooms from "./deals/rooms/tools.ts"
import { Effect, Layer } from "effect"
import { References } from "./mcp/References.ts"
import { Toolbox } from "./mcp/Toolbox.ts"

const references = Layer.effect(
  References,
  Effect.map(
    Effect.all({
      contact: contacts.finder,
      company: companies.finder,
      project: projects.finder,
      property: properties.finder,
      prospect: prospects.finder,
      mandate: mandates.finder,
      offer: offers.finder
    }),
    (finders) => References.make(finders)
  )
)

/** All tools. They need the use-cases. */
export const layer = Layer.effect(
  Toolbox,
  Effect.map(
    Effect.all([
      activities.tools,
      users.tools,
      contacts.tools,
      companies.tools,
      investors.tools,
      projects.tools,
      properties.tools,
      prospects.tools,
      investors.prospectTools,
      tasks.tools,
      mandates.tools,
      matching.tools,
      offers.tools,
      rooms.tools,
      questions.tools
    ]),
    (groups) => Toolbox.of({ tools: groups.flat() })
  )
).pipe(Layer.provide(references))
