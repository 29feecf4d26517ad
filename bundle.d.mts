/** The file to run for an entry point: its bundle, or itself. */
export declare function bundled(entry: string, node?: string): string
