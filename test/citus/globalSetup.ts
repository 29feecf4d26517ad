import { Effect, Exit, Scope } from "effect"
import { mkdir, rm, rmdir } from "node:fs/promises"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { makeRunFolder } from "../support/runFolder.ts"
import { addWorkers } from "./addWorkers.ts"
import * as CitusCluster from "./CitusCluster.ts"
import { administer, make } from "./template.ts"

const startCluster = (folder: string) =>
  Effect.gen(function* () {
    const { url, workers } = yield* CitusCluster.start(folder)
    yield* Effect.promise(() => addWorkers(url, workers))
    return url
  })

/** Uses the cluster of `CITUS_URL`, the URL of a database on its coordinator, or starts one of the project's own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const runFolder = await makeRunFolder()
  const folder = join(runFolder, project.name)
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
    // The other project of the run may still use it.
    await rmdir(runFolder).catch(() => {})
  }
  try {
    await mkdir(folder, { mode: 0o711, recursive: true })
    const clusterUrl =
      process.env["CITUS_URL"] ?? (await Effect.runPromise(startCluster(folder).pipe(Scope.provide(scope))))
    const url = await make(clusterUrl, project.name, project.name === "cells")
    project.provide("templateUrl", url)
    project.provide("scratch", folder)
    return async () => {
      await administer(clusterUrl, `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
      await stop()
    }
  } catch (error) {
    await stop()
    throw error
  }
}
