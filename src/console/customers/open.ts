/** Opens a customer of the workshop that a visit is at. */
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { type CustomerRecord, findCustomer } from '#product/customers/store.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export interface OpenedCustomer {
  readonly customer: CustomerRecord;
  /** The path of their page. */
  readonly path: string;
}

/** The path of the page of the customer whom the address names. */
export const pathOf = ({ base, params }: WorkshopVisit): string => `${base}/customers/${params['id']}`;

/** Counts them as shown. Throws 404 for one of another workshop. */
export async function openAnyCustomer(visit: WorkshopVisit): Promise<OpenedCustomer> {
  const { context, workshop, params } = visit;
  const id = params['id'] ?? '';
  const customer = isId(id) ? await findCustomer(context.db, id) : null;
  if (customer?.workshopId !== workshop.workshopId) throw new Problem('000002');
  await countShown(visit, [customer.customerId]);
  return { customer, path: pathOf(visit) };
}

/** For a form: throws 404 also for an erased customer. */
export async function openCustomer(visit: WorkshopVisit): Promise<OpenedCustomer> {
  const opened = await openAnyCustomer(visit);
  if (opened.customer.erasedAt !== null) throw new Problem('000002');
  return opened;
}

/** The attributes of a form about the customer. */
export const followedByForm = ({
  customerId,
  version,
}: CustomerRecord): Pick<ConsolePage, 'live' | 'version' | 'isForm'> => ({
  ...{ live: [`customer:${customerId}`], version: String(version), isForm: true },
});
