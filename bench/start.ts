/** `start`: how long `npm start` takes, with installed packages and data. See bench/README.md. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Line, Measurement, Options } from "./Measurement.ts"
import { median } from "./Report.ts"
import { folder } from "./Service.ts"

const root = resolve(import.meta.dirname, "..")

const settingsOf = ({ quick }: Options) => ({ starts: quick ? 1 : 5 })

/** Waits until the demo data of a first start is complete: the service makes it while it runs. */
const completed = async (dataDir: string): Promise<void> => {
  while (existsSync(join(dataDir, "demo-unfinished"))) await sleep(100)
}

/** Starts and stops it once. Returns the seconds until it was ready and responded. */
const startOnce = async (dataDir: string): Promise<number> => {
  const begun = performance.now()
  const child = spawn("npm", ["start"], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: homedir(), DATA_DIR: dataDir, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const closed = once(child, "close")
  try {
    let said = ""
    let warned = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (warned += text))
    const origin = await new Promise<string>((found, failed) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text
        const address = /^ {2}Address {2}(\S+)$/m.exec(said)?.[1]
        if (address !== undefined) found(address)
      })
      child.once("error", failed)
      child.once("close", () => failed(new Error(`npm start ended:\n${said}${warned}`)))
    })
    for (;;) {
      const { status } = await fetch(`${origin}/readyz`)
      if (status === 200) break
    }
    const seconds = (performance.now() - begun) / 1000
    await completed(dataDir)
    return seconds
  } finally {
    child.kill("SIGTERM")
    await closed
  }
}

/** `npm start` until it is ready, with the data of an earlier start. */
export const start: Measurement = {
  name: "start",
  summary: "how long `npm start` takes until it is ready, installed and with data",
  run: (options) =>
    Effect.gen(function* () {
      const { starts } = settingsOf(options)
      const dataDir = yield* folder
      const first = yield* Effect.promise(() => startOnce(dataDir))
      const seconds = yield* Effect.forEach(Array.from({ length: starts }), () =>
        Effect.promise(() => startOnce(dataDir))
      )
      const amount = Number(median(seconds).toFixed(2))
      const line: Line = {
        name: "start",
        work: `npm start until it is ready, installed, with data: the median of ${starts}`,
        ours: `${amount} s; ${first.toFixed(2)} s without data`,
        value: { amount, unit: "s" },
        target: { most: 1 },
        details: { seconds: seconds.map((one) => Number(one.toFixed(2))) }
      }
      return { lines: [line] }
    })
}
