/**
 * The workshop accepts a quote for a customer who agreed on the phone. Booking and quote are the same as when the customer accepts.
 */

import { found, InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { findPast, unlessConflicting } from '#product/bookings/staff/conflict.ts';
import { recordAnyway } from '#product/bookings/staff/create.ts';
import { readAnyway } from '#product/bookings/staff/options.ts';
import { typedTimes } from '#product/bookings/staff/typed.ts';
import { acceptQuote } from '../accept.ts';
import { statusNow } from '../rules.ts';
import type { Quote } from '../schema.ts';
import { requireSeen, type SeenQuote } from './seen.ts';

export interface OwnAcceptance extends SeenQuote {
  readonly workshopId: string;
  readonly quoteId: string;
  /** As typed; an empty text is a fault. */
  readonly bookingTime: string;
  /** IANA name, of the workshop. */
  readonly timezone: string;
  /** False: the customer gets no notice of the booking. */
  readonly notify: boolean;
  /** The reason for taking the time against the rules, 3 to 255 characters; null: it has to be free. */
  readonly anyway: string | null;
  readonly actor: Actor;
}

/**
 * Returns the quote, which names its booking. Throws InvalidInput that names every bad field, OperatorError when it can't be accepted any
 * more or its partner is switched off, 404 050001, 412 000010, and 409 060003 with alternatives, in words for staff.
 */
export async function acceptOwn(
  context: ChangeContext,
  { quoteId, bookingTime, timezone, notify, anyway, actor, ...own }: OwnAcceptance,
): Promise<Quote> {
  const now = context.clock.now();
  const { times, errors } = typedTimes({ bookingTime }, ['bookingTime'], { timezone, now, asksClock: true });
  const { reason, errors: wrongReason } = readAnyway(anyway);
  const time = times.bookingTime ?? null;
  const noTime = time === null && errors.length === 0 ? [{ field: 'bookingTime', message: 'is wanted' }] : [];
  const wrong = [...errors, ...noTime, ...wrongReason];
  if (time === null || wrong.length > 0) throw new InvalidInput(wrong);

  const conflict = findPast(new Date(time), now);
  return unlessConflicting({ conflict, anyway: reason, timezone }, () =>
    change(context, async ({ tx, within, now: at }) => {
      const result = await acceptQuote(within, quoteId, time, actor, {
        ...{ notify, anyway: reason },
        require: (present) => requireSeen(present, own),
      });
      const { accepted, quote, written } = found('quote', quoteId, result);
      if (!accepted) throw new OperatorError(`a quote that is ${statusNow(quote, at)} can't be accepted`);
      const { bookingId: id, workshopId } = quote;
      if (written && reason !== null && id !== null)
        await recordAnyway(tx, { id, workshopId }, { actor, reason, at });
      return quote;
    }),
  ).catch((error: unknown) => {
    throw isSwitchedOff(error)
      ? new OperatorError('the partner of this quote is switched off: make a booking of your own instead')
      : error;
  });
}

const isSwitchedOff = (error: unknown) => error instanceof Problem && error.errorCode === '000004';
