/** Comparisons that hold within one day (UTC) only. */

const todayUtc = () => new Date().toISOString().slice(0, 10)

/**
 * Runs a comparison that holds within one day only, such as one of overdue tasks. A failure counts if the day is the same as
 * at the start of the run; a run that failed and met midnight is repeated from the start, on the new day.
 */
export const withinOneDay = async <A>(run: () => Promise<A>, today: () => string = todayUtc): Promise<A> => {
  const day = today()
  try {
    return await run()
  } catch (error) {
    if (today() === day) throw error
    return await withinOneDay(run, today)
  }
}
