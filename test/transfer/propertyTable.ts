/** The table of columns in docs/behaviour/property-columns.md: `node run.mjs test/transfer/propertyTable.ts` prints it. */
import { type Column, columns } from "../../src/transfer/propertyColumns.ts"

const cellOf = (names: ReadonlyArray<string> = []) => names.map((name) => `\`${name}\``).join(" ")

/** The rows of the table. */
export const tableOf = (all: { readonly [member: string]: Column }): string =>
  Object.entries(all)
    .map(
      ([member, { openImmo, others, reso }]) =>
        `| \`${member}\` | ${cellOf(reso)} | ${cellOf(openImmo)} | ${cellOf(others)} |`
    )
    .join("\n")

// oxlint-disable-next-line no-console
if (import.meta.main) console.log(tableOf(columns))
