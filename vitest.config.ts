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
    // A process more than there are cores waits more than it works; loading the modules once per process instead of
    // once per file saves most of the time.
    pool: "forks",
    maxWorkers: 2,
    isolate: false
  }
})
