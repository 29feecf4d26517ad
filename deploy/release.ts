/**
 * `node run.mjs deploy/release.ts FOLDER [REF]`: makes what a release consists of from a commit (by default HEAD), and checks it: the source
 * as an archive, its production dependencies as an SBOM, and the checksums of both. The same commit gives the same bytes. With `--check
 * FOLDER`, only checks what is there. Needs git, and npm in the PATH.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"

const root = resolve(import.meta.dirname, "..")

const maxBuffer = 1 << 30

const git = (...args: ReadonlyArray<string>): Buffer => execFileSync("git", args, { cwd: root, maxBuffer })

const digestOf = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex")

/** The parts of an SBOM that are looked at here. */
interface Sbom {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; version: string; "bom-ref": string } }
  components: ReadonlyArray<{
    readonly name: string
    readonly version: string
    readonly "bom-ref": string
    readonly licenses?: ReadonlyArray<unknown>
  }>
  dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn: ReadonlyArray<string> }>
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly name?: string; readonly version?: string; readonly dev?: boolean; readonly link?: boolean }
    >
  >
}

/** The production dependencies of a lock file, for all platforms: `name@version`. */
const productionOf = (lock: string): ReadonlySet<string> =>
  new Set(
    Object.entries((JSON.parse(lock) as Lock).packages)
      .filter(([path, { dev, link }]) => path !== "" && dev !== true && link !== true)
      .map(([path, { name, version }]) => `${name ?? path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`)
  )

/** The SBOM, in the format of CycloneDX, of a package and its lock file: production dependencies only. */
export const sbomOf = (source: {
  readonly package: string
  readonly lock: string
  readonly timestamp: string
}): string => {
  const { name, version } = JSON.parse(source.package) as { readonly name: string; readonly version: string }
  const place = mkdtempSync(join(tmpdir(), "property-network-release-"))
  try {
    // npm names what it describes by its folder.
    const folder = join(place, name)
    mkdirSync(folder)
    writeFileSync(join(folder, "package.json"), source.package)
    writeFileSync(join(folder, "package-lock.json"), source.lock)
    // `--omit dev` also leaves out production dependencies that a development dependency needs, too (npm 11).
    const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"]
    const sbom = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8", maxBuffer })) as Sbom
    const production = productionOf(source.lock)
    sbom.components = sbom.components.filter((one) => production.has(`${one.name}@${one.version}`))
    const refs = new Set([sbom.metadata.component["bom-ref"], ...sbom.components.map((one) => one["bom-ref"])])
    sbom.dependencies = sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ dependsOn, ref }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
    // npm numbers each run, and dates it.
    const id = digestOf(`${name} ${version} ${source.lock}`)
    const variant = `8${id.slice(17, 20)}`
    sbom.serialNumber = `urn:uuid:${id.slice(0, 8)}-${id.slice(8, 12)}-5${id.slice(13, 16)}-${variant}-${id.slice(20, 32)}`
    sbom.metadata.timestamp = source.timestamp
    return `${JSON.stringify(sbom, undefined, 2)}\n`
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** The production dependencies of a lock file that an SBOM lacks, or has without a license. */
export const missingIn = (sbom: string, lock: string): ReadonlyArray<string> => {
  const { components } = JSON.parse(sbom) as Sbom
  const licensed = new Set(
    components.filter(({ licenses = [] }) => licenses.length > 0).map(({ name, version }) => `${name}@${version}`)
  )
  return [...productionOf(lock)].filter((one) => !licensed.has(one))
}

/** Makes the files of a release in a folder that is new or empty, and returns their names. */
export const make = (folder: string, ref: string): ReadonlyArray<string> => {
  const fileOf = (path: string) => git("show", `${ref}:${path}`).toString()
  const { name, version } = JSON.parse(fileOf("package.json")) as { readonly name: string; readonly version: string }
  const lock = JSON.parse(fileOf("package-lock.json")) as { readonly version: string }
  const api = JSON.parse(fileOf("openapi.json")) as { readonly info: { readonly version: string } }
  if (lock.version !== version || api.info.version !== version) {
    throw new Error(`package.json is ${version}, package-lock.json ${lock.version}, openapi.json ${api.info.version}.`)
  }
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`)
  const timestamp = new Date(
    Number(git("show", "-s", "--format=%ct", `${ref}^{commit}`).toString()) * 1000
  ).toISOString()
  const source = `${name}-${version}.tar.gz`
  const bill = `${name}-${version}.cdx.json`
  const tar = git("archive", "--format=tar", `--prefix=${name}-${version}/`, `${ref}^{commit}`)
  writeFileSync(join(folder, source), gzipSync(tar, { level: 9 }))
  writeFileSync(
    join(folder, bill),
    sbomOf({ package: fileOf("package.json"), lock: fileOf("package-lock.json"), timestamp })
  )
  const sums = [bill, source].map((file) => `${digestOf(readFileSync(join(folder, file)))}  ${file}\n`)
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""))
  return [bill, source, "SHA256SUMS"]
}

/** What is wrong with the files of a release. */
export const faultsOf = (folder: string): ReadonlyArray<string> => {
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n")
  const files = sums.map((line) => line.slice(66))
  const contentOf = (file: string) => readFileSync(join(folder, file))
  const wrong = sums
    .filter((line) => digestOf(contentOf(line.slice(66))) !== line.slice(0, 64))
    .map((line) => `${line.slice(66)} has another checksum.`)
  const archive = files.find((file) => file.endsWith(".tar.gz"))
  const bill = files.find((file) => file.endsWith(".cdx.json"))
  if (archive === undefined || bill === undefined) return [...wrong, "SHA256SUMS lacks the archive or the SBOM."]
  if (wrong.length > 0) return wrong
  const packed = (path: string) =>
    execFileSync("tar", ["-xO", `${archive.slice(0, -".tar.gz".length)}/${path}`], {
      input: gunzipSync(contentOf(archive)),
      maxBuffer
    }).toString()
  return missingIn(contentOf(bill).toString(), packed("package-lock.json")).map((one) => `The SBOM lacks ${one}.`)
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

const end = (code: number, text: string) => {
  process.stderr.write(`${text}\n`)
  process.exitCode = code
}

if (import.meta.main) {
  const [first = "", second] = process.argv.slice(2)
  const isCheck = first === "--check"
  const folder = isCheck ? second : first
  try {
    if (folder === undefined || folder === "") {
      end(2, "Usage: node run.mjs deploy/release.ts FOLDER [REF] | --check FOLDER")
    } else {
      if (!isCheck) print(make(resolve(folder), second ?? "HEAD").join("\n"))
      const faults = faultsOf(resolve(folder))
      if (faults.length > 0) end(1, faults.join("\n"))
      else print("Checksums and SBOM are right.")
    }
  } catch (error) {
    end(1, error instanceof Error ? error.message : String(error))
  }
}
