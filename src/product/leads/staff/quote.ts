/** The workshop creates a quote from a call: it becomes a request of the call's partner, as if the caller had asked there. */
import { Type } from 'typebox';
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { email, optional } from '#platform/http/fields.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { findRecord } from '#platform/records/store.ts';
import { typedFaults, typedServices } from '#product/bookings/staff/typed.ts';
import { createQuoteWith } from '#product/quotes/create.ts';
import { CreateQuoteBody, type Quote } from '#product/quotes/schema.ts';
import { callRecord } from '../record.ts';

/** As typed: fields of POST /quotes. An empty text counts as absent. */
export interface StaffQuoteInput {
  readonly workshopId: string;
  readonly callId: string;
  readonly customerName: string;
  /** Default: the caller's number. */
  readonly customerPhone?: string;
  readonly customerEmail?: string;
  readonly carRego: string;
  /** Codes of the workshop's catalogue, or titles; at least one. */
  readonly service: readonly string[];
  readonly notes?: string;
}

const readQuote = valueReader(
  Type.Object({ ...CreateQuoteBody.properties, customerEmail: optional(email()) }),
  'quote',
);

/**
 * Nobody is notified, because the workshop prices it next. Throws 404 100001 for a call of another workshop, InvalidInput that
 * names every bad field, and OperatorError when the partner is switched off.
 */
export async function createQuoteByStaff(
  context: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  { workshopId, callId, service, customerPhone, ...typed }: StaffQuoteInput,
  actor: Actor,
  alongside: Alongside<Quote>,
): Promise<Quote> {
  const { db } = context;
  const call = isId(callId) ? await findRecord(db, callRecord, { id: callId }) : null;
  if (call?.workshopId !== workshopId || call.partnerId === null) throw new Problem('100001');
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ''));
  const phoneTyped = customerPhone || (call.callerPhone ?? '');
  const services = await typedServices(db, workshopId, service);
  const sent = { ...given, customerPhone: phoneTyped, workshopId, services, skipNotification: true };
  const { value, errors } = readQuote(sent);
  const { phone, found } = await judgePhone('customerPhone', phoneTyped, async () => call.country);
  const wrong = [...typedFaults(errors), ...found].filter(
    ({ field }, n, all) => all.findIndex((each) => each.field === field) === n,
  );
  if (wrong.length > 0) throw new InvalidInput(wrong);

  const body = { ...(value as CreateQuoteBody), customerEmail: given['customerEmail'] ?? '' };
  const request = { partnerId: call.partnerId, actor, body, phone, found: [], claim: null };
  const quote = await createQuoteWith(context, request, alongside).catch((error: unknown) => {
    if (error instanceof Problem && error.errorCode === '000004')
      throw new OperatorError('the partner of this call is switched off: make a booking of your own instead');
    throw error;
  });
  if (quote === null) throw new Error('a quote without a claim was not made');
  return quote;
}
