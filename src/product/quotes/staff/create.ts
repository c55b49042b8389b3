/**
 * The workshop makes a quote of its own, priced at once: it belongs to no partner, and no partner sees it (specification: Quotes
 * 10).
 */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import type { FieldError } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { isCustomerOf } from '#product/customers/known/store.ts';
import { countStaffSms } from '#product/sending/staff-bounds/count.ts';
import type { Workshop } from '#product/workshops/store.ts';
import { makeOwnQuote } from '../create.ts';
import { lineText, priceLines, readLines, type TypedLine } from '../lines.ts';
import { quoteUrl, readTerms, validUntilOf } from '../price.ts';
import type { Quote } from '../schema.ts';
import { readTypedQuote, type TypedQuote } from './typed.ts';

export interface OwnQuoteInput extends TypedQuote {
  /** A customer of the workshop that `lookUpKnown` returned. */
  readonly customerId?: string;
  /** As in `CreateBooking`. */
  readonly hidesNumbers?: 'typed' | 'filledIn';
  /** Codes of the workshop's catalogue, or titles; without one, what the lines say is what the quote is for. */
  readonly service: readonly string[];
  readonly lines: readonly TypedLine[];
  /** Whole days of 24 hours from now, as typed. */
  readonly validDays: string;
  readonly message: string;
}

export interface OwnQuoteOptions {
  /** False: the customer is not notified. */
  readonly notify: boolean;
  readonly actor: Actor;
  /** Faults that the caller has found already; they are named beside the others. */
  readonly found?: readonly FieldError[];
}

const nobody = { field: 'customerId', message: 'is no customer of this workshop' };

/** One commit, one event, one notice. Throws InvalidInput that names every bad field, and 429 as `countStaffSms`. */
export async function createOwnQuote(
  context: ChangeContext & Pick<Context, 'config'>,
  { workshopId, country }: Pick<Workshop, 'workshopId' | 'country'>,
  {
    customerId,
    hidesNumbers,
    service,
    lines: typedLines,
    validDays,
    message: words,
    ...typed
  }: OwnQuoteInput,
  { notify, actor, found = [] }: OwnQuoteOptions,
): Promise<Quote> {
  const { db, config } = context;
  const errors: FieldError[] = [...found];
  const { lines, total } =
    found.length > 0 ? priceLines(typedLines, () => undefined) : readLines(typedLines.map(lineText), errors);
  const { days, message } = readTerms({ validDays, message: words }, errors);
  const wanted = service.length > 0 ? service : titlesOf(typedLines);
  const read = await readTypedQuote(db, { workshopId, country }, typed, wanted);
  // Without a service the lines are at fault, which are named already.
  errors.push(...read.errors.filter(({ field }) => field !== 'service' || wanted.length > 0));
  if (customerId !== undefined && !(await isCustomerOf(db, workshopId, customerId))) errors.push(nobody);
  if (errors.length > 0) throw new InvalidInput(errors);

  return change(context, async ({ tx, within, now }) => {
    const quote = await makeOwnQuote(within, {
      ...{ partnerId: null, claim: null, actor, body: read.body, phone: read.phone, found: [] },
      ...{ customerId: customerId ?? null, hidesNumbers: hidesNumbers ?? null },
      price: {
        ...{ lines, total, message, validUntil: validUntilOf(now, days), notifyCustomer: notify },
        urlOf: (code) => quoteUrl(config, { code }),
      },
    });
    if (notify) await countStaffSms(tx, config, { workshopId, actor });
    return quote;
  });
}

const titlesOf = (lines: readonly TypedLine[]): string[] => [
  ...new Set(lines.flatMap(({ title }) => (title === '' ? [] : [title]))),
];
