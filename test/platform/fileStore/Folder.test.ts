import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Stream } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeFolder } from "../../../src/platform/fileStore/Drivers.ts"

it.effect("A file store in a folder syncs an object before its rename, and then the folders that name it", () =>
  Effect.gen(function* () {
    const path = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-folder-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    const fs = yield* FileSystem.FileSystem
    const done: Array<string> = []
    const spied: FileSystem.FileSystem = {
      ...fs,
      rename: (from, to) => Effect.tap(fs.rename(from, to), () => Effect.sync(() => done.push("rename"))),
      open: (at, options) =>
        Effect.map(
          fs.open(at, options),
          (file) =>
            new Proxy(file, {
              get: (of, name): unknown =>
                name === "sync" ? Effect.tap(of.sync, () => Effect.sync(() => done.push(at))) : Reflect.get(of, name)
            })
        )
    }
    const store = yield* Effect.provideService(makeFolder(path), FileSystem.FileSystem, spied)
    const id = "01a1feb7-1513-72a8-be68-90925b23d44f"
    yield* store.write({ namespace: "namespace", id }, Stream.make(Buffer.from("Hello")))
    assert.deepStrictEqual(done.slice(0, 2), [join(path, "namespace", "incoming", id), "rename"])
    assert.sameMembers(done.slice(2), [join(path, "namespace", "4f"), join(path, "namespace"), path])
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
)
