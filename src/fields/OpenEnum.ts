import { Schema } from "effect"

/**
 * An enumeration in responses that later versions may extend: clients must tolerate values that they do not know (decisions §1).
 */
export const OpenEnum = <const Values extends readonly [string, ...Array<string>]>(values: Values, meaning: string) =>
  Schema.String.annotate({
    description: `${meaning} Known values: ${values.map((value) => `\`${value}\``).join(", ")}. More may be added.`,
    examples: [values[0]]
  })
