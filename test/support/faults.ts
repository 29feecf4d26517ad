import type { Reply } from "./TestService.ts"

/** The faults of a validation problem, each as `part pointer code`. */
export const faultsOf = (reply: Reply<unknown>): ReadonlyArray<string> =>
  ((reply.body as { readonly errors?: ReadonlyArray<{ in: string; pointer: string; code: string }> }).errors ?? []).map(
    (fault) => `${fault.in} ${fault.pointer} ${fault.code}`
  )
