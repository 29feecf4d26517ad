// The entry `property-network/testing`. It is plain JavaScript, so that an older Node, which cannot load the TypeScript
// behind it, can say what it lacks.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(
    `property-network/testing needs Node 22.19 or later, and this is Node ${process.versions.node}. ` +
      "Run your tests with a newer Node (https://nodejs.org), in CI as well."
  )
}

export const { PropertyNetwork, baseUrl, start } = await import("./src/testing/PropertyNetwork.ts")
