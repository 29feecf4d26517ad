import { tmpdir } from "node:os"
import { inject } from "vitest"

/**
 * The folder for what need not outlast the run: the run's own, or, where it has none, the system's for temporary files.
 */
export const scratch: string = inject("scratch") ?? tmpdir()
