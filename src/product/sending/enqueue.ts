/** Queues messages: the only entry point for everything that is sent outside a request. */

import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { QuietHours } from '#base/values/quiet-hours.ts';
import { measureSms } from '#base/values/sms-text.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type Audience, type Channel, classes, kinds, type QueuedKind } from './kinds.ts';
import { insertMessages, type MessageRow } from './queue/store.ts';

export interface TemplateRef {
  readonly id: string;
  readonly version: number;
}

/** Why a message is stored as failed without being queued. */
export interface Refusal {
  readonly reason: 'pageCeiling' | 'heldBack' | 'noWayOut';
  /** Text for people. */
  readonly detail: string;
}

/** Messages triggered by a visitor of a page have a limit (`#pages/bounds`). */
export const pageCeiling: Refusal = {
  reason: 'pageCeiling',
  detail: 'Not sent: within the hour pages have sent as many messages as they may.',
};

export interface NewMessage {
  readonly kind: QueuedKind;
  readonly workshopId: string;
  readonly channel: Channel;
  readonly audience: Audience;
  /** Required for an SMS to a customer: a missing conversation is created. */
  readonly customerId?: string | null;
  readonly bookingId?: string | null;
  /** The template and version that the text was rendered from. */
  readonly template?: TemplateRef | null;
  /** The cause: there is one message for each cause, kind, audience, channel and recipient. */
  readonly causeId?: string | null;
  /** E.164, or an e-mail address. */
  readonly recipient: string;
  /** For an e-mail. */
  readonly subject?: string | null;
  readonly body: string;
  /** Messages of one series to one recipient go out in the order of their numbers. */
  readonly seriesId?: string | null;
  readonly seriesNumber?: number | null;
  /** The partner that may read it, and whose daily ceiling it counts under; absent: the partner of its booking, or none. */
  readonly partnerId?: string | null;
  /** The message is not handed over while the local time of the workshop (business time) is in these hours. */
  readonly quietHours?: QuietHours | null;
  /** Overrides the waiting time of its kind, in milliseconds. */
  readonly waitsAtMostMs?: number;
  /** Given: the message is stored as failed, and not sent. */
  readonly refusal?: Refusal | null;
}

export interface Enqueued {
  readonly messageId: string;
  /**
   * `optedOut`, `mayHaveOptedOut` or the reason of a refusal: stored as failed, and not sent. `known`: a message with this cause, kind, channel and
   * recipient exists, so none was created, and `messageId` refers to no message.
   */
  readonly state: 'queued' | 'optedOut' | 'mayHaveOptedOut' | Refusal['reason'] | 'known';
}

export interface EnqueueOptions {
  readonly actor: Actor;
  /** Business time. */
  readonly now: Date;
  /** Countries whose opt-outs do not stop notices of bookings (`config.optOutExemptCountries`). */
  readonly exemptCountries: readonly string[];
}

/**
 * Stores and queues messages in the transaction of their cause. Returns one result for each message, in the same order.
 */
export async function enqueue(
  tx: Queryable,
  messages: readonly NewMessage[],
  options: EnqueueOptions,
): Promise<Enqueued[]> {
  if (messages.length === 0) return [];
  const rows = messages.map(rowOf);
  const made = await insertMessages(tx, rows, options);
  const reasons = new Map(made.map(({ id, reason }) => [id, reason]));
  return rows.map(({ id }) => {
    const reason = reasons.get(id);
    return { messageId: id, state: reason === undefined ? 'known' : (reason ?? 'queued') };
  });
}

/** The row of a message, with a new id. */
export function rowOf(message: NewMessage): MessageRow {
  const { class: className, waitsAtMostMs } = kinds[message.kind];
  const { encoding = null, segments = null } = message.channel === 'sms' ? measureSms(message.body) : {};
  return {
    id: newId(),
    kind: message.kind,
    class: classes[className],
    workshop_id: message.workshopId,
    channel: message.channel,
    audience: message.audience,
    customer_id: message.customerId ?? null,
    booking_id: message.bookingId ?? null,
    template_id: message.template?.id ?? null,
    template_version: message.template?.version ?? null,
    cause_id: message.causeId ?? null,
    recipient: message.recipient,
    subject: message.subject ?? null,
    body: message.body,
    encoding,
    segments,
    series_id: message.seriesId ?? null,
    series_number: message.seriesNumber ?? null,
    waits_ms: message.waitsAtMostMs ?? waitsAtMostMs,
    partner_id: message.partnerId ?? null,
    quiet_from: message.quietHours?.from ?? null,
    quiet_until: message.quietHours?.to ?? null,
    refusal: message.refusal?.reason ?? null,
    refusal_detail: message.refusal?.detail ?? null,
  };
}
