import { Context, Latch, Layer } from "effect"

/** Opened by `Jobs.layerMemory` when something was enqueued; closed by the worker in the same process that waits for it. */
export class JobSignal extends Context.Service<JobSignal, Latch.Latch>()("jobs/JobSignal") {
  static readonly layer: Layer.Layer<JobSignal> = Layer.effect(JobSignal, Latch.make())
}
