/** The layers of ARCHITECTURE.md: which file may import which, and that no two folders import each other. */
import { cruise, type ICruiseResult, type IModule } from "dependency-cruiser"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { importRules } from "./importRules.ts"
import { files, kindOf, root } from "./kinds.ts"

/** The import graph below `baseDir`, with the violations of the rules. Type imports count. */
const graphOf = async (baseDir: string, folders: ReadonlyArray<string>): Promise<ICruiseResult> => {
  const { output } = await cruise([...folders], {
    baseDir,
    doNotFollow: { path: "node_modules" },
    ruleSet: {
      forbidden: importRules.map(({ from, name, to }) => ({ from, name, severity: "error", to }))
    },
    tsPreCompilationDeps: true,
    validate: true
  })
  if (typeof output === "string") throw new TypeError(output)
  return output
}

const repository = await graphOf(fileURLToPath(root), ["src", "workers", "test", "bench", "examples", "client"])

/** Files directly in src, workers, or a folder of src that holds folders are above or below these, so each stands for itself. */
const grouping = new Set([
  "src",
  "workers",
  ...files.flatMap((path) => {
    const [, top, folder, ...rest] = path.startsWith("src/") ? path.split("/") : []
    return top === undefined || folder === undefined || rest.length === 0 ? [] : [`src/${top}`]
  })
])

/** Rooms show how many questions they have, and questions lock their room: one module. */
const oneModule = new Map([["src/deals/rooms/questions", "src/deals/rooms"]])

/**
 * The adapters of deals are above the lifecycle, which is above the folders that they are in. The pages of deliveries and of the journal are
 * above webhooks, whose health is above the rules of deliveries.
 */
const isAbove = (path: string) =>
  /^src\/(?:deals\/.+\/(?:http|pages|\w+Pages|tools)|webhooks\/.+\/(?:pages|\w+Pages))\.ts$/.test(path)

const folderOf = (path: string) => {
  const folder = posix.dirname(path)
  return grouping.has(folder) || isAbove(path) ? path : (oneModule.get(folder) ?? folder)
}

/** Which folders each folder imports. */
const foldersImportedBy = (modules: ReadonlyArray<IModule>): ReadonlyMap<string, ReadonlySet<string>> => {
  const imported = new Map<string, Set<string>>()
  for (const { dependencies, source } of modules) {
    const folder = folderOf(source)
    const targets = imported.get(folder) ?? new Set()
    imported.set(folder, targets)
    for (const { resolved } of dependencies) {
      if (/^(?:src|workers)\//.test(resolved) && folderOf(resolved) !== folder) targets.add(folderOf(resolved))
    }
  }
  return imported
}

/** Removes what imports nothing that is left, again and again: what remains is in a circle, or imports one. */
const circular = (imported: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> => {
  let left = [...imported.keys()]
  for (;;) {
    const remaining = new Set(left)
    const next = left.filter((folder) => [...(imported.get(folder) ?? [])].some((target) => remaining.has(target)))
    if (next.length === left.length) return left
    left = next
  }
}

test("follow the rules", () => {
  const reasons = new Map(importRules.map(({ comment, name }) => [name, comment]))
  expect(
    repository.summary.violations.map(
      ({ from, rule, to }) => `${from} imports ${to} (${rule.name}): ${reasons.get(rule.name)}`
    )
  ).toStrictEqual([])
})

test("are found in every file, also those of types only", () => {
  const read = new Set(repository.modules.map(({ source }) => source))
  expect(files.filter((path) => !read.has(path))).toStrictEqual([])
  const typesOnly = repository.modules
    .find(({ source }) => source === "src/network/contacts/Contacts.ts")
    ?.dependencies.some(({ dependencyTypes }) => dependencyTypes.includes("type-only"))
  expect(typesOnly).toBe(true)
})

test("form no circle of folders", () => {
  const product = repository.modules.filter(({ source }) => /^(?:src|workers)\//.test(source))
  expect(circular(foldersImportedBy(product))).toStrictEqual([])
  const back = { source: "src/platform/db/Back.ts", dependencies: [{ resolved: "src/core/mutation/Changes.ts" }] }
  expect(circular(foldersImportedBy([...product, back as IModule])).length).toBeGreaterThan(1)
})

test("are judged by rules that each forbid something", async () => {
  const baseDir = await mkdtemp(`${tmpdir()}/import-rules-`)
  try {
    const paths = new Set(importRules.flatMap(({ forbids }) => forbids).filter((path) => path.endsWith(".ts")))
    for (const path of paths) {
      const lines = importRules
        .filter(({ forbids: [from] }) => from === path)
        .map(({ forbids: [, to] }) => {
          if (!to.endsWith(".ts")) return `import "${to}"\n`
          const relative = posix.relative(posix.dirname(path), to)
          return `import "${relative.startsWith(".") ? relative : `./${relative}`}"\n`
        })
      await mkdir(posix.dirname(`${baseDir}/${path}`), { recursive: true })
      await writeFile(`${baseDir}/${path}`, `${lines.join("")}export {}\n`)
    }
    const { summary } = await graphOf(baseDir, ["src", "workers", "test", "examples", "client"])
    const caught = new Set(summary.violations.map(({ from, rule, to }) => `${rule.name}: ${from} -> ${to}`))
    const idle = importRules.filter(({ forbids: [from, to], name }) => !caught.has(`${name}: ${from} -> ${to}`))
    expect(idle.map(({ name }) => name)).toStrictEqual([])
  } finally {
    await rm(baseDir, { recursive: true })
  }
})

test("speak of kinds that exist", () => {
  const kinds = new Set(files.filter((path) => path.startsWith("src/")).map(kindOf))
  expect([...kinds].sort()).toStrictEqual([
    "api",
    "http",
    "jobs",
    "model",
    "other",
    "pages",
    "repository",
    "rules",
    "tools",
    "use-case"
  ])
})
