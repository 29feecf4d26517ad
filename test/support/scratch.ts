import { tmpdir } from "node:os"
import { inject } from "vitest"

/** The temporary folder of the run, or that of the system if the run has none. */
export const scratch: string = inject("scratch") ?? tmpdir()
