/** Companies of the network that another may be a duplicate of (specification, Network; decisions §4). */
import { Schema } from "effect"
import { Country } from "../../fields/Country.ts"
import { Name, Text } from "../../fields/Text.ts"
import { WebUrl } from "../../fields/WebUrl.ts"
import { IdOf } from "../../Id.ts"

/** What is known of the company that is looked for. */
export const DuplicateQuestion = Schema.Struct({
  name: Name.annotate({
    description: "Compared without case, accents and legal forms; the order of words and small slips are forgiven.",
    examples: ["Castelum"]
  }),
  domain: Schema.optionalKey(
    Schema.NullOr(Text(2048)).annotate({
      description: "The company's domain, or its homepage. Compared in lower case and without `www.`.",
      examples: ["castellum.example"]
    })
  ),
  countryCode: Schema.optionalKey(
    Schema.NullOr(Country).annotate({
      description: "Companies of this country come first. Companies of others are found as well.",
      examples: ["SE"]
    })
  ),
  linkedInUrl: Schema.optionalKey(
    Schema.NullOr(WebUrl).annotate({
      description: "The company's page on LinkedIn. Scheme, subdomain, query and trailing slash do not count.",
      examples: ["https://www.linkedin.com/company/castellum-example"]
    })
  )
}).annotate({ identifier: "DuplicateQuestion", description: "A company that the network may have already." })
export type DuplicateQuestion = typeof DuplicateQuestion.Type

/** A company that it may be. */
export const Duplicate = Schema.Struct({
  id: IdOf("company"),
  name: Schema.String.annotate({ examples: ["Castellum AB"] }),
  domain: Schema.NullOr(Schema.String).annotate({ examples: ["castellum.example"] }),
  countryCode: Schema.NullOr(Country).annotate({ examples: ["SE"] }),
  score: Schema.Finite.annotate({
    description:
      "How sure it is, up to 1: the same domain, LinkedIn page or name (but for case, accents and legal form). Below that, the share of the name's letters that agree; at least 0.8.",
    examples: [0.89]
  })
}).annotate({ identifier: "DuplicateCompany", description: "A company that may be the one that was asked about." })
export type Duplicate = typeof Duplicate.Type

/** All that were found. */
export const DuplicateList = Schema.Struct({
  data: Schema.Array(Duplicate).annotate({
    description: "At most 20: those of the country first, then the surest; empty when there are none."
  })
}).annotate({ identifier: "DuplicateCompanies", description: "Companies that may be the one that was asked about." })
export type DuplicateList = typeof DuplicateList.Type
