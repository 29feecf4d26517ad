/** Makes the file of the gazetteer: npm run gazetteer. README.md in the folder above explains it. */
import { execFile } from "node:child_process"
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompressSync, constants } from "node:zlib"
import { encode } from "../format.ts"
import { assemble, columnsOf, withTerritories } from "./assemble.ts"
import { digestOfInputs, readCities, readLanguages, readSubdivisions, readUnits } from "./sources.ts"

const here = new URL("./", import.meta.url)
const installed = new URL("../../../../../.data/gazetteer/", import.meta.url)

/** The sources take 320 MB, so they are not among the dependencies of the service. */
const install = async () => {
  const text = (file: URL) => readFile(file, "utf8").catch(() => "")
  const lock = "package-lock.json"
  const isInstalled = (await text(new URL(lock, here))) === (await text(new URL(`installed-${lock}`, installed)))
  if (isInstalled) return new URL("node_modules/", installed)
  await mkdir(installed, { recursive: true })
  for (const file of ["package.json", lock]) await copyFile(new URL(file, here), new URL(file, installed))
  await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-fund", "--no-audit"], {
    cwd: fileURLToPath(installed)
  })
  await copyFile(new URL(lock, here), new URL(`installed-${lock}`, installed))
  return new URL("node_modules/", installed)
}

const modules = await install()
const languages = await readLanguages(modules)
const sources = {
  languages,
  units: await readUnits(modules, languages),
  subdivisions: await readSubdivisions(modules),
  cities: await readCities(modules)
}
const rows = withTerritories(assemble(sources), sources)
const bytes = encode({ inputs: await digestOfInputs(), cldr: process.versions["cldr"] ?? "" }, columnsOf(rows))
const compressed = brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
  }
})
const file = new URL("../places.bin.br", here)
const before = await readFile(file).catch(() => Buffer.alloc(0))
await writeFile(file, compressed)
process.stdout.write(
  `${rows.length} places, ${bytes.length} bytes, ${compressed.length} compressed, ${before.equals(compressed) ? "unchanged" : "changed"}\n`
)
