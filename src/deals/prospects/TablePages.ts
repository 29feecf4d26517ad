/** What a project's prospects are filtered by, and the columns of their table, on the page and in a file. */
import type { PageRequest } from "../../console/Console.ts"
import { html } from "../../console/Html.ts"
import { type Column, type Filter, openAddress } from "../../console/Lists.ts"
import { memberLabel } from "../../console/memberNames.ts"
import { pill, unbroken } from "../../console/Parts.ts"
import { common, localTime, moment, texts } from "../../console/Texts.ts"
import { label, options } from "../../console/Vocabulary.ts"
import { classifications, nameOf, stagePill } from "./drawer/pages.ts"
import { interests, type Prospect, stages } from "./Prospect.ts"
import { taskLine } from "./tasks/pages.ts"

const words = texts({
  changed: ["Changed", "Geändert"],
  classificationHint: ["Your own judgement", "Ihre Einschätzung"],
  capability: ["Offer", "Angebot"],
  investor: ["Investor", "Interessent"],
  nextTask: ["Next task", "Nächste Aufgabe"],
  owner: ["Owner", "Zuständig"],
  projectTagsHint: ["Here alone", "Nur hier"],
  projectTags: ["Tags on the project", "Tags am Projekt"],
  stageHint: ["How far the deal is", "Wie weit der Deal ist"],
  tags: ["Tags", "Tags"],
  tagsHint: ["In the network", "Im Netzwerk"],
  taskDue: ["Task due", "Aufgabe fällig"]
})

/** The filters of the table, or of the board, whose columns are the stages. */
export const filtersOf = ({ reader }: PageRequest, isBoard: boolean): ReadonlyArray<Filter> => {
  const t = words[reader.language]
  return [
    ...(isBoard
      ? []
      : [
          {
            name: "stage",
            label: memberLabel(reader, "stage"),
            hint: t.stageHint,
            options: options(reader, stages)
          } satisfies Filter
        ]),
    {
      name: "classification",
      label: memberLabel(reader, "classification"),
      hint: t.classificationHint,
      options: options(reader, classifications)
    },
    { name: "interest", label: memberLabel(reader, "interest"), options: options(reader, [...interests, "none"]) },
    { name: "task_due", label: t.taskDue, options: options(reader, ["overdue", "today", "this_week"]) },
    {
      name: "capability",
      label: t.capability,
      options: options(reader, ["communicated", "accepted", "chat", "invitation"])
    },
    { name: "tags", label: t.tags, hint: t.tagsHint },
    { name: "project_tags", label: t.projectTags, hint: t.projectTagsHint }
  ]
}

const filterNames = ["stage", "classification", "interest", "task_due", "capability", "tags", "project_tags"]

/** Whether any filter is set. */
export const isFiltered = ({ search }: PageRequest) => filterNames.some((name) => (search.get(name) ?? "") !== "")

/** The columns of the table, and what a file has of them. */
export const columnsOf = (page: PageRequest): ReadonlyArray<Column<Prospect>> => {
  const { reader } = page
  const t = words[reader.language]
  const shared = common[reader.language]
  const wordOf = (value: string | null | undefined) => (typeof value === "string" ? label(reader, value) : undefined)
  return [
    {
      key: "investor",
      title: t.investor,
      is: "name",
      cell: (prospect) =>
        html`<a href="${openAddress(page, prospect.id)}">${nameOf(page, prospect)}</a
          ><span class="below">${unbroken(prospect.contact?.email ?? prospect.company?.domain)}</span>`,
      file: [
        { text: (prospect) => nameOf(page, prospect) },
        { title: memberLabel(reader, "email"), text: ({ contact }) => contact?.email },
        { title: memberLabel(reader, "domain"), text: ({ company }) => company?.domain }
      ]
    },
    {
      key: "stage",
      title: memberLabel(reader, "stage"),
      hint: t.stageHint,
      cell: ({ stage }) => stage !== null && stagePill(page, stage),
      file: [{ text: ({ stage }) => wordOf(stage) }]
    },
    {
      key: "classification",
      title: memberLabel(reader, "classification"),
      hint: t.classificationHint,
      is: "more",
      cell: ({ classification }) => wordOf(classification),
      file: [{ text: ({ classification }) => wordOf(classification) }]
    },
    {
      key: "interest",
      title: memberLabel(reader, "interest"),
      is: "more",
      cell: ({ interest }) => wordOf(interest),
      file: [{ text: ({ interest }) => wordOf(interest) }]
    },
    {
      key: "tags",
      title: t.projectTags,
      hint: t.projectTagsHint,
      is: "more",
      cell: ({ projectTags }) => projectTags.map((tag) => html`<span class="tag">${tag}</span> `),
      file: [{ text: ({ projectTags }) => projectTags }]
    },
    {
      key: "task",
      title: t.nextTask,
      is: "more",
      cell: ({ nextTask }) => nextTask !== undefined && taskLine(page, nextTask),
      file: [
        { text: ({ nextTask }) => wordOf(nextTask?.type) },
        { title: memberLabel(reader, "dueDate"), text: ({ nextTask }) => nextTask?.dueDateUtc.slice(0, 10) },
        { title: memberLabel(reader, "assignee"), text: ({ nextTask }) => nextTask?.assignee.name }
      ]
    },
    {
      key: "owner",
      title: t.owner,
      is: "more",
      cell: ({ owner }) => owner?.name,
      file: [{ text: ({ owner }) => owner?.name }]
    },
    {
      key: "network-tags",
      title: t.tags,
      hint: t.tagsHint,
      is: "more",
      isExtra: true,
      cell: ({ tags }) => tags.map((tag) => html`<span class="tag">${tag}</span> `),
      file: [{ text: ({ tags }) => tags }]
    },
    {
      key: "accepted",
      title: label(reader, "accepted"),
      is: "more",
      isExtra: true,
      cell: ({ accepted }) => accepted === true && pill("good", shared.yes),
      file: [{ text: ({ accepted }) => (accepted === true ? shared.yes : shared.no) }]
    },
    {
      key: "updated",
      title: t.changed,
      is: "more",
      isExtra: true,
      cell: ({ updatedUtc }) => moment(reader, updatedUtc),
      file: [{ text: ({ updatedUtc }) => localTime(reader, updatedUtc).replace("T", " ") }]
    }
  ]
}
