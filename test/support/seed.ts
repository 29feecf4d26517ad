/**
 * Gives the property tests of `npm test` one seed, so that a change is refused for what it broke and not for the values of the day; those of
 * `npm run test:long` look for more. docs/testing.md#property-tests-models-and-seeds.
 */
import fc from "fast-check"
import { isLong } from "./campaign.ts"

const seed = process.env["TEST_SEED"] ?? (isLong ? "random" : "1")

if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
