/** The SQL that stores long texts as search compares them (docs/adr/0014-search-by-trigrams.md). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"

// To fold a long text takes milliseconds.
const maxRows = 50

const texts = [
  { table: "contacts", column: "strategy" },
  { table: "companies", column: "strategy" },
  { table: "properties", column: "description" }
] as const

/** Long texts of contacts, companies and properties. */
export class FoldedTextsRepo extends Context.Service<
  FoldedTextsRepo,
  {
    /** Stores some texts of each table that are not stored yet, of all teams; returns how many. */
    readonly fold: () => Effect.Effect<number>
  }
>()("foldedTexts/FoldedTextsRepo") {
  static readonly layer = Layer.effect(
    FoldedTextsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const foldIn = ({ column, table }: (typeof texts)[number]) => {
        const [text, folded, rows] = [sql.literal(column), sql.literal(`${column}_folded`), sql.literal(table)]
        return sql`
          update ${rows} set ${folded} = search_fold(${text}) where id in (
            select id from ${rows} where ${folded} is null and octet_length(${text}) > 500
            order by id limit ${maxRows} for update skip locked
          )
          returning id`
      }

      const fold = Effect.fn("FoldedTextsRepo.fold")(() =>
        Effect.map(orDie(Effect.forEach(texts, foldIn)), (folded) => folded.flat().length)
      )

      return { fold }
    })
  )
}
