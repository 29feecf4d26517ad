/** What a check of the installation says. */
import { Effect, Predicate } from "effect"
import { isSqlError } from "effect/sql/SqlError"

/** How an installation is in one respect, with what to do about it. */
export interface Check {
  readonly name: string
  readonly status: "ok" | "warning" | "failed"
  readonly detail: string
  /** What to do about it; null if nothing is to be done. */
  readonly fix: string | null
}

/** What a check found, before it has its name. */
export type Finding = Omit<Check, "name">

export const ok = (detail: string): Finding => ({ status: "ok", detail, fix: null })

export const warning = (detail: string, fix: string): Finding => ({ status: "warning", detail, fix })

export const failed = (detail: string, fix: string): Finding => ({ status: "failed", detail, fix })

/** What an error says; one of Postgres in its words. */
const messageOf = (error: unknown): string => {
  if (isSqlError(error) && error.reason.cause instanceof Error) return error.reason.cause.message
  return Predicate.hasProperty(error, "message") && Predicate.isString(error.message) ? error.message : String(error)
}

/** Names what a check found. One that cannot be made has failed. */
export const named = <E, R>(name: string, look: Effect.Effect<Finding, E, R>): Effect.Effect<Check, never, R> =>
  look.pipe(
    Effect.catch((error) => Effect.succeed(failed(`It cannot be checked: ${messageOf(error)}.`, "See why that is."))),
    Effect.catchDefect((defect) =>
      Effect.succeed(failed(`It cannot be checked: ${messageOf(defect)}.`, "See why that is."))
    ),
    Effect.map((finding): Check => ({ name, ...finding }))
  )

const ranks = { ok: 0, warning: 1, failed: 2 } as const

/** One finding for several: the worst status, and what those say that are not well. */
export const together = (findings: ReadonlyArray<Finding>): Finding => {
  const worst = findings.reduce((one, other) => (ranks[other.status] > ranks[one.status] ? other : one), ok(""))
  const shown = worst.status === "ok" ? findings : findings.filter(({ status }) => status !== "ok")
  const fixes = [...new Set(shown.flatMap(({ fix }) => (fix === null ? [] : [fix])))]
  return {
    status: worst.status,
    detail: shown.map(({ detail }) => detail).join(" "),
    fix: fixes.length === 0 ? null : fixes.join(" ")
  }
}
