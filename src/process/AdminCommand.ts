/** The operator's commands as the service prints them, ready to paste. */
import { defaultDataDir, type Settings } from "../platform/Config.ts"

const isPlain = (text: string) => /^[\w./~-]+$/.test(text)

const quoted = (text: string) => (isPlain(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/**
 * A command line of this installation. It names the database unless that is the default one. An address of Postgres contains
 * a password, so it is left to the reader.
 */
export const adminCommand = (
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  command: string
): string => {
  const database =
    databaseUrl !== undefined
      ? "DATABASE_URL=… SECRET_KEY=… "
      : dataDir === defaultDataDir
        ? ""
        : `DATA_DIR=${quoted(dataDir)} `
  return `${database}npm run -s admin -- ${command}`
}
