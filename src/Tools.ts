/** The MCP surface: one line per module. */
import { Effect, Layer } from "effect"
import * as activities from "./activities/tools.ts"
import * as users from "./identity/users/tools.ts"
import * as mandates from "./mandates/tools.ts"
import * as matching from "./matching/tools.ts"
import { References } from "./mcp/References.ts"
import { Toolbox } from "./mcp/Toolbox.ts"
import * as companies from "./network/companies/tools.ts"
import * as contacts from "./network/contacts/tools.ts"
import * as deletions from "./network/projects/tools.ts"
import * as prospectUpdates from "./network/prospects/tools.ts"
import * as offers from "./offers/tools.ts"
import * as projects from "./projects/tools.ts"
import * as properties from "./properties/tools.ts"
import * as tasks from "./prospects/tasks/tools.ts"
import * as prospects from "./prospects/tools.ts"
import * as questions from "./rooms/questions/tools.ts"
import * as rooms from "./rooms/tools.ts"

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
      deletions.tools,
      projects.tools,
      properties.tools,
      prospects.tools,
      prospectUpdates.tools,
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
