/** What the forms of saved filters do: both lead back to the list. */
import { Effect } from "effect"
import { Goto, post } from "./Console.ts"
import { filterPaths } from "./Lists.ts"
import { SavedFilters } from "../identity/filters/SavedFilters.ts"
import { common } from "./Texts.ts"

const listAt = ({ page, query }: { readonly page: string; readonly query: string }) =>
  query === "" ? page : `${page}?${new URLSearchParams(query).toString()}`

const save = post(filterPaths.save, ({ form, reader, userId }) =>
  Effect.gen(function* () {
    const filters = yield* SavedFilters
    const [name = "", page = "", query = ""] = [form.text("name"), form.text("page"), form.text("query")]
    const saved = yield* filters.save(userId, { name, page, query })
    return new Goto({ path: listAt(saved), note: common[reader.language].saved })
  })
)

const remove = post(filterPaths.remove, ({ form, userId }) =>
  Effect.gen(function* () {
    const filters = yield* SavedFilters
    return new Goto({ path: (yield* filters.remove(userId, form.text("id") ?? "")).page })
  })
)

/** The forms of saved filters. */
export const pages = [save, remove]
