import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { bundled } from "../../bundle.mjs"
import { withSources } from "../../src/platform/telemetry/Stacks.ts"

const root = join(import.meta.dirname, "../..")

/** The line of a text in a file, from 1. */
const lineOf = (file: string, text: string): number =>
  readFileSync(file, "utf8")
    .split("\n")
    .findIndex((line) => line.includes(text)) + 1

describe("A stack trace of a bundled program", () => {
  it("names the line of the source, and leaves what it does not know as it is", () => {
    const source = "src/server.ts"
    const bundle = bundled(source)
    assert.strictEqual(relative(root, bundle), "dist/server.js")
    const text = "The API listens on"
    const position = (line: number) => `${pathToFileURL(bundle).href}:${line}:7`
    const elsewhere = `at open (node:fs:12:3)\n at ${pathToFileURL(join(root, "dist")).href}/gone-1a2b3c.js:3:4`
    const mapped = withSources(`Error: no\n at start (${position(lineOf(bundle, text))})\n ${elsewhere}`)
    const [, line] = /^Error: no\n at start \(src\/server\.ts:(\d+):\d+\)\n /.exec(mapped) ?? []
    assert.strictEqual(Number(line), lineOf(join(root, source), text), mapped)
    assert.isTrue(mapped.endsWith(elsewhere), mapped)
  })
})
