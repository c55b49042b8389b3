/** Limits and measures of flows that are more than one statement: the statements themselves, in a bare loop. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#clock.ts';
import type { Database } from '#db/database.ts';
import type { SandboxOutbox } from '#gateways/sandbox-outbox.ts';
import { finishAttempt } from '#messaging/attempts/store.ts';
import { takeIn } from '#messaging/take-in/store.ts';
import { recordAttempt } from '#notifications/attempts/store.ts';
import { claimNotification } from '#notifications/store.ts';
import { newId } from '#values/id.ts';
import { customers } from './create-sql.ts';
import { driverLoop, type Rate } from './limit.ts';
import { percentiles } from './load.ts';

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

/** Takes a message in, keeps it as the sandbox does, records the outcome: what one send costs the database. */
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
      await takeIn(db, {
        ...{
          partnerId,
          workshopId,
          customerId: null,
          phone,
          bookingId: null,
          templateId: null,
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
        ...{ newConversationId: newId(), newCustomerId: newId(), eventId: newId() },
      });
      const gatewayId = await keepText(outbox, attemptId, messageId, phone, body);
      await finishAttempt(db, {
        attemptId,
        eventId: newId(),
        now: clock.now(),
        outcome: { state: 'accepted', gatewayId },
      });
    },
    db,
    loop,
  );
}

/** Waits until this many notices were accepted; the time runs from the first one's making. */
export async function drainNotices(db: Database, notices: number): Promise<Rate> {
  for (;;) {
    const [found] = await db.query<{ done: number; seconds: number; p50: number; p95: number; p99: number }>(
      `SELECT count(*) FILTER (WHERE state = 'accepted')::int AS done,
              extract(epoch FROM max(updated_at) - min(created_at))::float8 AS seconds,
              coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM updated_at - created_at) * 1000), 0) AS p50,
              coalesce(percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM updated_at - created_at) * 1000), 0) AS p95,
              coalesce(percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM updated_at - created_at) * 1000), 0) AS p99
         FROM notification`,
    );
    if (found !== undefined && found.done >= notices) return { ...found, perSecond: notices / found.seconds };
    await sleep(100);
  }
}

/** Delivers the same notices again with the statements alone: claim, keep, record. */
export async function deliverLimit(loop: Loop & { notices: number }): Promise<Rate> {
  const { db, outbox, clock, concurrency } = loop;
  await db.query(`UPDATE notification SET state = 'pending', attempt_id = NULL`);
  const waiting = await db.query<{ id: string; recipient: string }>('SELECT id, recipient FROM notification');
  const total = waiting.length;
  const times: number[] = [];
  const startedAt = performance.now();
  const deliver = async () => {
    for (let notice = waiting.pop(); notice !== undefined; notice = waiting.pop()) {
      const sentAt = performance.now();
      const attemptId = newId();
      const { id, recipient } = notice;
      await claimNotification(db, {
        id,
        attemptId,
        smsGateway: 'sandbox',
        emailGateway: 'sandbox',
        at: clock.now(),
        exemptCountries: [],
      });
      const gatewayId = await keepText(
        outbox,
        attemptId,
        id,
        recipient,
        'A notice of the usual length about a booking.',
      );
      const record = { state: 'accepted', reason: null, detail: null, gatewayId, segments: 1 } as const;
      await recordAttempt(db, 'notification', { id, attemptId }, record, clock.now());
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, deliver));
  return { perSecond: total / ((performance.now() - startedAt) / 1000), ...percentiles(times) };
}
