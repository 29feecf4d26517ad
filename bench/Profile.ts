/** Profiles a running process of the service by its inspector: which code the processor was busy with, in a period of time. */
import { Effect } from "effect"
import { withSources } from "../src/platform/telemetry/Stacks.ts"
import type { Program } from "./Programs.ts"

/** What a process needs in its environment to be profiled. */
export const inspected = { NODE_OPTIONS: "--inspect=127.0.0.1:0" }

/**
 * A function on the stack. `url` is empty for Node's own native code, and for a bundled program it is the file of the sources, as in
 * `/src/http/Server.ts`. Lines and columns begin with 0.
 */
export interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** A stack, from the running function outwards, with the microseconds for which it was seen. */
export interface Stack {
  readonly frames: ReadonlyArray<Frame>
  readonly micros: number
}

interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: Frame
    readonly children?: ReadonlyArray<number>
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

// Microseconds between two looks at the stack.
const interval = 200

const bundled = /\/dist\/[\w.-]+\.js$/

/** The frame as in the sources. A bundle numbers functions whose names it has several times, as in `fork$1`. */
const inSources = (frame: Frame): Frame => {
  if (!bundled.test(frame.url)) return frame
  const [, source, line, column] =
    /^(?!file:)(.*):(\d+):(\d+)$/.exec(withSources(`${frame.url}:${frame.lineNumber + 1}:${frame.columnNumber + 1}`)) ??
    []
  return source === undefined
    ? frame
    : {
        functionName: frame.functionName.replace(/\$\d+$/, ""),
        url: `/${source}`,
        lineNumber: Number(line) - 1,
        columnNumber: Number(column) - 1
      }
}

const stacksOf = ({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyArray<Stack> => {
  const byId = new Map(nodes.map(({ callFrame, id }) => [id, inSources(callFrame)]))
  const parents = new Map(nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)))
  const micros = new Map<number, number>()
  // In a longer gap, the processor was busy with another process.
  for (const [index, id] of samples.entries())
    micros.set(id, (micros.get(id) ?? 0) + Math.min(timeDeltas[index] ?? 0, 2 * interval))
  return [...micros].map(([leaf, seen]) => {
    const frames: Array<Frame> = []
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)
      if (frame !== undefined) frames.push(frame)
    }
    return { frames, micros: seen }
  })
}

/** Connects to a process that was started with {@link inspected}. `during` profiles it while an effect runs. */
export const connect = Effect.fnUntraced(function* ({ ready }: Pick<Program, "ready">) {
  const [, address = ""] = yield* ready(/Debugger listening on (ws:\S+)/)
  const socket = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = new WebSocket(address)
      await new Promise((resolve, reject) => {
        opened.addEventListener("open", resolve, { once: true })
        opened.addEventListener("error", reject, { once: true })
      })
      return opened
    }),
    (opened) => Effect.sync(() => opened.close())
  )
  let asked = 0
  const ask = (method: string, params: object = {}) =>
    Effect.promise(
      () =>
        new Promise<unknown>((resolve) => {
          const id = ++asked
          const listen = ({ data }: MessageEvent) => {
            const message = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
            if (message.id !== id) return
            socket.removeEventListener("message", listen)
            resolve(message.result)
          }
          socket.addEventListener("message", listen)
          socket.send(JSON.stringify({ id, method, params }))
        })
    )
  yield* ask("Profiler.enable")
  yield* ask("Profiler.setSamplingInterval", { interval })
  const during = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* ask("Profiler.start")
      const result = yield* self
      const { profile } = (yield* ask("Profiler.stop")) as { readonly profile: CpuProfile }
      return { result, stacks: stacksOf(profile) }
    })
  return { during }
})
