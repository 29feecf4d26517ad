import { Context, Latch, Layer } from "effect"

/**
 * Wakes `MemoryWorker`: `Jobs.layerMemory` opens the latch when a job was enqueued, and the worker closes it before it
 * queries.
 */
export class JobSignal extends Context.Service<JobSignal, Latch.Latch>()("platform/jobs/JobSignal") {
  static readonly layer: Layer.Layer<JobSignal> = Layer.effect(JobSignal, Latch.make())
}
