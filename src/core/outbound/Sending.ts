/** Whether this installation sends events to webhooks. See docs/behaviour/webhooks.md#a-service-that-sends-nothing. */
import { Context } from "effect"

/** `WEBHOOKS`: without it, deliveries are created and wait, and nothing is claimed or sent. */
export const Sending = Context.Reference<boolean>("core/outbound/Sending", { defaultValue: () => true })
