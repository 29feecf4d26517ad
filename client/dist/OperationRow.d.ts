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
    /** Whether repeating it can do something twice: the client repeats it only if it was certainly not carried out. */
    readonly isOnce?: true;
}
