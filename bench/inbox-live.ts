/** How soon a customer's text is on the open page of its conversation, at a fixed rate of texts, among many conversations. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { newId } from '#base/values/id.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { say } from './beside.ts';
import { deskOf } from './desk.ts';
import { analyse } from './fill.ts';
import { openPage, type Talk, type Times } from './open-page.ts';
import { percentiles } from './percentiles.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

const textsPerSecond = 100;
const pages = 20;
/** One text in that many is of a conversation that is open. */
const openShare = 5;
const aimMs = 1_000;
interface InboxBench {
  readonly conversations: number;
  readonly seconds: number;
}

/** Customers with a conversation each: of one in ten the last text is the customer's. */
async function fillTalks(db: Database, workshopId: string, many: number): Promise<readonly Talk[]> {
  await db.query(
    `WITH person AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       SELECT uuidv7(), $1, 'Sam O''Brien ' || n, '+614' || (90000000 + n), now(), now() FROM generate_series(1, $2::int) n RETURNING id)
     INSERT INTO conversation (id, workshop_id, customer_id, created_at) SELECT uuidv7(), $1, id, now() FROM person`,
    [workshopId, many],
  );
  await db.query(
    `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, attempts,
                          created_at, updated_at)
     SELECT uuidv7(part * interval '1 hour' - interval '14 days' + number * interval '10 milliseconds'), $1, talk.id, talk.customer_id, direction,
            CASE direction WHEN 'inbound' THEN 'inbound' ELSE 'reply' END, '+61491570006', 'Is it ready?', 'gsm7', 1,
            CASE direction WHEN 'inbound' THEN 'received' ELSE 'delivered' END, 1, now(), now()
       FROM generate_series(1, 5) AS part
      CROSS JOIN (SELECT id, customer_id, row_number() OVER (ORDER BY id) AS number FROM conversation WHERE workshop_id = $1) AS talk
      CROSS JOIN LATERAL (SELECT CASE WHEN part % 2 = 0 OR number % 10 = 0 THEN 'inbound' ELSE 'outbound' END AS direction) AS said`,
    [workshopId],
  );
  await analyse(db);
  return db.query<Talk>(
    'SELECT talk.id, k.phone FROM conversation talk JOIN customer k ON k.id = talk.customer_id WHERE talk.workshop_id = $1 ORDER BY talk.id',
    [workshopId],
  );
}

const newTimes = (): Times => ({ sent: new Map(), taken: new Map(), seen: new Map(), hinted: new Map() });

const inMs = ({ p50, p99 }: ReturnType<typeof percentiles>) =>
  `${Math.round(p50)} ms (p99 ${Math.round(p99)} ms)`;

const missing = ({ sent, seen }: Times) => [...sent.keys()].filter((number) => !seen.has(number)).length;

/** Texts of customers by the sandbox's gateway, at the fixed rate; those of `open` are measured from the gateway's call on. */
async function sendTexts(
  port: number,
  { all, open }: { readonly all: readonly Talk[]; readonly open: readonly Talk[] },
  { first, seconds }: { readonly first: number; readonly seconds: number },
  { sent, taken }: Times,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const begun = performance.now();
  const answers: Promise<void>[] = [];
  const text = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const isOpen = number % openShare === 0;
      const from = isOpen ? open[(number / openShare) % open.length] : all[(number * 7_919) % all.length];
      if (isOpen) sent.set(number, performance.now());
      const body = JSON.stringify({ from: from?.phone, to: '0355501234', body: `Text number ${number}.` });
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const call = request({
        ...{ host: '127.0.0.1', port, agent, method: 'POST', path: '/sandbox/inbound', headers },
      });
      call.on('response', (response) => {
        if (isOpen) taken.set(number, performance.now());
        response.resume().on('end', resolve);
        if (response.statusCode !== 200) reject(new Error(`the gateway got ${response.statusCode}`));
      });
      call.on('error', reject);
      call.end(body);
    });
  for (let n = 0; n < seconds * textsPerSecond; n++) {
    const wait = begun + (n * 1_000) / textsPerSecond - performance.now();
    if (wait > 0) await sleep(wait);
    answers.push(text(first + n));
  }
  await Promise.all(answers);
  agent.destroy();
}

/** API and worker in one process: what follows from a text is part of it. */
export async function inboxLiveRow({
  conversations,
  seconds,
}: InboxBench): Promise<{ row: Row; notes: string[] }> {
  const name = `From a customer's text to the open page of its conversation, ${conversations.toLocaleString('en')} conversations (${textsPerSecond} texts a second, ${pages} pages)`;
  say(`${name} …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-inbox-'));
  try {
    const server = await startServer({ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn' });
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const made = await makeWorkshop(db, systemClock());
    const all = await fillTalks(db, made.workshopId, conversations);
    const open = all.slice(-pages);
    const times = newTimes();
    const opened = await Promise.all(
      open.map(async (talk) => {
        const cookie = /Cookie: (.*)/.exec((await deskOf(db, made))('inbox'))?.[1]?.trim() ?? '';
        return openPage(server.port, [made.slug, cookie], talk, times);
      }),
    );
    await Promise.all(opened.map(({ ready }) => ready));
    // The first seconds are those of new plans and connections.
    await sendTexts(server.port, { all, open }, { first: 1_000_000, seconds: 3 }, newTimes());
    await sleep(aimMs);
    times.seen.clear();
    const before = newId();
    await sendTexts(server.port, { all, open }, { first: 0, seconds }, times);
    for (const deadline = Date.now() + 20_000; missing(times) > 0 && Date.now() < deadline; ) await sleep(50);
    await Promise.all(opened.map((page) => page.close()));
    const [stored] = await db.query<{ many: number }>(
      `SELECT count(*)::int AS many FROM message WHERE kind = 'inbound' AND id > $1`,
      [before],
    );
    await db.close();
    await server.stop();
    const found = [...times.sent].map(([number, sentAt]) => {
      const seenAt = times.seen.get(number);
      if (seenAt === undefined) throw new Error(`text ${number} came to no page`);
      return seenAt - sentAt;
    });
    const fetched = opened.flatMap((page) => page.fetched);
    const size = opened.flatMap((page) => page.sizes).reduce((sum, each) => sum + each, 0) / fetched.length;
    const took = percentiles(fetched);
    const taking = percentiles([...times.taken].map(([number, at]) => at - (times.sent.get(number) ?? 0)));
    const hinting = percentiles(
      [...times.taken].flatMap(([number, at]) => {
        const hints = times.hinted.get(open[(number / openShare) % pages]?.id ?? '') ?? [];
        return Math.max(0, (hints.find((heard) => heard >= (times.sent.get(number) ?? 0)) ?? at) - at);
      }),
    );
    const api = { perSecond: (stored?.many ?? 0) / seconds, ...percentiles(found) };
    if (api.p99 > aimMs) say(`missed: ${Math.round(api.p99)} ms`);
    return {
      row: {
        ...{ name, limitName: `aim: p99 of ${aimMs} ms`, api },
        limit: { perSecond: textsPerSecond, p50: aimMs, p95: aimMs, p99: aimMs },
      },
      notes: [
        `${found.length} of the texts were of open conversations. The gateway had its answer in ${inMs(taking)}, and the hint was on the stream ${inMs(hinting)} later. Their pages fetched themselves ${(fetched.length / (seconds + 3)).toFixed(0)} times a second, ${(size / 1024).toFixed(0)} KB each, in ${inMs(took)}.`,
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
