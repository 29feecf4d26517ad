/** What is deployed is run as `npm run` runs it: docs/deployment.md. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { root } from "./kinds.ts"

const text = (path: string) => readFileSync(new URL(path, root), "utf8")

const { config } = JSON.parse(text("package.json")) as {
  readonly config: { readonly node: string; readonly environment: string }
}

const units = ["deploy/systemd/property-network-api@.service", "deploy/systemd/property-network-worker@.service"]

/** The seconds of the first match. */
const secondsOf = (file: string, pattern: RegExp) => Number(pattern.exec(text(file))?.[1])

describe("The image, the composition and the units", () => {
  it("start Node with the flags and the environment of package.json", () => {
    const flags = config.node.split(" ")
    assert.match(text("Dockerfile"), new RegExp(`^ENV .*${config.environment}$`, "m"))
    for (const unit of units) assert.match(text(unit), new RegExp(`^Environment=.*${config.environment}$`, "m"))
    assert.include(text("Dockerfile"), flags.map((flag) => `"${flag}"`).join(", "))
    assert.include(text("compose.yaml"), flags.join(", "))
    for (const unit of units) assert.include(text(unit), `node ${flags.join(" ")} `)
  })

  it("have the Node of this project", () => {
    assert.include(text("Dockerfile"), `ARG NODE=${text(".nvmrc").trim()}\n`)
  })

  it("wait for processes that stop longer than these take", () => {
    const [api, worker] = units.map((unit) => secondsOf(unit, /TimeoutStopSec=(\d+)/))
    const composed = [...text("compose.yaml").matchAll(/stop_grace_period: (\d+)s/g)].map(([, seconds]) =>
      Number(seconds)
    )
    assert.deepStrictEqual(composed, [api, worker])
    assert.isAbove(api ?? 0, 10)
    assert.isAbove(worker ?? 0, 15)
  })

  it("answer what the balancer answers by itself as a problem of the service", () => {
    const [, body = "", headers = ""] =
      /http-error status 503 content-type application\/problem\+json lf-string '(.+)' (.+)/.exec(
        text("deploy/haproxy.cfg")
      ) ?? []
    const { detail, requestId, ...problem } = JSON.parse(body) as Record<string, unknown>
    assert.deepStrictEqual(problem, {
      type: "/help/unavailable",
      title: "The service is temporarily unavailable.",
      status: 503,
      code: "unavailable"
    })
    assert.include(text("openapi.json"), `"description": "${String(problem["title"])}"`)
    assert.deepStrictEqual([typeof detail, requestId], ["string", "%[unique-id]"])
    assert.strictEqual(headers, "hdr Retry-After 5 hdr X-Request-Id %[unique-id]")
  })
})
