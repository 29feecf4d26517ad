/** What decides the contents of the file. */
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"

const folder = new URL("./", import.meta.url)

/** Where a program's other files are decides nothing, and its folders move. */
const withoutImports = (text: string): string => text.replaceAll(/^import\b[^"]*"[^"]*".*$/gm, "")

/** SHA-256 of the sources' lock file, of the program that makes the file, and of how names are folded. */
export const digestOfInputs = async (): Promise<string> => {
  const files = (await readdir(folder)).map((name) => `./${name}`).sort()
  const hash = createHash("sha256")
  for (const file of [...files, "../fold.ts", "../format.ts", "../groups.ts"])
    hash.update(withoutImports(await readFile(new URL(file, folder), "utf8")))
  return hash.digest("hex")
}
