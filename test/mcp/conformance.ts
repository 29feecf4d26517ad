/** The checks of the conformance suite that do not hold here, as `scenario:check`, and why. */

/** They call tools that only a test server has, or need what those leave behind. Nothing else is here. */
export const testTools = {
  "2026-07-28": [
    "http-custom-header-server-validation:sep-2243-server-no-xmcp-tool",
    "http-custom-header-server-validation:sep-2243-server-decode-base64",
    "http-custom-header-server-validation:sep-2243-server-validate-param-match",
    "http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars",
    "http-custom-header-server-validation:sep-2243-server-reject-param-mismatch",
    "input-required-result-basic-elicitation:sep-2322-elicitation-incomplete",
    "input-required-result-basic-list-roots:sep-2322-list-roots-incomplete",
    "input-required-result-basic-sampling:sep-2322-sampling-incomplete",
    "input-required-result-capability-check:sep-2322-respect-client-capabilities",
    "input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params",
    "input-required-result-missing-input-response:sep-2322-missing-response-rerequests",
    "input-required-result-multi-round:sep-2322-multi-round-r1",
    "input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete",
    "input-required-result-request-state:sep-2322-request-state-incomplete",
    "input-required-result-result-type:sep-2322-result-type-included",
    "input-required-result-tampered-state:sep-2322-reject-tampered-state",
    "json-schema-2020-12:json-schema-2020-12-tool-found",
    "server-stateless:sep-2575-server-rejects-undeclared-capability",
    "server-stateless:sep-2575-missing-capability-http-400",
    "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
    "server-stateless:sep-2575-server-no-log-without-loglevel",
    "tools-call-audio:tools-call-audio",
    "tools-call-embedded-resource:tools-call-embedded-resource",
    "tools-call-error:tools-call-error",
    "tools-call-image:tools-call-image",
    "tools-call-mixed-content:tools-call-mixed-content",
    "tools-call-simple-text:tools-call-simple-text",
    "tools-call-with-progress:tools-call-with-progress"
  ],
  "2025-11-25": [
    "elicitation-sep1034-defaults:elicitation-sep1034-general",
    "elicitation-sep1330-enums:elicitation-sep1330-general",
    "json-schema-2020-12:json-schema-2020-12-tool-found",
    "tools-call-audio:tools-call-audio",
    "tools-call-elicitation:tools-call-elicitation",
    "tools-call-embedded-resource:tools-call-embedded-resource",
    "tools-call-error:tools-call-error",
    "tools-call-image:tools-call-image",
    "tools-call-mixed-content:tools-call-mixed-content",
    "tools-call-sampling:tools-call-sampling",
    "tools-call-simple-text:tools-call-simple-text",
    "tools-call-with-progress:tools-call-with-progress"
  ]
} as const

/**
 * Recommendations for streams that a client resumes. They are left: a stream here has one answer and ends with it, so there is nothing
 * to resume, and what a process would keep for it would bind a client to the process (docs/behaviour/mcp.md#the-endpoint).
 */
export const leftRecommendations = {
  "2026-07-28": [],
  "2025-11-25": [
    "server-sse-multiple-streams:server-sse-multiple-streams-session",
    "server-sse-polling:server-sse-polling-session",
    "server-sse-polling:server-sse-priming-event",
    "server-sse-polling:server-sse-retry-field"
  ]
} as const

/** A version of the protocol that the suite is run for. */
export type Version = keyof typeof testTools

/** Which checks are about a capability of servers, by their names. */
const features: { readonly [capability: string]: RegExp } = {
  completions: /^completion-/,
  logging: /^logging-|-with-logging:/,
  prompts: /^prompts-|-prompts-list-|-non-tool-request:/,
  resources: /^resources-|-resources-|-resource-not-found:/,
  tasks: /^tasks-/
}

/** What a server says that it can do. */
export interface Capabilities {
  readonly [capability: string]: unknown
  readonly extensions?: { readonly [name: string]: unknown }
}

/** Whether a check is about what a server with these capabilities does not offer. */
export const isOther = (capabilities: Capabilities, check: string): boolean => {
  const extensions = Object.keys(capabilities.extensions ?? {}).map((name) => name.slice(name.lastIndexOf("/") + 1))
  const declared = new Set([...Object.keys(capabilities), ...extensions])
  return Object.entries(features).some(([capability, names]) => !declared.has(capability) && names.test(check))
}
