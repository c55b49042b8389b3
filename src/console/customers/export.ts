/**
 * /console/w/{slug}/customers/{id}/export: everything that is held on a customer. The form records the export in the trail and
 * redirects to the file or the page, which that person may open for 15 minutes.
 */
import { html } from '@remix-run/html-template';
import { type ExportAs, exportParts, recordExport } from '#operation/export/export-customer.ts';
import { exportJson } from '#operation/export/json.ts';
import { latestEntry } from '#platform/audit/read/store.ts';
import { change } from '#platform/change/change.ts';
import { buttons, facts, linkButton } from '#platform/pages/components.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, refusal } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { countTaken } from '../frame/found.ts';
import { nameShown, requirePhones } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { exportHtml } from './export-view.ts';
import { readHeld } from './history/read.ts';
import { followedByForm, type OpenedCustomer, openCustomer } from './open.ts';

/** An export contains phones and e-mails, so it needs the permission to see them. Throws 403 without it. */
async function openToExport(visit: WorkshopVisit): Promise<OpenedCustomer> {
  const opened = await openCustomer(visit);
  requirePhones(visit, 'an export');
  return opened;
}

export const askExport = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  exportPage(visit, await openToExport(visit), null);

export async function recordAsked(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const opened = await openToExport(visit);
  const as: ExportAs = form['as'] === 'page' ? 'page' : 'json';
  const to = `${opened.path}/export/${as}`;
  return submit(
    visit,
    async (key) => {
      const { customerId } = opened.customer;
      await change(key.once(to), async ({ tx, within }) => {
        await recordExport(within, { workshopId: workshop.workshopId, customerId, as, actor });
        await countTaken(visit, 'export', tx);
      });
      return to;
    },
    (refused) => exportPage(visit, opened, refused),
  );
}

export const exportAsJson = (visit: WorkshopVisit): Promise<ConsoleResponse> =>
  once(visit, 'json', ({ customer }) => ({
    fileName: `customer-${customer.customerId}.json`,
    type: 'application/json; charset=utf-8',
    pieces: exportJson(visit.oldReads, customer),
  }));

export const exportAsPage = (visit: WorkshopVisit): Promise<ConsoleResponse> =>
  once(visit, 'page', ({ customer, path }) => ({
    title: 'Export of a customer',
    current: 'Customers',
    main: html`<h1>All that is held on ${nameShown(customer.name, visit.workshop)}</h1>${buttons(linkButton('Back', path, 'quiet'))}`,
    more: exportHtml(exportParts(visit.oldReads, customer), visit.workshop.timezone),
  }));

const openMs = 15 * 60_000;

/** Serves an export that this person has requested; redirects to the form otherwise. */
async function once(
  visit: WorkshopVisit,
  as: ExportAs,
  show: (opened: OpenedCustomer) => ConsoleResponse,
): Promise<ConsoleResponse> {
  const { context, who, workshop } = visit;
  const opened = await openToExport(visit);
  const asked = await latestEntry(context.db, {
    ...{ workshopId: workshop.workshopId, subjectId: opened.customer.customerId },
    ...{ actions: ['customer.exported'], personId: who.personId },
  });
  const isOpen =
    asked !== null &&
    asked.after?.['as'] === as &&
    context.clock.machineNow().getTime() - asked.recordedAt.getTime() < openMs;
  return isOpen ? show(opened) : { to: `${opened.path}/export` };
}

async function exportPage(
  visit: WorkshopVisit,
  { customer, path }: OpenedCustomer,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { workshop } = visit;
  const { customerId } = customer;
  const held = await readHeld(visit, customerId);
  return {
    title: 'Export a customer',
    ...followedByForm(customer),
    current: 'Customers',
    main: html`<div class="stack narrow"><h1>Export ${nameShown(customer.name, workshop)}</h1>
${refusal(refused)}
<p>Everything that is held on this customer, for them: contact details and what each partner may see of them, cars, bookings with attendance, quotes, reminders, calls, all messages, campaigns, and who changed what. Staff stand in it as "staff", without their names, and no other customer does.</p>
<section class="card">${facts([
      ['Bookings', String(held.bookings)],
      ['Messages', String(held.messages)],
      ['Cars', String(held.cars)],
    ])}
<p class="quiet">That you exported it is kept in the trail. Hand it to nobody but the customer.</p>
${changeForm({
  action: `${path}/export`,
  body: html`<p class="buttons"><button class="button" name="as" value="json">Export as JSON</button> <button class="button quiet" name="as" value="page">Export as a page</button> ${linkButton('Back', path, 'quiet')}</p>`,
})}</section></div>`,
  };
}
