import { HttpApiError } from "effect/http-api"
import { declare, members } from "./Problem.ts"

/** 422: the query reads more than the service reads for one request. `detail` says how to narrow it. */
export class QueryTooExpensive extends HttpApiError.Problem<QueryTooExpensive>()(
  "QueryTooExpensive",
  declare("query_too_expensive", 422, "The query takes too long."),
  members("query_too_expensive")
) {}
