/** The head of the pages of a project: its name and state, and the ways to what belongs to it. */
import type { PageRequest } from "../../console/Console.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { head, tabs } from "../../console/Parts.ts"
import { texts } from "../../console/Texts.ts"
import { statePill } from "../../console/Vocabulary.ts"
import type { Project } from "./Project.ts"

const words = texts({
  draftHint: [
    "A draft: no investor has seen it. It opens when its teaser is published, or when an investor gets access to a data room.",
    "Ein Entwurf: Noch hat ihn kein Investor gesehen. Das Projekt ist offen, sobald sein Teaser veröffentlicht ist oder ein Investor Zugang zu einem Datenraum erhält."
  ],
  overview: ["Overview", "Überblick"],
  projects: ["Projects", "Projekte"],
  prospects: ["Prospects", "Interessenten"],
  properties: ["Properties", "Immobilien"],
  rooms: ["Data rooms", "Datenräume"],
  teaser: ["Teaser", "Teaser"],
  timeline: ["Timeline", "Verlauf"],
  views: ["Parts of the project", "Teile des Projekts"]
})

/** What belongs to a project. */
export type ProjectPart = "overview" | "prospects" | "teaser" | "rooms" | "properties" | "timeline"

const parts: ReadonlyArray<ProjectPart> = ["overview", "prospects", "teaser", "rooms", "properties", "timeline"]

/** Where the pages of a project are. */
export const projectPath = ({ base }: Pick<PageRequest, "base">, projectId: string): string =>
  `${base}/projects/${projectId}`

const hrefOf = (page: Pick<PageRequest, "base">, projectId: string, part: ProjectPart): string =>
  part === "teaser"
    ? `${page.base}/teasers/${projectId}`
    : `${projectPath(page, projectId)}${part === "overview" ? "" : `/${part}`}`

/** The head of a page of a project. */
export const projectHead = (
  page: PageRequest,
  { id, name, status }: Pick<Project, "id" | "name" | "status">,
  { actions, part, title }: { readonly part: ProjectPart | undefined; readonly actions?: Part; readonly title?: string }
): Html => {
  const t = words[page.reader.language]
  const path = projectPath(page, id)
  return html`${head({
    title: title ?? name ?? "",
    crumbs: [
      { href: `${page.base}/projects`, name: t.projects },
      ...(title === undefined ? [] : [{ href: path, name: name ?? "" }])
    ],
    subtitle: status !== null && statePill(page.reader, status),
    ...(actions === undefined ? {} : { actions })
  })}
  ${
    title === undefined &&
    html`<div class="row after-head">
      ${tabs(
        t.views,
        parts.map((one) => ({
          href: hrefOf(page, id, one),
          name: t[one],
          isCurrent: one === part
        }))
      )}
    </div>`
  }
  ${status === "draft" && part === "overview" && html`<p class="hint after-head">${t.draftHint}</p>`}`
}
