import { setTimeout as sleep } from "node:timers/promises"

/**
 * Calls `check` every `every` milliseconds until it returns a value, and returns that; `undefined` after `within`
 * milliseconds.
 *
 * It uses the machine's clock and not Effect's, because it waits for other processes, which a test's clock does not
 * move.
 */
export const poll = async <A>(
  check: () => A | undefined | Promise<A | undefined>,
  options: { readonly every: number; readonly within: number; readonly signal: AbortSignal }
): Promise<A | undefined> => {
  const deadline = performance.now() + options.within
  while (true) {
    const value = await check()
    if (value !== undefined || performance.now() >= deadline) return value
    await sleep(options.every, undefined, { signal: options.signal })
  }
}
