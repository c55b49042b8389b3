/** A real Kannel that is killed and restarted under load, and Pitlane beside it: every message has one outcome, and none that was acknowledged is sent twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '#platform/db/database.ts';
import { patientMs } from './crash/delivery.ts';
import { noKannel } from './harness/kannel.ts';
import { until } from './harness/wait.ts';
import { outcomeOf, startLoad } from './kannel/load.ts';
import { startKannelWorld } from './kannel/world.ts';

/** Within it, another process reconciles the attempts of a dead one, and failures are retried. */
const takeOverMs = 150_000;
const underWay = "SELECT count(*)::int AS count FROM message_attempt WHERE state = 'sending'";
/** Of `until`, 20 ms each: much longer than a request takes to the gateway, on a busy machine too. */
const settledPolls = 40;
const countOf = async (db: Database, sql: string, values: readonly unknown[] = []) =>
  (await db.query<{ count: number }>(sql, values))[0]?.count ?? 0;

/** Notes in `again` each hand-over that begins although the gateway is known to have the message already. */
async function watch(db: Database): Promise<void> {
  await db.query(`CREATE TABLE again (what text, id uuid)`);
  await db.query(`
    CREATE FUNCTION message_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO again SELECT (SELECT kind FROM message WHERE id = NEW.message_id), NEW.message_id FROM message_attempt
        WHERE message_id = NEW.message_id AND id <> NEW.id AND state NOT IN ('failed', 'unknown') LIMIT 1;
      RETURN NULL; END $$`);
  await db.query(
    'CREATE TRIGGER again AFTER INSERT ON message_attempt FOR EACH ROW EXECUTE FUNCTION message_again()',
  );
}

// The slowest part waits, for up to a minute each, for a dead process's leases and for the retries of notices.
test('always: Kannel and Pitlane, killed and restarted under load', {
  skip: noKannel,
  timeout: 300_000,
}, async (t) => {
  const world = await startKannelWorld(t);
  const { db, kannel, post, read } = world;
  await watch(db);
  const load = startLoad(t, world, 8);

  /** Each client has a request in the frozen gateway: nothing comes from then on, so the count of requests stands still. */
  async function allClientsWait(): Promise<void> {
    await until('all clients wait', async () => (await countOf(db, underWay)) >= 8);
    let [requests, polls] = [0, 0];
    await until('the gateway has their requests', () => {
      polls = kannel.requests() === requests ? polls + 1 : 0;
      requests = kannel.requests();
      return polls >= settledPolls;
    });
  }

  await load.more('accepted', 15);
  // Requests hang in the gateway: handed over, and never answered.
  kannel.freeze();
  await allClientsWait();
  await kannel.kill();
  await load.more('gatewayUnavailable', 8);
  await kannel.start();
  await load.more('accepted', 15);
  await kannel.kill('smsbox');
  await load.more('gatewayUnavailable', 8);
  await kannel.start();
  await load.more('accepted', 15);
  await kannel.kill('bearerbox');
  await load.more('gatewayUnavailable', 8);
  await kannel.start();
  await load.more('accepted', 15);

  // Now Pitlane, with messages in the gateway's hands and in its own.
  kannel.freeze();
  await allClientsWait();
  await world.server.end('SIGKILL');
  await kannel.kill();
  await Promise.all([kannel.start(), world.restart()]);
  await load.more('accepted', 15);
  await load.stop();

  const heard = Map.groupBy(load.messages, outcomeOf);
  t.diagnostic([...heard].map(([outcome, { length }]) => `${length} ${outcome}`).join(', '));
  for (const outcome of ['accepted', 'gatewayUnavailable', 'unknownOutcome', 'unanswered']) {
    assert.ok(heard.has(outcome), `none was ${outcome}`);
  }

  await t.test('what was acknowledged was handed over once, and reached the carrier', async () => {
    for (const { phone, first } of heard.get('accepted') ?? []) {
      const { state, attempts } = await read(first.messageId);
      assert.ok(['accepted', 'delivered'].includes(state), `${phone}: ${state}`);
      assert.deepEqual([attempts.length, attempts[0].state], [1, state]);
      assert.ok(kannel.taken({ to: phone }) <= 1, `${phone} was handed over again`);
    }
    const lost = () => {
      const all = kannel.carried().join('\n');
      return (heard.get('accepted') ?? []).filter(({ phone }) => !all.includes(` ${phone} `));
    };
    await until('all of them went out', () => lost().length === 0);
  });

  await t.test(
    'a partner that repeats what was not sent has it sent, and what was sent is not sent again',
    async () => {
      for (const sent of load.messages) {
        const before = kannel.taken({ to: sent.phone });
        let last = '';
        await until(`${sent.phone} is sent`, async () => {
          const { sms } = await post(sent.phone, sent.text);
          last = sms.reason;
          if (sent.first !== null) assert.equal(sms.messageId, sent.first.messageId);
          return sms.sent;
        }).catch((error: Error) => assert.fail(`${error.message}: ${last}`));
        if (sent.first?.sent) assert.equal(kannel.taken({ to: sent.phone }), before);
      }
    },
  );

  await t.test('every notice has one outcome: sent, or unknown', async () => {
    // A notice whose outcome is unknown keeps that state while its one repetition is sent: the queue says whether more comes.
    const open = `SELECT (SELECT count(*) FROM event WHERE relayed_at IS NULL)::int + (SELECT count(*) FROM queued_message)::int
      + (SELECT count(*) FROM message WHERE kind = 'bookingNotice' AND state NOT IN ('accepted', 'delivered', 'unknown'))::int AS count`;
    await until('all notices have one', async () => (await countOf(db, open)) === 0, takeOverMs, patientMs);
    for (const phone of load.booked) {
      const rows = await db.query<{ attempts: number }>(
        "SELECT attempts FROM message WHERE kind = 'bookingNotice' AND channel = 'sms' AND recipient = $1",
        [phone],
      );
      assert.equal(rows.length, 1, `${phone} has ${rows.length} notices`);
      assert.ok(kannel.taken({ to: phone }) <= (rows[0]?.attempts ?? 0), `${phone} was sent too often`);
    }
    assert.equal(await countOf(db, 'SELECT count(*)::int AS count FROM dead_letter'), 0);
    const states = await db.query<{ line: string }>(
      "SELECT count(*) || ' ' || state AS line FROM message WHERE kind = 'bookingNotice' AND channel = 'sms' GROUP BY state",
    );
    t.diagnostic(`notices: ${states.map(({ line }) => line).join(', ')}`);
  });

  await t.test(
    'no attempt is left open, each was handed over once at most, and none followed an accepted one',
    async () => {
      assert.equal(await countOf(db, underWay), 0);
      const ids = load.messages.map(({ phone }) => phone);
      const rows = await db.query<{ phone: string; attempts: number; messages: number }>(
        `SELECT recipient AS phone, count(DISTINCT message.id)::int AS messages, count(message_attempt.id)::int AS attempts
         FROM message LEFT JOIN message_attempt ON message_id = message.id WHERE recipient = ANY ($1) GROUP BY recipient`,
        [ids],
      );
      assert.equal(rows.length, ids.length);
      for (const { phone, attempts, messages } of rows) {
        assert.equal(messages, 1, phone);
        assert.ok(kannel.taken({ to: phone }) <= attempts, `${phone} was handed over too often`);
      }
      assert.deepEqual(await db.query('SELECT what, id FROM again'), []);
    },
  );
});
