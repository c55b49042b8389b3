/** The workshop prices a quote, or prices it again: the customer is notified (specification: Quotes 3). */
import { publicUrl } from '#base/config/public-url.ts';
import { found, InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { cleanText } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { actorValues } from '#platform/events/record.ts';
import { countStaffSms } from '#product/sending/staff-bounds/count.ts';
import { lockQuote, writePrice } from './change/store.ts';
import { readLines } from './lines.ts';
import { isOver, isPermitted, statusNow } from './rules.ts';
import type { Quote } from './schema.ts';
import { requireSeen, type SeenQuote } from './staff/seen.ts';

export interface PriceInput extends SeenQuote {
  readonly quoteId: string;
  /** Each in the form `title:quantity:unit price`. */
  readonly lines: readonly string[];
  /** Whole days of 24 hours from now, as typed. */
  readonly validDays: string;
  readonly message: string | undefined;
  readonly actor: Actor;
  /** False: the customer is not notified. */
  readonly notify?: boolean;
}

const messageAtMost = 2_000;
const dayMs = 24 * 60 * 60_000;

/** The terms beside the lines. Adds faults to `errors`. */
export function readTerms(
  typed: Pick<PriceInput, 'validDays' | 'message'>,
  errors: FieldError[],
): { readonly days: number; readonly message: string | null } {
  const days = Number(typed.validDays);
  if (!/^\d{1,3}$/.test(typed.validDays) || days < 1 || days > 365) {
    errors.push({ field: 'validDays', message: 'must be a whole number from 1 to 365' });
  }
  const message = cleanText(typed.message ?? '') || null;
  if (message !== null && (message.length > messageAtMost || message.includes('\0'))) {
    errors.push({ field: 'message', message: `must have at most ${messageAtMost} characters` });
  }
  return { days, message };
}

/** The end of validity of a price given now. */
export const validUntilOf = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs);

/** The address of the customer's page; null: the installation's public address is not configured. */
export function quoteUrl(config: Context['config'], { code }: Pick<Quote, 'code'>): string | null {
  const address = publicUrl(config);
  return address === null ? null : `${address}/q/${code}`;
}

/**
 * A price with a notice to the customer counts under the limits on staff texts. Throws InvalidInput, which names every bad value,
 * 412 000010, 429 as `countStaffSms`, and OperatorError when there is no such quote, or it can't be priced any more.
 */
export async function priceQuote(
  context: ChangeContext & Pick<Context, 'config'>,
  input: PriceInput,
): Promise<Quote> {
  const errors: FieldError[] = [];
  const { lines, total } = readLines(input.lines, errors);
  const { days, message } = readTerms(input, errors);
  if (errors.length > 0) throw new InvalidInput(errors);

  const { config } = context;
  return change(context, async ({ tx, now }) => {
    const present = found('quote', input.quoteId, await lockQuote(tx, input.quoteId));
    const { quote, erased } = present;
    requireSeen(present, input);
    if (erased) throw new OperatorError('its customer has been erased');
    if (!isPermitted(quote.status, 'quoted') || isOver(quote, now)) {
      throw new OperatorError(`a quote that is ${statusNow(quote, now)} can't be priced`);
    }
    const { status, lines: linesBefore, total: totalBefore, message: messageBefore, validUntil } = quote;
    const { workshopId } = quote;
    const notifyCustomer = input.notify !== false;
    if (notifyCustomer) await countStaffSms(tx, config, { workshopId, actor: input.actor });
    const written = await writePrice(tx, {
      before: { status, lines: linesBefore, total: totalBefore, message: messageBefore, validUntil },
      ...{ quoteId: quote.id, lines, total, message, now, ...actorValues(input.actor) },
      notifyCustomer,
      validUntil: validUntilOf(now, days),
      url: quoteUrl(config, quote),
    });
    return written.quote;
  });
}
