/**
 * /console/w/{slug}/customers/{id}/merge: merges two customers who are the same person: finds the other, shows both, then merges
 * them permanently.
 */
import { InvalidInput } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { type Merged, mergeCustomers } from '#product/customers/merge/merge.ts';
import { findAsTyped, foundAtMost } from '#product/customers/search/find.ts';
import { findCustomer } from '#product/customers/store.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { type Refused, submit, versionOf } from '../frame/form-key/submit.ts';
import { countShown } from '../frame/found.ts';
import { inSearchTurn } from '../frame/search-turn.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesSince } from '../trail/since.ts';
import { bothPage, findPage, readSide } from './merge-view.ts';
import { openCustomer } from './open.ts';

export async function askMerge(visit: WorkshopVisit): Promise<ConsolePage> {
  const { with: other } = visit.query;
  return other === undefined ? askWhom(visit) : mergePage(visit, other, null);
}

export async function merge(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { workshop, base, form, actor } = visit;
  const { customer } = await openCustomer(visit);
  const other = form['with'] ?? '';
  const otherVersion = Number(form['otherVersion']) || 0;
  const toOf = ({ kept }: Merged) => `${base}/customers/${kept.customerId}?done=merged`;
  return submit(
    visit,
    async (key) => {
      const merged = await mergeCustomers(key.once(toOf), {
        ...{ workshopId: workshop.workshopId, actor },
        both: [
          { customerId: customer.customerId, seen: versionOf(form) },
          { customerId: other, seen: otherVersion },
        ],
      });
      return toOf(merged);
    },
    (refused) => mergePage(visit, other, refused),
  );
}

/** Throws 404 when the other is not a customer of the workshop. */
async function mergePage(
  visit: WorkshopVisit,
  otherId: string,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { context, workshop } = visit;
  const opened = await openCustomer(visit);
  const other = isId(otherId) ? await findCustomer(context.db, otherId) : null;
  if (other?.workshopId !== workshop.workshopId) throw new Problem('000002');
  await countShown(visit, [other.customerId]);
  const [one, two] = await Promise.all([readSide(visit, opened.customer), readSide(visit, other)]);
  const changes = await changesSince(visit, opened.customer.customerId, refused);
  return bothPage(visit, { one, two, path: opened.path, refused, changes });
}

async function askWhom(visit: WorkshopVisit): Promise<ConsolePage> {
  const { context, workshop, query } = visit;
  const { customer, path } = await openCustomer(visit);
  const q = query['q'] ?? '';
  const { workshopId, seesPhones } = workshop;
  const sought = { workshopId, q, limit: foundAtMost, seesPhones, now: context.clock.now() };
  const found = await inSearchTurn(visit, () => findAsTyped(context.db, sought)).catch((error: unknown) => {
    if (error instanceof InvalidInput) return error;
    throw error;
  });
  const isRefusal = found instanceof InvalidInput;
  const isWhole = isRefusal || found.isWhole;
  const others = isRefusal
    ? []
    : found.customers.filter(({ customerId }) => customerId !== customer.customerId);
  await countShown(
    visit,
    others.map(({ customerId }) => customerId),
  );
  return { ...findPage(visit, { customer, path, q, others, isWhole }), isRefusal };
}
