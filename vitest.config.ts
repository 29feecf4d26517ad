import { defineConfig } from "vitest/config"

const only = process.env["TEST_STORE"]

const isLong = process.env["TEST_LONG"] === "true"

const onMemory = "test/**/*.memory.test.ts"
const onReplicas = "test/**/*.replicas.test.ts"
const onCitus = "test/**/*.citus.test.ts"

const crossing = [
  "core/mutation/Crossing.contract",
  "market/mandates/Search.contract",
  "deals/offers/{Leaks,Merges,Offers.contract,Recipients,States}",
  "deals/rooms/*.contract",
  "deals/rooms/questions/*.contract",
  "deals/teasers/*.contract",
  "identity/users/Accounts",
  "tenancy/*"
].map((path) => `test/${path}.test.ts`)

/**
 * The contract tests that `npm test` runs on the in-memory store, too: those of what the stores do in different ways (drivers with
 * types and errors, transactions on one connection, jobs, the order of changes, files), and one request to each operation.
 */
const differing = [
  "core/{mutation,quotas}/*",
  "content/files/*",
  "http/*",
  "platform/**/*",
  "surface",
  "webhooks/{changes/*,EndToEnd}",
  "workers/*"
].map((path) => `test/${path}.contract.test.ts`)

/** The tests on Postgres that do more in `npm run test:long` than in `npm test`: see test/support/campaign.ts. */
const campaigns = [
  "cli/incidents",
  "console/EveryPage",
  "content/notes/NoteRace",
  "core/mutation/{Delta,NextSinceModel}",
  "deals/offers/Leaks",
  "deals/prospects/{States,model/Model}",
  "fuzz/Fuzz",
  "process/Alerts",
  "process/FullDisk",
  "process/Start",
  "process/TwoApis",
  "market/mandates/geography/*",
  "mcp/AgreesWithRest",
  "network/batch/Model",
  "privacy/RestoredBackup"
].map((path) => `test/${path}.test.ts`)

/**
 * What takes long and few changes can break runs in `npm run test:long` alone: other servers and users, releases, the largest answers, plans
 * over many rows, kills and outages, races of merges, the driver of jobs, the installation of Node, two commands with many processes, streams
 * of the largest files, an example that syncs at random.
 */
const rare = [
  "cli/importDuplicates",
  "cli/importKills",
  "cli/listen",
  "content/files/Crash",
  "content/files/Streams",
  "deals/prospects/Plans",
  "deploy/release",
  "examples/crmSync/TwoWay",
  "http/ByteBudgets",
  "market/mandates/Plans",
  "market/matches/Plans",
  "market/properties/Plans",
  "mcp/FattestAnswers",
  "network/batch/Queries",
  "network/contacts/Queries",
  "network/duplicates/Queries",
  "network/merges/MergeRaces",
  "network/search/Queries",
  "platform/SystemUser",
  "platform/db/Tls",
  "platform/db/embedded/EmbeddedPostgres",
  "platform/jobs/GraphileWorker",
  "privacy/Plans",
  "process/Crash",
  "process/DatabaseStart",
  "process/Outage",
  "process/Roles",
  "process/WebhookCrash",
  "run"
].map((path) => `test/${path}.test.ts`)

/** The same of the in-memory store. */
const rareInMemory = ["examples/crmSync/TwoWay", "platform/db/MemoryDatabase"].map(
  (path) => `test/${path}.memory.test.ts`
)

const contract = "test/**/*.contract.test.ts"

const projects = [
  {
    extends: true as const,
    test: {
      name: "postgres",
      include: isLong ? [contract, ...campaigns, ...rare] : ["test/**/*.test.ts"],
      exclude: [onMemory, onReplicas, onCitus, ...(isLong ? [] : rare)],
      globalSetup: ["test/support/globalSetup.ts"],
      env: { TEST_STORE: "postgres" },
      // One more than there are cores: tests of processes and of databases wait a good part of their time.
      maxWorkers: 3,
      sequence: { groupOrder: 1 }
    }
  },
  {
    extends: true as const,
    test: {
      name: "memory",
      include: isLong || only === "memory" ? [contract, onMemory] : [...differing, onMemory],
      exclude: isLong ? [] : rareInMemory,
      env: { TEST_STORE: "memory" },
      // These wait for nothing, and each process takes seconds until it has such a database.
      maxWorkers: 2,
      sequence: { groupOrder: 0 }
    }
  },
  {
    extends: true as const,
    test: {
      name: "replicas",
      include: [onReplicas],
      globalSetup: ["test/support/globalSetup.ts"],
      env: { TEST_STORE: "postgres" },
      // Each file runs several servers.
      maxWorkers: 1,
      testTimeout: 180_000,
      sequence: { groupOrder: 2 }
    }
  },
  {
    extends: true as const,
    test: {
      name: "citus",
      include: [contract],
      globalSetup: ["test/citus/globalSetup.ts"],
      env: { TEST_STORE: "citus" },
      maxWorkers: 2,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      sequence: { groupOrder: 3 }
    }
  },
  {
    extends: true as const,
    test: {
      name: "cells",
      // Every other team is in another cell, so what crosses teams crosses servers.
      include: [...crossing, onCitus],
      globalSetup: ["test/citus/globalSetup.ts"],
      env: { TEST_STORE: "citus" },
      maxWorkers: 2,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      sequence: { groupOrder: 4 }
    }
  }
]

const onDemand = ["replicas", "citus", "cells"]

/**
 * `npm test` runs every test on Postgres, but for those of the in-memory store (`*.memory.test.ts`), and some contract tests
 * (`*.contract.test.ts`) on both. `npm run test:long` runs all contract tests on both, and the campaigns. TEST_STORE=memory|postgres
 * keeps to one store. `npm run test:replicas` and `npm run test:citus` run what needs several servers.
 */
export default defineConfig({
  test: {
    projects: projects.filter(({ test }) =>
      only === undefined
        ? !onDemand.includes(test.name)
        : test.name === only || (only === "citus" && test.name === "cells")
    ),
    // Only for what hangs: a machine with other work takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["test/support/resolution.ts", "test/support/seed.ts"],
    // The modules, and the service of most tests, are loaded once per process instead of once per file.
    pool: "forks",
    isolate: false,
    // Node runs the modules itself, as in production: a tenth less work than Vite's transforms. `vi.mock` would not work.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Fewer collections of young objects, as in production: docs/adr/0015-node-memory-flags.md.
    execArgv: ["--max-semi-space-size=16"]
  }
})
