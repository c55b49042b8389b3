/** Limits and measures of flows with more than one statement: the statements themselves, in a bare loop. */

import type { Clock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { Database } from '#platform/db/database.ts';
import { actorValues } from '#platform/events/record.ts';
import type { SandboxOutbox } from '#platform/gateways/sandbox-outbox.ts';
import { createMessage } from '#product/messaging/store.ts';
import { claimEntries } from '#product/sending/claim/store.ts';
import { finishOf, recordOf } from '#product/sending/finish/outcome.ts';
import { recordFinish } from '#product/sending/finish/store.ts';
import { takeWakes } from '#product/sending/wake/store.ts';
import { customers } from './create-sql.ts';
import { driverLoop, type Rate } from './limit.ts';
import { percentiles } from './percentiles.ts';
import { untilSent } from './until-sent.ts';

interface Loop {
  readonly db: Database;
  readonly outbox: SandboxOutbox;
  readonly clock: Clock;
  readonly concurrency: number;
}

function keepText(outbox: SandboxOutbox, reference: string, messageId: string, to: string, body: string) {
  const kept = {
    reference,
    messageId,
    channel: 'sms',
    outcome: 'accepted',
    to,
    from: 'sandbox',
    body,
  } as const;
  return outbox.keep({ ...kept, subject: null, html: null, calendar: null, report: null });
}

/** Stores a message, stores it as the sandbox does, records the outcome: the database's cost of one send. */
export function sendLimit(
  loop: Loop & { partnerId: string; workshopId: string; seconds: number },
): Promise<Rate> {
  const { db, outbox, clock, partnerId, workshopId } = loop;
  let n = 0;
  return driverLoop(
    async () => {
      n = (n + 7919) % customers;
      const phone = `+614${20_000_000 + n}`;
      const attemptId = newId();
      const messageId = newId();
      const body = 'Your car is ready to collect.';
      await createMessage(db, {
        ...{
          partnerId,
          workshopId,
          customerId: null,
          phone,
          bookingId: null,
          templateId: null,
          templateVersion: null,
          referenceId: null,
        },
        ...{
          body,
          encoding: 'gsm7',
          segments: 1,
          gateway: 'sandbox',
          messageId,
          attemptId,
          now: clock.now(),
        },
        ...{ newConversationId: newId(), newCustomerId: newId() },
        ...actorValues(actors.schedule),
      });
      const gatewayId = await keepText(outbox, attemptId, messageId, phone, body);
      const words = recordOf({ state: 'accepted', gatewayId });
      await recordFinish(
        db,
        finishOf({ actor: actors.schedule, messageId, attemptId, now: clock.now(), ...words }),
      );
    },
    db,
    loop,
  );
}

/** A worker that sends less than 30 notices a second is given up. */
const drainAtMostMs = (notices: number) => Math.ceil((notices / 30) * 1_000);

/** Waits until this many notices were accepted; the time starts when the first is created. */
export async function drainNotices(db: Database, notices: number): Promise<Rate> {
  await untilSent(db, drainAtMostMs(notices));
  const [found] = await db.query<{ done: number; seconds: number; p50: number; p95: number; p99: number }>(
    `SELECT count(*) FILTER (WHERE state = 'accepted')::int AS done,
            extract(epoch FROM max(updated_at) - min(created_at))::float8 AS seconds,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM updated_at - created_at) * 1000) AS p50,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM updated_at - created_at) * 1000) AS p95,
            percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM updated_at - created_at) * 1000) AS p99
       FROM message WHERE kind = 'bookingNotice'`,
  );
  if (found?.done !== notices) throw new Error(`${found?.done} of ${notices} notices were accepted`);
  return { ...found, perSecond: notices / found.seconds };
}

const atOnce = 100;

/** Delivers the same notices again with the statements alone: claim, store, record; with the sandbox's concurrency. */
export async function deliverLimit(loop: DeliverLoop & { notices: number }): Promise<Rate> {
  const { db, notices } = loop;
  await db.query(`UPDATE message SET state = 'sending', handed_over_at = NULL WHERE kind = 'bookingNotice'`);
  await db.query(
    `WITH queued AS (
       INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, recipient, created_at, expires_at)
       SELECT id, workshop_id, channel, 1, clock_timestamp(), recipient, clock_timestamp(), clock_timestamp() + interval '1 day'
         FROM message WHERE kind = 'bookingNotice' RETURNING workshop_id, channel, class)
     INSERT INTO send_wake SELECT DISTINCT workshop_id, channel, class, clock_timestamp() FROM queued`,
  );
  const startedAt = performance.now();
  const times = await deliverAll(loop);
  return { perSecond: notices / ((performance.now() - startedAt) / 1000), ...percentiles(times) };
}

export type DeliverLoop = Omit<Loop, 'concurrency'>;

/** Delivers all queued messages; returns how long each took from its claim, in milliseconds. */
export async function deliverAll({ db, outbox, clock }: DeliverLoop): Promise<number[]> {
  const routes = await takeWakes(db);
  const times: number[] = [];
  const deliver = async (route: string) => {
    for (;;) {
      const claimedAt = performance.now();
      const { entries } = await claimEntries(db, {
        routes: [route],
        room: atOnce,
        smsGateway: 'sandbox',
        emailGateway: 'sandbox',
        exemptCountries: [],
        now: clock.now(),
      });
      if (entries.length === 0) return;
      await Promise.all(
        entries.map(async ({ id: messageId, attemptId, recipient, body }) => {
          const gatewayId = await keepText(outbox, attemptId ?? messageId, messageId, recipient, body);
          const words = recordOf({ state: 'accepted', gatewayId });
          await recordFinish(
            db,
            finishOf({ actor: actors.schedule, messageId, attemptId, now: clock.now(), ...words }),
          );
        }),
      );
      times.push(...entries.map(() => performance.now() - claimedAt));
    }
  };
  await Promise.all(routes.map(deliver));
  return times;
}
