/** The REST API: one line per group of endpoints. */
import { HttpApi } from "effect/http-api"
import { oauth } from "./identity/oauth/api.ts"
import { changes } from "./webhooks/changes/api.ts"
import { companyFiles, contactFiles, files, propertyFiles } from "./content/files/api.ts"
import { teams } from "./identity/teams/api.ts"
import { identity } from "./identity/users/api.ts"
import { companies } from "./network/companies/api.ts"
import { contacts } from "./network/contacts/api.ts"
import { duplicates } from "./network/duplicates/api.ts"
import { companyNotes, contactNotes, projectNotes, propertyNotes, prospectNotes } from "./content/notes/api.ts"
import { merges } from "./network/merges/api.ts"
import { links } from "./network/links/api.ts"
import { associatedProjects } from "./network/projects/api.ts"
import { offers } from "./deals/offers/api.ts"
import { projects } from "./deals/projects/api.ts"
import { properties } from "./market/properties/api.ts"
import { prospects } from "./deals/prospects/api.ts"
import { tasks } from "./deals/prospects/tasks/api.ts"
import { questions, rooms } from "./deals/rooms/api.ts"
import { projectTeasers, propertyTeasers, roomTeasers } from "./deals/teasers/api.ts"
import { deliveries } from "./webhooks/deliveries/api.ts"
import { mandates } from "./market/mandates/api.ts"
import { matches } from "./market/matches/api.ts"
import { webhooks } from "./webhooks/api.ts"

/** All operations of the service. */
export const Api = HttpApi.make("property-network")
  .add(identity)
  .add(teams)
  .add(contacts)
  .add(companies)
  .add(links)
  .add(duplicates)
  .add(merges)
  .add(associatedProjects)
  .add(contactNotes)
  .add(companyNotes)
  .add(contactFiles)
  .add(companyFiles)
  .add(propertyFiles)
  .add(files)
  .add(properties)
  .add(projects)
  .add(prospects)
  .add(tasks)
  .add(questions)
  .add(propertyNotes)
  .add(projectNotes)
  .add(prospectNotes)
  .add(rooms)
  .add(projectTeasers)
  .add(propertyTeasers)
  .add(offers)
  .add(roomTeasers)
  .add(mandates)
  .add(matches)
  .add(webhooks)
  .add(deliveries)
  .add(changes)
  .add(oauth)
