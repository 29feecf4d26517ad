/** An OAuth client of the team, as the operator registered it. */
export interface ClientCredentials {
    /** Where the service is, such as `https://api.example.com`. */
    readonly baseUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly fetch?: typeof globalThis.fetch;
}
/** What a client tells when it asks for a token. */
export interface TokenOptions {
    /** A token that the API has just refused, though it may not have expired: another one is needed. */
    readonly refused?: string;
}
/** Makes a function that answers a valid token, or fails with an `ApiError`: pass it as `token` to `createClient`. */
export declare const clientCredentials: ({ baseUrl, clientId, clientSecret, fetch }: ClientCredentials) => ((options?: TokenOptions) => Promise<string>);
