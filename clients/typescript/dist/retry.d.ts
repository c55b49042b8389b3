export interface RetryLimits {
    /** How often a request is sent at most. */
    readonly tries: number;
    /** Milliseconds: when the API asks for a longer pause, the error is thrown at once. */
    readonly longestPauseMs: number;
    /** In milliseconds since 1970: no try begins at this moment or later. */
    readonly endsAtMs?: number;
}
/**
 * Calls `send` until it resolves. It is called again after 429, which is never processed; where the request `isRepeatable` also after
 * 502, 503, 504, while an earlier try still runs, and without an answer. Everything else is thrown, and so is the last failure. Where `send`
 * has repeats of its own, what they end with is not repeated.
 */
export declare function withRetries<T>(send: () => Promise<T>, isRepeatable: boolean, { tries, longestPauseMs, endsAtMs }: RetryLimits, signal?: AbortSignal): Promise<T>;
