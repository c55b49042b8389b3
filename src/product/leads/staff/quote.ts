/** The workshop creates a quote from a call: it becomes a request of the call's partner, as if the caller had asked there. */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { ChangeContext } from '#platform/change/change.ts';
import { findRecord } from '#platform/records/store.ts';
import { createQuote } from '#product/quotes/create.ts';
import type { Quote } from '#product/quotes/schema.ts';
import { readTypedQuote, type TypedQuote } from '#product/quotes/staff/typed.ts';
import { callRecord } from '../record.ts';

export interface StaffQuoteInput extends Omit<TypedQuote, 'customerPhone'> {
  readonly workshopId: string;
  readonly callId: string;
  /** Default: the caller's number. */
  readonly customerPhone?: string;
  /** Codes of the workshop's catalogue, or titles; at least one. */
  readonly service: readonly string[];
}

/**
 * Makes a quote of a call. It notifies nobody, because the workshop prices it next. Throws 404 100001 for a call of another workshop, InvalidInput that
 * names every bad field, and OperatorError when the partner is switched off.
 */
export async function createQuoteByStaff(
  context: ChangeContext,
  { workshopId, callId, service, ...typed }: StaffQuoteInput,
  actor: Actor,
): Promise<Quote> {
  const { db } = context;
  const call = isId(callId) ? await findRecord(db, callRecord, { id: callId }) : null;
  if (call?.workshopId !== workshopId || call.partnerId === null) throw new Problem('100001');
  const customerPhone = typed.customerPhone || (call.callerPhone ?? '');
  const at = { workshopId, country: call.country };
  const { body, phone, errors } = await readTypedQuote(db, at, { ...typed, customerPhone }, service);
  if (errors.length > 0) throw new InvalidInput(errors);
  const request = { partnerId: call.partnerId, actor, body, phone, found: [], claim: null };
  const quote = await createQuote(context, request).catch((error: unknown) => {
    if (error instanceof Problem && error.errorCode === '000004')
      throw new OperatorError('the partner of this call is switched off: make a booking of your own instead');
    throw error;
  });
  if (quote === null) throw new Error('a quote without a claim was not made');
  return quote;
}
