/** The gazetteer of this process: loaded when the first location is resolved. README.md explains it. */
import { Context, Effect, Layer } from "effect"
import { readFile } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"
import type { Box, Polygons } from "../geography/Area.ts"
import { atlasOf, type MapFeatures, featuresIn } from "./atlas.ts"
import { decode, type Header } from "./format.ts"
import { areaOfCode, kindOf, type Places, placesOf, territoryOf } from "./Places.ts"
import { type Resolution, resolve } from "./resolve.ts"

const file = new URL("./places.bin.br", import.meta.url)

interface Loaded {
  readonly header: Header
  readonly places: Places
}

const read = async (): Promise<Loaded> => {
  const bytes = await promisify(brotliDecompress)(await readFile(file))
  const { data, header } = decode(bytes)
  return { header, places: await placesOf(data, () => setImmediate()) }
}

let loading: Promise<Loaded> | undefined

/**
 * Reads the file, once in a process, however many services are built in it: nothing changes what it contains. It is decompressed on another
 * thread; on this one, it takes a few milliseconds.
 */
export const load = (): Promise<Loaded> => (loading ??= read())

/** Resolves the texts of locations, without a network. */
export class Gazetteer extends Context.Service<
  Gazetteer,
  {
    /** What a text means; with `country`, an ISO 3166-1 code, only what is in this country. */
    readonly resolve: (text: string, country?: string) => Effect.Effect<Resolution>
    /** What lies in a country, by its ISO 3166-1 alpha-2 code: its outline, and what is off its coast. */
    readonly territoryOf: (code: string) => Effect.Effect<Polygons | undefined>
    /** What lies in a box, for a map: countries, so many cities, and regions if they are asked for. */
    readonly featuresIn: (
      box: Box,
      shown: { readonly cities: number; readonly withRegions: boolean }
    ) => Effect.Effect<MapFeatures>
  }
>()("market/mandates/gazetteer/Gazetteer") {
  static readonly layer = Layer.effect(
    Gazetteer,
    Effect.gen(function* () {
      const loaded = Effect.promise(load)
      const atlas = yield* Effect.cached(
        Effect.flatMap(loaded, ({ places }) => Effect.promise(() => atlasOf(places, () => setImmediate())))
      )
      return {
        resolve: Effect.fn("Gazetteer.resolve")(function* (text: string, country?: string) {
          const { places } = yield* loaded
          return resolve(places, text, country)
        }),
        territoryOf: Effect.fnUntraced(function* (code: string) {
          const { places } = yield* loaded
          const country = areaOfCode(places, code)
          return country === undefined || kindOf(places, country) !== "country"
            ? undefined
            : territoryOf(places, country)
        }),
        featuresIn: Effect.fnUntraced(function* (
          box: Box,
          shown: { readonly cities: number; readonly withRegions: boolean }
        ) {
          return featuresIn(yield* atlas, box, shown)
        })
      }
    })
  )
}
