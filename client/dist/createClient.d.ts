import type { TokenOptions } from "./clientCredentials.ts";
import { type Delta, type Journal } from "./lists.ts";
import type { Argument, DeltaId, DeltaInput, DryRunId, DryRunOf, Input, ListId, ListInput, OperationId, Result, Row, SearchId } from "./operationTypes.ts";
import { type RetryOptions } from "./retrying.ts";
/** The options of a client. */
export interface ClientOptions {
    /** Where the service is, such as `https://api.example.com`. */
    readonly baseUrl: string;
    /** A personal access token, or a function that answers a valid access token, such as `clientCredentials({ … })`. */
    readonly token: string | ((options?: TokenOptions) => string | Promise<string>);
    readonly retry?: RetryOptions;
    /** Sends the requests; the global `fetch` by default. */
    readonly fetch?: typeof globalThis.fetch;
    /** Makes idempotency keys; random UUIDs by default. */
    readonly newIdempotencyKey?: () => string;
}
/** A method of the client. It resolves with the answer's body, and rejects with an `ApiError` if the API refuses. */
export type Method<Id extends OperationId> = ((...input: Argument<Input<Id>>) => Promise<Result<Id>>) & (Id extends ListId ? {
    /** All rows of the list. Reads the next page when its first row is needed. */
    readonly all: (...input: Argument<ListInput<Id>>) => AsyncIterable<Row<Id>>;
} : unknown) & (Id extends DeltaId ? {
    /**
     * What changed since `since`, the `nextSince` of the last delta, with the tombstones of what was deleted; everything
     * if it is null.
     */
    readonly delta: (since: string | null | undefined, ...input: Argument<DeltaInput<Id>>) => Delta<Row<Id>>;
} : unknown) & (Id extends SearchId ? {
    /** All rows that the search finds. Reads the next page when its first row is needed. */
    readonly all: (...input: Argument<Input<Id>>) => AsyncIterable<Row<Id>>;
} : unknown) & (Id extends "changes.list" ? {
    /** All events after a number, up to the newest. */
    readonly all: (...input: Argument<Input<Id>>) => Journal<JournalEvent>;
} : unknown);
/** An event with its number. */
export type JournalEvent = Result<"changes.list">["data"][number];
/** The methods by the two parts of their operation's id. */
export type Methods = {
    readonly [Group in OperationId extends `${infer Name}.${string}` ? Name : never]: {
        readonly [Id in Extract<OperationId, `${Group}.${string}`> as Id extends `${Group}.${infer Name}` ? Name : never]: Method<Id>;
    };
};
/** The methods of writes, answering what the write would do. */
export type DryRuns = {
    readonly [Group in DryRunId extends `${infer Name}.${string}` ? Name : never]: {
        readonly [Id in Extract<DryRunId, `${Group}.${string}`> as Id extends `${Group}.${infer Name}` ? Name : never]: (...input: Argument<Input<Id>>) => Promise<DryRunOf<Id>>;
    };
};
/** A client of the API. */
export interface Client extends Methods {
    /** Writes that are checked and answered, but not committed: `client.dryRun.contacts.create({ … })`. */
    readonly dryRun: DryRuns;
}
/** Makes a client. */
export declare const createClient: ({ baseUrl, fetch, newIdempotencyKey, retry, token }: ClientOptions) => Client;
