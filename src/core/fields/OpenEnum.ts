import { Schema } from "effect"

/**
 * An enumeration in responses that later versions may extend, so that clients must tolerate unknown values:
 * docs/behaviour/http.md#open-enumerations.
 */
export const OpenEnum = <const Values extends readonly [string, ...Array<string>]>(values: Values, meaning: string) =>
  Schema.String.annotate({
    description: `${meaning} Known values: ${values.map((value) => `\`${value}\``).join(", ")}. Later versions may add more.`,
    examples: [values[0]]
  })
