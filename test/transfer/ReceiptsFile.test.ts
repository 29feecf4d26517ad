/** Receipts on disk, from which an interrupted import continues. */
import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { noCounts, type Receipt } from "../../src/transfer/Receipt.ts"
import { type Heading, openReceipts } from "../../src/transfer/ReceiptsFile.ts"

const heading: Heading = { of: "contacts", team: "t", dryRun: false, input: "hash", reading: "{}" }

const receiptsOf = (from: number, count: number): ReadonlyArray<Receipt> =>
  Array.from({ length: count }, (_, index) => ({
    line: from + index,
    status: "created",
    id: `contact_é${from + index}`
  }))

const opened = (path: string, over: Partial<Parameters<typeof openReceipts>[0]> = {}) =>
  openReceipts({ path, heading, rowsPerBatch: 3, restart: false, ...over })

const inFolder = async (use: (path: string) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "property-network-receipts-"))
  try {
    await use(join(folder, "receipts.ndjson"))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Receipts of two full batches, and of one with two rows. */
const written = (path: string) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* opened(path)
        for (const [from, count] of [
          [2, 3],
          [5, 3],
          [8, 2]
        ] as const)
          yield* file.append(receiptsOf(from, count))
        return file.run
      })
    )
  )

describe("Receipts", () => {
  it("that end anywhere continue after the last complete batch, under the same run", () =>
    inFolder(async (path) => {
      const run = await written(path)
      const whole = await readFile(path)
      const first = whole.indexOf("\n") + 1
      const ends = [...whole.keys()].filter((index) => whole[index] === 0x0a).map((index) => index + 1)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: first, max: whole.length }), async (cut) => {
          await writeFile(path, whole.subarray(0, cut))
          const batches = [ends[6] ?? 0, ends[3] ?? 0].findIndex((end) => cut >= end)
          const expected = batches === -1 ? 0 : 2 - batches
          await Effect.runPromise(
            Effect.scoped(
              Effect.gen(function* () {
                const file = yield* opened(path)
                assert.deepStrictEqual([file.run, file.batches, file.counts.rows], [run, expected, expected * 3])
                yield* file.append(receiptsOf(2 + expected * 3, 8 - expected * 3))
              })
            )
          )
          assert.isTrue((await readFile(path)).equals(whole))
        }),
        { numRuns: 40 }
      )
    }))

  it("of a finished import are replaced by those of the next", () =>
    inFolder(async (path) => {
      await written(path)
      const finish = Effect.scoped(Effect.flatMap(opened(path), (file) => file.finish(noCounts)))
      await Effect.runPromise(finish)
      const next = await Effect.runPromise(Effect.scoped(opened(path, { heading: { ...heading, input: "another" } })))
      assert.strictEqual(next.batches, 0)
    }))

  it("of another unfinished import, and files that are not receipts, are left alone", () =>
    inFolder(async (path) => {
      await written(path)
      const before = await readFile(path, "utf8")
      for (const other of [
        { input: "another" },
        { input: null },
        { team: "u" },
        { reading: "[]" },
        { dryRun: true },
        { of: "companies" }
      ]) {
        const exit = await Effect.runPromiseExit(Effect.scoped(opened(path, { heading: { ...heading, ...other } })))
        assert.isTrue(Exit.isFailure(exit))
      }
      assert.strictEqual(await readFile(path, "utf8"), before)
      await writeFile(path, "precious\n")
      assert.isTrue(Exit.isFailure(await Effect.runPromiseExit(Effect.scoped(opened(path)))))
      assert.strictEqual(await readFile(path, "utf8"), "precious\n")
      assert.strictEqual((await Effect.runPromise(Effect.scoped(opened(path, { restart: true })))).batches, 0)
    }))

  it("of batches that grow continue after the last complete one", () =>
    inFolder(async (path) => {
      const growing = { rowsPerBatch: (number: number) => (number === 0 ? 2 : 4) }
      const rowsAndBatches = (written: ReadonlyArray<readonly [from: number, count: number]>) =>
        Effect.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const file = yield* opened(path, growing)
              for (const [from, count] of written) yield* file.append(receiptsOf(from, count))
              return [file.batches, file.counts.rows]
            })
          )
        )
      assert.deepStrictEqual(
        await rowsAndBatches([
          [2, 2],
          [4, 4],
          [8, 3]
        ]),
        [0, 0]
      )
      assert.deepStrictEqual(await rowsAndBatches([[8, 4]]), [2, 6])
      assert.deepStrictEqual(await rowsAndBatches([]), [3, 10])
    }))

  it("are left alone until the first batch", () =>
    inFolder(async (path) => {
      await Effect.runPromise(Effect.scoped(opened(path)))
      assert.deepStrictEqual(await readdir(dirname(path)), [])
      await Effect.runPromise(Effect.scoped(Effect.flatMap(opened(path), (file) => file.finish(noCounts))))
      const finished = await readFile(path, "utf8")
      await Effect.runPromise(Effect.scoped(opened(path)))
      assert.strictEqual(await readFile(path, "utf8"), finished)
      await Effect.runPromise(Effect.scoped(Effect.flatMap(opened(path), (file) => file.begin)))
      assert.lengthOf((await readFile(path, "utf8")).split("\n"), 2)
    }))
})
