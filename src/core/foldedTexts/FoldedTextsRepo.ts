/** The SQL that stores long texts as search compares them (docs/adr/0014-search-by-trigrams.md). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

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
>()("core/foldedTexts/FoldedTextsRepo") {
  static readonly layer = Layer.effect(
    FoldedTextsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const foldIn = ({ column, table }: (typeof texts)[number]) => {
        const [text, folded, rows] = [sql.literal(column), sql.literal(`${column}_folded`), sql.literal(table)]
        const isLeft = sql`${folded} is null and octet_length(${text}) > 500`
        return Effect.gen(function* () {
          const found = yield* sql<{ readonly id: string; readonly team_id: string }>`
            select id, team_id from ${rows} where ${isLeft} order by id limit ${maxRows}`
          const updated = yield* Effect.forEach(
            Map.groupBy(found, ({ team_id }) => team_id),
            ([teamId, some]) => sql`
              update ${rows} set ${folded} = search_long_fold(${text})
              where team_id = ${teamId} and id in (
                select id from ${rows}
                where team_id = ${teamId} and id = any(${some.map(({ id }) => id)}::uuid[]) and ${isLeft}
                order by id for update skip locked
              )
              returning id`
          )
          return updated.flat()
        })
      }

      const fold = Effect.fn("FoldedTextsRepo.fold")(() =>
        Effect.map(orDie(Effect.forEach(texts, foldIn)), (folded) => folded.flat().length)
      )

      return { fold }
    })
  )
}
