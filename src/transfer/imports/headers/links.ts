/** The headers of files of links. Members with the ids of other records have the names in `References.ts`. */
import type { LinkFields } from "../../../network/links/rules.ts"
import { type KnownHeaders, names, type OfMembers } from "./Headers.ts"

/** The headers of files of links, by what they mean. */
export const linkHeaders: KnownHeaders & OfMembers<"id" | keyof LinkFields> = {
  members: {
    id: names(`linkId`),
    contactId: [],
    companyId: [],
    jobTitle: names(`
      job | title | position | role | function | Jobtitel | Funktion | Stellenbezeichnung | Berufsbezeichnung | fonction |
      poste | cargo | puesto | ruolo | qualifica | functie | functietitel
    `),
    externalRefs: names(`external references`)
  },
  externalId: [],
  linked: {},
  without: [],
  exports: {}
}
