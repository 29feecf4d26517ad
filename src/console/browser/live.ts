/**
 * Rows that appear by themselves: `<tbody data-live="PATH">` takes them, as the server renders them, from a stream of events. A browser
 * allows six connections to a host, so only the page that is seen has one; it goes on after the last row that it has (`data-after`, then the ids of the events).
 */

declare global {
  interface Window {
    consoleParse?: (text: string) => Document
  }
}

const parse = (text: string): Element | null =>
  window.consoleParse?.(`<table><tbody>${text}</tbody></table>`).querySelector("tr") ?? null

const most = 200

let source: EventSource | undefined
let of: HTMLElement | undefined
let at: string | undefined

const stop = () => {
  source?.close()
  source = undefined
  of = undefined
}

const follow = () => {
  const body = document.querySelector<HTMLElement>("tbody[data-live]") ?? undefined
  const path = body?.dataset["live"]
  if (body === of && path === at && source !== undefined && !document.hidden) return
  stop()
  if (body === undefined || path === undefined || document.hidden) return
  of = body
  at = path
  const after = body.dataset["after"]
  source = new EventSource(after === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}after=${after}`)
  source.addEventListener("row", ({ data, lastEventId }: MessageEvent<string>) => {
    const row = parse(data)
    if (row === null) return
    if (lastEventId !== "") body.dataset["after"] = lastEventId
    const present = document.getElementById(row.id)
    if (present !== null) {
      present.replaceWith(row)
      return
    }
    row.classList.add("fresh")
    body.prepend(row)
    // The page said that the list is empty.
    body.closest(".card")?.querySelector(".empty")?.remove()
    while (body.children.length > most) body.lastElementChild?.remove()
  })
}

document.addEventListener("visibilitychange", follow)
document.addEventListener("console:shown", follow)
addEventListener("pagehide", stop)
addEventListener("pageshow", follow)
follow()
