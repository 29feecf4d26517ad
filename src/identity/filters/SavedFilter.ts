/** A filter of a list that a person keeps (docs/behaviour/console.md#lists). */
import { Schema } from "effect"
import { check, Name } from "../../core/fields/Text.ts"

/** How many filters a person keeps for one list. */
export const maxPerPage = 20

const isPathOfConsole = check("invalid_format", "Must be the path of a list of the console.", (value: string) =>
  /^\/console\/[\w/.-]{1,300}$/.test(value)
)

/** What a form keeps: the filters of the list at `page`, as its address has them. */
export const SavedFilterCreate = Schema.Struct({
  name: Name,
  page: Schema.String.check(isPathOfConsole),
  query: Schema.String.check(
    check("too_long", "Must have at most 2000 characters.", (value: string) => value.length <= 2000)
  )
})

/** A filter as it is shown. `id` is a UUID. */
export interface SavedFilter {
  readonly id: string
  readonly name: string
  readonly query: string
}
