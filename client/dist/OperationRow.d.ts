/** How an operation is sent. */
export interface OperationRow {
    readonly method: string;
    /** The path, with `{name}` for each parameter. */
    readonly path: string;
    /** The media type of its body, where it is not JSON. */
    readonly body?: string;
    /** Whether the client answers the `Response` itself, because its content is a file. */
    readonly isRaw?: true;
    /** Whether it takes an `Idempotency-Key`. */
    readonly hasKey?: true;
    /** Whether it has a dry run. */
    readonly hasDryRun?: true;
    /** Whether it takes no bearer token: OAuth's endpoints, where the client authenticates otherwise or not at all. */
    readonly isPublic?: true;
    /** Whether repeating it can do something twice: the client repeats it only if it was certainly not carried out. */
    readonly isOnce?: true;
}
