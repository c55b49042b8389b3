/** An open conversation as its scripts have it: a stream, the page fetched again when a hint concerns it, and beats. */
import { Agent, type ClientRequest, get, request } from 'node:http';

/** As `src/console/files/follow.mjs` waits from one fetch to the next. */
const gaps = { own: { leastMs: 100, times: 2 }, other: { leastMs: 400, times: 6 } };
const gapAtMostMs = 5_000;
const beatEveryMs = 10_000;

export interface Talk {
  readonly id: string;
  readonly phone: string;
}

/** The times of texts by their number: when the gateway called, when it had its answer, and when the text was first on its page. */
export interface Times {
  readonly sent: Map<number, number>;
  readonly taken: Map<number, number>;
  readonly seen: Map<number, number>;
  /** When the stream of a conversation's page said that it changed. */
  readonly hinted: Map<string, number[]>;
}

/** An open page: its stream, and the page fetched again as its script does. */
export function openPage(
  port: number,
  head: readonly [slug: string, cookie: string],
  talk: Talk,
  { seen, hinted }: Times,
) {
  const [slug, cookie] = head;
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const path = `/console/w/${slug}/inbox/${talk.id}`;
  const headers = { cookie, 'pitlane-follows': 'yes' };
  const at = { host: '127.0.0.1', port };
  let askedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let isAsking = false;
  let isBehind = false;
  let isOwn = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const fetched: number[] = [];
  const sizes: number[] = [];

  function soon(): void {
    if (!isBehind || isAsking || closed) return;
    const { leastMs, times } = isOwn ? gaps.own : gaps.other;
    const gap = Math.max(leastMs, Math.min(times * tookMs, gapAtMostMs));
    clearTimeout(timer);
    timer = setTimeout(ask, Math.max(0, askedAt + gap - performance.now()));
  }

  function ask(): void {
    isAsking = true;
    isBehind = false;
    isOwn = false;
    askedAt = performance.now();
    get({ ...at, path, agent, headers }, (response) => {
      if (response.statusCode !== 200) throw new Error(`the page answered ${response.statusCode}`);
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const now = performance.now();
        tookMs = now - askedAt;
        fetched.push(tookMs);
        sizes.push(text.length);
        const thread = text.slice(text.indexOf('class="pane thread"'));
        for (const [, number] of thread.matchAll(/Text number (\d+)\./g))
          if (!seen.has(Number(number))) seen.set(Number(number), now);
        isAsking = false;
        soon();
      });
    }).on('error', failed);
  }

  function failed(error: Error): void {
    if (!closed) throw error;
  }

  const stream: Promise<ClientRequest> = new Promise((resolve) => {
    const opened = get({ ...at, path: `/console/w/${slug}/changes`, agent: false, headers }, (response) => {
      response.on('error', failed);
      response.setEncoding('utf8').on('data', (part: string) => {
        if (part.includes('event: ready')) resolve(opened);
        if (!part.includes('event: changed') || !/"kind":"(?:message|customer|all)"/.test(part)) return;
        isBehind = true;
        if (part.includes(talk.id) || part.includes('"all"')) {
          isOwn = true;
          hinted.set(talk.id, [...(hinted.get(talk.id) ?? []), performance.now()]);
        }
        soon();
      });
    });
    opened.on('error', failed);
  });
  let number = 0;
  const beat = () => {
    const page = `bench-${talk.id.slice(-12)}`;
    const body = `conversation=${talk.id}&page=${page}&doing=looking&number=${++number}`;
    const sent = request({
      ...{ ...at, agent, method: 'POST', path: `/console/w/${slug}/inbox/presence` },
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    sent.on('response', (response) => response.resume());
    sent.on('error', failed);
    sent.end(body);
  };
  beat();
  const beating = setInterval(beat, beatEveryMs);
  return {
    ...{ ready: stream, fetched, sizes },
    async close() {
      closed = true;
      clearInterval(beating);
      clearTimeout(timer);
      (await stream).destroy();
      agent.destroy();
    },
  };
}
