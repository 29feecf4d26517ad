/**
 * Draws the place of a mandate on its map: a circle, or areas corner by corner, by pointer, by touch or by keyboard. What is drawn is in the
 * fields of the form, and what one types there is on the map: the fields are what is sent.
 */
import { type DecimalSeparator, meantBy } from "../../core/fields/writtenNumbers.ts"
import {
  between,
  type Circle,
  circleLine,
  cutAtAntimeridian,
  distance,
  earthRadius,
  isInside,
  radiansPerDegree,
  turned
} from "./earth.ts"
import { earthMap, nearby, type Point, svgElement } from "./map.ts"
import { degreesIn, polygonsIn, type Position, type Rings, textOf } from "./positions.ts"

type Tool = "circle" | "move" | "polygon"

/** What one has taken hold of: a corner, the centre or the edge of the circle, or the map itself. */
type Hold =
  | { readonly of: "corner"; readonly polygon: number; readonly ring: number; readonly corner: number }
  | { readonly of: "centre" | "edge" }
  | { readonly of: "map" }

/** Areas with more corners are drawn without handles. */
const maxHandles = 300

const start = (root: HTMLElement, svg: SVGSVGElement, signal: AbortSignal) => {
  const { from = "", radius = "" } = root.dataset
  const [minRadius = 0, maxRadius = 0] = radius.split(" ").map(Number)
  const decimal: DecimalSeparator = root.dataset["decimal"] === "," ? "," : "."
  const form = root.closest("form")

  const field = (name: string) => {
    const found = form?.elements.namedItem(name)
    return found instanceof HTMLInputElement ||
      found instanceof HTMLTextAreaElement ||
      found instanceof HTMLSelectElement
      ? found
      : undefined
  }

  // What is drawn, as the fields have it; `named` is the outline of a place by its name.
  let polygons: ReadonlyArray<Rings> = []
  let circle: Circle | undefined
  let named = ""

  // What is being drawn.
  let tool: Tool = "move"
  let draft: ReadonlyArray<Position> = []
  let centre: Position | undefined
  let selected: number | undefined
  let held: Hold | undefined
  let cross: Position = [0, 0]
  let isCrossShown = false

  const map = earthMap(root, svg, () => {
    const lines = polygons.flat().map((ring) => map.pathOfLine(ring))
    return {
      place: named + lines.join("") + (circle === undefined ? "" : map.pathOfLine(circleLine(circle))),
      marks: [...drafts(), ...handles(), ...crosshair()]
    }
  })
  const { announce, at, exact, nearest, panBy, shownLength, shownPosition, toEarth, toScreen, zoom } = map

  const handle = (position: Position, hold: Hold, kind: string) => {
    const [x, y] = toScreen(nearest(position))
    return svgElement("circle", {
      class: kind,
      cx: String(x),
      cy: String(y),
      r: "6",
      "data-hold": JSON.stringify(hold)
    })
  }

  /** Where the radius of the circle is taken hold of: its edge in the east. */
  const edgeOf = ({ centre: [x, y], radius: metres }: Circle): Position => [
    x + metres / (earthRadius * radiansPerDegree * Math.max(0.01, Math.cos(y * radiansPerDegree))),
    y
  ]

  const handles = (): ReadonlyArray<SVGElement> => {
    const count = polygons.flat(2).length
    const corners =
      count > maxHandles
        ? []
        : polygons.flatMap((rings, polygon) =>
            rings.flatMap((ring, index) =>
              ring.map((position, corner) =>
                handle(
                  position,
                  { of: "corner", polygon, ring: index, corner },
                  polygon === selected ? "handle on" : "handle"
                )
              )
            )
          )
    return circle === undefined
      ? corners
      : [
          ...corners,
          handle(circle.centre, { of: "centre" }, "handle"),
          handle(edgeOf(circle), { of: "edge" }, "handle")
        ]
  }

  /** What is being drawn, up to where one is. */
  const drafts = (): ReadonlyArray<SVGElement> => {
    if (draft.length === 0) return []
    const line = [...draft, cross].map(toScreen)
    return [
      svgElement("path", { class: "draft", d: `M${line.map((point) => point.join(" ")).join("L")}` }),
      ...draft.map((position) => {
        const [x, y] = toScreen(position)
        return svgElement("circle", { class: "handle on", cx: String(x), cy: String(y), r: "5" })
      })
    ]
  }

  const crosshair = (): ReadonlyArray<SVGElement> => {
    if (!isCrossShown) return []
    const [x, y] = toScreen(cross)
    return [svgElement("path", { class: "cross", d: `M${x - 14} ${y}h28M${x} ${y - 14}v28` })]
  }

  const show = () => {
    map.show()
    for (const button of root.querySelectorAll<HTMLElement>("[data-tool]")) {
      button.setAttribute("aria-pressed", String(button.dataset["tool"] === tool))
    }
    svg.dataset["draws"] = tool
  }

  const showAll = () => {
    map.showAll(circle === undefined ? polygons.flat(2) : circleLine(circle))
    cross = map.centre()
  }

  // Between the fields and the map.

  let isOwn = false

  const write = (values: Readonly<Record<string, string>>) => {
    isOwn = true
    for (const [name, value] of Object.entries(values)) {
      const input = field(name)
      if (input === undefined || input.value === value) continue
      input.value = value
      // Others follow what is typed, such as what keeps a draft.
      input.dispatchEvent(new Event("input", { bubbles: true }))
    }
    isOwn = false
  }

  const read = () => {
    const text = field("geography")?.value ?? ""
    polygons = polygonsIn(text)
    const [y, x] = ["near.latitude", "near.longitude"].map((name) => degreesIn(field(name)?.value ?? ""))
    const metres = meantBy(field("radius")?.value ?? "", decimal)
    const size = "decimal" in metres ? Number(metres.decimal) : 0
    circle = y !== undefined && x !== undefined && size > 0 ? { centre: [x, y], radius: size } : undefined
    selected = undefined
  }

  const writePolygons = (changed: ReadonlyArray<Rings>) => {
    polygons = changed
    circle = undefined
    named = ""
    write({ geography: textOf(changed), "near.latitude": "", "near.longitude": "", radius: "", location: "" })
  }

  const degreesText = (value: number) => String(value).replace(".", decimal)

  const writeCircle = (changed: Circle | undefined) => {
    circle = changed && {
      centre: exact(changed.centre),
      radius: Math.round(between(minRadius, changed.radius, maxRadius))
    }
    polygons = []
    named = ""
    write({
      "near.latitude": circle === undefined ? "" : degreesText(circle.centre[1]),
      "near.longitude": circle === undefined ? "" : degreesText(circle.centre[0]),
      radius: circle === undefined ? "" : String(circle.radius),
      geography: "",
      location: ""
    })
  }

  const sayCircle = () => {
    if (circle !== undefined) {
      announce("circle", { position: shownPosition(circle.centre), radius: shownLength(circle.radius) })
    }
  }

  // What one does.

  const choose = (chosen: Tool) => {
    tool = chosen
    draft = []
    centre = undefined
    held = undefined
    announce(`${chosen}Tool`)
    show()
  }

  const close = () => {
    if (draft.length < 3) {
      announce("few")
      return
    }
    // Beside each other, also where longitudes end.
    const ring = draft.map((position): Position => [
      position[0] - turned(position[0]) + exact(position)[0],
      exact(position)[1]
    ])
    draft = []
    writePolygons([...polygons, ...cutAtAntimeridian(ring)])
    selected = polygons.length - 1
    announce("area", { corners: ring.length, areas: polygons.length })
    show()
  }

  const setCorner = (position: Position) => {
    const [x, y] = toScreen(position)
    const [first] = draft
    const isAt = (other: Position | undefined) => {
      if (other === undefined) return false
      const [otherX, otherY] = toScreen(other)
      return Math.hypot(x - otherX, y - otherY) < nearby
    }
    if (draft.length > 2 && (isAt(first) || isAt(draft.at(-1)))) {
      close()
      return
    }
    if (isAt(draft.at(-1))) return
    draft = [...draft, position]
    announce("corner", { corners: draft.length, position: shownPosition(position) })
    show()
  }

  const undo = () => {
    if (draft.length === 0) return
    draft = draft.slice(0, -1)
    announce("undone", { corners: draft.length })
    show()
  }

  const leaveOff = () => {
    if (draft.length === 0 && centre === undefined && held === undefined) return
    draft = []
    centre = undefined
    held = undefined
    read()
    announce("cutOff")
    show()
  }

  const remove = () => {
    if (draft.length > 0) {
      leaveOff()
      return
    }
    if (circle !== undefined) writeCircle(undefined)
    else if (polygons.length > 0) writePolygons(polygons.toSpliced(selected ?? polygons.length - 1, 1))
    else {
      announce("nothing")
      return
    }
    selected = undefined
    announce("deleted", { areas: polygons.length })
    show()
  }

  /** Moves what one holds to a position. */
  const drag = (hold: Hold, position: Position) => {
    if (hold.of === "centre" && circle !== undefined) writeCircle({ ...circle, centre: position })
    if (hold.of === "edge" && circle !== undefined)
      writeCircle({ ...circle, radius: distance(circle.centre, position) })
    if (hold.of === "corner") {
      const moves = exact(position)
      writePolygons(
        polygons.with(
          hold.polygon,
          (polygons[hold.polygon] ?? []).map((ring, index) =>
            index === hold.ring ? ring.with(hold.corner, moves) : ring
          )
        )
      )
      selected = hold.polygon
    }
    show()
  }

  const select = (position: Position) => {
    const [x, y] = [turned(position[0]), position[1]]
    const found = polygons.findIndex(([outer = []]) => isInside(outer, [x, y]))
    selected = found === -1 ? undefined : found
    show()
  }

  const holdAt = ([x, y]: Point): Hold | undefined => {
    const found = map
      .marksWith("[data-hold]")
      .find((one) => Math.hypot(one.cx.baseVal.value - x, one.cy.baseVal.value - y) < nearby)
    return found === undefined ? undefined : (JSON.parse(found.dataset["hold"] ?? "") as Hold)
  }

  // By pointer and by touch. Two fingers zoom.

  const pointers = new Map<number, Point>()
  let pressedAt: Point = [0, 0]
  let hasMoved = false
  let lastPinch = 0

  const pinchOf = () => {
    const [[ax, ay] = [0, 0], [bx, by] = [0, 0]] = [...pointers.values()]
    return { size: Math.hypot(ax - bx, ay - by), middle: [(ax + bx) / 2, (ay + by) / 2] as const }
  }

  const on = <K extends keyof SVGElementEventMap>(name: K, listen: (event: SVGElementEventMap[K]) => void) =>
    svg.addEventListener(name, listen, { signal, passive: false })

  on("pointerdown", (event) => {
    if (event.button !== 0) return
    event.preventDefault()
    svg.focus({ preventScroll: true })
    svg.setPointerCapture(event.pointerId)
    const point = at(event)
    pointers.set(event.pointerId, point)
    lastPinch = pinchOf().size
    pressedAt = point
    hasMoved = pointers.size > 1
    isCrossShown = false
    held = holdAt(point) ?? { of: "map" }
    cross = toEarth(point)
    // Two fingers zoom, and draw nothing.
    if (pointers.size > 1) centre = undefined
    else if (tool === "circle" && held.of === "map") centre = toEarth(point)
    if (pointers.size > 1 || (tool === "polygon" && draft.length > 0)) held = { of: "map" }
  })

  on("pointermove", (event) => {
    const point = at(event)
    const before = pointers.get(event.pointerId)
    cross = toEarth(point)
    if (before === undefined) {
      if (draft.length > 0) show()
      return
    }
    pointers.set(event.pointerId, point)
    if (pointers.size > 1) {
      const { middle, size } = pinchOf()
      if (lastPinch > 0) zoom(size / lastPinch, middle)
      lastPinch = size
      return
    }
    if (!hasMoved && Math.hypot(point[0] - pressedAt[0], point[1] - pressedAt[1]) < 4) return
    hasMoved = true
    if (centre !== undefined) {
      writeCircle({ centre, radius: distance(centre, cross) })
      show()
    } else if (held?.of === "map") panBy(point[0] - before[0], point[1] - before[1])
    else if (held !== undefined) drag(held, cross)
  })

  const release = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return
    const position = toEarth(at(event))
    if (centre !== undefined) {
      // A circle that was not drawn to its edge is moved, or has the size of a third of what is seen.
      if (!hasMoved) writeCircle({ centre, radius: circle?.radius ?? map.metresOf(map.size().height / 6) })
      centre = undefined
      sayCircle()
    } else if (hasMoved) {
      if (held?.of === "corner") announce("put", { position: shownPosition(position) })
      else if (held !== undefined && held.of !== "map") sayCircle()
    } else if (tool === "polygon") setCorner(position)
    else select(position)
    held = undefined
    show()
  }

  on("pointerup", release)
  on("pointercancel", (event) => {
    pointers.delete(event.pointerId)
    centre = undefined
    held = undefined
  })

  on("wheel", (event) => {
    const factor = Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.002 : 0.06))
    // Where the map is at its end, the page scrolls.
    if (factor < 1 && map.isWidest()) return
    event.preventDefault()
    zoom(factor, at(event))
  })

  // By keyboard.

  const arrows: { readonly [key: string]: Point } = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1]
  }

  const step = ([x, y]: Point, isFine: boolean) => {
    const { height, width } = map.size()
    const size = isFine ? 3 : Math.min(width, height) / 16
    if (!isCrossShown) {
      const [crossX, crossY] = toScreen(cross)
      if (crossX < 0 || crossX > width || crossY < 0 || crossY > height) cross = map.centre()
      isCrossShown = true
    }
    const [crossX, crossY] = toScreen(cross)
    cross = toEarth([crossX + x * size, crossY + y * size])
    const [nextX, nextY] = toScreen(cross)
    const edge = Math.min(width, height) / 8
    panBy(
      Math.max(0, edge - nextX) - Math.max(0, nextX - width + edge),
      Math.max(0, edge - nextY) - Math.max(0, nextY - height + edge)
    )
    if (centre !== undefined) writeCircle({ centre, radius: distance(centre, cross) })
    if (held !== undefined) drag(held, cross)
    show()
    if (centre !== undefined) sayCircle()
    else announce(shownPosition(cross))
  }

  const press = () => {
    if (!isCrossShown) {
      isCrossShown = true
      cross = map.centre()
      announce(shownPosition(cross))
      show()
      return
    }
    if (tool === "polygon") setCorner(cross)
    else if (tool === "circle") {
      if (centre === undefined) {
        centre = cross
        announce("centre", { position: shownPosition(cross) })
      } else {
        writeCircle({ centre, radius: distance(centre, cross) })
        centre = undefined
        sayCircle()
      }
      show()
    } else if (held === undefined) {
      held = holdAt(toScreen(cross))
      if (held === undefined) select(cross)
      else announce("taken")
    } else {
      held = undefined
      announce("put", { position: shownPosition(cross) })
    }
  }

  const keys: { readonly [key: string]: () => void } = {
    Enter: press,
    " ": press,
    Backspace: undo,
    Delete: remove,
    Escape: leaveOff,
    c: close,
    "+": () => acts["zoomIn"]?.(),
    "=": () => acts["zoomIn"]?.(),
    "-": () => acts["zoomOut"]?.()
  }

  on("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = arrows[event.key]
    const act = keys[event.key]
    if (arrow === undefined && act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (arrow === undefined) act?.()
    else step(arrow, event.shiftKey)
  })

  on("blur", () => {
    isCrossShown = false
    show()
  })

  // By button.

  const zoomBy = (factor: number) => {
    zoom(factor, toScreen(isCrossShown ? cross : map.centre()))
    announce("shown", { position: shownPosition(map.centre()), width: shownLength(map.shownWidth()) })
  }

  const acts: { readonly [name: string]: () => void } = {
    close,
    remove,
    showPlace: showAll,
    undo,
    zoomIn: () => zoomBy(2),
    zoomOut: () => zoomBy(0.5)
  }

  root.addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-tool], [data-do]") : null
      const chosen = button?.dataset["tool"]
      if (chosen === "circle" || chosen === "move" || chosen === "polygon") choose(chosen)
      else acts[button?.dataset["do"] ?? ""]?.()
    },
    { signal }
  )

  /** Shows what the fields say; what they do not, such as a whole country, is what the service drew. */
  const fromFields = () => {
    read()
    named = polygons.length === 0 && circle === undefined ? map.storedPlace : ""
    cross = map.centre()
    show()
    if (circle === undefined ? !polygons.flat(2).every(map.isSeen) : !map.isSeen(circle.centre)) showAll()
  }

  // What one types is on the map at once; a name, when one leaves its field.

  const showNamed = async (location: string) => {
    const country = field("country")?.value ?? ""
    const answer = await fetch(`${from.replace(/map$/, "place")}?${new URLSearchParams({ country, location })}`)
    if (!answer.ok) return
    const found = (await answer.json()) as {
      readonly fault?: string
      readonly name?: string
      readonly outline?: string
      readonly view?: readonly [number, number, number]
    }
    if (found.view === undefined) {
      announce(found.fault ?? "")
      return
    }
    named = found.outline ?? ""
    announce("found", { name: found.name ?? location })
    map.goToView(found.view)
  }

  form?.addEventListener(
    "input",
    ({ target }) => {
      if (isOwn || !(target instanceof Element)) return
      const name = target.getAttribute("name") ?? ""
      if (!["geography", "near.latitude", "near.longitude", "radius"].includes(name)) return
      read()
      show()
    },
    { signal }
  )
  form?.addEventListener(
    "change",
    ({ target }) => {
      if (isOwn || !(target instanceof HTMLInputElement)) return
      const isOfPlace = ["near.latitude", "near.longitude", "radius"].includes(target.name)
      if (isOfPlace && circle !== undefined) showAll()
      if (target.name !== "location") return
      named = ""
      show()
      if (target.value.trim() !== "") void showNamed(target.value.trim()).catch(() => undefined)
    },
    { signal }
  )
  // Such as when one discards a draft: the fields have what is stored once this event is over.
  form?.addEventListener(
    "reset",
    () =>
      queueMicrotask(() => {
        leaveOff()
        fromFields()
      }),
    { signal }
  )
  field("geography")?.addEventListener("change", () => !isOwn && showAll(), { signal })

  // The map has the size that it has on the screen.
  const observer = new ResizeObserver(map.fit)
  observer.observe(svg)
  signal.addEventListener("abort", () => observer.disconnect())

  svg.setAttribute("role", "application")
  svg.setAttribute("tabindex", "0")
  svg.setAttribute("aria-describedby", "place-keys")
  // What the service drew is what is stored. From here on, the fields say what is there; a whole country is in none of them.
  map.fit()
  fromFields()
}

let running = new AbortController()

const begin = () => {
  running.abort()
  running = new AbortController()
  const root = document.getElementById("place")
  const svg = document.getElementById("place-map")
  if (root !== null && svg instanceof SVGSVGElement) start(root, svg, running.signal)
}

document.addEventListener("console:shown", begin)
begin()
