// Whether the process of this container answers: an API at /healthz, a worker at its metrics.
const { HEALTH_URL = `http://127.0.0.1:${process.env.PORT ?? 3000}/healthz` } = process.env
const { ok } = await fetch(HEALTH_URL, { signal: AbortSignal.timeout(2500) }).catch(() => ({ ok: false }))
process.exit(ok ? 0 : 1)
