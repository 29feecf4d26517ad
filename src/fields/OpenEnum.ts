import { Schema } from "effect"

/**
 * A value of an answer that has known values now and may get more: clients treat an unknown one with care rather
 * than fail on it (decisions §1).
 */
export const OpenEnum = <const Values extends readonly [string, ...Array<string>]>(values: Values, meaning: string) =>
  Schema.String.annotate({
    description: `${meaning} Known values: ${values.map((value) => `\`${value}\``).join(", ")}. More may be added.`,
    examples: [values[0]]
  })
