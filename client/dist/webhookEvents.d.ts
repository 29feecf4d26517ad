import type { Schemas } from "./operationTypes.ts";
type EventName = Extract<keyof Schemas, `${string}Event`>;
/** An event, as webhooks send it and the journal lists it, discriminated by `event`. */
export type WebhookEvent = Extract<Schemas[EventName], {
    readonly event: string;
    readonly resource_id: string;
}>;
/** The headers of a request: those of Node, of `fetch`, or a plain object with names in lower case. */
export type MessageHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>;
/** A message whose signature or time is wrong: answer 401 and process nothing. */
export declare class InvalidMessage extends Error {
    readonly name = "InvalidMessage";
}
/** A verified message. */
export interface Message {
    /** The `webhook-id`, the same on every attempt: skip a message whose id you have processed. */
    readonly id: string;
    readonly event: WebhookEvent;
    /** Whether it is a test delivery, about a resource that does not exist. */
    readonly isTest: boolean;
}
/**
 * Verifies a message: its signature by one of the secrets, in constant time, and its time, at most five minutes from
 * this machine's. `body` is the exact body of the request, before any parsing. Throws {@link InvalidMessage}, and a
 * `TypeError` if a secret cannot be one: that is a fault of the configuration, not of the message.
 */
export declare const verifyMessage: (body: string | Uint8Array, headers: MessageHeaders, secret: string | ReadonlyArray<string>) => Message;
export {};
