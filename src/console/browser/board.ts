/** Dragging a card of a board presses the button of its "Move to…" menu, so that the server learns of both in the same way. */

let dragged: HTMLElement | null = null

const columnOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(".board > [data-stage]") : null

const markOver = (column: Element | null) => {
  for (const other of document.querySelectorAll(".board > .over")) if (other !== column) other.classList.remove("over")
  column?.classList.add("over")
}

const ready = () => {
  for (const card of document.querySelectorAll<HTMLElement>(".board article")) card.draggable = true
}

document.addEventListener("dragstart", ({ dataTransfer, target }) => {
  dragged = target instanceof Element ? target.closest<HTMLElement>(".board article") : null
  dragged?.classList.add("dragging")
  dataTransfer?.setData("text/plain", dragged?.id ?? "")
})

document.addEventListener("dragend", () => {
  dragged?.classList.remove("dragging")
  dragged = null
  markOver(null)
})

document.addEventListener("dragover", (event) => {
  const column = columnOf(event.target)
  if (dragged === null || column === null) return
  event.preventDefault()
  markOver(column)
})

document.addEventListener("drop", (event) => {
  const column = columnOf(event.target)
  if (dragged === null || column === null) return
  event.preventDefault()
  const button = dragged.querySelector<HTMLButtonElement>(`button[data-stage="${column.dataset["stage"]}"]`)
  const item = dragged.closest("li")
  if (button === null || button.form === null || item === null) return
  // It stays where it was dropped: the page that comes back has it there.
  column.querySelector("ol")?.prepend(item)
  button.form.requestSubmit(button)
})

document.addEventListener("console:shown", ready)
ready()
