/**
 * A part of a page that follows what others change: `<div id="followed" data-follow="PATH" data-seen="TEXT">`. While the page is seen, it
 * asks PATH now and then; where the answer is another text, it fetches the page again and morphs that part, once nobody drags a card or
 * has a menu open in it. Boxes that are ticked stay so, and the rest of the page is not touched: what one types is not lost.
 */

declare const Idiomorph: {
  readonly morph: (
    old: Node,
    fresh: Node,
    options: { readonly morphStyle: "outerHTML"; readonly restoreFocus: boolean }
  ) => void
}

const parse = (text: string): Document | undefined => window.consoleParse?.(text)

const every = 5000

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

const ask = async () => {
  const old = part()
  const path = old?.dataset["follow"]
  if (old === null || path === undefined || document.hidden || isBusy(old)) return
  const answer = await fetch(path, { headers: { accept: "text/plain" } })
  if (answer.ok && !answer.redirected && (await answer.text()) !== old.dataset["seen"]) await refresh(old)
}

const again = () => {
  void ask()
    .catch(() => undefined)
    .finally(() => setTimeout(again, every))
}

setTimeout(again, every)
