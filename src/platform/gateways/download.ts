/**
 * Downloads a file of a provider's. Redirects, which its answer chooses, are followed to public addresses alone, and so is an address
 * that others have named: it is checked when the connection is made, so that a name can't lead into the network that this runs in.
 */
import { Agent, request } from 'undici';
import { addressIsRefused, type Network, publicNetwork } from './outbound/public-network.ts';

export interface DownloadOptions {
  /** Sent with the first request only: a redirect must not take the credentials along. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limitBytes: number;
  /** Ends it, however slowly the bytes come. */
  readonly signal: AbortSignal;
  /** The rules of a redirect apply to the URL itself: it may not be the provider's. Then no headers are sent. */
  readonly untrusted?: boolean;
}

export type Download =
  | { readonly state: 'fetched'; readonly content: Buffer }
  /** Asking again is pointless. `sizeBytes` is null unless the provider told it. */
  | {
      readonly state: 'refused';
      readonly reason: 'tooLarge' | 'addressNotAllowed';
      readonly sizeBytes: number | null;
    }
  /** It may work later. `reason` is such as `status404`, `tooSlow`. */
  | { readonly state: 'failed'; readonly reason: string };

type Answer = Awaited<ReturnType<typeof request>>;

const redirectsAtMost = 2;
const connectWithinMs = 3_000;
const responseWithinMs = 5_000;
/** Between two pieces of the body. */
const silentAtMostMs = 3_000;

const notAllowed: Download = { state: 'refused', reason: 'addressNotAllowed', sizeBytes: null };

/** Never rejects. `network` is where redirects and untrusted URLs may lead; another one in tests. */
export async function download(
  url: URL,
  options: DownloadOptions,
  network: Network = publicNetwork,
): Promise<Download> {
  let at = url;
  for (let redirects = 0; redirects <= redirectsAtMost; redirects++) {
    const isProviders = redirects === 0 && !options.untrusted;
    if (!isProviders && !network.allows(at)) return notAllowed;
    const next = await ask(at, options, isProviders ? null : network);
    if (!(next instanceof URL)) return next;
    at = next;
  }
  return notAllowed;
}

/** The file, or where it is. `network` is null for the provider's own address. */
async function ask(url: URL, options: DownloadOptions, network: Network | null): Promise<Download | URL> {
  const { headers, signal, limitBytes } = options;
  const dispatcher = new Agent({
    connect: { timeout: connectWithinMs, ...network?.connect },
    headersTimeout: responseWithinMs,
    bodyTimeout: silentAtMostMs,
  });
  try {
    const answer = await request(url, { dispatcher, signal, headers: network === null ? headers : {} });
    // The unread rest ends with the connection.
    answer.body.on('error', () => undefined);
    const location = locationOf(answer);
    if (location !== null) return URL.parse(location, url) ?? notAllowed;
    if (answer.statusCode !== 200) return { state: 'failed', reason: `status${answer.statusCode}` };
    return await contentOf(answer, limitBytes);
  } catch (error) {
    if (addressIsRefused(error)) return notAllowed;
    return { state: 'failed', reason: signal.aborted || isTimeout(error) ? 'tooSlow' : 'noAnswer' };
  } finally {
    await dispatcher.destroy();
  }
}

function locationOf({ statusCode, headers }: Answer): string | null {
  const { location } = headers;
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string' ? location : null;
}

/** Reads no further than the limit. */
async function contentOf({ headers, body }: Answer, limitBytes: number): Promise<Download> {
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > limitBytes) return { state: 'refused', reason: 'tooLarge', sizeBytes: announced };
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) return { state: 'refused', reason: 'tooLarge', sizeBytes: null };
    chunks.push(chunk);
  }
  return { state: 'fetched', content: Buffer.concat(chunks) };
}

function isTimeout(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return typeof code === 'string' && code.includes('TIMEOUT');
}
