import { setTimeout as sleep } from "node:timers/promises"

/**
 * Asks every `every` milliseconds until the answer is not `undefined`; `undefined` once `within` has passed.
 *
 * On the machine's clock, not Effect's: it waits for other processes, and a test clock would stop it for ever.
 */
export const poll = async <A>(
  ask: () => A | undefined | Promise<A | undefined>,
  options: { readonly every: number; readonly within: number; readonly signal: AbortSignal }
): Promise<A | undefined> => {
  const deadline = performance.now() + options.within
  while (true) {
    const answer = await ask()
    if (answer !== undefined || performance.now() >= deadline) return answer
    await sleep(options.every, undefined, { signal: options.signal })
  }
}
