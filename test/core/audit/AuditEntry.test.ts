import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { actionNames, actions, actionsOf, detailMembers } from "../../../src/core/audit/AuditEntry.ts"

const document = readFileSync(new URL("../../../docs/behaviour/audit-log.md", import.meta.url), "utf8")

/** The rows of the table under a heading, without their padding. */
const rowsUnder = (heading: string) =>
  (document.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", text = ""]) => `${name}: ${text}`)

describe("The actions of the audit log", () => {
  it("are those that its documentation lists", () => {
    const mark = (action: object) => ("notable" in action ? " ★" : "counted" in action ? " Σ" : "")
    assert.deepStrictEqual(
      rowsUnder("Actions"),
      Object.entries(actions).map(([name, action]) => `\`${name}\`${mark(action)}: ${action.means}`)
    )
    assert.deepStrictEqual(
      rowsUnder("Details"),
      Object.entries(detailMembers).map(([name, text]) => `\`${name}\`: ${text}`)
    )
  })

  it("are named for what they are about, and what happened to it", () => {
    for (const name of actionNames) assert.match(name, /^[a-z_]+\.[a-z_]+$/)
  })

  it("are found by their name, or by its beginning", () => {
    assert.deepStrictEqual(actionsOf("client.created"), ["client.created"])
    assert.deepStrictEqual(actionsOf("client.*"), ["client.created", "client.rotated", "client.revoked"])
    assert.deepStrictEqual(actionsOf("client"), [])
  })
})
