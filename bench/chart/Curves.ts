/** Renders curves on two logarithmic axes as SVG. */

/** A point of a curve with its minimum and maximum over the rounds. */
export interface Point {
  readonly x: number
  readonly y: number
  readonly least: number
  readonly greatest: number
}

/** A curve. */
export interface Curve {
  readonly name: string
  readonly points: ReadonlyArray<Point>
}

/** The content of a chart. */
export interface Drawing {
  readonly title: string
  /** The text alternative for the chart. */
  readonly description: string
  readonly xLabel: string
  readonly yLabel: string
  /** At most seven. */
  readonly curves: ReadonlyArray<Curve>
  /** The target, drawn as a line. */
  readonly limit: { readonly y: number; readonly label: string }
}

const width = 860
const height = 460
const area = { left: 70, right: 620, top: 60, bottom: 395 }

// Colors that color-blind readers can distinguish, in light and dark mode. The shapes differ as well.
const strokes: ReadonlyArray<readonly [light: string, dark: string]> = [
  ["#0072b2", "#56b4e9"],
  ["#d55e00", "#ff9d5c"],
  ["#007a5a", "#2fd0a0"],
  ["#a8487f", "#e69ac4"],
  ["#8a6d00", "#f0d54a"],
  ["#444444", "#cfcfcf"],
  ["#5b3fc4", "#a894ff"]
]

const shapes: ReadonlyArray<(x: number, y: number) => string> = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="4.5"/>`,
  (x, y) => `<rect x="${x - 4}" y="${y - 4}" width="8" height="8"/>`,
  (x, y) => `<path d="M${x} ${y - 5.5}l5.5 10h-11z"/>`,
  (x, y) => `<path d="M${x} ${y - 6}l6 6-6 6-6-6z"/>`,
  (x, y) => `<path d="M${x} ${y + 5.5}l5.5-10h-11z"/>`,
  (x, y) => `<path d="M${x - 5} ${y - 1.5}h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z"/>`,
  (x, y) => `<rect x="${x - 6}" y="${y - 2.5}" width="12" height="5"/>`
]

const ticks = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 30, 50, 100, 200, 500, 1000]

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const near = (value: number) => Number(value.toFixed(1))

/** A logarithmic scale. */
const logarithmic = (from: number, to: number, start: number, end: number) => (value: number) =>
  near(start + ((end - start) * Math.log(value / from)) / Math.log(to / from))

const styles = (curves: number) => {
  const strokesOf = (which: 0 | 1) =>
    strokes
      .slice(0, curves)
      .map((stroke, index) => `.c${index}{stroke:${stroke[which]};fill:${stroke[which]}}`)
      .join("")
  return `<style>
    text{font:13px system-ui,sans-serif;fill:#1f2328}
    .title{font-size:16px;font-weight:600}
    .page{fill:#ffffff}.grid{stroke:#d1d9e0}.axis{stroke:#59636e}.limit{stroke:#1f2328;stroke-dasharray:6 4}
    .curve{fill:none;stroke-width:2}.whisker{stroke-width:1}
    ${strokesOf(0)}
    .curve{fill:none}
    @media (prefers-color-scheme:dark){
      text{fill:#f0f6fc}.page{fill:#0d1117}.grid{stroke:#3d444d}.axis{stroke:#9198a1}.limit{stroke:#f0f6fc}
      ${strokesOf(1)}
      .curve{fill:none}
    }
  </style>`
}

/** Renders the chart. Omits points that are not positive. */
export const draw = ({ curves, description, limit, title, xLabel, yLabel }: Drawing): string => {
  const points = curves.flatMap((curve) => curve.points).filter(({ least, x }) => x > 0 && least > 0)
  const xs = [...new Set(points.map(({ x }) => x))].toSorted((a, b) => a - b)
  const least = Math.min(0.7, ...points.map((point) => point.least))
  const greatest = Math.max(2, ...points.map((point) => point.greatest))
  const x = logarithmic(xs[0] ?? 1, xs.at(-1) ?? 10, area.left + 30, area.right - 30)
  const y = logarithmic(least / 1.05, greatest * 1.05, area.bottom, area.top)

  const rows = ticks
    .filter((tick) => tick >= least && tick <= greatest)
    .map(
      (tick) =>
        `<path class="grid" d="M${area.left} ${y(tick)}H${area.right}"/>` +
        `<text x="${area.left - 10}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`
    )
  const columns = xs.map(
    (value) =>
      `<path class="axis" d="M${x(value)} ${area.bottom}v6"/>` +
      `<text x="${x(value)}" y="${area.bottom + 22}" text-anchor="middle">${value.toLocaleString("en-GB")}</text>`
  )
  const lines = curves.map((curve, index) => {
    // Shifted sideways, so that points of equal height are all visible.
    const offset = (index - (curves.length - 1) / 2) * 7
    const place = (point: Point) => ({ ...point, at: near(x(point.x) + offset) })
    const placed = curve.points.filter((point) => point.x > 0 && point.least > 0).map(place)
    const path = placed.map(({ at, y: value }, place) => `${place === 0 ? "M" : "L"}${at} ${y(value)}`).join("")
    const whiskers = placed.map((point) => `M${point.at} ${y(point.least)}V${y(point.greatest)}`).join("")
    const marks = placed.map((point) => shapes[index % shapes.length]?.(point.at, y(point.y)) ?? "").join("")
    return `<path class="c${index} curve" d="${path}"/><path class="c${index} whisker" d="${whiskers}"/><g class="c${index}">${marks}</g>`
  })
  const legend = curves
    .map((curve, index) => ({ curve, index, last: curve.points.at(-1)?.y ?? 0 }))
    .toSorted((a, b) => b.last - a.last)
    .map(({ curve, index, last }, row) => {
      const top = area.top + 16 + row * 26
      return (
        `<g class="c${index}">${shapes[index % shapes.length]?.(area.right + 28, top - 4) ?? ""}</g>` +
        `<text x="${area.right + 44}" y="${top}">${escape(curve.name)}, ${last.toFixed(2)}</text>`
      )
    })

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(description)}</desc>`,
    styles(curves.length),
    `<rect class="page" width="${width}" height="${height}"/>`,
    `<text class="title" x="${area.left}" y="30">${escape(title)}</text>`,
    ...rows,
    `<path class="axis" fill="none" d="M${area.left} ${area.top}V${area.bottom}H${area.right}"/>`,
    ...columns,
    `<text x="${(area.left + area.right) / 2}" y="${area.bottom + 48}" text-anchor="middle">${escape(xLabel)}</text>`,
    `<text transform="translate(22 ${(area.top + area.bottom) / 2}) rotate(-90)" text-anchor="middle">${escape(yLabel)}</text>`,
    `<path class="limit" d="M${area.left} ${y(limit.y)}H${area.right}"/>`,
    `<text x="${area.left + 8}" y="${near(y(limit.y) - 6)}">${escape(limit.label)}</text>`,
    ...lines,
    ...legend,
    "</svg>",
    ""
  ].join("\n")
}
