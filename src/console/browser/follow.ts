/**
 * A part of a page that follows what others change: `<div id="followed" data-follow="PATH" data-seen="ID">`. While the page is seen, it
 * listens to the stream of PATH; when that says that something changed since ID, the page is fetched again and that part morphed, once
 * nobody drags a card or has a menu open in it. Boxes that are ticked stay so, and the rest of the page is not touched: what one types is
 * not lost.
 */

declare const Idiomorph: {
  readonly morph: (
    old: Node,
    fresh: Node,
    options: { readonly morphStyle: "outerHTML"; readonly restoreFocus: boolean }
  ) => void
}

const parse = (text: string): Document | undefined => window.consoleParse?.(text)

const part = () => document.getElementById("followed")

const isBusy = (element: Element) => element.querySelector(".dragging, :popover-open, [aria-busy=true]") !== null

const keepTicks = (old: Element, fresh: Element) => {
  const ticked = new Set(
    [...old.querySelectorAll<HTMLInputElement>("input[name=pick]:checked")].map(({ value }) => value)
  )
  for (const box of fresh.querySelectorAll<HTMLInputElement>("input[name=pick]")) {
    if (ticked.has(box.value)) box.setAttribute("checked", "")
  }
}

const refresh = async (old: HTMLElement) => {
  const address = location.href
  const answer = await fetch(address, { headers: { accept: "text/html" } })
  const shown = part()
  if (!answer.ok || answer.redirected || shown !== old || location.href !== address || isBusy(old)) return
  const fresh = parse(await answer.text())?.getElementById("followed")
  if (fresh === null || fresh === undefined) return
  keepTicks(old, fresh)
  const focused = document.activeElement?.id ?? ""
  Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", restoreFocus: false })
  if (focused !== "" && document.activeElement === document.body) document.getElementById(focused)?.focus()
  document.dispatchEvent(new Event("console:shown"))
}

let source: EventSource | undefined
let at: string | undefined
let isStale = false

const stop = () => {
  source?.close()
  source = undefined
  at = undefined
}

const catchUp = () => {
  const old = part()
  if (!isStale || old === null || document.hidden || isBusy(old)) return
  isStale = false
  void refresh(old).catch(() => {
    isStale = true
  })
}

const follow = () => {
  const old = part()
  const path = old?.dataset["follow"]
  if (path === at && source !== undefined && !document.hidden) return
  stop()
  if (old === null || path === undefined || document.hidden) return
  at = path
  source = new EventSource(`${path}?after=${encodeURIComponent(old.dataset["seen"] ?? "")}`)
  source.addEventListener("row", ({ lastEventId }: MessageEvent<string>) => {
    isStale = lastEventId !== part()?.dataset["seen"]
    catchUp()
  })
}

// What could not be shown while somebody was busy is shown when they are done.
for (const name of ["dragend", "toggle", "focusin"])
  document.addEventListener(name, () => queueMicrotask(catchUp), true)
document.addEventListener("visibilitychange", follow)
document.addEventListener("console:shown", follow)
addEventListener("pagehide", stop)
addEventListener("pageshow", follow)
follow()
