/** SQL of a partner's quotes: the list, newest first, and the feed of changes. */
import { fewIds, newestIds, type OwnTable, ownRows } from '#feed/list/store.ts';
import { type Quote, type QuoteStatus, quoteStatuses } from '../schema.ts';
import { quoteJson } from '../snapshot.ts';

/** The filters of a list; an absent one filters nothing. */
export interface QuoteFilters {
  readonly workshopId?: string;
  readonly status?: QuoteStatus;
  readonly externalId?: string;
}

const quotes: OwnTable<'workshopId' | 'externalId'> = {
  table: 'quote',
  statuses: quoteStatuses,
  columns: {
    workshopId: { type: 'uuid', is: (value) => `row.workshop_id = ${value}` },
    externalId: { type: 'text', is: (value) => `row.external_id = ${value}` },
  },
  item: quoteJson('row', 'c'),
  joins: 'JOIN car c ON c.id = row.car_id',
  ids: ({ conditions }, isSet) => ({ ids: (isSet('externalId') ? fewIds : newestIds)('quote', conditions) }),
};

export const quoteRows = ownRows<'workshopId' | 'externalId', QuoteFilters, Quote>(quotes);
