// What `PageFaults.ts` looks at inside a page: a script for the browser, because the project's types know no DOM.
// `window.inPage` holds the functions.
;(() => {
  const describe = (element) => {
    const { id, name, tagName, textContent } = element
    const text = textContent.trim().replaceAll(/\s+/g, " ").slice(0, 40)
    return `${tagName.toLowerCase()} ${id || name || text}`.trim()
  }

  /** The innermost elements by which the page is wider than the window, but for a few. */
  const overflowing = () => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 0.5
    )
    return wide
      .filter((element) => !wide.some((other) => other !== element && element.contains(other)))
      .slice(0, 3)
      .map(describe)
  }

  // Where texts become more than text, one finds such elements and attributes. The policy of the pages forbids most of them.
  const foreign =
    "[data-planted], [style], script:not([src]), iframe, object, embed, [href^='javascript:' i], [action^='javascript:' i]"

  const hasHandler = ({ attributes }) => [...attributes].some(({ name }) => name.startsWith("on"))

  const repeatedIds = () => {
    const seen = new Set()
    return [...document.querySelectorAll("[id]")].filter(({ id }) => seen.size === seen.add(id).size)
  }

  /** What is wrong with the elements of the page and where they are; it also opens what is folded. */
  /** The most stops before the button of a form that has no shorter way to it. */
  const maxStops = 30

  const stopsOf = (form) => operable().filter((element) => form.contains(element) || element.form === form)

  /** Forms whose button the keyboard reaches late. */
  const longForms = () =>
    [...document.querySelectorAll("main form[method=post]")].filter((form) => {
      const stops = stopsOf(form)
      const button = stops.findIndex(({ type }) => type === "submit")
      return button > maxStops && !stops.some((stop) => stop.matches(".skip") && stop.hash === `#${stops[button].id}`)
    })

  const look = () => {
    const closed = overflowing()
    const late = longForms()
    for (const details of document.querySelectorAll("details:not(.menu)")) details.open = true
    return [
      ...[...new Set([...closed, ...overflowing()])].map((one) => `is wider than the window: ${one}`),
      ...[...document.querySelectorAll("*")]
        .filter((element) => element.matches(foreign) || hasHandler(element))
        .map((element) => `is no element of a page: ${element.outerHTML.slice(0, 100)}`),
      ...late.map((form) => `has a form whose button is far: ${form.outerHTML.slice(0, 100)}`),
      ...repeatedIds().map(({ id }) => `has an id twice: ${id}`),
      ...(window.planted === undefined ? [] : ["ran what was planted"])
    ]
  }

  // Links in a sentence are as high as its lines.
  const targets = "button, .button, summary, input, select, textarea, :is(.tabs, .links, .nav, .crumbs) a, tbody th > a"

  /** As high as a finger hits it: a box has an area around it, or its label. */
  const heightOf = (element) => {
    const heights = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect().height)
    return Math.max(...heights, Number.parseFloat(getComputedStyle(element, "::before").height) || 0)
  }

  const linesOf = (text, start, { length }) => {
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, start + length)
    return [...range.getClientRects()]
  }

  const isOnTwo = (lines) => new Set(lines.map(({ top }) => Math.round(top))).size > 1

  /** Whether a word of what is between two spaces is on two lines, though one has room for all of that. */
  const isBroken = (text, { 0: part, index }) => {
    const lines = linesOf(text, index, part)
    if (!isOnTwo(lines)) return false
    let block = text.parentElement
    while (getComputedStyle(block).display === "inline") block = block.parentElement
    const room = block.clientWidth - lines.reduce((sum, { width }) => sum + width, 0)
    return (
      room >= 0 &&
      [...part.matchAll(/[\p{L}\d]+/gu)].some((word) => isOnTwo(linesOf(text, index + word.index, word[0])))
    )
  }

  /** Words that are broken inside. Ids may be. */
  const brokenWords = () => {
    const found = []
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    while (texts.nextNode() !== null) {
      const { currentNode: text } = texts
      const range = document.createRange()
      range.selectNodeContents(text)
      if (range.getClientRects().length < 2 || text.parentElement.closest("code, pre, .mono, .hidden") !== null)
        continue
      found.push(...[...text.data.matchAll(/\S+/g)].filter((part) => isBroken(text, part)).map(([part]) => part))
    }
    return found
  }

  const hasVisibleLabel = (field) =>
    field.closest("[data-label], .bulk, dialog") !== null ||
    [...field.labels].some((label) => label.getBoundingClientRect().width > 1)

  /** What is hard to use by a finger on a phone. */
  const touch = () => [
    ...[...document.querySelectorAll(targets)]
      .filter(
        (element) => element.type !== "hidden" && isVisible(element) && element.closest(".hidden, .skip") === null
      )
      .filter((element) => heightOf(element) < 40)
      .map((element) => `is low for a finger (${Math.round(heightOf(element))} px): ${describe(element)}`),
    ...brokenWords().map((word) => `breaks a word: ${word}`),
    ...[...document.querySelectorAll("main :is(input:not([type=checkbox], [type=radio]), select, textarea)")]
      .filter((field) => field.type !== "hidden" && isVisible(field) && !hasVisibleLabel(field))
      .map((field) => `has a field without a label: ${describe(field)}`)
  ]

  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true })

  /** What a person can operate, in the order of the document. Of radio buttons with one name, the keyboard reaches one. */
  const operable = () =>
    [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((element) => element.type !== "hidden" && !element.disabled && isVisible(element))
      .filter((element) => element.type !== "radio" || element.checked)

  const controls = () => operable().map(describe)

  const cutOff = (box) =>
    box.top < 0 || box.left < 0 || box.right > window.innerWidth + 0.5 || box.top >= window.innerHeight

  /** What has the focus; undefined if nothing has. */
  const focused = () => {
    const element = document.activeElement
    if (element === null || element === document.body) return undefined
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const hasRing = outlineStyle === "auto" || (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2)
    return {
      control: describe(element),
      index: operable().indexOf(element),
      fault: !hasRing ? "shows no focus" : cutOff(element.getBoundingClientRect()) ? "is out of sight" : undefined
    }
  }

  window.inPage = { look, touch, controls, focused }
})()
