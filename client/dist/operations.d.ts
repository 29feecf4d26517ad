/** The operations of the API. Generated from openapi.json by client/generate.ts: `npm run openapi`. */
import type { OperationRow } from "./OperationRow.ts";
/** How each operation is sent. */
export declare const operations: Readonly<Record<string, OperationRow>>;
