/** Verifies webhook messages (Standard Webhooks) and types their payloads. */
import { Webhook } from "standardwebhooks";
/** A message whose signature or time is wrong: answer 401 and process nothing. */
export class InvalidMessage extends Error {
    name = "InvalidMessage";
}
const headerOf = (headers, name) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return (typeof value === "string" ? value : value?.[0]) ?? "";
};
/**
 * Verifies a message: its signature by one of the secrets, in constant time, and its time, at most five minutes from
 * this machine's. `body` is the exact body of the request, before any parsing. Throws {@link InvalidMessage}.
 */
export const verifyMessage = (body, headers, secret) => {
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    const signed = {
        "webhook-id": headerOf(headers, "webhook-id"),
        "webhook-timestamp": headerOf(headers, "webhook-timestamp"),
        "webhook-signature": headerOf(headers, "webhook-signature")
    };
    let refusal;
    for (const key of typeof secret === "string" ? [secret] : secret) {
        try {
            const event = new Webhook(key).verify(text, signed);
            return { id: signed["webhook-id"], event, isTest: "_test" in event };
        }
        catch (error) {
            refusal = error;
        }
    }
    throw new InvalidMessage(refusal instanceof Error ? refusal.message : "There is no secret to verify the message with.");
};
