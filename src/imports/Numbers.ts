/** Reads numbers of files, which people and programs write in different ways. Pure. */
import { Result } from "effect"

const plainNumber = /^[+-]?\d+(?:\.\d+)?$/
const english = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
const german = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/
const decimalComma = /^[+-]?\d+,\d+$/

// Three digits after one separator: it is that of thousands, or that of decimals.
const oneGroup = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

const ambiguous = (text: string) =>
  `Could be ${text.replace(/[.,]/, "")} or ${text.replace(",", ".")}0: write one of these.`

/**
 * Reads a number: `1234.5`, `1,234,567.5`, `1.234.567,5` or `1234,5`; spaces and apostrophes between digits do not count. The failure
 * is a message. `1,234` could be either of two numbers, so it is refused, and so is `1.234` of an `amount`, which often has thousands
 * and rarely three decimals.
 */
export const parse = (cell: string, amount = false): Result.Result<number, string> => {
  const text = cell.replaceAll(/(?<=\d)[\s'’](?=\d)/gu, "")
  if (oneGroup.test(text) && (amount || text.includes(","))) return Result.fail(ambiguous(text))
  if (plainNumber.test(text)) return Result.succeed(Number(text))
  if (english.test(text)) return Result.succeed(Number(text.replaceAll(",", "")))
  if (german.test(text)) return Result.succeed(Number(text.replaceAll(".", "").replace(",", ".")))
  return decimalComma.test(text) ? Result.succeed(Number(text.replace(",", "."))) : Result.fail("Must be a number.")
}

/** Writes a number so that it is read as it is. */
export const write = (value: number): string => (oneGroup.test(String(value)) ? `${value}0` : String(value))
