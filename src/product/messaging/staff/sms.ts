/** An SMS from the workshop itself to a customer: stored and queued in one transaction. It belongs to no partner. */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { cleanText } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { enqueue, type TemplateRef } from '#product/sending/enqueue.ts';
import { countStaffSms } from '#product/sending/staff-bounds/count.ts';
import { segmentsAtMost, tooLong } from '../rules.ts';
import { type Ground, requireGround } from './ground.ts';
import { isLetIn } from './store.ts';

export interface Addressee {
  readonly workshopId: string;
  readonly customerId: string;
  /** Null: not given, or erased. */
  readonly phone: string | null;
  readonly isErased: boolean;
  readonly optedOut: boolean;
}

export interface OwnSms {
  readonly text: string;
  /** The option or field that a refusal of the text names. */
  readonly field?: string;
  readonly template?: TemplateRef;
  readonly bookingId?: string | null;
  /** One SMS is sent for each cause. With a cause the limit of 5 a second is not checked, because the cause has its own limit. */
  readonly causeId?: string | null;
  readonly actor: Actor;
  /** The author, when the actor does not name one: the author of an e-mail. */
  readonly author?: string;
  /** Why the number may be texted, when that is required. */
  readonly ground?: Ground;
}

export interface QueuedSms {
  readonly messageId: string;
  readonly encoding: 'gsm7' | 'ucs2';
  readonly segments: number;
}

/** The action of these texts in the trail. */
export const textedAction = { action: 'customer.texted' } as const;

/** The text as it will be sent. Throws InvalidInput for a text that is blank or too long. */
export function judgeText(typed: string, field = 'text'): string {
  const text = cleanText(typed.replaceAll('\0', ''));
  if (text === '') throw new InvalidInput([{ field, message: 'must not be blank' }]);
  const { segments } = measureSms(text);
  if (segments > segmentsAtMost) throw new InvalidInput([tooLong(field, segments)]);
  return text;
}

/**
 * Runs in the transaction of its cause. Null: an SMS with this cause exists, and nothing is sent. Throws what `judgeText` and
 * `requireGround` throw, OperatorError when the customer can't get SMS or got five within a second, and 429 as `countStaffSms`
 * does.
 */
export async function queueOwnSms(
  tx: Queryable,
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  to: Addressee,
  { text: typed, field, template, bookingId = null, causeId = null, actor, author, ground = {} }: OwnSms,
): Promise<QueuedSms | null> {
  const text = judgeText(typed, field);
  const { workshopId, customerId } = to;
  const phone = requireReachable(to);
  const now = clock.now();
  await requireGround(tx, { workshopId, customerId, phone }, ground, { actor, at: now });
  if (causeId === null && !(await isLetIn(tx, workshopId, customerId))) {
    throw new OperatorError('not sent: this customer has had 5 SMS within a second; try again');
  }
  const message = {
    kind: 'reply',
    workshopId,
    channel: 'sms',
    audience: 'customer',
    customerId,
    bookingId,
    recipient: phone,
    body: text,
    causeId,
    ...(template && { template }),
  } as const;
  const [queued] = await enqueue(tx, [message], { now, actor, exemptCountries: [] });
  if (queued === undefined) throw new Error("the workshop's own SMS was not stored");
  if (queued.state === 'known') return null;
  await countStaffSms(tx, config, { workshopId, actor, ...(author && { author }) });
  const { encoding, segments } = measureSms(text);
  const subject = { kind: 'customer', id: customerId };
  const after = { messageId: queued.messageId, bookingId, segments };
  await recordEntry(tx, { actor, workshopId, subject, ...textedAction, after, at: clock.now() });
  return { messageId: queued.messageId, encoding, segments };
}

/** The customer's number. Throws OperatorError when the customer can't get SMS. */
export function requireReachable(to: Addressee): string {
  const { optedOut, phone, customerId } = to;
  if (!optedOut && phone?.startsWith('+')) return phone;
  throw new OperatorError(`not sent: customer ${customerId} ${whyNot(to)}`);
}

function whyNot({ optedOut, phone, isErased }: Addressee): string {
  if (isErased) return 'has no phone any more, since their data was erased';
  if (optedOut) return 'has opted out of SMS from this workshop';
  return phone === null
    ? 'has no phone: it is not given'
    : `wrote as ${JSON.stringify(phone)}, which is no number that can be answered`;
}
