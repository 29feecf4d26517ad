/** What the doctor says, and what it makes of what it has seen: pure decisions. */

/** In what respect the doctor looks at an installation. */
export type CheckName =
  | "clock"
  | "database"
  | "disk"
  | "files"
  | "jobs"
  | "key"
  | "migrations"
  | "receivers"
  | "replicas"
  | "store"
  | "tls"
  | "transactions"
  | "workers"

/** How an installation is in one respect, with what to do about it. */
export interface Check {
  readonly name: CheckName
  readonly status: "ok" | "warning" | "failed"
  readonly detail: string
  /** What to do about it; null if nothing is to be done. */
  readonly fix: string | null
}

/** What a check found, before it has its name. */
export type Finding = Omit<Check, "name">

export const ok = (detail: string): Finding => ({ status: "ok", detail, fix: null })

export const warning = (detail: string, fix: string): Finding => ({ status: "warning", detail, fix })

export const failed = (detail: string, fix: string): Finding => ({ status: "failed", detail, fix })

const ranks = { ok: 0, warning: 1, failed: 2 } as const

/** One finding for several: the worst status, and what those say that are not well. */
export const together = (findings: ReadonlyArray<Finding>): Finding => {
  const worst = findings.reduce((one, other) => (ranks[other.status] > ranks[one.status] ? other : one), ok(""))
  const shown = worst.status === "ok" ? findings : findings.filter(({ status }) => status !== "ok")
  const fixes = [...new Set(shown.flatMap(({ fix }) => (fix === null ? [] : [fix])))]
  return {
    status: worst.status,
    detail: shown.map(({ detail }) => detail).join(" "),
    fix: fixes.length === 0 ? null : fixes.join(" ")
  }
}

const gibibytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`

/** The space that a disk has left. */
export const judgeDisk = (path: string, free: number, total: number): Finding => {
  const detail = `${path}: ${gibibytes(free)} of ${gibibytes(total)} are free.`
  if (free < 256 * 2 ** 20 || free < total * 0.01) return failed(detail, "Free space, or enlarge the disk.")
  return free < 2 * 2 ** 30 || free < total * 0.05
    ? warning(detail, "Free space soon, or enlarge the disk.")
    : ok(detail)
}

const isOnThisMachine = (host: string) =>
  host === "" ||
  host === "localhost" ||
  host === "::1" ||
  host === "[::1]" ||
  host.startsWith("/") ||
  host.startsWith("127.")

/** The connection to Postgres. */
export const judgeTls = (host: string, mode: string, isEncrypted: boolean): Finding => {
  if (isOnThisMachine(host)) return ok(isEncrypted ? "Encrypted, on this machine." : "Not encrypted, on this machine.")
  const fix = "Set sslmode=verify-full and sslrootcert in the address (docs/deployment.md#tls-to-postgres)."
  if (!isEncrypted) return failed(`The connection to ${host} is not encrypted.`, fix)
  if (mode === "verify-full") return ok(`Encrypted, and ${host} is verified.`)
  return mode === "verify-ca"
    ? warning(`Encrypted, but the name ${host} is not compared with the certificate.`, fix)
    : warning(`Encrypted, but not verified: whoever is between could read it.`, fix)
}

/** How far the clock of this machine is from the one of the database. */
export const judgeClock = (skewMillis: number): Finding => {
  const seconds = Math.abs(skewMillis) / 1000
  const detail = `This machine is ${seconds.toFixed(1)} s ${skewMillis < 0 ? "behind" : "ahead of"} the database.`
  const fix = "Run NTP (chrony, systemd-timesyncd) on both machines."
  if (seconds > 30) return failed(detail, fix)
  return seconds > 2 ? warning(detail, fix) : ok(detail)
}

/** A transaction that is open, or prepared, or a replication slot that nobody reads. */
export interface Held {
  readonly kind: "open" | "idle" | "prepared" | "slot"
  readonly name: string
  readonly seconds: number
}

const inWords: Readonly<Record<Held["kind"], string>> = {
  open: "a transaction",
  idle: "a transaction without a statement",
  prepared: "a prepared transaction",
  slot: "a replication slot that nobody reads"
}

/** What holds back deltas and the journal, or keeps the log of Postgres. */
export const judgeTransactions = (held: ReadonlyArray<Held>): Finding => {
  const old = held.filter(({ kind, seconds }) => kind === "slot" || seconds > 60)
  if (old.length === 0) return ok("No transaction is older than a minute.")
  const detail = old
    .map(({ kind, name, seconds }) =>
      kind === "slot" ? `${inWords[kind]}: ${name}.` : `${inWords[kind]} for ${Math.round(seconds)} s: ${name}.`
    )
    .join(" ")
  const fix =
    "End what you know (pg_terminate_backend, ROLLBACK PREPARED, pg_drop_replication_slot): deltas and the journal wait for transactions."
  return old.some(({ kind, seconds }) => kind !== "slot" && seconds > 600) ? failed(detail, fix) : warning(detail, fix)
}

/** Jobs that failed for good, and for how long the oldest has been due. */
export const judgeJobs = (
  failedJobs: ReadonlyArray<{ readonly name: string; readonly count: number }>,
  oldestDueSeconds: number
): Finding => {
  if (failedJobs.length > 0) {
    return failed(
      `Jobs failed for good: ${failedJobs.map(({ count, name }) => `${count} ${name}`).join(", ")}.`,
      "Look for their errors in the log of the workers (last_error in graphile_worker.jobs), then have them run again: graphile_worker.reschedule_jobs."
    )
  }
  return oldestDueSeconds > 60
    ? warning(
        `A job has been due for ${Math.round(oldestDueSeconds)} s.`,
        "Run more workers, or see what keeps them busy."
      )
    : ok("No job has failed for good, and none waits.")
}

/**
 * A statement without the values in it: literals become `?`, comments go. Postgres replaces those of most statements itself in its
 * statistics; what runs now has them all, and may be cut off within one.
 */
export const withoutLiterals = (text: string): string =>
  text
    .replaceAll(
      /("(?:[^"]|"")*")|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?(?:\2|$)|\b[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|(?:\b[bBnNuUxX]&?)?'(?:[^']|'')*(?:'|$)|(?<![\w$.])\d[\w.]*/g,
      (found, name: string | undefined) => name ?? (/^(?:--|\/\*)/.test(found) ? " " : "?")
    )
    .replaceAll(/\s+/g, " ")
    .trim()

/** How many workers are connected. */
export const judgeWorkers = (count: number): Finding => {
  if (count === 0)
    return failed("No worker is connected: nothing is sent, and no housekeeping is done.", "Start `npm run worker`.")
  return count === 1
    ? ok("1 worker is connected; a second one would take over from it.")
    : ok(`${count} workers are connected.`)
}

/** Webhooks by their health. */
export const judgeReceivers = (webhooks: ReadonlyArray<{ readonly health: string; readonly id: string }>): Finding => {
  const bad = webhooks.filter(({ health }) => health !== "healthy")
  return bad.length === 0
    ? ok(`${webhooks.length} webhooks are healthy.`)
    : warning(
        `${bad.length} of ${webhooks.length} webhooks are not healthy: ${bad
          .slice(0, 5)
          .map(({ health, id }) => `${id} ${health}`)
          .join(", ")}${bad.length > 5 ? " …" : ""}.`,
        "See `admin webhooks status`, and tell their owners."
      )
}

/** What a standby says of itself; null if it does not answer. */
export interface Standby {
  readonly host: string
  readonly answer: { readonly isStandby: boolean; readonly lagSeconds: number } | null
}

/** The standbys, of which reads make use only if they are at most so many seconds late. */
export const judgeReplicas = (standbys: ReadonlyArray<Standby>, maxLagSeconds: number): Finding => {
  if (standbys.length === 0) return ok("None are set.")
  const bad = standbys.flatMap(({ answer, host }) => {
    if (answer === null) return [`${host} does not answer.`]
    if (!answer.isStandby) return [`${host} is not a standby.`]
    return answer.lagSeconds > maxLagSeconds ? [`${host} is ${answer.lagSeconds.toFixed(1)} s late.`] : []
  })
  if (bad.length === 0) return ok(`${standbys.length} follow.`)
  const detail = bad.join(" ")
  const fix = "The primary answers their reads meanwhile. See the log of these servers."
  return bad.length === standbys.length ? failed(detail, fix) : warning(detail, fix)
}

/** The version and the settings of Postgres. */
export const judgeServer = (settings: {
  readonly version: number
  readonly fsync: string
  readonly fullPageWrites: string
  readonly maxConnections: number
  readonly connections: number
  readonly isStandby: boolean
}): Finding => {
  const major = Math.floor(settings.version / 10_000)
  const name = `Postgres ${major}.${settings.version % 10_000}`
  if (settings.isStandby)
    return failed(`${name} is a standby, which takes no writes.`, "Point DATABASE_URL to the primary.")
  if (major < 15 || major > 18) return failed(`${name} is not supported.`, "Use Postgres 15 to 18.")
  if (settings.fsync !== "on" || settings.fullPageWrites !== "on") {
    return failed(`${name} loses data when its machine stops.`, "Set fsync and full_page_writes to on.")
  }
  const detail = `${name}, ${settings.connections} of ${settings.maxConnections} connections in use.`
  return settings.connections > settings.maxConnections * 0.9
    ? warning(detail, "Raise max_connections, or run fewer processes.")
    : ok(detail)
}
