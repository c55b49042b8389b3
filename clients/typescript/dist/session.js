/** The tokens of one sign-in: signs in when there are none, refreshes them once for all callers whose token was refused. */
import { PitlaneError } from './errors.js';
/**
 * How long a pair is sent for its refresh, from the first try on. When the answer was lost the pair is spent, and the API takes one
 * that comes back after 60 seconds for stolen: it revokes the whole sign-in.
 */
const refreshedWithinMs = 50_000;
/** `keep` is called with each new pair. */
export function createSession(credentials, calls, keep) {
    /** When the time of a pair's refresh is over, once that has begun. */
    const endsAt = new WeakMap();
    let current = credentials.tokens && Promise.resolve(credentials.tokens);
    function obtain(next) {
        const before = current;
        const obtained = next.then((pair) => {
            keep(pair);
            return pair;
        });
        current = obtained;
        // After a failure the next caller starts again, with what there was before.
        obtained.catch(() => {
            if (current === obtained)
                current = before;
        });
        return obtained;
    }
    function signIn() {
        if (credentials.appKey === undefined)
            throw new Error('there is neither an App Key nor a token');
        const { appKey, secret } = credentials;
        return calls.signIn({ appKey, secret });
    }
    /**
     * A pair whose refresh was refused, or had no answer in its time, is of no use any more: signs in again. Without an App Key the pair is
     * all there is, so that later calls send it again: the tries before may not have arrived.
     */
    async function renew(pair) {
        const { token, refreshToken } = pair;
        const now = Date.now();
        let endsAtMs = endsAt.get(pair) ?? now + refreshedWithinMs;
        if (now >= endsAtMs) {
            if (credentials.appKey !== undefined)
                return signIn();
            endsAtMs = now + refreshedWithinMs;
        }
        endsAt.set(pair, endsAtMs);
        try {
            return await calls.refresh({ token, refreshToken }, endsAtMs);
        }
        catch (error) {
            const isRefused = error instanceof PitlaneError && error.code === '010002';
            if (!isRefused || credentials.appKey === undefined)
                throw error;
            return signIn();
        }
    }
    return {
        token: async () => (await (current ?? obtain(signIn()))).token,
        replace: async (refused) => {
            const held = current;
            const pair = await held;
            // Another caller may have begun meanwhile.
            if (current === held && pair?.token === refused)
                await obtain(renew(pair));
            else
                await current;
        },
    };
}
