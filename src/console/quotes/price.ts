/**
 * POST …/quotes/{id}/price sends a price to the customer; …/draft shows the typed form again, with a line added or removed, and
 * its total.
 */
import { InvalidInput } from '#base/operator-error.ts';
import type { FieldError } from '#errors.ts';
import { lineText } from '#product/quotes/lines.ts';
import { priceQuote, readTerms } from '#product/quotes/price.ts';
import { isTold } from '../bookings/tell.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { readRows, rowsOf } from './draft.ts';
import { openQuote } from './open.ts';
import { quotePage } from './show.ts';

export async function price(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const { quote, path } = await openQuote(visit);
  const notify = isTold(form);
  const to = `${path}?done=${notify ? 'priced' : 'pricedQuietly'}`;
  return submit(
    visit,
    async (key) => {
      const { lines, faults } = readRows(rowsOf(form));
      const terms = { validDays: form['validDays'] ?? '', message: form['message'] };
      const errors: FieldError[] = [...faults];
      readTerms(terms, errors);
      if (errors.length > 0) throw new InvalidInput(errors);
      await priceQuote(key.once(to), {
        ...{ quoteId: quote.id, lines: lines.map(lineText), ...terms, notify, actor },
        ...{ workshopId: workshop.workshopId, seen: versionOf(form) },
      });
      return to;
    },
    async (refused) => quotePage(visit, await openQuote(visit), refused),
  );
}

/** Changes nothing. */
export const draft = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  quotePage(visit, await openQuote(visit), null);
