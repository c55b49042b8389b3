/** The client: builds requests from the operations of the API, signs them, repeats them, and reads what comes back. */
import { unlessAborted } from './abort.js';
import { ConnectionError, PitlaneError } from './errors.js';
import { operations } from './operations.js';
import { withRetries } from './retry.js';
import { createSession } from './session.js';
/** Milliseconds that one try of a refresh may take at most, so that several fit into its time. */
const longestRefreshMs = 15_000;
/**
 * A client of one partner. A call returns the body of the success, else it throws a `PitlaneError` (the API refused it) or a
 * `ConnectionError` (no answer came). It signs in by itself before the first call, and refreshes the token when it is refused.
 */
export function createClient(options) {
    const { baseUrl, partnerId, onTokens = () => undefined, timeoutMs = 45_000 } = options;
    const limits = { tries: options.tries ?? 4, longestPauseMs: options.longestPauseMs ?? 30_000 };
    const send = options.fetch ?? fetch;
    /** One try. */
    async function once(url, init, signal, withinMs = timeoutMs) {
        const signals = [AbortSignal.timeout(withinMs), ...(signal ? [signal] : [])];
        let response;
        let text;
        try {
            response = await send(url, { ...init, signal: AbortSignal.any(signals) });
            text = await response.text();
        }
        catch (cause) {
            if (signal?.aborted)
                throw cause;
            throw new ConnectionError(`${init.method} ${url}: no answer came`, { cause });
        }
        if (!response.ok)
            throw new PitlaneError(response, refusalOf(text));
        const { status, headers } = response;
        try {
            return { status, headers, body: status === 204 ? undefined : JSON.parse(text) };
        }
        catch (cause) {
            throw new ConnectionError(`${init.method} ${url}: the answer is no JSON`, { cause });
        }
    }
    const ownHeaders = { Accept: 'application/json', 'X-Partner-ID': partnerId };
    /**
     * Without a token. To sign in again does no harm; a refresh is repeated only until `endsAtMs`, since a spent pair that comes back
     * later revokes the sign-in.
     */
    async function tokensOf(path, credentials, endsAtMs) {
        const headers = { ...ownHeaders, 'Content-Type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(credentials) };
        const attempt = () => {
            const url = urlOf(baseUrl, path);
            if (endsAtMs === undefined)
                return once(url, init);
            const leftMs = Math.max(endsAtMs - Date.now(), 1);
            return once(url, init, undefined, Math.min(timeoutMs, longestRefreshMs, leftMs));
        };
        const ownLimits = endsAtMs === undefined ? limits : { ...limits, endsAtMs };
        const { body } = await withRetries(attempt, true, ownLimits);
        return body;
    }
    const session = createSession(options, {
        signIn: (body) => tokensOf(operations.signIn.path, body),
        refresh: (body, endsAtMs) => tokensOf(operations.refreshToken.path, body, endsAtMs),
    }, onTokens);
    /** One try with the current token; a second one with another when it is refused. */
    async function signed(url, init, signal) {
        const withToken = (token) => once(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }, signal);
        signal?.throwIfAborted();
        const token = await unlessAborted(session.token(), signal);
        try {
            return await withToken(token);
        }
        catch (error) {
            if (!(error instanceof PitlaneError) || error.code !== '010000')
                throw error;
            await unlessAborted(session.replace(token), signal);
            return withToken(await unlessAborted(session.token(), signal));
        }
    }
    async function call(name, request = {}, { signal } = {}) {
        const { method, path, signedIn, keyed } = operations[name];
        const headers = {
            ...ownHeaders,
            ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
            ...(keyed && { 'Idempotency-Key': crypto.randomUUID() }),
            ...given(request.headers),
        };
        const body = request.body === undefined ? null : JSON.stringify(request.body);
        const url = urlOf(baseUrl, path, request);
        const init = { method, headers, body };
        const attempt = () => (signedIn ? signed(url, init, signal) : once(url, init, signal));
        return withRetries(attempt, isRepeatable(method, headers, request.body), limits, signal);
    }
    const methods = Object.keys(operations).map((name) => [
        name,
        async (request, callOptions) => (await call(name, request, callOptions)).body,
    ]);
    return Object.assign(Object.fromEntries(methods), { call });
}
/** Whether a second run of the request does what one does. A PUT with If-Match does not: its second run finds its own change. */
function isRepeatable(method, headers, body) {
    if ('Idempotency-Key' in headers)
        return true;
    if (method === 'POST' || method === 'PATCH')
        return hasReference(body);
    return !('If-Match' in headers);
}
/** The API takes a text without one for absent. */
const visible = /[^\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** A message's idempotency key is a field of its body. */
function hasReference(body) {
    const { referenceId } = (body ?? {});
    return typeof referenceId === 'string' && visible.test(referenceId);
}
/** Without what is undefined. */
function given(values = {}) {
    return Object.fromEntries(Object.entries(values).filter((entry) => entry[1] !== undefined));
}
function urlOf(baseUrl, path, request = {}) {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(request.path?.[name])));
    const query = new URLSearchParams(Object.entries(given(request.query)).map(([name, value]) => [name, String(value)])).toString();
    return `${baseUrl.replace(/\/+$/, '')}${filled}${query && `?${query}`}`;
}
/** The body of an error; nothing when it is no JSON, as that of a proxy. */
function refusalOf(text) {
    try {
        return JSON.parse(text) ?? {};
    }
    catch {
        return {};
    }
}
