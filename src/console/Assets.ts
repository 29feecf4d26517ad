/**
 * The style sheet and the scripts of the pages: the files of `browser/`, read when the process starts, and served at addresses that have
 * their hash, so that browsers keep them for a year. Scripts are TypeScript, of which Node strips the types when the first browser asks: a
 * tenth of a second and twenty megabytes, which a process without visitors does without.
 */
import * as StaticContent from "../http/StaticContent.ts"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire, stripTypeScriptTypes } from "node:module"

const own = (file: string) => readFileSync(new URL(`browser/${file}`, import.meta.url), "utf8")

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

/** What is served: `source` decides about it, with what `finish` makes of that when it is first asked for. */
interface Content {
  readonly source: string
  readonly finish?: (source: string) => string
  readonly contentType: string
}

/** A script of one file, or of several, also of the server: what the last one imports of those before it is above it in the same text. */
const script = (...files: ReadonlyArray<string>): Content => ({
  source: files
    .map(own)
    .join("\n")
    .replaceAll(/^import (?:type )?\{[^}]*\} from "\.{1,2}\/.*\n/gm, "")
    .replaceAll(/^export (?=const|interface|type)/gm, ""),
  finish: withoutTypes,
  contentType: "text/javascript; charset=utf-8"
})

const contents = {
  "console.css": { source: own("console.css"), contentType: "text/css; charset=utf-8" },
  "idiomorph.js": {
    source: readFileSync(createRequire(import.meta.url).resolve("idiomorph/dist/idiomorph.min.js"), "utf8"),
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
  "map.js": script("../../core/fields/writtenNumbers.ts", "positions.ts", "earth.ts", "map.ts", "drawing.ts")
} as const satisfies { readonly [name: string]: Content }

/** The name of an asset. */
export type Asset = keyof typeof contents

// Another Node may strip the types in another way.
const made = [process.version, String(withoutTypes), comments.source].join("\n")

const assets = new Map(
  Object.entries<Content>(contents).map(([name, content]) => {
    const hashed = content.finish === undefined ? content.source : `${made}\n${content.source}`
    const hash = createHash("sha256").update(hashed).digest("base64url").slice(0, 12)
    return [name, { path: `/assets/${hash}/${name}` as const, content }]
  })
)

/** The address of an asset. */
export const assetPath = (name: Asset): string => assets.get(name)?.path ?? ""

const handlerOf = ({ contentType, finish, source }: Content) => {
  let handler: ReturnType<typeof StaticContent.make> | undefined
  return Effect.suspend(() => {
    handler ??= StaticContent.make(finish?.(source) ?? source, {
      contentType,
      cacheControl: "public, max-age=31536000, immutable"
    })
    return handler
  })
}

/** The paths of all assets with the handlers that answer them. */
export const assetRoutes = [...assets.values()].map(({ content, path }) => ({ path, handler: handlerOf(content) }))
