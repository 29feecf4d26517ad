import packageJson from "../../package.json" with { type: "json" }

/** The version of the service, from package.json, which is the only place that states it. */
export const version: string = packageJson.version
