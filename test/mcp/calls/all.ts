/** The valid calls of all tools: every file of this folder exports those of one `tools.ts`. */
import { readdirSync } from "node:fs"
import type { Call, Calls } from "./Call.ts"

const files = readdirSync(new URL(".", import.meta.url)).filter((name) => !["Call.ts", "all.ts"].includes(name))

const isCalls = (value: unknown): value is Calls => typeof value === "object" && value !== null

const modules = await Promise.all(
  files.map((name) => import(new URL(name, import.meta.url).href) as Promise<{ readonly [name: string]: unknown }>)
)

/** Calls by the names of tools. */
export const calls: ReadonlyMap<string, Call> = new Map(
  modules.flatMap((module) =>
    Object.values(module)
      .filter(isCalls)
      .flatMap(Object.entries<Call>)
  )
)
