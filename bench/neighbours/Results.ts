/** The table of what attacks do to a quiet tenant. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { count, duration, table } from "../Figures.ts"
import type { Machine } from "../Machine.ts"
import type { Figures } from "./Quiet.ts"

/** What one attack did. */
export interface Line {
  readonly name: string
  readonly summary: string
  readonly quiet: Figures
  /** Seconds from the attack's end until the quiet tenant's requests took about as long as before; at most 60. */
  readonly back: number
  /** Of the API, at most, in bytes. */
  readonly resident: number
  /** Of the API, in shares of one processor. */
  readonly processor: number
  /** The answers to the attacker. */
  readonly statuses: { readonly [status: string]: number }
}

/** A whole run. */
export interface Run {
  readonly date: string
  readonly commit: string
  readonly machine: Machine
  readonly seconds: number
  readonly alone: Figures
  readonly lines: ReadonlyArray<Line>
}

const goals = { timesAlone: 10, backSeconds: 2, megabytes: 500 }

/** The goals that an attack missed. */
export const missedBy = ({ back, quiet, resident }: Line, alone: Figures): ReadonlyArray<string> => [
  ...(quiet.failures > 0 ? ["failures"] : []),
  ...(quiet.p95 > goals.timesAlone * alone.p95 ? ["p95"] : []),
  ...(back > goals.backSeconds ? ["back"] : []),
  ...(resident / 1e6 > goals.megabytes ? ["memory"] : [])
]

const answers = (statuses: Line["statuses"]) =>
  Object.entries(statuses)
    .map(([status, times]) => `${count(times)} × ${status}`)
    .join(", ")

/** One line as text. */
export const described = (line: Line, alone: Figures): string =>
  `${line.name}: p50 ${duration(line.quiet.p50)}, p95 ${duration(line.quiet.p95)}, ${line.quiet.failures} of ${line.quiet.requests} failed, ` +
  `back after ${line.back.toFixed(1)} s, ${Math.round(line.resident / 1e6)} MB, processor ${line.processor.toFixed(2)}; ` +
  `attacker: ${answers(line.statuses)}; missed: ${missedBy(line, alone).join(", ") || "nothing"}`

/** The document. */
export const markdown = ({ alone, commit, date, lines, machine, seconds }: Run): string =>
  [
    "# A quiet tenant beside attacks",
    "",
    "`npm run bench:neighbours`: [README.md](../README.md#neighbours) says what each line is.",
    "",
    `On ${date}, ${commit}, ${machine.processor}, ${machine.cores} cores, Postgres ${machine.postgres}, Node ${machine.node}. Each attack lasts ${seconds} s.`,
    "",
    ...table(
      [
        "attack",
        "what it sends",
        "p50",
        "p95",
        "failures",
        "back after",
        "memory",
        "processor",
        "answers to the attacker",
        "missed"
      ],
      [
        ["none", "", duration(alone.p50), duration(alone.p95), alone.failures, "", "", "", "", ""],
        ...lines.map((line) => [
          line.name,
          line.summary,
          duration(line.quiet.p50),
          duration(line.quiet.p95),
          line.quiet.failures,
          `${line.back.toFixed(1)} s`,
          `${Math.round(line.resident / 1e6)} MB`,
          line.processor.toFixed(2),
          answers(line.statuses),
          missedBy(line, alone).join(", ")
        ])
      ],
      2
    ),
    ""
  ].join("\n")

const file = (name: string) => join(import.meta.dirname, name)

/** Keeps a whole run. */
export const keep = async (run: Run): Promise<void> => {
  await writeFile(file("results.json"), `${JSON.stringify(run, null, 2)}\n`)
  await writeFile(file("results.md"), markdown(run))
}
