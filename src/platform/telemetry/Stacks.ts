/**
 * Stack traces that name the sources. A bundled program (`bundle.mjs`) has the positions of its one file; they are looked up in its source
 * map when a fault is written down, and not before: Node's own `--enable-source-maps` keeps 90 MB of it from the start.
 */
import { Cause } from "effect"
import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"

const folder = new URL("../../../dist/", import.meta.url).href

const maps = new Map<string, SourceMap | undefined>()

const mapOf = (file: string): SourceMap | undefined => {
  if (!maps.has(file)) {
    try {
      maps.set(file, new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`, folder), "utf8"))))
    } catch {
      maps.set(file, undefined)
    }
  }
  return maps.get(file)
}

/** A text with the positions in bundles replaced by those in the sources, as `src/http/Server.ts:12:3`; one without a map stays. */
export const withSources = (text: string): string =>
  text
    .split(folder)
    .map((part, index) => {
      const [whole, file, line, column] = (index === 0 ? null : /^([\w.-]+\.js):(\d+):(\d+)/.exec(part)) ?? []
      if (whole === undefined) return index === 0 ? part : `${folder}${part}`
      const entry = mapOf(file ?? "")?.findEntry(Number(line) - 1, Number(column) - 1)
      if (entry === undefined || !("originalSource" in entry)) return `${folder}${part}`
      const source = entry.originalSource.replace(/^(\.\.\/)+/, "")
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}${part.slice(whole.length)}`
    })
    .join("")

/** A cause as `Cause.pretty` writes it, with the positions of the sources. */
export const prettyCause = (cause: Cause.Cause<unknown>): string => withSources(Cause.pretty(cause))
