/** How much of a processor a process has had: that depends less than rates on what else the machine does. */
import { readFileSync } from "node:fs"

// What Linux counts in, on every machine that Node runs on.
const ticksPerSecond = 100

/** Seconds of processor time that a process has used so far, all of its threads together; `undefined` where nobody tells. */
export const secondsOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // Past the name, which may hold anything: user and system time are the 14th and 15th field of all.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}
