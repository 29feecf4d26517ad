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

  /** What is wrong with the elements of the page and where they are; it also opens what is folded. */
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

  // What differs from row to row of a list, though no style and no rule of axe asks for more than that it is there.
  const ofOneRow =
    /(\s(?:id|for|href|value|name|list|action|formaction|title|datetime|aria-label|aria-labelledby|aria-describedby|aria-controls|aria-details)=)"[^"]+"/g

  const shapeOf = ({ outerHTML }) =>
    outerHTML
      .replaceAll(/(<svg\b[^>]*>).*?<\/svg>/gs, "$1")
      .replaceAll(ofOneRow, "$1")
      .replaceAll(/_01[0-9a-z]{24}|\d+/g, "0")
      .replaceAll(/>[^<]*[^<\s][^<]*/g, ">text")

  /** The elements below this one that have the shape of others beside them, but for the first two and the last. */
  const repeatedIn = (parent) => {
    if (parent.children.length === 0) return []
    const kindOf = parent.matches("select, datalist") ? ({ selected }) => selected : shapeOf
    const isLong = parent.children.length > 3
    const repeated = new Set(
      isLong ? [...Map.groupBy(parent.children, kindOf).values()].flatMap((alike) => alike.slice(2, -1)) : []
    )
    return [...parent.children].flatMap((child) => (repeated.has(child) ? [child] : repeatedIn(child)))
  }

  let places = []

  /** Takes out what repeats what is beside it: axe finds the same of it, and spends most of its time on it. */
  const thin = () => {
    places = repeatedIn(document.body).map((element) => {
      const place = document.createComment("")
      element.replaceWith(place)
      return { element, place }
    })
  }

  /** Puts back what {@link thin} took out. */
  const restore = () => {
    for (const { element, place } of places) place.replaceWith(element)
  }

  /** What is behind what an element has in it; undefined if more than its colours and those around it say that. */
  const groundOf = (element, known) => {
    if (element === null) return ""
    if (!known.has(element)) {
      const { backgroundColor, backgroundImage, filter, mixBlendMode, opacity, position } = getComputedStyle(element)
      const around = groundOf(element.parentElement, known)
      const isPlain = backgroundImage === "none" && filter === "none" && mixBlendMode === "normal" && opacity === "1"
      const isOpaque = backgroundColor.startsWith("rgb(")
      const isInPlace = around !== undefined && (position === "static" || position === "relative")
      const isClear = backgroundColor === "rgba(0, 0, 0, 0)"
      const inPlace = isClear ? around : `${backgroundColor} on ${around}`
      known.set(element, !isPlain ? undefined : isOpaque ? backgroundColor : isInPlace ? inPlace : undefined)
    }
    return known.get(element)
  }

  /** All on which the contrast of an element's text depends; undefined if that is more than this. */
  const paintOf = (element, known) => {
    const ground = groundOf(element, known)
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    return ground === undefined ? undefined : `${color} ${fontSize} ${fontWeight} ${textShadow} on ${ground}`
  }

  // What axe has found good in this document.
  const goodPaints = new Set()

  // The eye does not reach what is beside the page or has no size, nor does axe look at it.
  const isShown = (element) => {
    const { bottom, right, width } = element.getBoundingClientRect()
    return isVisible(element) && bottom + window.scrollY > 0 && right + window.scrollX > 0 && width > 1
  }

  const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")

  const isField = (element) => element.matches("input, select, textarea")

  const violations = async (where, options) => {
    const found = await axe.run(where, { resultTypes: ["violations"], elementRef: false, ...options })
    return found.violations
  }

  /** What axe finds wrong with the contrast of texts. Of what looks alike, it looks at what it has not found good yet. */
  const contrast = async () => {
    const known = new Map()
    const unseen = [...document.body.querySelectorAll("*")].filter(
      (element) =>
        (hasText(element) || isField(element)) && isShown(element) && !goodPaints.has(paintOf(element, known))
    )
    if (unseen.length === 0) return []
    const found = await axe.run(
      { include: unseen },
      { resultTypes: ["violations", "passes"], runOnly: ["color-contrast"], elementRef: true }
    )
    for (const { nodes } of found.passes) {
      for (const { element } of nodes) goodPaints.add(paintOf(element, known))
    }
    goodPaints.delete(undefined)
    return found.violations.map(({ nodes, ...rest }) => ({ ...rest, nodes: nodes.map(({ target }) => ({ target })) }))
  }

  // The smallest width and height of what one points at, and how far from others the middle of what is smaller has to be.
  const smallest = 24

  /** How far the middle of one rectangle is from another one. */
  const distance = (one, other) => {
    const [x, y] = [(one.left + one.right) / 2, (one.top + one.bottom) / 2]
    return Math.hypot(Math.max(other.left - x, 0, x - other.right), Math.max(other.top - y, 0, y - other.bottom))
  }

  const isSmall = ({ height, width }) => width < smallest || height < smallest

  const isOver = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

  /** Whether something is small and close to others, or over another. Then it may be hard to hit, and axe knows. */
  const isCrowded = () => {
    const shown = [
      ...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex][role]")
    ].filter(isShown)
    const boxes = shown.map((element) => element.getBoundingClientRect())
    return shown.some((element, index) =>
      shown.some((other, place) => {
        if (place === index || element.contains(other) || other.contains(element)) return false
        const [one, two] = [boxes[index], boxes[place]]
        return isOver(one, two) || (isSmall(one) && distance(one, two) < (isSmall(two) ? smallest : smallest / 2 + 1))
      })
    )
  }

  /** What axe finds too small to be hit. To place everything takes a good part of its time, so it is asked where it may be so. */
  const targetSizes = async () => (isCrowded() ? violations(document, { runOnly: ["target-size"] }) : [])

  /** All that axe finds wrong. */
  const inaccessible = async () => {
    thin()
    const apart = { "target-size": { enabled: false }, "color-contrast": { enabled: false } }
    const rest = [...(await contrast()), ...(await violations(document, { rules: apart })), ...(await targetSizes())]
    restore()
    return rest
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

  window.inPage = { look, inaccessible, contrast, targetSizes, touch, controls, focused }
})()
