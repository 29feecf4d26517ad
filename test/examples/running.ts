/** Runs an example in this process, as it stands. */
import { Effect } from "effect"
import { vi } from "vitest"

/** The lines that an example prints, with these variables of the environment. */
export const printedBy = (name: string, env: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const lines: Array<string> = []
    const log = vi.spyOn(console, "log").mockImplementation((line: unknown) => void lines.push(String(line)))
    for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value)
    try {
      await import(`../../examples/${name}.ts`)
    } finally {
      log.mockRestore()
      vi.unstubAllEnvs()
    }
    return lines
  })
