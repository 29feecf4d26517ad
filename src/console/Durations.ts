/** Durations as the API has them (`30d`, `2w`, `3m`), as people choose and read them. */
import type { Html } from "./Html.ts"
import { select } from "./Parts.ts"
import { type Reader, texts } from "./Texts.ts"

const words = texts({
  d: [
    (count: number) => (count === 1 ? "1 day" : `${count} days`),
    (count: number) => (count === 1 ? "1 Tag" : `${count} Tage`)
  ],
  w: [
    (count: number) => (count === 1 ? "1 week" : `${count} weeks`),
    (count: number) => (count === 1 ? "1 Woche" : `${count} Wochen`)
  ],
  m: [
    (count: number) => (count === 1 ? "1 month" : `${count} months`),
    (count: number) => (count === 1 ? "1 Monat" : `${count} Monate`)
  ]
})

/** A duration as people read it; a text that is none as it is. */
export const durationText = ({ language }: Reader, duration: string): string => {
  const [, count, unit] = /^0*(\d{1,4})([dwm])$/.exec(duration) ?? []
  return unit === "d" || unit === "w" || unit === "m" ? words[language][unit](Number(count)) : duration
}

const usual = ["1w", "2w", "30d", "6w", "3m"] as const

/** A choice of usual durations, with the one that is set. `any` is the name of no end, if that is a choice. */
export const durationField = (
  reader: Reader,
  of: {
    readonly id: string
    readonly name: string
    readonly label: string
    readonly value: string | null | undefined
    readonly fault?: string | undefined
    readonly any?: string
  }
): Html => {
  const { value } = of
  const all: ReadonlyArray<string> = usual
  const known = value === null || value === undefined || value === "" || all.includes(value) ? all : [...all, value]
  return select({ ...of, options: known.map((one) => [one, durationText(reader, one)] as const) })
}
