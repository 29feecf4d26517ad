import fc from "fast-check"
import * as Id from "../../../src/core/Id.ts"
import * as DuplicatesClient from "./DuplicatesClient.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { isTransliterated, nameKeyOf, nameKeyVersion } from "../../../src/network/companies/naming.ts"
import { Companies } from "../../../src/network/companies/Companies.ts"
import { hasShape, shapeRows } from "../../../src/network/duplicates/DuplicatesRepo.ts"
import { groups, minScore, nameSimilarity, spellings } from "../../../src/network/duplicates/rules.ts"
import { shapeOf, shapesOf } from "../../../src/network/duplicates/shapes.ts"
import { faultsOf } from "../../support/faults.ts"
import { times } from "../../support/campaign.ts"
import { TestService } from "../../support/TestService.ts"
import { furtherPairs, halves, pairs, quality } from "./pairs.ts"

/** How many random pairs of names are compared. */
const namesCompared = times("DUPLICATE_NAMES", 1_000, 4_000)

const spelledLike = (word: string) => {
  const spelled = spellings[word] ?? word
  return [spelled, ...Object.keys(spellings).filter((other) => spellings[other] === spelled)]
}

/** What somebody made of a name, at one place. */
const changes: Readonly<Record<string, (name: string, n: number) => string>> = {
  drop: (name, n) => name.slice(0, n) + name.slice(n + 1),
  double: (name, n) => name.slice(0, n + 1) + name.slice(n),
  mistype: (name, n) => `${name.slice(0, n)}${"eaxz"[n % 4] ?? ""}${name.slice(n + 1)}`,
  swap: (name, n) => `${name.slice(0, n)}${name[n + 1] ?? ""}${name[n] ?? ""}${name.slice(n + 2)}`,
  join: (name) => name.replace(" ", ""),
  move: (name) => name.split(" ").reverse().join(" "),
  spellOut: (name) => name.replace(/o(?= |$)/, "oe"),
  abbreviate: (name, n) =>
    name
      .split(" ")
      .map((word) => spelledLike(word)[n % spelledLike(word).length] ?? word)
      .join(" "),
  article: (name, n) => `${["the", "der", "les"][n % 3] ?? ""} ${name}`,
  group: (name, n) => `${name} ${[...groups][n % groups.size] ?? ""}`
}

/** A name, and what somebody made of it. */
const slipped = (names: ReadonlyArray<string>) =>
  fc
    .tuple(
      fc.oneof(
        fc.constantFrom(...names),
        fc
          .array(
            fc.constantFrom(
              ...Object.keys(spellings),
              ...Object.values(spellings),
              ..."ca malmo oslo 12 ab12 bau wien group konzern sankt vastgoed kungsleden schmellermann projektentwicklung".split(
                " "
              )
            ),
            { minLength: 1, maxLength: 5 }
          )
          .map((words) => words.join(" "))
      ),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...Object.values(changes))), { maxLength: 4 })
    )
    .map(([name, some]) => {
      const other = some.reduce((text, [n, change]) => change(text, n % text.length), name)
      return [nameKeyOf(name), nameKeyOf(other)] as const
    })

layer(TestService.layer, { excludeTestServices: true })("A look for duplicates", (it) => {
  it.effect("classifies the sixty pairs, each in its own network, with a precision and recall of at least 95%", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(pairs, (pair) =>
        Effect.gen(function* () {
          const tenant = yield* DuplicatesClient.make()
          yield* tenant.add({ name: pair.there, country: pair.country })
          const reply = yield* tenant.find({ name: pair.added, countryCode: pair.country })
          assert.strictEqual(reply.status, 200, reply.text)
          return { ...pair, found: reply.body.data.length === 1 }
        })
      )
      const { precision, recall, wrong } = quality(answers)
      process.stdout.write(
        `over HTTP: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}; wrong: ${wrong.join("; ") || "none"}\n`
      )
      assert.isAtLeast(precision, 0.95)
      assert.isAtLeast(recall, 0.95)
    })
  )

  it.effect("does so with all companies in one network", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add(...pairs.filter(({ same }) => same).map(({ country, there }) => ({ name: there, country })))
      const answers = yield* Effect.forEach(
        pairs.filter(({ same }) => same),
        ({ added, country, there }) =>
          Effect.map(
            tenant.find({ name: added, countryCode: country }),
            ({ body }) => body.data.map(({ name }) => name).join() === there
          )
      )
      assert.isAtLeast(answers.filter((right) => right).length, 29)
    })
  )

  it.effect("answers the company and its score, or an empty list", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add({ name: "Castellum AB", country: "SE", domain: "castellum.example" }, { name: "Corem AB" })
      const { body, status } = yield* tenant.find({ name: "CASTELUM" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        data: [
          {
            id: body.data[0]?.id ?? "",
            name: "Castellum AB",
            domain: "castellum.example",
            countryCode: "SE",
            score: 0.89
          }
        ]
      })
      assert.isDefined(Id.toUuid("company", body.data[0]?.id ?? ""))
      assert.deepStrictEqual((yield* tenant.find({ name: "Fabege" })).body, { data: [] })
    })
  )

  it.effect("reflects creates, renames and deletions at once", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      const { request } = yield* TestService
      const companies = "/api/v1/network/companies"
      const ask = { token: tenant.token }
      const { body } = yield* request<{ readonly id: string }>("POST", companies, {
        ...ask,
        json: { name: "Müller Bau GmbH", country: "DE", homepageUrl: "https://www.mueller.example/de" }
      })
      const found = (question: object) =>
        Effect.map(tenant.find(question), (reply) =>
          reply.body.data.map(({ domain, id, score }) => [id, domain, score])
        )
      assert.deepStrictEqual(yield* found({ name: "Mueller Bau" }), [[body.id, "mueller.example", 1]])
      yield* request("PATCH", `${companies}/${body.id}`, { ...ask, json: { name: "Kungsleden AB" } })
      assert.deepStrictEqual(yield* found({ name: "Mueller Bau" }), [])
      assert.deepStrictEqual(yield* found({ name: "Kungsleden" }), [[body.id, "mueller.example", 1]])
      yield* request("DELETE", `${companies}/${body.id}`, ask)
      assert.deepStrictEqual(yield* found({ name: "Kungsleden", domain: "mueller.example" }), [])
    })
  )

  it.effect("finds a company by its domain, in any spelling", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add(
        { name: "Castellum AB", domain: "castellum.example" },
        { name: "Bau", domain: "müller-bau.example" }
      )
      for (const domain of ["castellum.example", "WWW.Castellum.Example", "https://www.castellum.example/about?x=1"]) {
        const { body } = yield* tenant.find({ name: "Quite another", domain })
        assert.deepStrictEqual(
          body.data.map(({ name, score }) => [name, score]),
          [["Castellum AB", 1]]
        )
      }
      assert.lengthOf((yield* tenant.find({ name: "X", domain: "www.Müller-Bau.example" })).body.data, 1)
      for (const domain of ["castellum.example.com", "en.castellum.example"]) {
        assert.lengthOf((yield* tenant.find({ name: "Quite another", domain })).body.data, 0)
      }
    })
  )

  it.effect("finds a company by its LinkedIn page, in any spelling", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add(
        { name: "Castellum AB", linkedInUrl: "https://de.linkedin.com/company/Castellum/?trk=abc" },
        { name: "Müller Bau", linkedInUrl: "https://www.linkedin.com/company/m%C3%BCller-bau" },
        { name: "Ångström Hus", linkedInUrl: "https://se.linkedin.com/company/ångström-hus" },
        { name: "Without a page", linkedInUrl: "https://example.com/company/castellum" }
      )
      const namesOf = (linkedInUrl: string) =>
        Effect.map(tenant.find({ name: "Quite another", linkedInUrl }), ({ body }) =>
          body.data.map(({ name, score }) => `${name} ${score}`)
        )
      for (const url of [
        "https://www.linkedin.com/company/castellum",
        "http://linkedin.com/company/castellum/",
        "https://sv.linkedin.com/company/CASTELLUM/about/#top",
        "https://linkedin.com/company/castellum?originalSubdomain=se"
      ])
        assert.deepStrictEqual(yield* namesOf(url), ["Castellum AB 1"], url)
      // Encoded characters that no stored URL can contain.
      for (const encoded of ["%00", "%0", "%ff", "%ED%A0%80"]) {
        assert.deepStrictEqual(yield* namesOf(`https://www.linkedin.com/company/castellum${encoded}`), [], encoded)
      }
      for (const url of [
        "https://linkedin.com/company/m%c3%bcller-bau/",
        "https://www.linkedin.com/company/Müller-Bau"
      ]) {
        assert.deepStrictEqual(yield* namesOf(url), ["Müller Bau 1"], url)
      }
      for (const url of [
        "https://linkedin.com/company/%C3%A5ngstr%C3%B6m-hus",
        "https://linkedin.com/company/Ångström-hus/"
      ]) {
        assert.deepStrictEqual(yield* namesOf(url), ["Ångström Hus 1"], url)
      }
      for (const url of [
        "https://www.linkedin.com/company/%zz",
        "https://www.linkedin.com/company/castellum-ab",
        "https://www.linkedin.com/school/castellum",
        "https://www.linkedin.com/",
        "https://notlinkedin.com/company/castellum",
        "https://example.com/company/castellum"
      ])
        assert.deepStrictEqual(yield* namesOf(url), [], url)
    })
  )

  it.effect("sorts companies of the country first, then by score, then by age", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add(
        { name: "Castelum", country: "SE" },
        { name: "Castellum GmbH", country: "DE" },
        { name: "Castellum" },
        { name: "Castellum AB", country: "SE" },
        { name: "Group Castellum Oy", country: "FI" }
      )
      const countries = (question: object) =>
        Effect.map(tenant.find({ name: "Castellum", ...question }), ({ body }) =>
          body.data.map(({ countryCode, score }) => `${countryCode ?? "none"} ${score}`)
        )
      assert.deepStrictEqual(yield* countries({}), ["DE 1", "none 1", "SE 1", "FI 0.98", "SE 0.89"])
      assert.deepStrictEqual(yield* countries({ countryCode: "SE" }), ["SE 1", "SE 0.89", "DE 1", "none 1", "FI 0.98"])
      assert.deepStrictEqual(yield* countries({ countryCode: null }), yield* countries({}))
    })
  )

  it.effect("finds neither deleted nor merged companies, nor those of other teams", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* DuplicatesClient.make(), yield* DuplicatesClient.make()]
      const page = "https://www.linkedin.com/company/castellum"
      const company = { name: "Castellum AB", domain: "castellum.example", linkedInUrl: page }
      yield* tenant.add({ ...company, state: "deleted" }, { ...company, state: "merged" })
      yield* stranger.add(company)
      const { body } = yield* tenant.find({ name: "Castellum", domain: "castellum.example", linkedInUrl: page })
      assert.deepStrictEqual(body, { data: [] })
    })
  )

  it.effect("lists at most 20, including the best ones of the country", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add(...Array.from({ length: 150 }, () => ({ name: "Castellum Inc", country: "US" })), {
        name: "Castellum AB",
        country: "SE"
      })
      const { body } = yield* tenant.find({ name: "Castellum", countryCode: "SE" })
      assert.lengthOf(body.data, 20)
      assert.strictEqual(body.data[0]?.name, "Castellum AB")
    })
  )

  it.effect("compares every company whose name is similar by the rules", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const listed = [...pairs, ...furtherPairs, ...halves.flatMap((half) => half.pairs)]
      const names = listed.flatMap(({ added, there }) => [nameKeyOf(added), nameKeyOf(there)])
      const alike = fc
        .sample(slipped(names), { numRuns: namesCompared, seed: 1 })
        .flatMap(([name, other]) => [[name, other] as const, [other, name] as const])
        .filter(([name, other]) => nameSimilarity(name, other) >= minScore)
      assert.isAbove(alike.length, 0.75 * namesCompared)
      const searches = alike.map(([name, other]) => ({ name, name_key: other, shapes: shapesOf(name).latin }))
      const missed = yield* sql`
        select name, name_key from jsonb_to_recordset(${sql.json(searches)}::jsonb)
          as pair (name text, name_key text, shapes jsonb)
        where not exists (select from (${shapeRows(sql, sql`shapes`)}) as shape where ${hasShape(sql)})
          and replace(name_key, ' ', '') <> replace(name, ' ', '')`
      assert.deepStrictEqual(missed, [])
      // The database and the rules see the same in a name.
      const seen = yield* sql`
        select initials, length, letters, name_key from jsonb_to_recordset(${sql.json(
          alike.map(([, other]) => ({
            name_key: other,
            ...shapeOf(other.split(" ").map((word) => ({ word, typos: 0 })))
          }))
        )}::jsonb) as named (name_key text, initials text, length integer, letters bit(96))
        where (initials, length, letters) is distinct from (name_initials(name_key), name_length(name_key), name_letters(name_key))`
      assert.deepStrictEqual(seen, [])
    })
  )

  it.effect("compares names by their sound that have a Cyrillic or Greek letter", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const names = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(isTransliterated)
      assert.isAbove(names.length, 500)
      const missed = yield* sql`
        select name from unnest(${names}::text[]) as name where not may_be_transliterated('Bau ' || name)`
      assert.deepStrictEqual(missed, [])
      const others = yield* sql`
        select name from unnest(${["Müller & Söhne – Wohnbau", "株式会社三井不動産", "Ørsted", "Łódź", "İş Bankası"]}::text[]) as name
        where may_be_transliterated(name)`
      assert.deepStrictEqual(others, [])
    })
  )

  it.effect("finds 97% of the pairs of fifteen kinds among all of them", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      const same = halves.flatMap((half) => half.pairs.filter((pair) => pair.same))
      yield* tenant.add(...same.map(({ there }) => ({ name: there })))
      const missed = yield* Effect.filter(same, ({ added, there }) =>
        Effect.map(tenant.find({ name: added }), ({ body }) => !body.data.some(({ name }) => name === there))
      )
      const kinds = missed.map(({ added, country, there }) => `${country}: ${there} / ${added}`)
      process.stdout.write(`fifteen kinds over HTTP: missed ${kinds.join("; ") || "none"}\n`)
      assert.isAtMost(missed.length / same.length, 0.03)
    })
  )

  it.effect("finds companies whose keys former rules made, once the job has renewed them", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const companies = yield* Companies
      const { request } = yield* TestService
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add({ name: "ООО «Ромашка»" }, { name: "Castellum AB" }, { name: "Gone AB", state: "deleted" })
      const stored = inTeam(tenant.teamId)(sql<{ name_key: string; name_key_version: number }>`
        select name_key, name_key_version from companies where team_id = ${tenant.teamId} and deleted_at is null
        order by created_at`)
      yield* inTeam(tenant.teamId)(sql`
        update companies set name_key_version = ${nameKeyVersion - 1},
          name_key = case when name like '%Ромашка%' then 'ооо ромашка' else name_key end
        where team_id = ${tenant.teamId}`)
      const found = Effect.map(tenant.find({ name: "Romashka" }), ({ body }) => body.data.map(({ name }) => name))
      assert.deepStrictEqual(yield* found, [])
      while ((yield* inTeam(tenant.teamId)(companies.renewNameKeys(1000))) > 0);
      assert.deepStrictEqual(yield* found, ["ООО «Ромашка»"])
      assert.deepStrictEqual(yield* stored, [
        { name_key: "romashka", name_key_version: nameKeyVersion },
        { name_key: "castellum", name_key_version: nameKeyVersion }
      ])
      const { body } = yield* request<{ id: string }>("POST", "/api/v1/network/companies", {
        token: tenant.token,
        json: { name: "Сбербанк" }
      })
      assert.match(body.id, /^company_/)
      assert.strictEqual((yield* stored)[2]?.name_key_version, nameKeyVersion)
    })
  )

  it.effect("rejects invalid input with all faults at once", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      const faults = Effect.fnUntraced(function* (question: unknown) {
        const reply = yield* tenant.find(question)
        assert.strictEqual(reply.status, 400, reply.text)
        return faultsOf(reply)
      })
      assert.deepStrictEqual(yield* faults({}), ["body /name required"])
      assert.deepStrictEqual(yield* faults({ name: "  " }), ["body /name blank"])
      assert.deepStrictEqual(yield* faults({ name: "x".repeat(201) }), ["body /name too_long"])
      assert.deepStrictEqual(yield* faults({ name: "Castellum", country: "SE" }), ["body /country unknown_member"])
      assert.deepStrictEqual(yield* faults({ name: "Castellum", domain: "no domain" }), ["body /domain invalid_domain"])
      assert.deepStrictEqual(
        (yield* faults({ name: 1, domain: "", countryCode: "UK", linkedInUrl: "castellum" })).toSorted(),
        [
          "body /countryCode invalid_country",
          "body /domain blank",
          "body /linkedInUrl invalid_url",
          "body /name wrong_type"
        ]
      )
    })
  )

  it.effect("does not take companies for one because of a host that many share", () =>
    Effect.gen(function* () {
      const tenant = yield* DuplicatesClient.make()
      yield* tenant.add({ name: "Tal", domain: "facebook.com" }, { name: "See", domain: "see.github.io" })
      for (const domain of ["facebook.com", "https://www.facebook.com/berg", "https://gelbeseiten.de/x"]) {
        const reply = yield* tenant.find({ name: "Berg", domain })
        assert.deepStrictEqual([reply.status, reply.body.data], [200, []], reply.text)
      }
      const own = yield* tenant.find({ name: "Berg", domain: "https://see.github.io/x" })
      assert.deepStrictEqual(
        own.body.data.map(({ name, score }) => [name, score]),
        [["See", 1]]
      )
    })
  )
})
