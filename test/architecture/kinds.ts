/** Classifies each source file by its name and folder, for the import rules. */
import { readdirSync } from "node:fs"
import { posix } from "node:path"

/** The repository's root. */
export const root = new URL("../../", import.meta.url)

/** Folders that hold TypeScript. */
const folders = ["src", "workers", "test", "bench", "examples"]

/** Every TypeScript file, by its path from the root. */
export const files: ReadonlyArray<string> = folders
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path.replaceAll("\\", "/")}`
    )
  )
  .filter((path) => path.endsWith(".ts"))
  .sort()

/** Every document, by its path from the root. */
export const documents: ReadonlyArray<string> = [
  ...readdirSync(root).filter((path) => path.endsWith(".md")),
  ...["docs", "examples", ...folders, "sql"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
  )
]

const known = new Set(files)

/** A module is a folder with a repository, a contract or tools. */
const modules = new Set(
  files
    .filter((path) => path.startsWith("src/") && /(?:Repo|\/api|\/tools)\.ts$/.test(path))
    .map((path) => posix.dirname(path))
)

/** What has no plural, such as access, is one word. */
const plural = (name: string) => (name.endsWith("ss") ? name : `${name.replace(/y$/, "ie").replace(/ch$/, "che")}s`)

const isModel = (folder: string, name: string) =>
  [...(plural(name) === name ? [] : [`${plural(name)}.ts`]), `${plural(name)}Repo.ts`].some((file) =>
    known.has(`${folder}/${file}`)
  )

/** `rules` are also the lower-case files of a module, named for what they decide. `other` is not part of a module. */
export type Kind = "model" | "rules" | "repository" | "use-case" | "api" | "http" | "tools" | "pages" | "jobs" | "other"

const adapters: ReadonlyArray<Kind> = ["api", "http", "tools", "pages", "jobs"]

/** The kind of a file in `src`. */
export const kindOf = (path: string): Kind => {
  const folder = posix.dirname(path)
  const name = posix.basename(path, ".ts")
  const adapter = adapters.find((kind) => kind === name)
  if (adapter !== undefined && folder !== "src") return adapter
  if (name.endsWith("Pages")) return "pages"
  if (name === "rules") return "rules"
  if (name.endsWith("Repo")) return "repository"
  if (isModel(folder, name) || isModel(folder, name.replace(/State$/, ""))) return "model"
  if (!modules.has(folder)) return "other"
  return /^[A-Z]/.test(name) ? "use-case" : "rules"
}

const escaped = (path: string) => path.replaceAll(/[.\\/]/g, String.raw`\$&`)

/** A regular expression, as a text, for exactly the files of `src` that are of one of these kinds. */
export const pathsOf = (...kinds: ReadonlyArray<Kind>): string =>
  `^(?:${files
    .filter((path) => path.startsWith("src/") && kinds.includes(kindOf(path)))
    .map(escaped)
    .join("|")})$`
