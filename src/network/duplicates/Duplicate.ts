/** Companies of the network that another one may duplicate (docs/behaviour/network.md#find-duplicates). */
import { Schema } from "effect"
import { Country } from "../../core/fields/Place.ts"
import { Name, Text } from "../../core/fields/Text.ts"
import { WebUrl } from "../../core/fields/InternetAddress.ts"
import { IdOf } from "../../core/Id.ts"

/** The company to search for. */
export const DuplicateQuestion = Schema.Struct({
  name: Name.annotate({
    description: "Compared without case, accents, legal forms and word order; typing errors are tolerated.",
    examples: ["Castelum"]
  }),
  domain: Schema.optionalKey(
    Schema.NullOr(Text(2048)).annotate({
      description: "The domain of the company, or its homepage. Compared in lower case and without `www.`.",
      examples: ["castellum.example"]
    })
  ),
  countryCode: Schema.optionalKey(
    Schema.NullOr(Country).annotate({
      description: "Companies of this country come first. Companies of other countries are found as well.",
      examples: ["SE"]
    })
  ),
  linkedInUrl: Schema.optionalKey(
    Schema.NullOr(WebUrl).annotate({
      description: "The LinkedIn page of the company. Scheme, subdomain, query and trailing slash are ignored.",
      examples: ["https://www.linkedin.com/company/castellum-example"]
    })
  )
}).annotate({ identifier: "DuplicateQuestion", description: "A company that the network may already have." })
export type DuplicateQuestion = typeof DuplicateQuestion.Type

/** A possible duplicate. */
export const Duplicate = Schema.Struct({
  id: IdOf("company"),
  name: Schema.String.annotate({ examples: ["Castellum AB"] }),
  domain: Schema.NullOr(Schema.String).annotate({ examples: ["castellum.example"] }),
  countryCode: Schema.NullOr(Country).annotate({ examples: ["SE"] }),
  score: Schema.Finite.annotate({
    description:
      "The confidence, up to 1: the same domain, LinkedIn page or name (without case, accents and legal form). Below 1, the share of letters of the names that agree; at least 0.8.",
    examples: [0.89]
  })
}).annotate({ identifier: "DuplicateCompany", description: "A possible duplicate of the company." })
export type Duplicate = typeof Duplicate.Type

/** The answer. */
export const DuplicateList = Schema.Struct({
  data: Schema.Array(Duplicate).annotate({
    description: "At most 20: those of the country first, then by score; empty if there are none."
  })
}).annotate({ identifier: "DuplicateCompanies", description: "Possible duplicates of the company." })
export type DuplicateList = typeof DuplicateList.Type
