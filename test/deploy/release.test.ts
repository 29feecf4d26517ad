import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { missingIn, sbomOf } from "../../deploy/release.ts"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

test("The SBOM of a release has every production dependency with its version and license, and is always the same", () => {
  const lock = read("package-lock.json")
  const source = { package: read("package.json"), lock, timestamp: "2026-11-27T00:00:00.000Z" }
  const sbom = sbomOf(source)
  expect(missingIn(sbom, lock)).toStrictEqual([])
  expect(sbomOf(source)).toBe(sbom)
  const { components, metadata } = JSON.parse(sbom)
  expect(metadata.component).toMatchObject({ name: "property-network", version: JSON.parse(source.package).version })
  expect(components.map(({ name }: { readonly name: string }) => name)).not.toContain("vitest")
  const without = JSON.stringify({ components: components.slice(1) })
  expect(missingIn(without, lock)).toStrictEqual([`${components[0].name}@${components[0].version}`])
})
