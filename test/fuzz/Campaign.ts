/** Sends arbitrary requests, several at a time, and collects what is wrong with their answers. */
import fc from "fast-check"
import { type Document, expanded } from "../openapi/Validator.ts"
import { type Case, type Described, hostile, nearValid } from "./cases.ts"
import * as Checks from "./Checks.ts"
import { knownFindings } from "./knownFindings.ts"
import { raw, type RawCase } from "./rawCases.ts"
import * as Sender from "./Sender.ts"
import type { Schema, Schemas, Value } from "./values.ts"
import type { World } from "./World.ts"

/** A request to an operation, or bytes. */
export type Input =
  | { readonly kind: "request"; readonly request: Case }
  | { readonly kind: "raw"; readonly raw: RawCase }

/** Something wrong, with the smallest input that shows it. */
export interface Finding {
  readonly name: string
  readonly details: string
  readonly seed: number
  readonly input: Input
  /** The request as it was sent. */
  readonly sent: string
}

/** What a campaign did. */
export interface Report {
  readonly requests: number
  readonly seconds: number
  readonly findings: ReadonlyArray<Finding>
  /** How many answers had each status. */
  readonly statuses: { readonly [status: string]: number }
  /** What was answered with 503 and `Retry-After`, and that answer. */
  readonly overloads: ReadonlyArray<string>
  /** The operations that never succeeded. */
  readonly unreached: ReadonlyArray<string>
}

/** How long, and how. */
export interface Options {
  readonly seed: number
  readonly requests?: number
  readonly seconds?: number
  readonly inFlight: number
  /** How long an answer may take, in milliseconds. */
  readonly deadline: number
}

/** How many requests are generated from one seed. */
const perSeed = 50

/** How many requests may be spent on a smaller one with the same fault. */
const maxShrinks = 150

/** The operations of the document. */
export const describedOf = (document: Document): ReadonlyArray<Described> =>
  Object.entries(expanded(document).paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters, requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters as Described["parameters"],
      ...(requestBody === undefined
        ? {}
        : {
            requestBody: {
              content: Object.fromEntries(
                Object.entries(requestBody.content).map(([type, { examples, schema }]) => [
                  type,
                  { schema: schema as Schema, example: (Object.values(examples ?? {})[0]?.value ?? {}) as Value }
                ])
              )
            }
          })
    }))
  )

/** Arbitrary inputs to the operations of a document. */
export const inputs = (document: Document): fc.Arbitrary<Input> => {
  const described = describedOf(document)
  const schemas = document.components.schemas as Schemas
  const request = (request: Case): Input => ({ kind: "request", request })
  return fc.oneof(
    { weight: 2 * described.length, arbitrary: raw.map((raw): Input => ({ kind: "raw", raw })) },
    ...described.flatMap((operation) => [
      // Bodies have more to be wrong than queries.
      { weight: operation.requestBody === undefined ? 5 : 15, arbitrary: nearValid(schemas, operation).map(request) },
      { weight: 2, arbitrary: hostile(schemas, operation).map(request) }
    ])
  )
}

const nameOf = (input: Input) => (input.kind === "raw" ? "bytes" : input.request.operation)

/** Sends one input, and returns what is wrong with the answers. */
export const makeTrial = (world: World, document: Document, deadline: number) => {
  const described = describedOf(document)
  const sender = Sender.make(world, described, deadline)
  const checks = Checks.make(expanded(document), described, sender)
  const statuses: Record<string, number> = {}
  const succeeded = new Set<string>()
  const overloads: Array<string> = []
  let requests = 0
  const count = (status: string) => (statuses[status] = (statuses[status] ?? 0) + 1)

  const tryBytes = async (input: RawCase) => {
    const { answers, outcome } = await sender.sendRaw(input)
    for (const answer of answers) {
      count(String(answer.status))
      if (Checks.isOverload(answer)) overloads.push(`${input.text.slice(0, 200)}: ${answer.text}`)
      else {
        const fault = await checks.answerFault(answer)
        if (fault !== undefined) return { ...fault, sent: input.text }
      }
    }
    const { expected } = input
    const isRefused = answers.at(-1)?.headers.get("connection") === "close"
    if (expected === undefined || answers.length >= expected || isRefused) return undefined
    return { name: outcome, details: `${answers.length} of ${expected} answers`, sent: input.text }
  }

  const tryRequest = async (input: Case) => {
    const { outcome, request } = await sender.send(input)
    const sent = `${request.method} ${request.target}\n${request.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n${request.body?.toString("latin1") ?? ""}`
    if (typeof outcome === "string") {
      count(outcome)
      // The parser refuses what is malformed before it knows the method, so that it answers a HEAD with content, which no client reads.
      const isMalformedHead = outcome === "cut" && input.isHostile && input.method === "HEAD"
      return outcome === "unsendable" || isMalformedHead
        ? undefined
        : { name: outcome, details: `No answer in ${deadline} ms`, sent }
    }
    count(String(outcome.status))
    if (Checks.isOverload(outcome)) {
      overloads.push(
        `${request.method} ${request.target} ${request.body?.toString("latin1").slice(0, 500) ?? ""}: ${outcome.text}`
      )
      return undefined
    }
    if (!input.isHostile && outcome.status < 300) succeeded.add(input.operation)
    // What was deleted, merged or moved on serves no further request.
    const isSpent =
      outcome.status === 301 ||
      outcome.status === 404 ||
      outcome.status === 409 ||
      (input.method !== "GET" && outcome.status === 204)
    if (isSpent && input.caller === "owner" && !input.isHostile) await world.renew(input.operation, input.resource)
    const fault = await checks.faultOf(input, outcome)
    return fault === undefined ? undefined : { ...fault, sent }
  }

  return {
    run: async (input: Input) => {
      requests++
      const fault = await (input.kind === "raw" ? tryBytes(input.raw) : tryRequest(input.request))
      if (fault === undefined) return undefined
      const name = `${nameOf(input)} ${fault.name}`
      return knownFindings.some(({ finding }) => finding.test(name)) ? undefined : { ...fault, name }
    },
    close: sender.close,
    counts: () => ({
      requests,
      statuses,
      overloads,
      unreached: described.map(({ id }) => id).filter((id) => !succeeded.has(id))
    })
  }
}

/** Runs a campaign. `report` is called with each finding at once. */
export const run = async (
  world: World,
  document: Document,
  options: Options,
  report: (finding: Finding) => void
): Promise<Report> => {
  const begin = performance.now()
  const trial = makeTrial(world, document, options.deadline)
  const arbitrary = inputs(document)
  const findings: Array<Finding> = []
  const names = new Set<string>()
  const limit = options.requests ?? Number.POSITIVE_INFINITY
  const end = begin + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let chunks = 0

  /** Fifty requests of one seed, or up to the first new finding, which is made smaller. */
  const chunk = async (seed: number) => {
    const smallest: { found?: Omit<Finding, "seed"> } = {}
    let shrinks = 0
    const property = fc.asyncProperty(arbitrary, async (input) => {
      if (performance.now() > end || shrinks > maxShrinks) return true
      if (smallest.found !== undefined) shrinks++
      const fault = await trial.run(input)
      if (fault === undefined || names.has(fault.name)) return true
      if (smallest.found !== undefined && smallest.found.name !== fault.name) return true
      // A request that hangs is tried again a few times only.
      if (fault.name.endsWith("hang")) shrinks += maxShrinks / 4
      smallest.found = { ...fault, input }
      return false
    })
    await fc.check(property, { seed, numRuns: perSeed })
    if (smallest.found === undefined || names.has(smallest.found.name)) return
    names.add(smallest.found.name)
    findings.push({ ...smallest.found, seed })
    report({ ...smallest.found, seed })
  }

  const work = async () => {
    while (chunks * perSeed < limit && performance.now() < end) await chunk((options.seed * 1_000_003 + chunks++) | 0)
  }
  await Promise.all(Array.from({ length: options.inFlight }, work))
  trial.close()
  return { ...trial.counts(), seconds: (performance.now() - begin) / 1000, findings }
}

/** A finding with how to see it again. */
export const described = ({ details, input, name, seed, sent }: Finding): string =>
  [
    `${name} (seed ${seed})`,
    `  ${details}`,
    ...sent
      .slice(0, 2_000)
      .split("\n")
      .map((line) => `  > ${line}`),
    `  again: npm run fuzz -- --replay '${JSON.stringify(input).replaceAll("'", "'\\''")}'`
  ].join("\n")
