import { defineConfig } from "vitest/config"

const only = process.env["TEST_STORE"]

const onMemory = "test/**/*.memory.test.ts"
const onReplicas = "test/**/*.replicas.test.ts"
const onCitus = "test/**/*.citus.test.ts"

const crossing = [
  "core/mutation/Crossing.contract",
  "market/mandates/Search.contract",
  "deals/offers/{Leaks,Merges,Offers.contract,Recipients,States}",
  "deals/rooms/*.contract",
  "deals/rooms/questions/*.contract",
  "deals/teasers/*.contract"
].map((path) => `test/${path}.test.ts`)

const projects = [
  {
    extends: true as const,
    test: {
      name: "postgres",
      include: ["test/**/*.test.ts"],
      exclude: [onMemory, onReplicas, onCitus],
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
      include: ["test/**/*.contract.test.ts", onMemory],
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
      include: ["test/**/*.contract.test.ts"],
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
 * Every test runs on Postgres, but for those of the in-memory store (`*.memory.test.ts`); the contract suite
 * (`*.contract.test.ts`) runs on both. TEST_STORE=memory|postgres keeps to one of them. `npm run test:replicas` runs the tests with
 * standbys (`*.replicas.test.ts`), which take minutes.
 */
export default defineConfig({
  test: {
    projects: projects.filter(({ test }) =>
      only === undefined
        ? !onDemand.includes(test.name)
        : test.name === only || (only === "citus" && test.name === "cells")
    ),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The modules, and the service of most tests, are loaded once per process instead of once per file.
    pool: "forks",
    isolate: false
  }
})
