/** The tokens of one sign-in: signs in when there are none, refreshes them once for all callers whose token was refused. */
import { PitlaneError } from './errors.ts';
import type { TokenPair } from './operations.ts';

/** What the operator handed out; or a pair that was kept from before, such as in a browser, which is given no secret. */
export type Credentials =
  | { readonly appKey: string; readonly secret: string; readonly tokens?: TokenPair }
  | { readonly appKey?: undefined; readonly tokens: TokenPair };

export interface SessionCalls {
  signIn(body: { appKey: string; secret: string }): Promise<TokenPair>;
  refresh(body: { token: string; refreshToken: string }): Promise<TokenPair>;
}

export interface Session {
  /** The access token. */
  token(): Promise<string>;
  /** Returns when the refused token has been replaced, by this caller or another. */
  replace(refused: string): Promise<void>;
}

/** `keep` is called with each new pair. */
export function createSession(
  credentials: Credentials,
  calls: SessionCalls,
  keep: (pair: TokenPair) => void,
): Session {
  let current = credentials.tokens && Promise.resolve(credentials.tokens);

  function obtain(next: Promise<TokenPair>): Promise<TokenPair> {
    const before = current;
    const obtained = next.then((pair) => {
      keep(pair);
      return pair;
    });
    current = obtained;
    // After a failure the next caller starts again, with what there was before.
    obtained.catch(() => {
      if (current === obtained) current = before;
    });
    return obtained;
  }

  function signIn(): Promise<TokenPair> {
    if (credentials.appKey === undefined) throw new Error('there is neither an App Key nor a token');
    const { appKey, secret } = credentials;
    return calls.signIn({ appKey, secret });
  }

  /** A refresh that is refused has no use for its pair any more: signs in anew where that is possible. */
  async function renew({ token, refreshToken }: TokenPair): Promise<TokenPair> {
    try {
      return await calls.refresh({ token, refreshToken });
    } catch (error) {
      const isRefused = error instanceof PitlaneError && error.code === '010002';
      if (!isRefused || credentials.appKey === undefined) throw error;
      return signIn();
    }
  }

  return {
    token: async () => (await (current ?? obtain(signIn()))).token,
    replace: async (refused) => {
      const held = current;
      const pair = await held;
      // Another caller may have begun meanwhile.
      if (current === held && pair?.token === refused) await obtain(renew(pair));
      else await current;
    },
  };
}
