/** The API refused the request. `message` is for people; decide by `code` and `status`. */
export class PitlaneError extends Error {
    name = 'PitlaneError';
    /** The HTTP status. */
    status;
    /** Null where the API gives none: on 429, and on what a proxy answers. */
    code;
    /** Every field that failed, on validation errors; else empty. */
    fields;
    /** For support: also in the server's log. Null on what a proxy answers. */
    requestId;
    /** With code `060003`: why the time is not free. */
    reason;
    /** With code `060003`: up to three times that are free. */
    alternatives;
    /** Seconds to wait before the next try, where the API said so. */
    retryAfterSeconds;
    constructor(response, body) {
        super(body.message ?? `HTTP ${response.status} ${response.statusText}`.trimEnd());
        this.status = response.status;
        this.code = body.errorCode ?? null;
        this.fields = body.errors ?? [];
        this.requestId = body.requestId ?? response.headers.get('x-request-id');
        this.reason = body.reason ?? null;
        this.alternatives = body.alternatives ?? [];
        this.retryAfterSeconds = secondsOf(response.headers);
    }
}
/**
 * No answer came: the network failed, or the time was up; or something on the way answered a success that is no JSON. `cause` says
 * why. What was asked may have been done all the same.
 */
export class ConnectionError extends Error {
    name = 'ConnectionError';
}
/** The API sends whole seconds; a proxy may send a date, which counts from that of its response, else from now. */
function secondsOf(headers) {
    const given = headers.get('retry-after')?.trim() ?? '';
    if (/^\d+$/.test(given))
        return Number(given);
    const untilMs = given.endsWith(' GMT') ? Date.parse(given) : Number.NaN;
    if (Number.isNaN(untilMs))
        return null;
    const sentMs = Date.parse(headers.get('date') ?? '') || Date.now();
    return Math.max(0, Math.ceil((untilMs - sentMs) / 1_000));
}
