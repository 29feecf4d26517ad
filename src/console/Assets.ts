/**
 * The style sheet and the scripts of the pages: the files of `browser/`, read when the process starts, and served at addresses that have
 * their hash, so that browsers keep them for a year. Scripts are TypeScript, of which Node strips the types.
 */
import * as StaticContent from "../http/StaticContent.ts"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire, stripTypeScriptTypes } from "node:module"
import { join } from "node:path"

const own = (file: string) => readFileSync(join(import.meta.dirname, "browser", file), "utf8")

const comments = /^\s*(?:\/\/.*|\/\*\*[\s\S]*?\*\/)\n/gm

/** What browsers run of a script. Every process reads it, and none has anything to say of how Node does that. */
const withoutTypes = (text: string): string => {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    // The types leave blanks where they stood; with comments, they are a third of what is sent.
    return stripTypeScriptTypes(text).replaceAll(comments, "").replaceAll(/ +$/gm, "")
  } finally {
    process.emitWarning = emitWarning
  }
}

/** A script of one file, or of several: what the last one imports of those before it is above it in the same text. */
const script = (...files: ReadonlyArray<string>) => ({
  content: withoutTypes(
    files
      .map(own)
      .join("\n")
      .replaceAll(/^import (?:type )?\{[^}]*\} from "\.\/.*\n/gm, "")
      .replaceAll(/^export (?=const|interface|type)/gm, "")
  ),
  contentType: "text/javascript; charset=utf-8"
})

const contents = {
  "console.css": { content: own("console.css"), contentType: "text/css; charset=utf-8" },
  "idiomorph.js": {
    content: readFileSync(createRequire(import.meta.url).resolve("idiomorph/dist/idiomorph.min.js"), "utf8"),
    contentType: "text/javascript; charset=utf-8"
  },
  "console.js": script("console.ts"),
  "navigation.js": script("navigation.ts"),
  "keys.js": script("keys.ts"),
  "drafts.js": script("drafts.ts"),
  "uploads.js": script("uploads.ts"),
  "live.js": script("live.ts"),
  "docs.js": script("docs.ts"),
  "follow.js": script("follow.ts"),
  "board.js": script("board.ts"),
  "map.js": script("positions.ts", "earth.ts", "map.ts", "drawing.ts")
} as const

/** The name of an asset. */
export type Asset = keyof typeof contents

const assets = new Map(
  Object.entries(contents).map(([name, { content, contentType }]) => {
    const hash = createHash("sha256").update(content).digest("base64url").slice(0, 12)
    return [name, { path: `/assets/${hash}/${name}` as const, content, contentType }]
  })
)

/** The address of an asset. */
export const assetPath = (name: Asset): string => assets.get(name)?.path ?? ""

/** The paths of all assets with the handlers that answer them. */
export const assetRoutes = [...assets.values()].map(({ content, contentType, path }) => ({
  path,
  handler: StaticContent.make(content, { contentType, cacheControl: "public, max-age=31536000, immutable" })
}))
