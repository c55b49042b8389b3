/** Requests a quote: POST /quotes (areas, section 6). One statement writes customer, car, quote and event. */
import { customerNames } from '#bookings/columns.ts';
import { valuesOf } from '#bookings/field.ts';
import { carFields } from '#bookings/fields.ts';
import type { Context } from '#context.ts';
import { violatedConstraint } from '#db/database.ts';
import type { Claim } from '#idempotency/once.ts';
import { newCode } from '#values/code.ts';
import { newId } from '#values/id.ts';
import { normaliseRego } from '#values/rego.ts';
import { requireLink } from '#workshops/access/gate.ts';
import { type CreateQuoteBody, type Quote, quoteFields } from './schema.ts';
import { insertQuote } from './store.ts';

/** Of the customer's page: 32^10 codes, and guesses are bounded. */
const codeLength = 10;
const codesAtMost = 5;

export interface CreateQuote {
  readonly partnerId: string;
  readonly body: CreateQuoteBody;
  /** E.164. */
  readonly phone: string;
  readonly claim: Claim | null;
}

/** Resolves to null when the claim was lost. Throws 404 030001 and 403 000004. */
export async function createQuote(
  context: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  { partnerId, body, phone, claim }: CreateQuote,
): Promise<Quote | null> {
  const quote = {
    partnerId,
    workshopId: body.workshopId,
    ...customerNames(body.customerName),
    customerEmail: body.customerEmail,
    customerPhone: phone,
    carRego: normaliseRego(body.carRego),
    ...valuesOf(quoteFields, body),
    ...valuesOf(carFields, body),
    quoteId: newId(),
    newCustomerId: newId(),
    newCarId: newId(),
    eventId: newId(),
    notifyWorkshop: body.skipNotification !== true,
    now: context.clock.now(),
    idempotencyKey: claim?.idempotencyKey ?? null,
    claimOwner: claim?.claimOwner ?? null,
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const row = await insertQuote(context.db, { ...quote, code: newCode(codeLength) });
      requireLink(row);
      if (row.quote !== null) context.nudgeRelay();
      return row.quote;
    } catch (error) {
      if (attempt === codesAtMost || violatedConstraint(error) !== 'quote_code') throw error;
    }
  }
}
