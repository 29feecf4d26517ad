/**
 * What identity reports to offers. The offers module imports this one, so the operation is declared here and implemented there
 * (`offers/Arrivals.ts`).
 */
import { Context, type Effect } from "effect"

/** What happens when a user (UUID) may have become an investor: by the capability, or by joining a first team. */
export class NewInvestors extends Context.Service<
  NewInvestors,
  {
    /** Makes the offers that waited for the user's address. Call it in the transaction that changed the user. */
    readonly arrived: (userUuid: string) => Effect.Effect<void>
  }
>()("identity/teams/NewInvestors") {}
