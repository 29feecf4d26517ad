/** Metrics whose values are computed when they are read. */
import { type Context, Effect, Metric } from "effect"

/** Registers a metric whose state is computed when it is read, for as long as the scope lasts. */
export const registerComputed = <State>(metric: Metric.Metric<number, State>, get: () => State) =>
  Effect.acquireRelease(
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.sync(() => Metric.registerUnsafe(metric, context, { get, update: () => {}, modify: () => {} }))
    ),
    (registration) => Effect.sync(() => registration.remove())
  )

/** Registers a gauge whose value is computed when it is read, for as long as the scope lasts. */
export const gauge = (
  name: string,
  description: string,
  value: () => number,
  attributes: Readonly<Record<string, string>> = {}
) => registerComputed(Metric.gauge(name, { description, attributes }), () => ({ value: value() }))
