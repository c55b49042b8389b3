/** Find among many customers of one workshop, beside the partner's list of bookings, on a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { findAsTyped, foundAtMost } from '#product/customers/search/find.ts';
import { sweepSearch } from '#product/customers/search/keep.ts';
import { readSearchState } from '#product/customers/search/store.ts';
import { beside, say } from './beside.ts';
import { deskOf } from './desk.ts';
import { analyse } from './fill.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

interface FindBench {
  readonly customers: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** The list takes so much of what Find may take. */
export const ratioAtLeast = 0.25;
const atOnce = 20_000;
/** Searches of one person: a session may see 2,000 customers an hour. */
const searchesOfOne = 2_000 / foundAtMost;

/** Every twentieth is a Smith; other names have syllables. */
const peopleText = `WITH person AS (
    INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, created_at, updated_at)
    SELECT uuidv7(), $1, first || ' ' || last, first, last, lower(first || '.' || last) || n || '@mail.example',
           '+614' || lpad((n * 7919 % 100000000)::text, 8, '0'), now() - n * interval '1 minute', now()
      FROM generate_series($2::int, $3::int) n
     CROSS JOIN LATERAL (SELECT
       (ARRAY['Mary','John','José','Ana','Li','Priya','Tom','Zoë','Sam','Olga','Ahmed','Kim','Noah','Ruby','Max','Ella'])[1 + n / 20 % 16] AS first,
       CASE WHEN n % 20 = 0 THEN 'Smith' ELSE initcap(part[1 + n % 31 % 16] || part[1 + n / 7 % 16] || part[1 + n / 113 % 16]) END AS last
       FROM (SELECT ARRAY['ba','den','kor','lin','mar','nor','pet','ros','sal','ter','vin','wes','han','gar','ful','jen'] AS part) AS p) AS named
    RETURNING id, workshop_id, phone),
  owned AS (
    INSERT INTO car (id, workshop_id, customer_id, rego, make, created_at, updated_at)
    SELECT uuidv7(), workshop_id, id, upper(substr(translate(md5(phone), '0123456789', 'ghjkmnpqrs'), 1, 3)) || right(phone, 3), 'Toyota', now(), now()
      FROM person RETURNING *)
  INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, status, contact_name, contact_email, contact_phone,
                       notes, created_at, updated_at)
  SELECT uuidv7(), upper(translate(substr(md5(id::text), 1, 12), 'ilou', '1100')), $4::uuid, workshop_id, customer_id, id,
         now() + (row_number() OVER () % 600 - 500) * interval '1 day', (ARRAY['completed', 'pending', 'confirmed'])[1 + row_number() OVER () % 3],
         'Sam Taylor', 'sam@mail.example', '+61491570006', 'Squeaks when braking', now(), now() FROM owned`;

/** What people type: a whole, a beginning, a part, the end of a number, several words, a common name. */
async function typedBy(db: Database, workshopId: string): Promise<string[]> {
  const rows = await db.query<{ rego: string; phone: string; last: string; first: string; code: string }>(
    `SELECT car.rego, k.phone, k.last_name AS last, k.first_name AS first, b.code
       FROM customer k JOIN car ON car.customer_id = k.id JOIN booking b ON b.customer_id = k.id
      WHERE k.workshop_id = $1 AND k.last_name <> 'Smith' ORDER BY md5(k.id::text) LIMIT 20`,
    [workshopId],
  );
  return rows.flatMap(({ rego, phone, last, first, code }) => [
    ...[
      rego,
      rego.slice(0, 4),
      `${rego.slice(0, 3)} ${rego.slice(3)}`,
      `0${phone.slice(3)}`,
      phone.slice(-6),
      phone.slice(-4),
    ],
    ...[
      last,
      last.slice(0, 3),
      `${first} ${last}`,
      `${last.slice(0, 4)} ${rego.slice(0, 2)}`,
      last.slice(2, 7),
      code,
      code.slice(0, 4),
    ],
    ...['Smith', 'smi', `${first} Smith`],
  ]);
}

/** Each search as a request of the page, of as many people as the bound of a session asks for. They are new ones each time. */
async function requestsOf(
  db: Database,
  made: Parameters<typeof deskOf>[1],
  typed: readonly string[],
): Promise<string[]> {
  const requests: string[] = [];
  for (let from = 0; from < typed.length; from += searchesOfOne) {
    const desk = await deskOf(db, made);
    requests.push(
      ...typed.slice(from, from + searchesOfOne).map((q) => desk(`find?${new URLSearchParams({ q })}`)),
    );
  }
  return requests;
}

/** One connection, so that the latency is the server's own. */
export async function findRow({
  customers,
  rounds,
  seconds,
}: FindBench): Promise<{ row: Row; notes: string[] }> {
  const many = customers.toLocaleString('en');
  say(`Filling ${many} customers …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-find-'));
  try {
    const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
    const server = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const clock = systemClock();
    const made = await makeWorkshop(db, clock);
    const { credentials, partnerId, workshopId } = made;
    for (let from = 1; from <= customers; from += atOnce)
      await db.query(peopleText, [workshopId, from, Math.min(customers, from + atOnce - 1), partnerId]);
    await analyse(db);
    const startedMs = performance.now();
    while (!(await readSearchState(db)).isFilled) await sweepSearch({ db, clock });
    const filledMs = performance.now() - startedMs;
    await analyse(db);
    const caller = await signIn(server.port, credentials);
    const typed = await typedBy(db, workshopId);
    for (const q of new Set(typed)) {
      const sought = { workshopId, q, limit: 20, seesPhones: true, now: clock.now() };
      const { customers } = await findAsTyped(db, sought);
      if (customers.length === 0) throw new Error(`nobody was found by ${q}`);
    }
    const load = (requests: readonly string[], forSeconds = seconds) =>
      httpLoad({
        ...{ connections: 1, port: server.port, requests, expectedStatus: 200 },
        seconds: forSeconds,
      });
    const [row] = await beside(
      rounds,
      `Find among ${many} customers (1 connection)`,
      async () => load(await requestsOf(db, made, typed)),
      [
        {
          name: `GET /bookings?limit=50 (at least ${ratioAtLeast})`,
          run: () => load([rawRequest(caller, 'GET', '/bookings?limit=50')]),
        },
      ],
    );
    if (row === undefined) throw new Error('nothing was measured');
    const common = await load(await requestsOf(db, made, ['smith']), 1);
    await db.close();
    await server.stop();
    return {
      row,
      notes: [
        `Find of a name that ${Math.floor(customers / 20).toLocaleString('en')} customers have: ${common.p50.toFixed(1)} ms at the median. ` +
          `Filling Find after an upgrade took ${(filledMs / 1_000).toFixed(0)} s.`,
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
