/** Opens a quote of the workshop that a visit is at. */
import { Problem } from '#errors.ts';
import { byIdOrCode } from '#platform/records/partner-records.ts';
import { findRecord } from '#platform/records/store.ts';
import { quoteRecord, type WorkshopQuote } from '#product/quotes/record.ts';
import { statusNow } from '#product/quotes/rules.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { type Beside, readBeside } from './store.ts';

export interface OpenedQuote {
  /** A quote past its time is `expired`, even if that is not stored yet. */
  readonly quote: WorkshopQuote;
  readonly beside: Beside;
  /** The path of its page. */
  readonly path: string;
}

/** By its id, or its code. Counts its customer as shown. Throws 404, also for a quote of another workshop. */
export async function openQuote(visit: WorkshopVisit): Promise<OpenedQuote> {
  const { context, workshop, params, base } = visit;
  const { db, clock } = context;
  const name = byIdOrCode(quoteRecord, params['id'] ?? '');
  const found = name && (await findRecord(db, quoteRecord, name));
  if (!found || found.workshopId !== workshop.workshopId) throw new Problem('000002');
  const [beside] = await Promise.all([
    readBeside(db, workshop.workshopId, found.id),
    countShown(visit, [found.customerId]),
  ]);
  if (beside === null) throw new Problem('000002');
  const quote = { ...found, status: statusNow(found, clock.now()) };
  return { quote, beside, path: `${base}/quotes/${found.id}` };
}

/** It waits for a price, or for the customer's answer. */
export const isOn = ({ quote, beside }: OpenedQuote): boolean =>
  !beside.erased && (quote.status === 'requested' || quote.status === 'quoted');

/** Its customer can accept it. */
export const isOffer = ({ quote, beside }: OpenedQuote): boolean =>
  !beside.erased && quote.status === 'quoted';

/** The records that the page of a quote shows. */
export const followedByPage = ({
  quote: { id, customerId, bookingId },
  beside,
}: OpenedQuote): Pick<ConsolePage, 'live' | 'version'> => ({
  live: [
    ...([`quote:${id}`, `customer:${customerId}`, `message:${customerId}`] as const),
    ...(bookingId === null ? [] : ([`booking:${bookingId}`] as const)),
  ],
  version: String(beside.version),
});

/** The same, for a form about the quote. */
export const followedByForm = ({
  quote,
  beside,
}: OpenedQuote): Pick<ConsolePage, 'live' | 'version' | 'isForm'> => ({
  ...{ live: [`quote:${quote.id}`], version: String(beside.version), isForm: true },
});
