/**
 * The profile of the person who is signed in (docs/behaviour/console.md#account): who they are, how they read, and the colours of this
 * browser.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Me } from "../identity/users/User.ts"
import { Users } from "../identity/users/Users.ts"
import { accountBody, paths, words } from "./AccountParts.ts"
import { type Attempt, get, Goto, orShowAgain, type PageRequest, post, problemNotice, View } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { button, card, facts, faultOf, field, hidden, notice, pill, select } from "./Parts.ts"
import { common, type Language, languageOf, languages, type Reader } from "./Texts.ts"
import { formField, seeOther, themeOf, withNote, withTheme } from "./Visit.ts"

/** The teams of a person, the primary one first. */
export const teamsOf = ({ primaryTeam, secondaryTeams = [] }: Me) => [
  ...(primaryTeam === null ? [] : [primaryTeam]),
  ...secondaryTeams
]

const capabilityPill = ({ language }: Reader, status: string | undefined): Html => {
  const t = words[language]
  return status === undefined
    ? pill("plain", t.capabilityNone)
    : status === "active"
      ? pill("good", common[language].yes)
      : pill("warn", t.capabilityPending)
}

/** Cultures that people choose among, besides the one that they have. */
const cultures = [
  "cs-CZ",
  "da-DK",
  "de-AT",
  "de-CH",
  "de-DE",
  "en-GB",
  "en-IE",
  "en-US",
  "es-ES",
  "fi-FI",
  "fr-BE",
  "fr-CH",
  "fr-FR",
  "it-IT",
  "nb-NO",
  "nl-BE",
  "nl-NL",
  "pl-PL",
  "pt-PT",
  "sv-SE"
]

/** The countries of those cultures, and the others of Europe. */
const regions =
  "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK US".split(" ")

const withOwn = (values: ReadonlyArray<string>, own: string): ReadonlyArray<string> =>
  values.includes(own) ? values : [own, ...values]

type Options = ReadonlyArray<readonly [value: string, name: string]>

const byName = (options: Options, { language }: Reader): Options => {
  const { compare } = new Intl.Collator(language)
  return options.toSorted(([, a], [, b]) => compare(a, b))
}

const example = new Date(Date.UTC(2026, 10, 27))

/** What a culture is called, and how it writes a day and a number. */
const cultureOptions = (reader: Reader, own: string): Options => {
  const names = new Intl.DisplayNames(reader.language, { type: "language", languageDisplay: "standard" })
  return byName(
    withOwn(cultures, own).map((culture) => [
      culture,
      `${names.of(culture) ?? culture}: ${new Intl.DateTimeFormat(culture, { dateStyle: "short", timeZone: "UTC" }).format(example)}, ${new Intl.NumberFormat(culture).format(1234.5)}`
    ]),
    reader
  )
}

/** The culture in which most people of a language and a country write dates and numbers. */
const usualCulture = (language: Language, region: string): string =>
  cultures.find((culture) => culture === `${language}-${region}`) ?? (language === "de" ? "de-DE" : "en-GB")

const cultureName = ({ language }: Reader, culture: string): string =>
  new Intl.DisplayNames(language, { type: "language", languageDisplay: "standard" }).of(culture) ?? culture

/** What is asked once after the language was changed: whether dates and numbers, which the person had chosen, change with it. */
const cultureOffer = ({ reader, search, visit }: PageRequest, me: Me): Html | undefined => {
  const offered = cultures.find((culture) => culture === search.get("offer"))
  if (offered === undefined || offered === me.culture) return undefined
  const t = words[reader.language]
  return notice(
    "warn",
    html`<p>${t.cultureStays(cultureName(reader, me.culture))}</p>
      <form class="row" method="post" action="${paths.culture}">
        ${formField(visit)} ${hidden("culture", offered)} ${button(t.cultureChange(cultureName(reader, offered)))}
        <a class="button" href="${paths.profile}">${t.cultureKeep}</a>
      </form>`
  )
}

const regionOptions = (reader: Reader, own: string): Options => {
  const names = new Intl.DisplayNames(reader.language, { type: "region" })
  return byName(
    withOwn(regions, own).map((region) => [region, names.of(region) ?? region]),
    reader
  )
}

const zoneOptions = (own: string): Options =>
  withOwn(["UTC", ...Intl.supportedValuesOf("timeZone")], own).map((zone) => [zone, zone.replaceAll("_", " ")])

/** The form of the profile, with what is stored or what was typed. */
const profileForm = ({ reader, requestId, visit }: PageRequest, me: Me, attempt: Attempt | undefined): Html => {
  const t = words[reader.language]
  const about = (name: string, stored: string | null) => ({
    id: `profile-${name}`,
    name,
    value: attempt === undefined ? stored : attempt.form.values.get(name),
    fault: faultOf(attempt?.problem.errors, name)
  })
  return html`${attempt !== undefined && problemNotice(reader, attempt.problem, requestId)}
    <form class="stack" method="post" action="${paths.profile}">
      ${formField(visit)}
      <div class="fields">
        ${field({ ...about("name", me.name), label: common[reader.language].name, hint: t.nameHint, isRequired: true, autocomplete: "name" })}
        ${field({ ...about("phone", me.phone), label: t.phone, type: "tel", autocomplete: "tel" })}
        ${select({ ...about("language", languageOf(me.uiCulture)), label: t.language, options: Object.entries(languages) })}
        ${select({ ...about("culture", me.culture), label: t.culture, options: cultureOptions(reader, me.culture) })}
        ${select({ ...about("timeZone", me.timeZone), label: t.timeZone, options: zoneOptions(me.timeZone) })}
        ${select({ ...about("region", me.region), label: t.region, options: regionOptions(reader, me.region) })}
      </div>
      <div class="row">${button(common[reader.language].save, { kind: "main" })}</div>
    </form>`
}

/** What a person cannot change themselves. */
const membershipFacts = ({ reader }: PageRequest, me: Me): Html => {
  const t = words[reader.language]
  const teams = teamsOf(me).map(({ membership, name }) =>
    membership.status === "active" ? name : `${name} (${t.invited})`
  )
  const lacksAny = me.capabilities.broker === undefined || me.capabilities.investor === undefined
  return html`${facts([
    [common[reader.language].email, me.email],
    [t.teams, teams.length === 0 ? common[reader.language].none : teams.join(", ")],
    [t.broker, capabilityPill(reader, me.capabilities.broker)],
    [t.investor, capabilityPill(reader, me.capabilities.investor)]
  ])}
  ${lacksAny && teams.length > 0 && html`<p class="hint">${t.capabilityAbout}</p>`}`
}

const themeForm = ({ reader, visit }: PageRequest): Html => {
  const t = words[reader.language]
  return html`<form class="stack" method="post" action="${paths.theme}">
    ${formField(visit)}
    <div class="fields">
      ${select({
        id: "theme",
        name: "theme",
        label: t.theme,
        hint: t.themeAbout,
        value: themeOf(visit) ?? "auto",
        options: [
          ["auto", t.themeAuto],
          ["light", t.themeLight],
          ["dark", t.themeDark]
        ]
      })}
    </div>
    <div class="row">${button(common[reader.language].apply)}</div>
  </form>`
}

const profilePage = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const t = words[page.reader.language]
  const me = yield* Effect.flatMap(Users, ({ profileOf }) => profileOf(page.userId))
  return new View({
    title: t.profile,
    body: accountBody(
      page,
      paths.profile,
      html`${cultureOffer(page, me)}
      ${card("profile", t.profile, html`${membershipFacts(page, me)}${profileForm(page, me, attempt)}`)}
      ${card("appearance", t.appearance, themeForm(page))}`
    )
  })
})

const showProfile = get(paths.profile, (page) => profilePage(page))

/** The tag of a language: what the person has, if that is the same language. */
const uiCultureOf = (chosen: string | undefined, own: string): string | undefined =>
  chosen === languageOf(own) ? own : chosen

const saveProfile = post(paths.profile, (page) =>
  Effect.gen(function* () {
    const { changeProfile, profileOf } = yield* Users
    const { form, userId } = page
    const { culture, region, uiCulture } = yield* profileOf(userId)
    const chosen = uiCultureOf(form.text("language"), uiCulture)
    const language = languageOf(chosen ?? uiCulture)
    const usual = usualCulture(language, form.text("region") ?? region)
    const isLeft =
      language !== languageOf(uiCulture) && form.text("culture") === culture && !culture.startsWith(language)
    // A culture that is the former language's own was never chosen, and follows.
    const follows = isLeft && [uiCulture, usualCulture(languageOf(uiCulture), region)].includes(culture)
    yield* changeProfile(userId, {
      name: form.text("name") ?? "",
      phone: form.textOrNull("phone"),
      culture: follows ? usual : (form.text("culture") ?? ""),
      timeZone: form.text("timeZone") ?? "",
      region: form.text("region") ?? "",
      ...(chosen === undefined ? {} : { uiCulture: chosen })
    })
    // It is said in the language that the page is in from now on.
    const note = follows
      ? words[language].cultureFollows(cultureName({ ...page.reader, language }, usual))
      : common[language].saved
    return new Goto({ path: isLeft && !follows ? `${paths.profile}?offer=${usual}` : paths.profile, note })
  }).pipe(orShowAgain(page, (attempt) => profilePage(page, attempt)))
)

const saveCulture = post(paths.culture, ({ form, reader, userId }) =>
  Effect.gen(function* () {
    const { changeProfile } = yield* Users
    yield* changeProfile(userId, { culture: form.text("culture") ?? "" })
    return new Goto({ path: paths.profile, note: common[reader.language].saved })
  })
)

const saveTheme = post(paths.theme, ({ form, reader, visit }) =>
  Effect.sync(() => {
    const chosen = form.text("theme")
    const theme = chosen === "dark" || chosen === "light" ? chosen : undefined
    const response = HttpServerResponse.setHeader(seeOther(paths.profile), "vary", "Cookie")
    return withTheme(withNote(response, visit, common[reader.language].saved), visit, theme)
  })
)

/** The pages of the profile. */
export const pages = [showProfile, saveProfile, saveCulture, saveTheme]
