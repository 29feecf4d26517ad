/** The calls from an adapter to its SQL, one function of ours from another, counted: at most eight. The drawings of three of them in ARCHITECTURE.md are made here. */
import ts from "typescript"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { root } from "./kinds.ts"
import { type Call, drawingOf, ways } from "./ways.ts"

const read = (path: string) => readFileSync(new URL(path, root), "utf8")

const parsed = new Map<string, ts.SourceFile>()

const sourceOf = (path: string): ts.SourceFile => {
  const known = parsed.get(path)
  if (known !== undefined) return known
  const made = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)
  parsed.set(path, made)
  return made
}

const isNamed = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isVariableDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isPropertyDeclaration(node)

/** The declarations of a name in a file, wherever they stand: of a function, or of a member that is one. */
const declarationsOf = ({ file, name }: Call): ReadonlyArray<ts.Node> => {
  const found: Array<ts.Node> = []
  const visit = (node: ts.Node): void => {
    if (isNamed(node) && node.name?.getText() === name) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(sourceOf(file))
  return found
}

/** Whether a declaration names another one: as an identifier, or as a member of a service or an option. */
const names = (declaration: ts.Node, wanted: string): boolean => {
  let found = false
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === wanted) found = true
    if (!found) ts.forEachChild(node, visit)
  }
  ts.forEachChild(declaration, visit)
  return found
}

const isSql = (declaration: ts.Node): boolean => /\bsql(?:<[^`]*>)?`/.test(declaration.getText())

describe.each(ways)("$of", ({ calls }) => {
  test("takes at most eight calls", () => {
    expect(calls.length - 1).toBeLessThanOrEqual(8)
  })

  test("takes the calls that it is said to take", () => {
    const missing = calls.flatMap((call, index) => {
      const declarations = declarationsOf(call)
      if (declarations.length === 0) return [`${call.file} declares no ${call.name}`]
      const next = calls[index + 1]
      if (next === undefined) return declarations.some(isSql) ? [] : [`${call.name} in ${call.file} has no SQL`]
      const called = next.calledAs ?? next.name
      return declarations.some((declaration) => names(declaration, called))
        ? []
        : [`${call.name} in ${call.file} does not call ${called}`]
    })
    expect(missing).toStrictEqual([])
  })
})

test("Ways are drawn as they are", () => {
  const document = read("ARCHITECTURE.md")
  const missing = ways
    .filter(({ isDrawn }) => isDrawn === true)
    .map(drawingOf)
    .filter((drawing) => !document.includes(drawing))
  expect(missing).toStrictEqual([])
})
