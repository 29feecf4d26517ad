/** The console: one line for each module that has pages, and what stands where in the navigation. */
import * as account from "./console/AccountPages.ts"
import * as start from "./console/StartPages.ts"
import type { AreasOf } from "./console/Console.ts"

/** All pages. */
export const pages = [...start.pages, ...account.pages]

/** The parts of the console that a person sees in the navigation: only those that they may use. */
export const areasOf: AreasOf = () => []
