/** What a call throws when it has no success. */
import type { ErrorResponse } from './operations.js';
/** The error codes of the API. */
export type ErrorCode = NonNullable<ErrorResponse['errorCode']>;
/** A field of the request that was refused: its path, such as `services[0].cost`, and what is wrong with it. */
export interface FieldFault {
    readonly field: string;
    readonly message: string;
}
/** The API refused the request. `message` is for people; decide by `code` and `status`. */
export declare class PitlaneError extends Error {
    readonly name = "PitlaneError";
    /** The HTTP status. */
    readonly status: number;
    /** Null where the API gives none: on 429, and on what a proxy answers. */
    readonly code: ErrorCode | null;
    /** Every field that failed, on validation errors; else empty. */
    readonly fields: readonly FieldFault[];
    /** For support: also in the server's log. Null on what a proxy answers. */
    readonly requestId: string | null;
    /** With code `060003`: why the time is not free. */
    readonly reason: ErrorResponse['reason'] | null;
    /** With code `060003`: up to three times that are free. */
    readonly alternatives: readonly string[];
    /** Seconds to wait before the next try, where the API said so. */
    readonly retryAfterSeconds: number | null;
    constructor(response: Response, body: Partial<ErrorResponse>);
}
/**
 * No answer came: the network failed, or the time was up; or something on the way answered a success that is no JSON. `cause` says
 * why. What was asked may have been done all the same.
 */
export declare class ConnectionError extends Error {
    readonly name = "ConnectionError";
}
