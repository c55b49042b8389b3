/** Clients whose network is scripted: it answers what a test wrote down, and keeps what it was asked. */
import { type ClientOptions, type Credentials, createClient } from '../../clients/typescript/src/index.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An answer; an error of the network; or one that never comes, until it is aborted. */
type Step = { status: number; body?: object | string; headers?: Record<string, string> } | Error | 'never';

/** Answers by `answer`, which gets how often it was asked before. */
function scriptedFetch(answer: (asked: Asked, before: number) => Step) {
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    const { method = 'GET', headers, body = null, signal } = init;
    const request = {
      method,
      url: String(url),
      headers: headers as Record<string, string>,
      body: body as string | null,
    };
    asked.push(request);
    const step = answer(request, asked.length - 1);
    if (step instanceof Error) throw step;
    if (step === 'never') {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    }
    const text = typeof step.body === 'string' ? step.body : JSON.stringify(step.body ?? {});
    const bare = step.status === 204;
    return new Response(bare ? null : text, { status: step.status, headers: step.headers ?? {} });
  };
  return { fetch, asked };
}

type Limits = Pick<ClientOptions, 'tries' | 'longestPauseMs' | 'timeoutMs' | 'onTokens'>;

export const tokens = { token: 'first', refreshToken: 'of the first', expiresIn: 172_800 };

export const ok = { status: 200, body: { success: true } };
export const refusal = (status: number, errorCode?: string, headers?: Record<string, string>) => ({
  status,
  body: { success: false, errorCode, message: 'No.', requestId: 'r-1' },
  ...(headers && { headers }),
});

/** A body that the network does not look at. */
export const booking = { body: { workshopId: 'w' } } as never;

export function clientOf(
  answer: Parameters<typeof scriptedFetch>[0],
  options: Partial<Limits> = {},
  credentials: Credentials = { tokens },
) {
  const { fetch, asked } = scriptedFetch(answer);
  const base = { baseUrl: 'https://api.example/', partnerId: 'partner-1', fetch };
  return { asked, pitlane: createClient({ ...base, ...credentials, ...options }) };
}
