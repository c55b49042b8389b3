/** Ten thousand calls, most of one number, and as many reminders: a page of each is read by indexes, and Today's count with it. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertLittleRead } from '../../../test/fixtures/explained.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { listReminders, listRemindersStatement } from '../reminders/store.ts';
import { countWaiting } from '../waiting/store.ts';
import { listCallers, listCallsStatement } from './store.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const size = 10_000;

before(async () => {
  await db.query(
    `INSERT INTO call_lead (id, partner_id, workshop_id, caller_phone, called_at, outcome, was_missed, created_at, updated_at)
     SELECT gen_random_uuid(), $2, $1, CASE WHEN n % 4 = 0 THEN '+614000' || n ELSE '+61491570006' END, $4::timestamptz - n * interval '1 minute',
            CASE WHEN n % 8 = 0 THEN 'answered' ELSE 'missed' END, true, $4, $4 FROM generate_series(1, $3::integer) AS n`,
    [workshopId, partner.partnerId, size, clock.now()],
  );
  await db.query(
    `WITH known AS (INSERT INTO customer (id, workshop_id, phone, name, created_at, updated_at)
       SELECT gen_random_uuid(), $1, '+61491570007', 'Fleet', now(), now() RETURNING id)
     INSERT INTO service_reminder (id, code, partner_id, workshop_id, customer_id, automatic, customer, status, due_at, created_at, updated_at)
     SELECT gen_random_uuid(), 'P' || n, $2, $1, known.id, false, '{}', CASE n % 3 WHEN 0 THEN 'scheduled' ELSE 'sent' END,
            $4::timestamptz + n * interval '1 hour', $4, $4 FROM known, generate_series(1, $3::integer) AS n`,
    [workshopId, partner.partnerId, size, clock.now()],
  );
  await db.query('VACUUM ANALYZE call_lead, service_reminder, customer');
});

/** Of `done` each call that nobody took is looked at once, as long as hardly any is marked. */
const rowsAtMost = { waiting: 600, all: 600, done: size };

test('a page of callers, of each filter, and one after it', async () => {
  for (const filter of ['waiting', 'done', 'all'] as const) {
    const page = { workshopId, filter, since: null, before: null, limit: 50 };
    const rows = await listCallers(db, page);
    assert.equal(rows.length, 50, filter);
    const { id, calledAt } = rows.at(-1) ?? assert.fail();
    for (const [before, at] of [
      [null, null],
      [id, calledAt.toISOString()],
    ] as const)
      await assertLittleRead(db, listCallsStatement({ ...page, before }, at), {
        ...{ table: 'call_lead', index: 'call_lead_caller_called', rowsAtMost: rowsAtMost[filter] },
      });
  }
  assert.equal((await countWaiting(db, workshopId, clock)).calls, 100);
});

test('a page of reminders, due and sent, and one after it', async () => {
  for (const status of ['scheduled', 'sent'] as const) {
    const page = { workshopId, status, after: null, limit: 50 };
    const rows = await listReminders(db, page);
    assert.equal(rows.length, 50, status);
    const { id, dueAt } = rows.at(-1) ?? assert.fail();
    for (const [after, at] of [
      [null, null],
      [id, dueAt.toISOString()],
    ] as const)
      await assertLittleRead(db, listRemindersStatement({ ...page, after }, at), {
        ...{ table: 'service_reminder', index: 'service_reminder_workshop_due', rowsAtMost: 120 },
      });
  }
});
