/**
 * Keys that act at once: `/` goes to the search of a page, `j` and `k` to the next and the previous row, `e` edits what has the focus or is
 * open, `?` shows them. They do nothing while one types or holds another key, and nothing at all where they are turned off
 * (`data-keys="off"`, docs/behaviour/console.md#keys). Escape closes what is open beside a list.
 */

const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true })

const first = <E extends HTMLElement>(
  selectors: ReadonlyArray<string>,
  within: ParentNode = document
): E | undefined => {
  for (const selector of selectors) {
    const found = [...within.querySelectorAll<E>(selector)].find(isSeen)
    if (found !== undefined) return found
  }
  return undefined
}

const fields = "input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), select, textarea"

/** Whether what has the focus takes letters, as text or to choose by. */
const takesLetters = (element: EventTarget | null) =>
  element instanceof HTMLElement && (element.isContentEditable || element.matches(fields))

/** Shows the focus wherever it came from. */
const focusOn = (element: HTMLElement) => element.focus({ preventScroll: true, focusVisible: true } as FocusOptions)

// Rows.

const rowSelector = "main :is(tbody tr, .board article, .items > li, .stack[role=list] > li, .timeline > li)"

/** Where the focus is of a row: at what names it, or the first thing that can be pressed. */
const stopOf = (row: Element) => first(["th a", "h3 a", "a[href], summary", "button, input"], row)

const rows = () =>
  [...document.querySelectorAll(rowSelector)].filter(
    (row) => row.closest(".drawer") === null && isSeen(row) && stopOf(row) !== undefined
  )

const currentRow = (): Element | null => {
  const focused = document.activeElement?.closest(rowSelector) ?? null
  if (focused !== null && focused.closest(".drawer") === null) return focused
  return document.querySelector("main tr[aria-current=true], main article[aria-current=true]")
}

const goToRow = (step: 1 | -1) => {
  const all = rows()
  const at = all.findIndex((row) => row === currentRow())
  const row = all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))]
  const stop = row === undefined ? undefined : stopOf(row)
  if (row === undefined || stop === undefined) return
  focusOn(stop)
  row.scrollIntoView({ block: "nearest", inline: "nearest" })
}

// What the keys do.

const search = () => {
  const form = document.querySelector<HTMLFormElement>("main form[role=search]")
  // On a phone, the filters of a list are folded away.
  const folded = form?.closest<HTMLDetailsElement>("details:not([open])") ?? null
  if (folded !== null && form !== null && !isSeen(form)) folded.open = true
  const field =
    form === null
      ? first<HTMLInputElement>(["main input[type=search]", "main input[name=q]"])
      : first<HTMLInputElement>(["input[type=search], input[name=q]", fields], form)
  if (field === undefined) {
    document.querySelector<HTMLElement>("[data-palette]")?.click()
    return
  }
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}

/** Whether the page that comes is one to edit what one was at. */
let isEditing = false

const goToField = (within: Element | null) => first([`form[method=post] :is(${fields})`], within ?? document)?.focus()

const edit = () => {
  const drawer = document.getElementById("drawer")
  const row = document.activeElement?.closest(rowSelector) ?? null
  if (row !== null && row.closest(".drawer, .card.pad") === null) {
    const path = row.closest<HTMLElement>("tbody[data-edit]")?.dataset["edit"]
    isEditing = row.getAttribute("aria-current") !== "true"
    if (!isEditing) goToField(drawer)
    else if (path === undefined) stopOf(row)?.click()
    else location.assign(`${path}/${row.id}/edit`)
    return
  }
  const press = drawer === null ? first(["main a[data-edit]"]) : undefined
  isEditing = press !== undefined
  if (press === undefined) goToField(drawer ?? document.getElementById("main"))
  else press.click()
}

const help = async () => {
  const { consoleParse } = window
  if (consoleParse === undefined || document.getElementById("help") !== null) return
  const answer = await fetch("/console/account/keyboard", { headers: { accept: "text/html" } })
  if (!answer.ok || answer.redirected) return
  const list = consoleParse(await answer.text()).getElementById("keys")
  if (list === null) return
  const dialog = document.createElement("dialog")
  dialog.id = "help"
  dialog.className = "pad stack"
  dialog.setAttribute("aria-labelledby", "help-title")
  const title = document.createElement("h2")
  title.id = "help-title"
  title.textContent = list.dataset["title"] ?? ""
  const close = document.createElement("button")
  close.textContent = list.dataset["close"] ?? ""
  close.addEventListener("click", () => dialog.close())
  dialog.addEventListener("close", () => dialog.remove())
  dialog.append(title, document.adoptNode(list), close)
  document.body.append(dialog)
  dialog.showModal()
}

/** Closes what is open beside a list, unless that has something typed which was not sent. */
const closeDrawer = (): boolean => {
  const link = document.querySelector<HTMLAnchorElement>("#drawer [data-close]")
  const typed = document.activeElement
  const isTyped =
    (typed instanceof HTMLInputElement || typed instanceof HTMLTextAreaElement) && typed.value !== typed.defaultValue
  if (link === null || isTyped) return false
  const row = currentRow()
  const stop = row === null ? undefined : stopOf(row)
  if (stop !== undefined) focusOn(stop)
  link.click()
  return true
}

/** Closes the menu that one is in. */
const closeMenu = (): boolean => {
  const menu = document.activeElement?.closest<HTMLDetailsElement>("details.menu[open]") ?? null
  if (menu === null) return false
  menu.open = false
  menu.querySelector("summary")?.focus()
  return true
}

const actions: { readonly [key: string]: () => void } = {
  "/": search,
  j: () => goToRow(1),
  k: () => goToRow(-1),
  e: edit,
  "?": () => void help()
}

document.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, isComposing, key, metaKey } = event
  if (event.defaultPrevented || isComposing || altKey || ctrlKey || metaKey) return
  if (document.querySelector("dialog[open], :popover-open") !== null) return
  if (key === "Escape") {
    if (closeMenu() || closeDrawer()) event.preventDefault()
    return
  }
  const act = Object.hasOwn(actions, key) ? actions[key] : undefined
  if (act === undefined || takesLetters(event.target) || document.body.dataset["keys"] === "off") return
  event.preventDefault()
  act()
})

document.addEventListener("console:shown", () => {
  const dialog = document.getElementById("help")
  if (dialog instanceof HTMLDialogElement) dialog.close()
  if (!isEditing) return
  isEditing = false
  // After the navigation has put the focus where it belongs on other pages.
  queueMicrotask(() => goToField(document.getElementById("drawer") ?? document.getElementById("main")))
})
