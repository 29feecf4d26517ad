import { assert, describe, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { access, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { FileStore } from "../../../src/files/store/FileStore.ts"
import * as S3Server from "./S3Server.ts"
import { signatureOf } from "./Signature4.ts"

/** What tests see of a store besides its interface. */
class Inside extends Context.Service<
  Inside,
  {
    /** What there is of a space, finished or not. */
    readonly everything: (space: string) => Promise<ReadonlyArray<string>>
    /** Begins a content and leaves it there as a crash does. */
    readonly abandon: (space: string) => Promise<void>
    readonly server?: Effect.Success<typeof S3Server.make>
  }
>()("test/files/store/Inside") {}

const memory = Layer.merge(
  FileStore.layerMemory,
  Layer.succeed(Inside, { everything: async () => [], abandon: async () => undefined })
)

const folder = Layer.unwrap(
  Effect.gen(function* () {
    const path = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-files-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    const inside: Inside["Service"] = {
      everything: (space) =>
        readdir(join(path, "deep", space), { recursive: true, withFileTypes: true }).then(
          (found) => found.filter((one) => one.isFile()).map(({ name }) => name),
          () => []
        ),
      abandon: async (space) => {
        const draft = join(path, "deep", space, "incoming", randomUUID())
        await writeFile(draft, "half")
        await utimes(draft, 1, 1)
      }
    }
    return Layer.merge(FileStore.layerFolder(join(path, "deep")), Layer.succeed(Inside, inside))
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
    const inside: Inside["Service"] = {
      everything: async (space) =>
        [...server.objects.keys(), ...[...server.uploads.values()].map(({ key }) => key)].filter((key) =>
          key.startsWith(`some/where/${space}/`)
        ),
      abandon: async (space) => {
        server.uploads.set(randomUUID(), { key: `some/where/${space}/x`, at: new Date(0), parts: new Map() })
      },
      server
    }
    const store = FileStore.layerS3({
      name: S3Server.bucket,
      region: "eu-central-1",
      endpoint: server.endpoint,
      prefix: "some/where/",
      forcePathStyle: true
    })
    return Layer.merge(store, Layer.succeed(Inside, inside))
  })
)

const aPlace = (space = randomUUID()) => ({ space, key: randomUUID() })

const textOf = <E>(content: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(content), (chunks) => Buffer.concat(chunks))

const future = new Date("9999-01-01")

for (const [name, store] of [
  ["memory", memory],
  ["a folder", folder],
  ["a bucket", s3]
] as const) {
  layer(store, { excludeTestServices: true })(`A store in ${name}`, (it) => {
    it.effect("gives back what it got, whole and in parts", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        for (const size of [0, 1, 100_000, 12 * 1024 * 1024]) {
          const place = aPlace()
          const bytes = randomBytes(size)
          const chunks = Array.from({ length: Math.ceil(size / 65_536) }, (_, n) =>
            bytes.subarray(n * 65_536, (n + 1) * 65_536)
          )
          const digest = yield* files.put(place, Stream.fromArray(chunks))
          assert.deepStrictEqual(digest, { size, sha256: createHash("sha256").update(bytes).digest("hex") })
          assert.isTrue(bytes.equals(yield* textOf(files.read(place, undefined))), `${size} bytes`)
          if (size === 0) continue
          for (const [first, last] of [
            [0, 0],
            [size - 1, size - 1],
            [Math.floor(size / 3), Math.floor(size / 2)]
          ] as const) {
            const part = yield* textOf(files.read(place, { first, last }))
            assert.isTrue(bytes.subarray(first, last + 1).equals(part), `${first}-${last} of ${size}`)
          }
        }
      })
    )

    it.effect("keeps nothing of a content that fails, or that nobody waits for any more", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const { everything } = yield* Inside
        const place = aPlace()
        const begun = Stream.fromArray(Array.from({ length: 100 }, () => randomBytes(65_536)))
        const refused = yield* Effect.exit(files.put(place, Stream.concat(begun, Stream.fail("refused"))))
        assert.deepStrictEqual(refused, Exit.fail("refused"))
        const reached = yield* Deferred.make<void>()
        const endless = Stream.fromEffect(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
        const fiber = yield* Effect.forkChild(files.put(place, Stream.concat(begun, endless)))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(
          yield* textOf(files.read(place, undefined)).pipe(
            Effect.flip,
            Effect.map(({ operation }) => operation)
          ),
          "read"
        )
        yield* Effect.promise(() => vi.waitFor(async () => assert.deepStrictEqual(await everything(place.space), [])))
      })
    )

    it.effect("removes, also what is not there", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const place = aPlace()
        yield* files.put(place, Stream.make(Buffer.from("x")))
        yield* files.remove(place)
        yield* files.remove(place)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(textOf(files.read(place, undefined)))))
      })
    )

    it.effect("lists what is older than a moment in one space, and removes what was never finished", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const { abandon, everything } = yield* Inside
        const space = randomUUID()
        const places = [aPlace(space), aPlace(space), aPlace(space), aPlace(space), aPlace()]
        for (const place of places) yield* files.put(place, Stream.make(Buffer.from("x")))
        const keys = yield* Stream.runCollect(files.list(space, future))
        assert.sameMembers(
          [...keys],
          places.slice(0, 4).map(({ key }) => key)
        )
        assert.deepStrictEqual(yield* Stream.runCollect(files.list(space, new Date(0))), [])
        assert.deepStrictEqual(yield* Stream.runCollect(files.list(randomUUID(), future)), [])
        yield* Effect.promise(() => abandon(space))
        const before = (yield* Effect.promise(() => everything(space))).length
        yield* files.removeUnfinished(space, new Date("2000-01-01"))
        const after = (yield* Effect.promise(() => everything(space))).length
        assert.strictEqual(after, name === "memory" ? before : before - 1)
        assert.lengthOf(yield* Stream.runCollect(files.list(space, future)), 4)
      })
    )
  })
}

layer(s3, { excludeTestServices: true })("A bucket", (it) => {
  it.effect("takes but a few parts more of a content than it has sent", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const { server } = yield* Inside
      if (server === undefined) return assert.fail("no server")
      const before = server.received.bytes
      let taken = 0
      let most = 0
      yield* files.put(
        aPlace(),
        Stream.map(Stream.rechunk(Stream.range(1, 640), 1), () => {
          taken += 65_536
          most = Math.max(most, taken - (server.received.bytes - before))
          return new Uint8Array(65_536)
        })
      )
      assert.isAtLeast(server.received.bytes - before, 40 * 1024 * 1024)
      assert.isBelow(most, 24 * 1024 * 1024)
    })
  )

  it.effect("is tried again when it is overloaded, and said to have failed when it refuses", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const { server } = yield* Inside
      if (server === undefined) return assert.fail("no server")
      const place = aPlace()
      server.faults.push(503)
      yield* files.put(place, Stream.make(Buffer.from("x")))
      server.faults.push(503)
      assert.strictEqual(String(yield* textOf(files.read(place, undefined))), "x")
      server.faults.push(403)
      const failure = yield* Effect.flip(textOf(files.read(place, undefined)))
      assert.deepStrictEqual([failure._tag, failure.operation], ["FileStoreFailure", "read"])
      server.faults.push(403)
      const refused = yield* Effect.flip(files.put(aPlace(), Stream.make(Buffer.from("x"))))
      assert.deepStrictEqual([refused._tag, refused.operation], ["FileStoreFailure", "write"])
    })
  )
})

layer(Layer.empty, { excludeTestServices: true })("The bucket of these tests", (it) => {
  it.effect("signs the documentation's example as that does", () =>
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

describe("A folder that cannot be made", () => {
  layer(Layer.empty, { excludeTestServices: true })((it) => {
    it.effect("stops the start, with its reason", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(Effect.scoped(Layer.build(FileStore.layerFolder("/dev/null/files"))))
        assert.isTrue(Exit.isFailure(exit))
        assert.include(String(exit), "FILE_STORE: /dev/null/files cannot be used")
        yield* Effect.promise(() => access("/dev/null"))
      })
    )
  })
})
