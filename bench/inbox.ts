/** The inbox of a workshop with 10,000 conversations, beside the partner's list of bookings, on a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { listConversations } from '#product/messaging/inbox/store.ts';
import { beside, say } from './beside.ts';
import { deskOf } from './desk.ts';
import { analyse, fillBookings } from './fill.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

interface InboxBench {
  readonly conversations: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** The list takes so much of what a page of the inbox may take. */
const ratioAtLeast = 0.25;
const waiting = 50;
const pageSize = 50;

/** One conversation in a hundred has 500 texts; one in twenty failed, a third is done, a quarter is the desk's. */
const talksText = `WITH person AS (
    INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
    SELECT uuidv7(n * interval '1 minute' - interval '30 days'), $1, 'Customer ' || n, '+614' || lpad(n::text, 8, '0'), now(), now()
      FROM generate_series(1, $2::int) AS n RETURNING id, phone),
  talk AS (
    INSERT INTO conversation (id, workshop_id, customer_id, created_at)
    SELECT gen_random_uuid(), $1, id, now() FROM person RETURNING id, customer_id)
  INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, reason, attempts,
                       created_at, updated_at)
  SELECT uuidv7(number * interval '1 minute' + n * interval '1 second' - interval '20 days'), $1, talk.id, customer_id,
         CASE WHEN n = texts AND number % ($2 / ${waiting}) = 0 THEN 'inbound' ELSE 'outbound' END,
         CASE WHEN n = texts AND number % ($2 / ${waiting}) = 0 THEN 'inbound' ELSE 'reply' END, '+61491570006', 'Is it ready?', 'gsm7', 1,
         CASE WHEN n = texts AND number % ($2 / ${waiting}) = 0 THEN 'received' WHEN n = texts AND number % 20 = 1 THEN 'failed' ELSE 'delivered' END,
         CASE WHEN n = texts AND number % 20 = 1 THEN 'refused' END, 1, now(), now()
    FROM (SELECT *, (row_number() OVER (ORDER BY customer_id))::int AS number FROM talk) AS talk
   CROSS JOIN LATERAL (SELECT CASE WHEN number % 100 = 0 THEN 500 ELSE 2 END AS texts) AS size
   CROSS JOIN LATERAL generate_series(1, texts) AS n`;

const markText = `UPDATE talk SET done_at = CASE WHEN place % 3 = 2 AND heard_id IS NULL THEN now() END,
         assigned_to = CASE WHEN place % 4 = 0 THEN (SELECT person_id FROM membership WHERE workshop_id = $1 LIMIT 1) END
    FROM (SELECT customer_id, row_number() OVER (ORDER BY customer_id) AS place FROM talk WHERE workshop_id = $1) AS its
   WHERE its.customer_id = talk.customer_id`;

const lists = {
  waiting: 'Waiting for us',
  mine: 'Assigned to me',
  all: 'All',
  done: 'Done',
  failed: 'Failed',
} as const;
type List = keyof typeof lists;

interface Page {
  readonly name: string;
  /** Of the console, below the workshop's. */
  readonly path: string;
  readonly query: Parameters<typeof listConversations>[1];
}

/** The first page of each list and, where there is one, the hundredth, else the last. */
async function pagesOf(db: Database, workshopId: string): Promise<Page[]> {
  const [desk] = await db.query<{ personId: string }>(
    'SELECT person_id FROM membership WHERE workshop_id = $1',
    [workshopId],
  );
  const pages: Page[] = [];
  for (const list of Object.keys(lists) as List[]) {
    const query = {
      ...{ workshopId, filter: list === 'mine' ? 'all' : list, search: null, before: null, limit: pageSize },
      assignedTo: list === 'mine' ? (desk?.personId ?? null) : null,
    } as const;
    const before99 = await listConversations(db, { ...query, limit: 99 * pageSize });
    const before = before99.at(before99.length === 99 * pageSize ? -1 : -pageSize)?.lastMessageId ?? null;
    pages.push({ name: `${lists[list]}, first page`, path: `inbox?filter=${list}`, query });
    if (before !== null)
      pages.push({
        name: `${lists[list]}, ${before99.length === 99 * pageSize ? '100th' : 'last'} page`,
        path: `inbox?filter=${list}&before=${before}`,
        query: { ...query, before },
      });
  }
  return pages;
}

/** Milliseconds at the median of the list alone, without the page. */
async function listMs(db: Database, { query }: Page): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < 51; n++) {
    const startedMs = performance.now();
    await listConversations(db, query);
    taken.push(performance.now() - startedMs);
  }
  return taken.sort((a, b) => a - b)[25] ?? 0;
}

/** One connection, so that the latency is the server's own. */
export async function inboxRows({
  conversations,
  rounds,
  seconds,
}: InboxBench): Promise<{ rows: Row[]; notes: string[] }> {
  const many = conversations.toLocaleString('en');
  say(`Filling ${many} conversations …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-inbox-'));
  try {
    const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
    const server = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 1, applicationName: 'bench' });
    const made = await makeWorkshop(db, systemClock());
    const { workshopId, partnerId, credentials } = made;
    await fillBookings(db, { workshopId, partnerId, bookings: 10_000 });
    const desk = await deskOf(db, made);
    await db.query(talksText, [workshopId, conversations]);
    await db.query(markText, [workshopId]);
    await analyse(db);
    const pages = await pagesOf(db, workshopId);
    const notes: string[] = [];
    for (const page of pages)
      notes.push(`${page.name}: the list itself ${(await listMs(db, page)).toFixed(1)} ms.`);
    await db.close();
    const caller = await signIn(server.port, credentials);
    const load = (request: string) => () =>
      httpLoad({ connections: 1, seconds, port: server.port, requests: [request], expectedStatus: 200 });
    const list = {
      name: `GET /bookings?limit=50 (at least ${ratioAtLeast})`,
      run: load(rawRequest(caller, 'GET', '/bookings?limit=50')),
    };
    const rows: Row[] = [];
    for (const { name, path } of pages)
      rows.push(
        ...(await beside(rounds, `Inbox of ${many}, ${name} (1 connection)`, load(desk(path)), [list])),
      );
    await server.stop();
    return { rows, notes };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
