/** References of code and documents to documents, files and npm scripts: each leads to something that exists. */
import GithubSlugger from "github-slugger"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { posix } from "node:path"
import { expect, test } from "vitest"
import { documents, files, root } from "./kinds.ts"

const readText = (path: string) => readFile(new URL(path, root), "utf8")

const exists = (path: string) => existsSync(new URL(path, root))

const withoutFences = (markdown: string) => markdown.replaceAll(/^```[\s\S]*?^```$/gm, "")

/** The anchors that GitHub gives the headings of a document. */
const anchorsOf = (markdown: string): ReadonlySet<string> => {
  const slugger = new GithubSlugger()
  return new Set(
    [...withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => slugger.slug(heading))
  )
}

const texts = new Map(await Promise.all(documents.map(async (path) => [path, await readText(path)] as const)))
const anchors = new Map([...texts].map(([path, text]) => [path, anchorsOf(text)]))
const sources = await Promise.all(files.map(async (path) => ({ path, text: await readText(path) })))

/** The module that CONTRIBUTING.md adds as its example. */
const example = /\/tags\/|NNNN_tags/

/** Why a reference to `target` with an anchor leads nowhere, if so. */
const broken = (target: string, anchor: string | undefined): string | undefined => {
  if (!exists(target)) return `${target} does not exist`
  if (anchor === undefined || anchors.get(target)?.has(anchor) === true) return undefined
  return `${target} has no heading #${anchor}`
}

/** References in comments and texts of the code: `docs/behaviour/http.md#delta-sync`. */
const referencesOf = (text: string) =>
  [...text.matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, target = "", anchor]) => ({ anchor, target }))

test("of the code to documents lead to a heading", () => {
  const dead = sources
    .filter(({ path }) => !path.startsWith("test/architecture/"))
    .flatMap(({ path, text }) =>
      referencesOf(text).flatMap(({ anchor, target }) => {
        const why = broken(target, anchor)
        return why === undefined ? [] : [`${path}: ${why}`]
      })
    )
  expect(dead).toStrictEqual([])
})

test("of the code are many, and a wrong one is noticed", () => {
  const count = sources.filter(({ path }) => path.startsWith("src/")).flatMap(({ text }) => referencesOf(text)).length
  expect(count).toBeGreaterThan(50)
  expect(broken("docs/behaviour/http.md", "delta-sync")).toBeUndefined()
  expect(broken("docs/behaviour/http.md", "no-such-heading")).toBeDefined()
  expect(broken("docs/behaviour/no-such-page.md", undefined)).toBeDefined()
})

test("between documents lead to a file, and to a heading of it", () => {
  const dead = [...texts].flatMap(([path, text]) =>
    [...withoutFences(text).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([, link = "", anchor]) => {
        const target = link === "" ? path : posix.join(posix.dirname(path), link)
        const why = broken(target, target.endsWith(".md") ? anchor : undefined)
        return why === undefined ? [] : [`${path}: ${why}`]
      }
    )
  )
  expect(dead).toStrictEqual([])
})

test("of documents to source files name files that exist", () => {
  const dead = [...texts]
    .filter(([path]) => path !== "CHANGELOG.md")
    .flatMap(([path, text]) =>
      [...text.matchAll(/`((?:src|workers|test|sql|bench|examples|docs)\/[\w./-]*\w(?:\/|\.(?:ts|sql|md|json)))`/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !exists(target) && !example.test(target))
        .map((target) => `${path}: ${target} does not exist`)
    )
  expect(dead).toStrictEqual([])
})

test("of documents to npm scripts name scripts that exist", async () => {
  const { scripts } = JSON.parse(await readText("package.json")) as { scripts: Record<string, string> }
  const dead = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/\bnpm run (?:-s |--silent )?([\w:]+)/g)]
      .map(([, script = ""]) => script)
      .filter((script) => !(script in scripts))
      .map((script) => `${path}: npm run ${script}`)
  )
  expect(dead).toStrictEqual([])
})

test("to a specification outside the repository are not made", () => {
  const outside = /\bdecisions,? §|\(specification\b|specification, /
  expect(
    [...sources, ...[...texts].map(([path, text]) => ({ path, text }))]
      .filter(({ path, text }) => !path.startsWith("test/architecture/") && outside.test(text))
      .map(({ path, text }) => `${path}: ${outside.exec(text)?.[0]}`)
  ).toStrictEqual([])
})
