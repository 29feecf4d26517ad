/** The values of the model's symbols: ids, times, and days from today. */
import { assert } from "@effect/vitest"

/** The day `days` after a moment, in UTC. */
export const dayOf = (days: number, now: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)

/** Symbols of a run that began at `now`. */
export const make = (now: number) => {
  const meanings = new Map<string, string>()
  const meaningOf = (symbol: string) => meanings.get(symbol) ?? symbol
  return {
    now,
    meaningOf,
    /** Binds a symbol to a value, once. */
    bind: (symbol: string, meaning: string) => {
      assert.strictEqual(meanings.get(symbol) ?? meaning, meaning, symbol)
      meanings.set(symbol, meaning)
    },
    /** Replaces the symbols in a value of the model. */
    resolve: <A>(value: A): A =>
      JSON.parse(JSON.stringify(value), (_, member: unknown) => {
        if (typeof member !== "string" || !member.startsWith("@")) return member
        return member.startsWith("@day:") ? `${dayOf(Number(member.slice(5)), now)}T00:00:00.000Z` : meaningOf(member)
      }) as A
  }
}

export type Symbols = ReturnType<typeof make>
