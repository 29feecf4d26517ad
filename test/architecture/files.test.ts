/** What may stand in which file: SQL, clocks, casts, names, lengths. */
import { readFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { files, root } from "./kinds.ts"

/** Text without comments; strings stay. */
const withoutComments = (text: string): string =>
  text.replaceAll(
    /("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_, string: string | undefined) => string ?? ""
  )

/** The comment with which a text begins. */
const headerOf = (text: string): string => /^\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? ""

/** Files that are named for what they decide, in lower case; adapters, programs and declarations are named for what they are. */
const decides = /^src\/.*\/(?!(?:api|http|tools|pages|texts|jobs)\.ts$)[a-z]\w*\.ts$/
const performs = /^src\/(?:cli|console\/browser|platform\/db\/embedded|testing|market\/mandates\/gazetteer\/build)\//

/** Whether a file decides, and so must be pure: by its name, or because it says so. Others may say it of what they call. */
const isPure = ({ path, text }: { readonly path: string; readonly text: string }): boolean =>
  (decides.test(path) && !performs.test(path)) ||
  (/^(?:src|workers)\//.test(path) && /\b[Pp]ure\b/.test(headerOf(text)))

const sources = await Promise.all(
  files.map(async (path) => {
    const text = await readFile(new URL(path, root), "utf8")
    return { path, text, code: withoutComments(text) }
  })
)

/** What the code of some files must not contain. */
interface Ban {
  readonly files: RegExp | ((source: { readonly path: string; readonly text: string }) => boolean)
  readonly unless?: RegExp
  readonly words: RegExp
  readonly reason: string
}

const bans: ReadonlyArray<Ban> = [
  {
    files: /^(?:src|workers)\//,
    words: /\bconsole\.(?:assert|count|debug|dir|error|group|info|log|table|time|trace|warn)/,
    reason: "Processes log with Effect; commands write what the operator asked for with Effect's Console."
  },
  {
    files: isPure,
    words:
      /\bClock\b|\bDate\.now\b|\bnew Date(?:\(\)|\b(?!\())|\bDateTime\.now|\bTemporal\.Now\b|\bperformance\.|\bMath\.random\b|\bRandom\b|\brandom(?:UUID|Bytes|Fill\w*|Int)\b|\bgetRandomValues\b|\bprocess\.|\bsetTimeout\b|"node:(?:fs|net|http|https|dns|child_process|worker_threads|os|timers)[/"]/,
    reason: "Decisions take the time and what is random as arguments, and read nothing."
  },
  {
    files: isPure,
    words:
      /\bContext\.Service\b|\bEffect\.(?:promise|tryPromise|run\w+|fork\w*|sleep|callback|log\w*)\b|\byield\* [A-Z]\w*\b(?![.(])/,
    reason: "Decisions call no service."
  },
  {
    files: /^(?:src|workers)\//,
    unless:
      /(?:Repo|\/records\/(?:DeletedRecords|\w*Table\w*|RowReader|SearchConditions))\.ts$|^src\/(?:platform\/(?:db|jobs)|core\/mutation)\/|^src\/core\/usecase\/Idempotency\.ts$/,
    words: /\bsql(?:<[^`]*>)?`/,
    reason: "The SQL of a module is in its repository."
  },
  {
    // A restore asks how far the server is.
    files: /^(?:src\/(?!backup\/)|workers\/)/,
    words: /\b(?:pg_current_xact_id|txid_current)\b(?!_snapshot)/,
    reason: "`begin_change` hands out transaction ids, and every write names the one of its change."
  },
  {
    files: /^(?:src|workers)\//,
    words:
      /\binsert into (?:companies|contacts|events|links|mandates|projects|properties|prospects|questions|rooms|tasks|webhook_subscriptions) \((?![^)]*\b(?:from_)?transaction(?:_id)?\b)/,
    reason: "A row names the transaction that wrote it."
  },
  {
    files: /^(?:src|workers)\//,
    words: /\blog(?:Debug|Info|Warning|Error)\(\s*`[^`]*\$\{(?:\w+\.)*(?:id|\w+Id|uuid)\}/,
    reason: "Logs name resources by their public ids (Id.fromUuid)."
  },
  {
    files: /^test\//,
    words: /\bMath\.random\b/,
    reason: "Random data comes from a seed that a failure prints."
  },
  {
    files: /^(?:src|workers)\//,
    // Their arrays of numbers and of points are of known lengths, and are read millions of times.
    unless: /^src\/market\/mandates\/(?:gazetteer|geography)\//,
    words:
      /\w\[[^\]"']+\] as (?!ReadonlyArray\b)[A-Z]|\.(?:get|at|find)\((?:[^()]|\([^()]*\))*\) as [A-Z]\w*(?! \| undefined)\b/,
    reason: "A cast of what may be missing hides that a result is short: check it, or let it be undefined."
  },
  {
    files: /^(?:src|workers)\//,
    words: /\bas unknown as\b|: any\b|<any\b|\bas any\b/,
    reason: "A cast to anything hides the error that the type checker would report."
  }
]

describe("Files", () => {
  for (const { files: where, reason, unless, words } of bans) {
    test(`obey: ${reason}`, () => {
      const guilty = sources.filter(
        ({ code, path, text }) =>
          (where instanceof RegExp ? where.test(path) : where({ path, text })) &&
          unless?.test(path) !== true &&
          !path.startsWith("test/architecture/") &&
          words.test(code)
      )
      expect(guilty.map(({ code, path }) => `${path}: ${words.exec(code)?.[0]}`)).toStrictEqual([])
    })
  }

  test("are decisions by their name, or because they say so", () => {
    const pure = (path: string, text = "") => isPure({ path, text })
    expect([
      pure("src/market/matches/rules.ts"),
      pure("src/deals/prospects/rules.ts"),
      pure("src/deals/offers/rules.ts")
    ]).not.toContain(false)
    expect(pure("src/platform/db/Standbys.ts", "/** Places of the log. Pure. */")).toBe(true)
    expect([
      pure("src/market/matches/http.ts"),
      pure("src/cli/transfer.ts"),
      pure("src/deals/offers/Offers.ts")
    ]).not.toContain(true)
    expect(sources.filter(isPure).length).toBeGreaterThan(60)
  })

  test("are named for what they are", () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|index|shared|stuff)(?:\/|\.(?:test\.)?ts$)/i
    expect(files.filter((path) => vague.test(path))).toStrictEqual([])
    expect(vague.test("src/http/utils.ts")).toBe(true)
  })

  test("declare something: none only re-exports", () => {
    const statement = /(?:^|\n)(?:import|export)\b[^"]*"[^"]+"/g
    const barrels = sources.filter(
      ({ code }) => /\bexport\b/.test(code) && code.replaceAll(statement, "").trim() === ""
    )
    expect(barrels.map(({ path }) => path)).toStrictEqual([])
  })

  test("have at most 700 lines in src and workers", () => {
    const long = sources.filter(({ path, text }) => /^(?:src|workers)\//.test(path) && text.split("\n").length > 701)
    expect(long.map(({ path }) => path)).toStrictEqual([])
  })

  test("leave no work for later", () => {
    const postponed = /\b(?:TO-?DO|FIX-?ME|XX-?X)\b/
    expect(sources.filter(({ text }) => postponed.test(text)).map(({ path }) => path)).toStrictEqual([])
  })

  test("begin with a comment that says what they do, where they are repositories, rules or jobs", () => {
    const silent = sources.filter(
      ({ code, path, text }) =>
        (/Repo\.ts$|^src\/.*\/rules\.ts$/.test(path) || (path.startsWith("workers/") && code.includes("Task.make("))) &&
        !text.startsWith("/**")
    )
    expect(silent.map(({ path }) => path)).toStrictEqual([])
  })
})
