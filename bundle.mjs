// Makes one file of the some thousand modules that a program of the service loads, in `dist`: a start takes half the time, and a process
// 60 MB less (docs/adr/0016-sources-and-bundles.md).
//
//   node bundle.mjs     makes `dist/server.js`, `dist/worker.js`, `dist/admin.js` and `dist/main.js`
//
// `run.mjs` makes them when a source file has changed. Packages other than Effect stay in node_modules, as do files that are read at run
// time where they are. Stack traces name the sources, to which source maps lead.

import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = import.meta.dirname ?? path.dirname(fileURLToPath(import.meta.url))
const folder = path.join(root, "dist")
const keyFile = path.join(folder, "sources")

/** The names in `dist` of the programs of the service. */
const programs = {
  "src/admin.ts": "admin",
  "src/main.ts": "main",
  "src/server.ts": "server",
  "workers/main.ts": "worker"
}

/**
 * The file to run for an entry point: its bundle, which is made first if the sources have changed. Files that are no program of the service
 * run as they are, and so do programs where no bundle can be made: without the tools of development, or in a folder that is read-only.
 */
export function bundled(entry, node = process.execPath) {
  const file = path.resolve(root, entry)
  const name = programs[path.relative(root, file).split(path.sep).join("/")]
  if (name === undefined) return file
  if (isFresh()) return path.join(folder, `${name}.js`)
  if (canBuild()) spawnSync(node, [path.join(root, "bundle.mjs")], { stdio: ["ignore", "ignore", "inherit"] })
  return isFresh() ? path.join(folder, `${name}.js`) : file
}

/** Whether what is in `dist` was made of the sources as they are. */
function isFresh() {
  try {
    return fs.readFileSync(keyFile, "utf8") === keyOf()
  } catch {
    return false
  }
}

function canBuild() {
  try {
    fs.accessSync(path.join(root, "node_modules", "rolldown"))
    fs.accessSync(fs.existsSync(folder) ? folder : root, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Identifies the sources by their sizes and times of change, and the packages by their lock file. */
function keyOf() {
  const hash = createHash("sha256")
  for (const file of ["bundle.mjs", "package-lock.json"]) hash.update(fs.readFileSync(path.join(root, file)))
  for (const top of ["src", "workers"]) {
    for (const file of fs.readdirSync(path.join(root, top), { recursive: true }).toSorted()) {
      if (!file.endsWith(".ts")) continue
      const { mtimeMs, size } = fs.statSync(path.join(root, top, file))
      hash.update(`${top}/${file} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest("hex")
}

/** Reads `import.meta` of a source file as the file, not as the bundle: it names files beside it. */
const whereItIs = {
  name: "where-it-is",
  transform(code, id) {
    const file = path.relative(root, id).split(path.sep).join("/")
    if (!/^(src|workers)\//.test(file) || !code.includes("import.meta.url")) return undefined
    const url = `new URL(${JSON.stringify(`../${file}`)}, import.meta.url).href`
    // Lines stay where they are, so that the source maps hold.
    return { code: code.replace(/\bimport\.meta\.url\b/g, url), map: null }
  }
}

async function build() {
  const { findPackageJSON } = await import("node:module")
  const { rolldown } = await import("rolldown")
  const key = keyOf()
  const packageOf = (name, from) => {
    try {
      return findPackageJSON(name, from)
    } catch {
      return undefined
    }
  }
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([file, name]) => [name, path.join(root, file)])),
    platform: "node",
    // A package that another one has in a version of its own has to go with it: from `dist`, its name would lead to the other version.
    external: (id, importer) =>
      !/^(\.|\/|[A-Za-z]:[\\/])/.test(id) &&
      !/^(effect|@effect\/|@oxc-project\/runtime)/.test(id) &&
      packageOf(id, importer ?? root) === packageOf(id, path.join(root, "bundle.mjs")),
    plugins: [whereItIs]
  })
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Node keeps a text with two bytes a character if there is any other one in it: 4 MB.
    charset: "ascii",
    // For stack traces: src/platform/telemetry/Stacks.ts.
    sourcemap: "hidden",
    sourcemapExcludeSources: true,
    comments: { annotation: false, jsdoc: false, legal: false }
  })
  fs.mkdirSync(folder, { recursive: true })
  // Processes that start or run meanwhile find what they look for: files appear whole, what others import before them, and former ones stay
  // for a day.
  const files = output.toSorted((a, b) => Number(a.isEntry ?? false) - Number(b.isEntry ?? false))
  for (const file of files) write(file.fileName, file.type === "chunk" ? escaped(file.code) : file.source)
  write(path.basename(keyFile), key)
  for (const name of fs.readdirSync(folder)) {
    if (name === path.basename(keyFile) || files.some(({ fileName }) => fileName === name)) continue
    const file = path.join(folder, name)
    if (Date.now() - fs.statSync(file).mtimeMs > 24 * 60 * 60 * 1000) fs.rmSync(file, { force: true })
  }
}

/**
 * A chunk without the characters that `charset` leaves: in templates with tags, which see no difference, and in patterns of `String.raw`,
 * where the escape means the same. Lines stay where they are, so that the source maps hold.
 */
function escaped(code) {
  return code.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

function write(name, content) {
  const file = path.join(folder, name)
  fs.writeFileSync(`${file}.${process.pid}`, content)
  fs.renameSync(`${file}.${process.pid}`, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
