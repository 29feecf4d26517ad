import { defineConfig } from "vitest/config"

const only = process.env["TEST_STORE"]

const projects = [
  {
    extends: true as const,
    test: {
      name: "postgres",
      include: ["test/**/*.test.ts"],
      globalSetup: ["test/support/globalSetup.ts"],
      env: { TEST_STORE: "postgres" }
    }
  },
  {
    extends: true as const,
    test: {
      name: "memory",
      include: ["test/**/*.contract.test.ts"],
      env: { TEST_STORE: "memory" }
    }
  }
]

/**
 * Every test runs on Postgres; the contract suite runs on the in-memory store too. TEST_STORE=memory|postgres keeps
 * to one of them.
 */
export default defineConfig({
  test: {
    projects: projects.filter((project) => only === undefined || project.test.name === only),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One more than there are cores, since tests of processes and of databases wait a good part of their time. The modules,
    // and the service of most tests, are loaded once per process instead of once per file.
    pool: "forks",
    maxWorkers: 3,
    isolate: false
  }
})
