/**
 * Repositories whose statements go to the cell of the team that a method's first argument names, as those of nearly all methods do: by
 * its UUID, as the change of a team, or as `{ teamId }`. Methods about several teams choose the cells themselves (Cells.ts).
 */
import { Context, Effect, Predicate } from "effect"
import { inCellOf } from "./CurrentCell.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The team (UUID) that the first argument of a method names. */
const teamOf = (argument: unknown): string | undefined => {
  if (Predicate.isString(argument)) return uuid.test(argument) ? argument : undefined
  if (!Predicate.isObject(argument)) return undefined
  const { actor, teamId } = argument as { readonly actor?: unknown; readonly teamId?: unknown }
  if (Predicate.isString(teamId)) return teamId
  return Predicate.hasProperty(actor, "teamId") && Predicate.isString(actor.teamId) ? actor.teamId : undefined
}

const routedMethod =
  (method: (...args: ReadonlyArray<unknown>) => unknown) =>
  (...args: ReadonlyArray<unknown>): unknown => {
    const result = method(...args)
    const team = teamOf(args[0])
    return team !== undefined && Effect.isEffect(result) ? inCellOf(team)(result) : result
  }

const routedService = (service: unknown): unknown =>
  Predicate.isObject(service)
    ? Object.fromEntries(
        Object.entries(service).map(([name, member]) => [
          name,
          Predicate.isFunction(member) ? routedMethod((...args) => member(...args)) : member
        ])
      )
    : service

/** Has the statements of all these repositories go to the cells of their teams. */
export const routed = <R>(repositories: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...repositories.mapUnsafe].map(([key, service]) => [key, routedService(service)])))
