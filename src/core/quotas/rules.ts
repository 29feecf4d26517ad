/** The pure decisions on quotas (docs/behaviour/quotas.md). */
import { definitions, type QuotaKind, QuotaExceeded } from "./Quota.ts"

/** A quota and what is used of it. */
export interface Figures {
  readonly quota: number
  readonly used: number
}

/** How many more rows or bytes the quota allows. */
export const roomOf = ({ quota, used }: Figures): number => Math.max(0, quota - Math.max(0, used))

/** The used part of a quota in percent, rounded down: from 100 on, it is used up. */
export const percentOf = ({ quota, used }: Figures): number =>
  quota === 0 ? 100 : Math.floor((Math.max(0, used) * 100) / quota)

/** The refusal of a create. `isOwn` says whether the quota is that of the caller's team: others do not see the figures. */
export const exceeded = (kind: QuotaKind, { quota, used }: Figures, isOwn: boolean): QuotaExceeded => {
  const { of, what } = definitions[kind]
  if (!isOwn) {
    return new QuotaExceeded({
      quota: kind,
      limit: null,
      used: null,
      detail: `The team that this belongs to can have no more ${what}. Ask it to raise its quota.`
    })
  }
  const counts =
    of === "team"
      ? `The team may have at most ${quota} ${what}, and has ${used}.`
      : `There may be at most ${quota} ${what}, and there are ${used}.`
  return new QuotaExceeded({
    quota: kind,
    limit: quota,
    used,
    detail: `${counts} Delete some, or ask the operator of the service to raise the quota.`
  })
}
