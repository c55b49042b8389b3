/** Fills an installation up to a size, in bulk: without indexes, triggers and checks of foreign keys, by two connections. */
import pg from 'pg';
import type { Clock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { createPartner } from '#product/partners/create.ts';
import { say } from '../beside.ts';
import { everyDay, makeWorkshop } from '../world.ts';
import { expiredRows } from './expired.ts';
import { takeIndexes } from './indexes.ts';
import { allRows, endpoint, type Rows } from './rows.ts';
import { checkSearch, codeTerms, searchCustomersText, searchTerms } from './search.ts';
import { bookingsOfWorkshop, firstFreeTransaction, functionsText, shapeOf } from './shape.ts';
import { talksText } from './talks.ts';

/** Rows of `n` in one statement. */
const atOnce = 20_000;
const workshopsAtOnce = 10;
const sessions = 2;

async function session(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SET synchronous_commit = off; SET session_replication_role = replica; SET jit = off;
    SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 1; SET work_mem = '128MB'; SET statement_timeout = 0`);
  return client;
}

/** Takes an installation that has been migrated to that many bookings; one that has as many stays as it is. */
export async function loadUpTo(url: string, clock: Clock, bookings: number): Promise<boolean> {
  const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
  const clients = await Promise.all(Array.from({ length: sessions }, () => session(url)));
  const [client] = clients;
  if (client === undefined) throw new Error('there is no session');
  try {
    const before = await workshopsOf(db);
    const shape = shapeOf(bookings);
    if (before >= shape.workshops) return false;
    const startedMs = performance.now();
    say(`Loading ${bookings.toLocaleString('en')} bookings of ${shape.workshops} workshops …`);
    if (before === 0) await makeFirst(db, client, clock);
    await client.query('UPDATE growth.state SET is_whole = false');
    await makeWorkshops(db, client, clock, { from: Math.max(1, before), shape });
    const range = { from: before, to: shape.workshops - 1 };
    const rows = [...allRows(bookingsOfWorkshop), searchTerms, codeTerms(bookingsOfWorkshop)];
    const tables = [...new Set(rows.map(({ table }) => table))];
    const makes = await takeIndexes(client, tables);
    for (const each of rows) {
      await fill(clients, range, each);
      say(`… ${each.table} after ${secondsSince(startedMs)} s`);
    }
    await inTurn(clients, makes, (one, make) => one.query(make));
    say(`… indexes after ${secondsSince(startedMs)} s`);
    await client.query('VACUUM (ANALYZE, FREEZE)');
    for (const text of [searchCustomersText, talksText]) await fillByWorkshop(clients, range, text);
    await client.query('UPDATE search_sweep SET is_filled = true, after = NULL');
    await client.query('VACUUM (ANALYZE) search_customer, talk');
    await client.query('UPDATE growth.state SET is_whole = true');
    await client.query('CHECKPOINT');
    await checkSearch(db);
    say(`… loaded in ${secondsSince(startedMs)} s`);
    return true;
  } finally {
    await Promise.all(clients.map((one) => one.end()));
    await db.close();
  }
}

/** Adds what retention deletes, of that many bookings in all; resolves to of how many it is. */
export async function loadExpired(url: string, bookings: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: sessions }, () => session(url)));
  const [client] = clients;
  if (client === undefined) throw new Error('there is no session');
  try {
    const { rows } = await client.query<{ workshops: number }>(
      'SELECT count(*)::int AS workshops FROM growth.workshop',
    );
    const workshops = rows[0]?.workshops ?? 1;
    const ofWorkshop = Math.min(bookingsOfWorkshop, Math.ceil(bookings / workshops));
    say(`Adding what is expired of ${(ofWorkshop * workshops).toLocaleString('en')} bookings …`);
    // A second run in the same folder cannot add them again.
    await client.query('UPDATE growth.state SET is_whole = false');
    const all = expiredRows(ofWorkshop);
    const makes = await takeIndexes(client, [...new Set(all.map(({ table }) => table))]);
    for (const each of all) await fill(clients, { from: 0, to: workshops - 1 }, each);
    await inTurn(clients, makes, (one, make) => one.query(make));
    await client.query('VACUUM (ANALYZE, FREEZE)');
    await client.query('CHECKPOINT');
    return ofWorkshop * workshops;
  } finally {
    await Promise.all(clients.map((one) => one.end()));
  }
}

const secondsSince = (ms: number) => Math.round((performance.now() - ms) / 1_000);

async function workshopsOf(db: Database): Promise<number> {
  const [schema] = await db.query<{ its: string | null }>(`SELECT to_regclass('growth.state')::text AS its`);
  if (!schema?.its) return 0;
  const [marks] = await db.query<{ its: string | null }>(
    `SELECT to_regproc('growth.changed_in')::text AS its`,
  );
  if (!marks?.its) throw new Error('this folder was loaded by an earlier version: choose another');
  const [state] = await db.query<{ isWhole: boolean; workshops: number }>(
    'SELECT bool_and(is_whole) AS is_whole, (SELECT count(*)::int FROM growth.workshop) AS workshops FROM growth.state',
  );
  if (!state?.isWhole)
    throw new Error(
      'this folder has a load that was cut short, or what a run of retention has left: choose another',
    );
  return state.workshops;
}

/** The large partner, and the workshop that all others are like. */
async function makeFirst(db: Database, client: pg.Client, clock: Clock): Promise<void> {
  const { partnerId, workshopId } = await makeWorkshop(db, clock);
  await importWorkshop(
    { db, clock },
    JSON.stringify({
      workshopId,
      settings: { slotMinutes: 15, bays: 6 },
      categories: [{ code: 'tyres', dailyLimit: 40 }],
      hours: everyDay({ from: '07:00', to: '19:00' }),
      services: Array.from({ length: 20 }, (_, n) => ({
        ...{ catalogCode: `s${n}`, title: `Service ${n}`, category: n % 2 ? 'service' : 'tyres' },
        ...{ cost: 100 + n, durationMinutes: 30 },
      })),
    }),
    actors.operator,
  );
  await client.query(functionsText(clock.now().toISOString()));
  await client.query('INSERT INTO growth.workshop VALUES (0, $1, $2)', [workshopId, partnerId]);
  await client.query('INSERT INTO growth.state VALUES (false)');
  await markFeeds(client);
}

/**
 * A mark of each day of the last month, as processes that ran meanwhile would have left. Feeds show what changed before the oldest transaction that
 * runs, so numbers are used up until all that rows have are of the past.
 */
async function markFeeds(client: pg.Client): Promise<void> {
  for (let number = 0; number < firstFreeTransaction; ) {
    const { rows } = await client.query<{ number: number }>(
      'SELECT pg_current_xact_id()::text::float8 AS number',
    );
    number = rows[0]?.number ?? firstFreeTransaction;
  }
  await client.query(
    `INSERT INTO feed_mark (at, "before") SELECT at, growth.changed_in(at)
       FROM generate_series(0, 30) AS days CROSS JOIN LATERAL (SELECT growth.loaded_at() - days * interval '1 day' AS at) AS day`,
  );
}

interface More {
  readonly from: number;
  readonly shape: ReturnType<typeof shapeOf>;
}

/** The workshops from `from` on, their partners and links; each partner has an endpoint for the bookings' events. */
async function makeWorkshops(db: Database, client: pg.Client, clock: Clock, { from, shape }: More) {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM partner ORDER BY id');
  const partners = rows.map(({ id }) => id);
  while (partners.length < shape.partners)
    partners.push(
      (await createPartner({ db, clock }, `Partner ${partners.length}`, actors.operator)).partnerId,
    );
  await client.query(
    `WITH made AS (
       INSERT INTO workshop SELECT (jsonb_populate_record(NULL::workshop, whole || jsonb_build_object('id', uuidv7(), 'slug', 'growth-' || n, 'name', 'Workshop ' || n))).*
         FROM generate_series($1::int, $2::int) AS n CROSS JOIN (SELECT to_jsonb(w) AS whole FROM workshop w JOIN growth.workshop g ON g.id = w.id WHERE number = 0) AS first
       RETURNING id, substr(slug, 8)::int AS number)
     INSERT INTO growth.workshop SELECT number, id, ($3::uuid[])[2 + number / 50] FROM made`,
    [from, shape.workshops - 1, partners],
  );
  await client.query(
    `INSERT INTO link (partner_id, workshop_id, created_at)
     SELECT partner_id, id, growth.loaded_at() FROM growth.workshop UNION SELECT first.partner_id, o.id, growth.loaded_at()
       FROM growth.workshop o CROSS JOIN (SELECT partner_id FROM growth.workshop WHERE number = 0) AS first ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO catalogue_service SELECT (jsonb_populate_record(NULL::catalogue_service, to_jsonb(s) || jsonb_build_object('id', gen_random_uuid(), 'workshop_id', o.id))).*
       FROM growth.workshop o CROSS JOIN catalogue_service s JOIN growth.workshop first ON first.id = s.workshop_id AND first.number = 0
      WHERE o.number >= $1`,
    [from],
  );
  await client.query(
    `WITH made AS (
       INSERT INTO webhook (id, partner_id, url, method, actions, created_at, updated_at, status, disabled_reason)
       SELECT gen_random_uuid(), id, $1, 'POST', '{bookingCreate,bookingConfirmed,bookingCompleted,bookingCancelled}', now(), now(), 'disabled', 'operator'
         FROM partner p WHERE NOT EXISTS (SELECT FROM webhook w WHERE w.partner_id = p.id) RETURNING id)
     INSERT INTO webhook_lane (webhook_id) SELECT id FROM made`,
    [endpoint],
  );
}

/** Both sessions in turn take a part of the numbers, earlier ones first. */
async function fill(
  clients: readonly pg.Client[],
  { from, to }: { readonly from: number; readonly to: number },
  rows: Rows,
): Promise<void> {
  const numbers = Math.max(1, Math.floor(atOnce / (to - from + 1)));
  const steps: number[] = [];
  for (let n = rows.from; n < rows.to; n += numbers) steps.push(n);
  await inTurn(clients, steps, (client, n) =>
    client.query(rows.text, [from, to, n, Math.min(rows.to, n + numbers) - 1]),
  );
}

/** What a statement makes of the rows of the workshops $1 to $2. */
async function fillByWorkshop(
  clients: readonly pg.Client[],
  { from, to }: { readonly from: number; readonly to: number },
  text: string,
): Promise<void> {
  const steps: number[] = [];
  for (let w = from; w <= to; w += workshopsAtOnce) steps.push(w);
  await inTurn(clients, steps, (client, w) => client.query(text, [w, Math.min(to, w + workshopsAtOnce - 1)]));
}

async function inTurn<T>(
  clients: readonly pg.Client[],
  all: readonly T[],
  work: (client: pg.Client, one: T) => Promise<unknown>,
): Promise<void> {
  const rest = [...all];
  await Promise.all(
    clients.map(async (client) => {
      for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(client, one);
    }),
  );
}
