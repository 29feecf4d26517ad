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
const verifiersOf = (secret) => {
    const secrets = Array.isArray(secret) ? secret : [secret];
    if (secrets.length === 0)
        throw new TypeError("There is no secret to verify messages with.");
    return secrets.map((one) => {
        if (typeof one !== "string" || !/^whsec_[A-Za-z0-9+/]{43}=$/.test(one)) {
            throw new TypeError("A webhook's secret is `whsec_` and 44 characters, as the webhook's creation answered it.");
        }
        return new Webhook(one);
    });
};
/**
 * Verifies a message: its signature by one of the secrets, in constant time, and its time, at most five minutes from
 * this machine's. `body` is the exact body of the request, before any parsing. Throws {@link InvalidMessage}, and a
 * `TypeError` if a secret cannot be one: that is a fault of the configuration, not of the message.
 */
export const verifyMessage = (body, headers, secret) => {
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    const signed = {
        "webhook-id": headerOf(headers, "webhook-id"),
        "webhook-timestamp": headerOf(headers, "webhook-timestamp"),
        "webhook-signature": headerOf(headers, "webhook-signature")
    };
    let refusal;
    for (const verifier of verifiersOf(secret)) {
        try {
            const event = verifier.verify(text, signed);
            return { id: signed["webhook-id"], event, isTest: "_test" in event };
        }
        catch (error) {
            refusal = error;
        }
    }
    throw new InvalidMessage(refusal instanceof Error ? refusal.message : String(refusal));
};
