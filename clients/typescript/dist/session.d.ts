import type { TokenPair } from './operations.js';
/** What the operator handed out; or a pair that was kept from before, such as in a browser, which is given no secret. */
export type Credentials = {
    readonly appKey: string;
    readonly secret: string;
    readonly tokens?: TokenPair;
} | {
    readonly appKey?: undefined;
    readonly tokens: TokenPair;
};
export interface SessionCalls {
    signIn(body: {
        appKey: string;
        secret: string;
    }): Promise<TokenPair>;
    /** No try begins at `endsAtMs` or later, in milliseconds since 1970. */
    refresh(body: {
        token: string;
        refreshToken: string;
    }, endsAtMs: number): Promise<TokenPair>;
}
export interface Session {
    /** The access token. */
    token(): Promise<string>;
    /** Returns when the refused token has been replaced, by this caller or another. */
    replace(refused: string): Promise<void>;
}
/** `keep` is called with each new pair. */
export declare function createSession(credentials: Credentials, calls: SessionCalls, keep: (pair: TokenPair) => void): Session;
