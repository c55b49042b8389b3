/** Repeats a request that failed for now: after the time that the API names, else after a growing pause. */
import { unlessAborted } from './abort.js';
import { ConnectionError, PitlaneError } from './errors.js';
/** The request may have been processed, so only one that may be repeated is sent again. */
const mayBeDone = [502, 503, 504];
/** An earlier try with the same key still runs. */
const stillRunning = '000009';
/** Failures that are thrown for good. A call that waited for such a request does not send it again in its own repeats. */
const final = new WeakSet();
/**
 * Calls `send` until it resolves. It is called again after 429, which is never processed; where the request `isRepeatable` also after
 * 502, 503, 504, while an earlier try still runs, and without an answer. Everything else is thrown, and so is the last failure. Where `send`
 * has repeats of its own, what they end with is not repeated.
 */
export async function withRetries(send, isRepeatable, { tries, longestPauseMs, endsAtMs = Number.POSITIVE_INFINITY }, signal) {
    for (let attempt = 1;; attempt++) {
        try {
            return await send();
        }
        catch (error) {
            const pauseMs = pauseAfter(error, attempt);
            const isInTime = pauseMs <= longestPauseMs && Date.now() + pauseMs < endsAtMs;
            if (attempt >= tries || !isInTime || !passes(error, isRepeatable))
                throw asFinal(error);
            await pause(pauseMs, signal);
            // A machine that slept wakes later than it meant to.
            if (Date.now() >= endsAtMs)
                throw asFinal(error);
        }
    }
}
function asFinal(error) {
    if (error instanceof Error)
        final.add(error);
    return error;
}
/** Whether the failure may pass, and the request may be sent again. */
function passes(error, isRepeatable) {
    if (error instanceof Error && final.has(error))
        return false;
    if (error instanceof ConnectionError)
        return isRepeatable;
    if (!(error instanceof PitlaneError))
        return false;
    if (error.status === 429)
        return true;
    return isRepeatable && (mayBeDone.includes(error.status) || error.code === stillRunning);
}
/** 0.25 s, 0.5 s, 1 s, …, each less up to a half by chance, so that clients do not come back together. */
function pauseAfter(error, attempt) {
    if (error instanceof PitlaneError && error.retryAfterSeconds !== null)
        return error.retryAfterSeconds * 1000;
    return 250 * 2 ** (attempt - 1) * (1 - Math.random() / 2);
}
/** Rejects with the signal's reason as soon as it is aborted. */
function pause(ms, signal) {
    let timer;
    const passed = new Promise((resolve) => {
        timer = setTimeout(resolve, ms);
    });
    return unlessAborted(passed, signal).finally(() => clearTimeout(timer));
}
