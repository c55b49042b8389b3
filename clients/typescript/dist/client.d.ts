import { type Operations, type TokenPair } from './operations.js';
import { type Credentials } from './session.js';
export type ClientOptions = Credentials & {
    /** Where the API is: `https://pitlane.example.com`. */
    readonly baseUrl: string;
    /** Sent as `X-Partner-ID` with every call. */
    readonly partnerId: string;
    /** Is called with each new pair of tokens, to keep it for the next start. */
    readonly onTokens?: (pair: TokenPair) => void;
    /** Milliseconds that one try may take; 45,000 unless given: an SMS may take half a minute. */
    readonly timeoutMs?: number;
    /** How often a request is sent at most; 4 unless given, 1 for never again. */
    readonly tries?: number;
    /** Milliseconds; when the API asks for a longer pause, the error is thrown at once. 30,000 unless given. */
    readonly longestPauseMs?: number;
    /** In place of the platform's `fetch`. */
    readonly fetch?: typeof fetch;
};
export interface CallOptions {
    /** Ends the call, its pauses too. A sign-in or refresh that it waits for goes on, for other calls. */
    readonly signal?: AbortSignal;
}
export type OperationName = keyof Operations;
export type RequestOf<Name extends OperationName> = Parameters<Operations[Name]>[0];
export type AnswerOf<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;
/** An answer with its status and headers, such as `ETag` and `Idempotent-Replayed`. */
export interface FullAnswer<Body> {
    readonly status: number;
    readonly headers: Headers;
    readonly body: Body;
}
export interface PitlaneClient extends Operations {
    /** Calls an operation by its name, for what a method does not tell: status and headers. */
    call<Name extends OperationName>(name: Name, request?: RequestOf<Name>, options?: CallOptions): Promise<FullAnswer<AnswerOf<Name>>>;
}
/**
 * A client of one partner. A call returns the body of the success, else it throws a `PitlaneError` (the API refused it) or a
 * `ConnectionError` (no answer came). It signs in by itself before the first call, and refreshes the token when it is refused.
 */
export declare function createClient(options: ClientOptions): PitlaneClient;
