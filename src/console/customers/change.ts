/** Changes of a customer from their page. */
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { joinSameCar } from '#product/customers/cars/same-car.ts';
import { optOut } from '#product/customers/opt-out.ts';
import { setTags } from '#product/customers/tags.ts';
import type { ConsoleResponse } from '../frame/console-page.ts';
import { type FormKey, submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { openCustomer } from './open.ts';
import { customerPage } from './show.ts';

interface Changed {
  readonly workshopId: string;
  readonly customerId: string;
  /** That the form carries. */
  readonly seen: number;
}

/** The response to a refused change: the customer's page in its present state. `done` is the message after a success. */
async function onTheirPage(
  visit: WorkshopVisit,
  done: string,
  work: (of: Changed, key: FormKey, to: string) => Promise<unknown>,
): Promise<ConsoleResponse> {
  const { customer, path } = await openCustomer(visit);
  const { workshopId, customerId } = customer;
  const to = `${path}?done=${done}`;
  return submit(
    visit,
    async (key) => {
      await work({ workshopId, customerId, seen: versionOf(visit.form) }, key, to);
      return to;
    },
    (refused) => customerPage(visit, refused),
  );
}

/** Removes a tag, or adds one. */
export const tag = (visit: WorkshopVisit) =>
  onTheirPage(visit, 'changed', (of, key, to) => {
    const { form, actor } = visit;
    // Pages of the previous release call it `remove`.
    const gone = form['gone'] ?? form['remove'];
    const change = gone ? { add: [], remove: [gone] } : { add: [form['add'] ?? ''], remove: [] };
    return setTags(key.once(to), { ...of, ...change, actor });
  });

/** Makes cars one whose registrations differ in punctuation alone. */
export const sameCar = (visit: WorkshopVisit) =>
  onTheirPage(visit, 'sameCar', (of, key, to) => {
    const { form, actor } = visit;
    const carId = form['car'] ?? '';
    if (!isId(carId)) throw new Problem('000002');
    return joinSameCar(key.once(to), { ...of, carId, actor });
  });

export const stopTexts = (visit: WorkshopVisit) =>
  onTheirPage(visit, 'optedOut', (of, key, to) => optOut(key.once(to), { ...of, actor: visit.actor }));
