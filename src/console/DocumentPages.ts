/** The pages of what describes the service, for everybody: problems at `/help`, and documents. They need no script. */
import type { HttpServerRequest } from "effect/http"
import { code } from "../http/ApiReference.ts"
import type { DocumentPages } from "../http/Docs.ts"
import { html, Html } from "./Html.ts"
import { plainDocument } from "./Layout.ts"
import { head, pill } from "./Parts.ts"
import { problemTitle } from "./problemTexts.ts"
import { languageOf, type Reader, readerOf, texts } from "./Texts.ts"
import { themeOf } from "./Visit.ts"

const words = texts({
  documentation: ["Documentation", "Dokumentation"],
  reference: ["API reference", "API-Referenz"],
  problems: ["Problems", "Probleme"],
  problemsAbout: [
    "Every refusal of the service is one of these. Programs tell them apart by their code.",
    "Jede Ablehnung des Dienstes ist eine von diesen. Programme unterscheiden sie am Code."
  ],
  allProblems: ["All problems", "Alle Probleme"],
  rules: ["Rules", "Regeln"],
  openapi: ["OpenAPI document", "OpenAPI-Dokument"],
  whatToDo: ["What it means, and what to do", "Was es bedeutet, und was zu tun ist"],
  english: ["", "Auf Englisch:"]
})

/** How a page is shown: the language, and the colours that were chosen. */
const frameOf = (variant: string) => {
  const [language = "en", theme] = variant.split(":")
  const reader: Reader = { language: languageOf(language), culture: language, timeZone: "UTC" }
  return { reader, theme: theme === "dark" || theme === "light" ? (theme as "dark" | "light") : undefined }
}

const framed = (variant: string, path: string, title: (reader: Reader) => string, body: (reader: Reader) => Html) => {
  const frame = frameOf(variant)
  const { reader } = frame
  const t = words[reader.language]
  const link = (href: string, name: string) =>
    html`<a href="${href}" ${href === path && html` aria-current="page"`}>${name}</a>`
  return plainDocument(
    {
      title: title(reader),
      body: html`<nav class="tabs" aria-label="${t.documentation}">
          ${link("/docs", t.reference)} ${link("/help", t.problems)} ${link("/docs/behaviour/README.md", t.rules)}
          ${link("/openapi.json", t.openapi)}
        </nav>
        ${body(reader)}`
    },
    frame
  )
}

/** What is English whatever language the reader has. */
const inEnglish = ({ language }: Reader, body: Html): Html =>
  language === "en"
    ? body
    : html`<p class="soft small">${words[language].english}</p>
        <div lang="en">${body}</div>`

/** The pages of problems and documents. */
export const documentPages: DocumentPages = {
  vary: "Accept-Language, Cookie",
  variantOf: (request: HttpServerRequest.HttpServerRequest, baseUrl) =>
    `${readerOf(request.headers["accept-language"]).language}:${themeOf({ request, baseUrl }) ?? ""}`,
  problems: (variant, problems) =>
    framed(
      variant,
      "/help",
      ({ language }) => words[language].problems,
      (reader) => {
        const t = words[reader.language]
        return html`${head({ title: t.problems, subtitle: t.problemsAbout })}
          <ul class="items card pad" role="list">
            ${problems.map(
              (known) =>
                html`<li>
                  <div>
                    <a href="/help/${known.code.replaceAll("_", "-")}"><code>${known.code}</code></a>
                    <div class="soft small">${problemTitle(reader, known)}</div>
                  </div>
                  ${pill(known.status < 500 ? "warn" : "bad", known.status)}
                </li>`
            )}
          </ul>`
      }
    ),
  problem: (variant, known, advice) =>
    framed(
      variant,
      "",
      () => known.code,
      (reader) => {
        const t = words[reader.language]
        return html`<div class="card pad stack">
          <p>${pill(known.status < 500 ? "warn" : "bad", known.status)} <code>${known.code}</code></p>
          <h1>${problemTitle(reader, known)}</h1>
          <h2>${t.whatToDo}</h2>
          ${inEnglish(reader, html`<p>${new Html(code(advice))}</p>`)}
          <p><a href="/help">${t.allProblems}</a></p>
        </div>`
      }
    ),
  guide: (variant, guide) =>
    framed(
      variant,
      guide.path,
      () => guide.title,
      (reader) => html`<article class="guide card pad">${inEnglish(reader, new Html(guide.html))}</article>`
    )
}
