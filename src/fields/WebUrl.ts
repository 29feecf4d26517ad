import { check, Text } from "./Text.ts"

const isWebUrl = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:")
}

/** An absolute http or https URL: at most 2,048 characters (docs/behaviour/http.md#text). */
export const WebUrl = Text(2048)
  .check(check("invalid_url", "Must be an absolute http or https URL.", isWebUrl))
  .annotate({ examples: ["https://www.example.com/anna-berg"] })
