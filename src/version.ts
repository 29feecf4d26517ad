import packageJson from "../package.json" with { type: "json" }

/** The version of the service, as package.json has it: the only place where it is written. */
export const version: string = packageJson.version
