/** The processor time of a process. It depends less on other load of the machine than rates do. */
import { readFileSync } from "node:fs"

// The clock ticks per second of Linux, on every platform that Node supports.
const ticksPerSecond = 100

/** The processor time of all threads of a process so far, in seconds; `undefined` except on Linux. */
export const secondsOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // After the name, which may contain any character. User and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}
