import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Outbound, type OutboundOptions } from "../../../src/core/outbound/Outbound.ts"

const publicAddress = "93.184.216.34"

/** The code of the refusal of a URL, or `allowed`. */
const verdict = (url: string, options: Partial<OutboundOptions> = {}) =>
  Effect.flatMap(Outbound, (outbound) => outbound.check(url)).pipe(
    Effect.match({ onSuccess: () => "allowed", onFailure: (refused) => refused.code }),
    Effect.provide(
      Outbound.layer({
        allowHttp: false,
        allowedNetworks: [],
        resolve: async () => [publicAddress],
        ...options
      })
    )
  )

const forbiddenHosts = [
  // Loopback, in every notation of URLs.
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "127.0.0.1.",
  "0x7f.1",
  "0x7f000001",
  "2130706433",
  "0177.0.0.1",
  "017700000001",
  "0x7f.0x0.0x0.0x1",
  "%31%32%37.0.0.1",
  "１２７.０.０.１",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "ｌｏｃａｌｈｏｓｔ",
  "loc%61lhost",
  "a.localhost",
  "a.b.localhost.",
  "localhost.localdomain",
  // Unspecified and "this network".
  "0",
  "0.0.0.0",
  "0.1.2.3",
  "0x0",
  "[::]",
  // Private, shared, link-local.
  "10.0.0.1",
  "10.255.255.255",
  "167772161",
  "012.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "192.168.257",
  "100.64.0.1",
  "100.127.255.255",
  "169.254.1.1",
  "[fc00::1]",
  "[fdff::1]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  // Metadata services.
  "169.254.169.254",
  "0xa9fea9fe",
  "2852039166",
  "[fd00:ec2::254]",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "metadata.google.internal",
  "METADATA.google.internal.",
  "metadata.goog",
  "metadata",
  "instance-data.ec2.internal",
  // Names of private networks.
  "printer.local",
  "service.cluster.local.",
  "db.internal",
  "local",
  "internal",
  // Documentation, benchmarking, reserved, multicast, broadcast.
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.255",
  "198.18.0.1",
  "198.19.255.255",
  "192.0.0.1",
  "192.88.99.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "[ff02::1]",
  "[ff0e::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[100::1]",
  "[5f00::1]",
  "[4000::1]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:1ff::1]",
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:10.0.0.1]",
  "[0:0:0:0:0:ffff:169.254.169.254]",
  "[::127.0.0.1]",
  "[::a00:1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b::10.0.0.1]",
  "[64:ff9b::93.184.216.34]",
  "[64:ff9b:1::1]",
  "[64:ff9b:1:7f00:0:100::]",
  "[2002:7f00:1::]",
  "[2002:a00:1::1]",
  "[2002:a9fe:a9fe::]",
  "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
  "[2001::1]"
]

describe("a forbidden host", () => {
  it.effect.each(forbiddenHosts)("%s is refused", (host) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict(`https://${host}/hook`), "forbidden_address")
      assert.strictEqual(yield* verdict(`https://${host}:8443/hook?a=b`), "forbidden_address")
    })
  )

  it.effect.each(forbiddenHosts)("%s is refused for its address: it is allowed if all networks are", (host) =>
    Effect.gen(function* () {
      const allowedNetworks = ["0.0.0.0/0", "::/0"]
      assert.strictEqual(yield* verdict(`https://${host}/hook`, { allowedNetworks }), "allowed")
    })
  )

  it.effect("is in the list of the test once", () =>
    Effect.sync(() => assert.strictEqual(new Set(forbiddenHosts).size, forbiddenHosts.length))
  )

  it.effect("fails an attempt without a connection, and the attempt contains the reason", () =>
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const attempt = yield* outbound.post({ url: "https://[::ffff:a9fe:a9fe]/", headers: {}, body: new Uint8Array(0) })
      assert.deepInclude(attempt, {
        outcome: "failed",
        error: "The URL's host is an IPv4-mapped address; only public addresses are called."
      })
    }).pipe(Effect.provide(Outbound.layer({ allowHttp: false, allowedNetworks: [] })))
  )
})

describe("a malformed URL", () => {
  it.effect.each([
    "",
    "x",
    "/hook",
    "example.com",
    "https://",
    "https:///",
    "https://exa mple.com/",
    "https://example.com:99999/",
    "https://[fe80::1%25eth0]/",
    "https://[fe80::1%eth0]/",
    "https://[::1/",
    "https://1.2.3.4.5/",
    "https://256.1.1.1/",
    "https://0x100000000/",
    "https://1.2.3.08/",
    "https://a..example/",
    "https://-a.example/",
    "https://example.com..",
    " https://example.com/",
    "https://example.com/\n",
    "https://exam\tple.com/",
    "https:\\\\example.com\\",
    "https://a!b.example/",
    "https://\u0000example.com/",
    "https://."
  ])("%j is refused", (url) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict(url), "malformed")
    })
  )
})

describe("a URL", () => {
  it.effect.each([
    { url: "http://example.com/", code: "not_https" },
    { url: "ftp://example.com/", code: "not_https" },
    { url: "file:///etc/passwd", code: "not_https" },
    { url: "data:text/plain,x", code: "not_https" },
    { url: "https://user@example.com/", code: "credentials" },
    { url: "https://:password@example.com/", code: "credentials" },
    { url: "https://user:password@127.0.0.1/", code: "credentials" },
    { url: "https://example.com/#part", code: "fragment" },
    { url: "https://example.com/?a#", code: "fragment" }
  ])("such as $url is refused", ({ code, url }) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict(url), code)
    })
  )

  it.effect.each([
    "https://example.com",
    "HTTPS://EXAMPLE.com:8443/hook?a=%23b",
    "https://example.com./",
    "https://bücher.example/",
    "https://my_host.example/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://93.184.216.34/",
    "https://[2606:2800:220:1:248:1893:25c8:1946]/",
    "https://100.63.255.255/",
    "https://100.128.0.0/",
    "https://172.32.0.1/",
    "https://11.0.0.0/",
    "https://[2001:200::1]/"
  ])("such as %s is allowed", (url) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict(url), "allowed")
    })
  )

  it.effect("may have at most 2,048 characters", () =>
    Effect.gen(function* () {
      const url = `https://example.com/${"a".repeat(2028)}`
      assert.strictEqual(yield* verdict(url), "allowed")
      assert.strictEqual(yield* verdict(`${url}a`), "too_long")
    })
  )

  it.effect("may use http only if configured, and other schemes never", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict("http://example.com/", { allowHttp: true }), "allowed")
      assert.strictEqual(yield* verdict("ws://example.com/", { allowHttp: true }), "not_https")
      assert.strictEqual(yield* verdict("http://127.0.0.1/", { allowHttp: true }), "forbidden_address")
    })
  )
})

describe("a host name", () => {
  const resolvingTo = (...addresses: ReadonlyArray<string>) => ({ resolve: async () => addresses })

  it.effect.each([
    { addresses: ["10.0.0.1"] },
    { addresses: ["::1"] },
    { addresses: ["::ffff:127.0.0.1"] },
    { addresses: ["64:ff9b::7f00:1"] },
    { addresses: ["64:ff9b::5db8:d822"] },
    { addresses: ["fe80::1%eth0"] },
    { addresses: [publicAddress, "127.0.0.1"] },
    { addresses: ["127.0.0.1", publicAddress] },
    { addresses: [publicAddress, "2606:2800:220:1::1", "fd00::1"] }
  ])("that resolves to $addresses is refused", ({ addresses }) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict("https://receiver.example/", resolvingTo(...addresses)), "forbidden_address")
    })
  )

  it.effect("is allowed if it resolves to public addresses only", () =>
    Effect.gen(function* () {
      const options = resolvingTo(publicAddress, "2606:2800:220:1::1")
      assert.strictEqual(yield* verdict("https://receiver.example/", options), "allowed")
    })
  )

  it.effect("is refused with the same message whatever its addresses are", () =>
    Effect.gen(function* () {
      const failing = (code: string) => ({
        resolve: () => Promise.reject(Object.assign(new Error("no"), { code }))
      })
      const hanging = { resolve: () => new Promise<never>(() => {}), deadlineMillis: 30 }
      const cases = [
        resolvingTo(),
        resolvingTo("10.9.8.7"),
        resolvingTo("169.254.169.254"),
        resolvingTo("fe80::1%eth0"),
        failing("ENOTFOUND"),
        failing("ESERVFAIL"),
        hanging,
        // With allowed networks, reserved names are resolved.
        { ...resolvingTo("10.9.8.7"), allowedNetworks: ["10.1.0.0/16"], host: "db.internal" },
        { ...resolvingTo(), allowedNetworks: ["10.1.0.0/16"], host: "db.internal" }
      ]
      for (const { host, ...options } of cases.map((each) => ({ host: "receiver.example", ...each }))) {
        const refused = yield* Effect.flatMap(Outbound, (outbound) =>
          Effect.flip(outbound.check(`https://${host}/`))
        ).pipe(Effect.provide(Outbound.layer({ allowHttp: false, allowedNetworks: [], ...options })))
        assert.deepInclude(refused, {
          code: "forbidden_address",
          reason: "Its host must resolve, and to public addresses only."
        })
      }
    })
  )

  it.effect("is refused in an attempt with the same message", () =>
    Effect.gen(function* () {
      const error = "Its host must resolve, and to public addresses only."
      for (const addresses of [["10.9.8.7"], []]) {
        const attempt = yield* Effect.flatMap(Outbound, (outbound) =>
          outbound.post({ url: "https://receiver.example/", headers: {}, body: new Uint8Array(0) })
        ).pipe(Effect.provide(Outbound.layer({ allowHttp: false, allowedNetworks: [], ...resolvingTo(...addresses) })))
        assert.deepInclude(attempt, { outcome: "failed", error })
      }
    })
  )
})

describe("an allowed network", () => {
  const allowedNetworks = ["10.1.0.0/16", "::1/128"]

  it.effect("allows its own addresses only", () =>
    Effect.gen(function* () {
      const url = (host: string) => verdict(`https://${host}/`, { allowedNetworks })
      assert.strictEqual(yield* url("10.1.2.3"), "allowed")
      assert.strictEqual(yield* url("[::1]"), "allowed")
      assert.strictEqual(yield* url("10.2.0.1"), "forbidden_address")
      assert.strictEqual(yield* url("127.0.0.1"), "forbidden_address")
      assert.strictEqual(yield* url("[::ffff:10.1.2.3]"), "forbidden_address")
    })
  )

  it.effect("allows host names that resolve into it, including reserved ones", () =>
    Effect.gen(function* () {
      const name = (host: string, ...addresses: ReadonlyArray<string>) =>
        verdict(`https://${host}/`, { allowedNetworks, resolve: async () => addresses })
      assert.strictEqual(yield* name("receiver.example", "10.1.2.3", publicAddress), "allowed")
      assert.strictEqual(yield* name("receiver.internal", "10.1.2.3"), "allowed")
      assert.strictEqual(yield* name("localhost", "::1"), "allowed")
      assert.strictEqual(yield* name("localhost", "::1", "127.0.0.1"), "forbidden_address")
      assert.strictEqual(yield* name("receiver.internal", publicAddress), "forbidden_address")
      assert.strictEqual(yield* name("receiver.example", "10.1.2.3", "10.2.0.1"), "forbidden_address")
    })
  )

  it.effect("of NAT64 addresses allows those of public addresses only", () =>
    Effect.gen(function* () {
      const to = (address: string, ...more: ReadonlyArray<string>) =>
        verdict("https://receiver.example/", {
          allowedNetworks: ["64:ff9b::/96", ...more],
          resolve: async () => [address]
        })
      assert.strictEqual(yield* to("64:ff9b::5db8:d822"), "allowed")
      assert.strictEqual(yield* to("64:ff9b::a9fe:a9fe"), "forbidden_address")
      assert.strictEqual(yield* to("64:ff9b::10.1.2.3"), "forbidden_address")
      assert.strictEqual(yield* to("64:ff9b::10.1.2.3", "10.1.0.0/16"), "allowed")
    })
  )

  it.effect("that is no CIDR stops the start of the service", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(verdict("https://example.com/", { allowedNetworks: ["10.1.2.3"] }))
      assert.isTrue(Exit.hasDies(exit))
    })
  )
})
