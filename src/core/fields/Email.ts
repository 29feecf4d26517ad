import { Schema } from "effect"
import { domainToASCII } from "node:url"
import { check, inNfc, rewritten, Text } from "./Text.ts"

// The practical subset of RFC 5322 that browsers use for <input type="email">, and the UTF-8 of RFC 6531 that shows something.
const localPart = /^(?:[\w.!#$%&'*+/=?^`{|}~-]|(?![\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}])[^\0-\x7f])+$/u
const asciiDomain = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/**
 * An e-mail address as it is stored and compared: its local part in NFC, and a domain with other letters in its ASCII form
 * (`münchen.de` is `xn--mnchen-3ya.de`). Undefined for anything else.
 */
export const canonicalEmail = (text: string): string | undefined => {
  const at = text.lastIndexOf("@")
  const local = inNfc(text.slice(0, Math.max(0, at)))
  const sent = text.slice(at + 1)
  const isAscii = /^[\0-\x7f]*$/.test(sent)
  // `domainToASCII` reads a host of a URL, which ends with these.
  const domain = isAscii ? sent : /[/:@?#\s\\%]/.test(sent) ? "" : domainToASCII(sent)
  return localPart.test(local) && asciiDomain.test(domain) ? `${local}@${domain}` : undefined
}

/** An e-mail address as it is sent: at most 320 characters (docs/behaviour/http.md#text). */
export const SentEmail = Text(320)
  .check(
    check(
      "invalid_email",
      "Must be an e-mail address such as anna@example.com.",
      (value: string) => canonicalEmail(value) !== undefined
    )
  )
  .annotate({ examples: ["anna.berg@example.com"] })

/** A {@link SentEmail}, stored as {@link canonicalEmail}. */
export const Email = rewritten(SentEmail, (value) => canonicalEmail(value) ?? value, Text(320))

/** An {@link Email} or null, which clears the member. */
export const NullableEmail = Schema.NullOr(Email)
