import * as S3 from "../../../src/platform/fileStore/S3.ts"
import * as S3Server from "./S3Server.ts"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { layerFolder, layerMemory, makeFolder } from "../../../src/platform/fileStore/Drivers.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, FileSystem, Layer, Result, Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { access, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, vi } from "vitest"
import { FileStore, parseFileStore } from "../../../src/platform/fileStore/FileStore.ts"
import { eventually } from "../../support/polling.ts"
import { signatureOf } from "./Signature4.ts"

/** Access to the storage behind a store. */
class Storage extends Context.Service<
  Storage,
  {
    /** The names of all objects of a namespace, unfinished ones included. */
    readonly everything: (namespace: string) => Promise<ReadonlyArray<string>>
    /** Leaves an unfinished object, as a crash does. */
    readonly abandon: (namespace: string) => Promise<void>
    readonly server?: Effect.Success<typeof S3Server.make>
  }
>()("test/platform/fileStore/Storage") {}

const memory = Layer.merge(
  layerMemory,
  Layer.succeed(Storage, { everything: async () => [], abandon: async () => undefined })
)

const folder = Layer.unwrap(
  Effect.gen(function* () {
    const path = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-files-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    const storage: Storage["Service"] = {
      everything: (namespace) =>
        readdir(join(path, "deep", namespace), { recursive: true, withFileTypes: true }).then(
          (found) => found.filter((one) => one.isFile()).map(({ name }) => name),
          () => []
        ),
      abandon: async (namespace) => {
        const draft = join(path, "deep", namespace, "incoming", randomUUID())
        await writeFile(draft, "half")
        await utimes(draft, 1, 1)
      }
    }
    return Layer.merge(layerFolder(join(path, "deep")), Layer.succeed(Storage, storage))
  })
)

const s3 = Layer.unwrap(
  Effect.gen(function* () {
    const server = yield* S3Server.make
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        vi.stubEnv("AWS_ACCESS_KEY_ID", S3Server.credentials.id)
        vi.stubEnv("AWS_SECRET_ACCESS_KEY", S3Server.credentials.secret)
      }),
      () => Effect.sync(() => vi.unstubAllEnvs())
    )
    const storage: Storage["Service"] = {
      everything: async (namespace) =>
        [...server.objects.keys(), ...[...server.uploads.values()].map(({ key }) => key)].filter((key) =>
          key.startsWith(`some/where/${namespace}/`)
        ),
      abandon: async (namespace) => {
        server.uploads.set(randomUUID(), { key: `some/where/${namespace}/x`, at: new Date(0), parts: new Map() })
      },
      server
    }
    const store = S3.layer({
      name: S3Server.bucket,
      region: "eu-central-1",
      endpoint: server.endpoint,
      prefix: "some/where/",
      forcePathStyle: true
    })
    return Layer.merge(store, Layer.succeed(Storage, storage))
  })
)

const newKey = (namespace: string = randomUUID()) => ({ namespace, id: randomUUID() })

// The length of the pattern is prime, so that a chunk in the wrong position is noticed.
const pattern = Uint8Array.from({ length: 251 }, (_, index) => index)

const bytesOf = (size: number) => Buffer.alloc(size, pattern)

const textOf = <E>(content: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(content), (chunks) => Buffer.concat(chunks))

const future = new Date("9999-01-01")

for (const [name, store] of [
  ["memory", memory],
  ["a folder", folder],
  ["a bucket", s3]
] as const) {
  layer(store, { excludeTestServices: true })(`A file store in ${name}`, (it) => {
    it.effect("returns the stored bytes, whole and by range", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        for (const size of [0, 1, 100_000, 12 * 1024 * 1024]) {
          const key = newKey()
          const bytes = bytesOf(size)
          const chunks = Array.from({ length: Math.ceil(size / 65_536) }, (_, n) =>
            bytes.subarray(n * 65_536, (n + 1) * 65_536)
          )
          const digest = yield* files.put(key, Stream.fromArray(chunks))
          assert.deepStrictEqual(digest, { size, sha256: createHash("sha256").update(bytes).digest("hex") })
          assert.isTrue(bytes.equals(yield* textOf(files.read(key, undefined))), `${size} bytes`)
          if (size === 0) continue
          for (const [first, last] of [
            [0, 0],
            [size - 1, size - 1],
            [Math.floor(size / 3), Math.floor(size / 2)]
          ] as const) {
            const part = yield* textOf(files.read(key, { first, last }))
            assert.isTrue(bytes.subarray(first, last + 1).equals(part), `${first}-${last} of ${size}`)
          }
        }
      })
    )

    it.effect("keeps nothing of an object whose stream fails or whose upload is interrupted", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const { everything } = yield* Storage
        const key = newKey()
        const begun = Stream.fromArray(Array.from({ length: 100 }, () => bytesOf(65_536)))
        const refused = yield* Effect.exit(files.put(key, Stream.concat(begun, Stream.fail("refused"))))
        assert.deepStrictEqual(refused, Exit.fail("refused"))
        const reached = yield* Deferred.make<void>()
        const endless = Stream.fromEffect(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
        const fiber = yield* Effect.forkChild(files.put(key, Stream.concat(begun, endless)))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(
          yield* textOf(files.read(key, undefined)).pipe(
            Effect.flip,
            Effect.map(({ operation }) => operation)
          ),
          "read"
        )
        yield* eventually(async () => assert.deepStrictEqual(await everything(key.namespace), []))
      })
    )

    it.effect("removes an object, and succeeds when there is none", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const key = newKey()
        yield* files.put(key, Stream.make(Buffer.from("x")))
        yield* files.remove(key)
        yield* files.remove(key)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(textOf(files.read(key, undefined)))))
      })
    )

    it.effect("lists the objects of one namespace by age, and removes unfinished ones", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const { abandon, everything } = yield* Storage
        const namespace = randomUUID()
        const inNamespace = [newKey(namespace), newKey(namespace), newKey(namespace), newKey(namespace)]
        for (const key of [...inNamespace, newKey()]) yield* files.put(key, Stream.make(Buffer.from("x")))
        const ids = yield* Stream.runCollect(files.list(namespace, future))
        assert.sameMembers(
          [...ids],
          inNamespace.map(({ id }) => id)
        )
        assert.deepStrictEqual(yield* Stream.runCollect(files.list(namespace, new Date(0))), [])
        assert.deepStrictEqual(yield* Stream.runCollect(files.list(randomUUID(), future)), [])
        yield* Effect.promise(() => abandon(namespace))
        const before = (yield* Effect.promise(() => everything(namespace))).length
        yield* files.removeUnfinished(namespace, new Date("2000-01-01"))
        const after = (yield* Effect.promise(() => everything(namespace))).length
        assert.strictEqual(after, name === "memory" ? before : before - 1)
        assert.lengthOf(yield* Stream.runCollect(files.list(namespace, future)), 4)
      })
    )
  })
}

layer(s3, { excludeTestServices: true })("A bucket", (it) => {
  it.effect("holds only a few parts of an upload in memory", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const { server } = yield* Storage
      if (server === undefined) return assert.fail("no server")
      const before = server.received.bytes
      let taken = 0
      let maxInMemory = 0
      yield* files.put(
        newKey(),
        Stream.map(Stream.rechunk(Stream.range(1, 640), 1), () => {
          taken += 65_536
          maxInMemory = Math.max(maxInMemory, taken - (server.received.bytes - before))
          return new Uint8Array(65_536)
        })
      )
      assert.isAtLeast(server.received.bytes - before, 40 * 1024 * 1024)
      assert.isBelow(maxInMemory, 24 * 1024 * 1024)
    })
  )

  it.effect("retries a request that gets 503, and fails when it gets 403", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const { server } = yield* Storage
      if (server === undefined) return assert.fail("no server")
      const key = newKey()
      server.faults.push(503)
      yield* files.put(key, Stream.make(Buffer.from("x")))
      server.faults.push(503)
      assert.strictEqual(String(yield* textOf(files.read(key, undefined))), "x")
      server.faults.push(403)
      const failure = yield* Effect.flip(textOf(files.read(key, undefined)))
      assert.deepStrictEqual([failure._tag, failure.operation], ["FileStoreFailure", "read"])
      server.faults.push(403)
      const refused = yield* Effect.flip(files.put(newKey(), Stream.make(Buffer.from("x"))))
      assert.deepStrictEqual([refused._tag, refused.operation], ["FileStoreFailure", "write"])
    })
  )
})

layer(Layer.empty, { excludeTestServices: true })("The S3 server of these tests", (it) => {
  it.effect("computes the signature of the example in the AWS documentation", () =>
    Effect.sync(() => {
      const signature = signatureOf(
        {
          method: "GET",
          target: "/test.txt",
          headers: {
            host: "examplebucket.s3.amazonaws.com",
            range: "bytes=0-9",
            "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "x-amz-date": "20130524T000000Z"
          },
          signedHeaders: ["host", "range", "x-amz-content-sha256", "x-amz-date"],
          scope: "20130524/us-east-1/s3/aws4_request"
        },
        S3Server.credentials.secret
      )
      assert.strictEqual(signature, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    })
  )
})

describe("A folder that cannot be created", () => {
  layer(Layer.empty, { excludeTestServices: true })((it) => {
    it.effect("fails the start with the reason", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(Effect.scoped(Layer.build(layerFolder("/dev/null/files"))))
        assert.isTrue(Exit.isFailure(exit))
        assert.include(String(exit), "FILE_STORE: /dev/null/files cannot be used")
        yield* Effect.promise(() => access("/dev/null"))
      })
    )
  })
})

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

const reasonOf = (text: string) =>
  Result.match(parseFileStore(text), { onSuccess: () => undefined, onFailure: (reason) => reason })

describe("FILE_STORE", () => {
  it("names a folder, or a bucket with parameters", () => {
    expect(parseFileStore("/var/lib/files")).toStrictEqual(Result.succeed({ kind: "folder", path: "/var/lib/files" }))
    expect(parseFileStore("s3://files?region=eu-central-1")).toStrictEqual(
      Result.succeed({
        kind: "bucket",
        name: "files",
        region: "eu-central-1",
        endpoint: undefined,
        prefix: "",
        forcePathStyle: false
      })
    )
    expect(parseFileStore("s3://files/?endpoint=http://minio:9000&prefix=/a/b/&forcePathStyle=true")).toStrictEqual(
      Result.succeed({
        kind: "bucket",
        name: "files",
        region: "us-east-1",
        endpoint: "http://minio:9000",
        prefix: "a/b/",
        forcePathStyle: true
      })
    )
  })

  it.each([
    ["s3://files", "needs a region, such as ?region=eu-central-1"],
    ["s3://files?region=EU", "needs a region, such as ?region=eu-central-1"],
    ["s3://?region=x", '"" is not a valid bucket name'],
    ["s3://My_Bucket?region=x", '"My_Bucket" is not a valid bucket name'],
    ["s3://files/a/b?region=x", "has a path after the bucket: write it as ?prefix=a/b"],
    ["s3://files?region=x&regoin=y", 'has no parameter "regoin", only region, endpoint, prefix, forcePathStyle'],
    [
      "s3://files?endpoint=minio",
      'its endpoint must be an http or https address without a path, such as https://api.example.com, not "minio"'
    ],
    ["s3://files?region=x&forcePathStyle=yes", 'its forcePathStyle must be true or false, not "yes"'],
    ["gs://files", "must be a folder, or a bucket such as s3://files?region=eu-central-1"]
  ])("is refused when it is %s", (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it("does not quote a value that may contain a password", () => {
    expect(reasonOf("s3://AKIA:secret@files?region=x")).not.toContain("secret")
  })
})
