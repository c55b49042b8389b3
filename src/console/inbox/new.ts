/** /console/w/{slug}/inbox/new: a text to a number, whose customer is made with it when there is none. */
import { html } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import { parsePhone } from '#base/values/phone.ts';
import { Problem } from '#errors.ts';
import { invalidPhone } from '#platform/http/phone-field.ts';
import { field } from '#platform/pages/components.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { faultOf } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { textRefusal } from '../said/answered.ts';
import { countScripts } from '../said/count.ts';
import { textForm } from '../said/text-form.ts';
import { sendText } from '../said/write.ts';

/** Whoever does not see phones types none, since where the text goes would tell whose it is (specification: The workshop's own bookings 8). */
export const mayTextNumbers = (visit: WorkshopVisit): boolean =>
  visit.may('wordTexts') && visit.workshop.seesPhones;

export async function askNew(visit: WorkshopVisit): Promise<ConsolePage> {
  requireNumbers(visit);
  return newPage(visit, null);
}

/** Leads to the conversation. */
export async function send(visit: WorkshopVisit): Promise<ConsoleResponse> {
  requireNumbers(visit);
  const { form, workshop } = visit;
  const shown = async (refused: Refused) => newPage(visit, refused);
  const phone = parsePhone(form['phone'] ?? '', workshop.country);
  if (phone === null) {
    const fault = new InvalidInput([invalidPhone('phone', workshop.country)]);
    return submit(visit, () => Promise.reject(fault), shown);
  }
  const to = { ...{ to: { phone }, bookingId: null, path: null, field: 'message' }, showsTalk: false };
  return sendText(visit, to, shown);
}

function requireNumbers({ workshop: { seesPhones } }: WorkshopVisit): void {
  if (seesPhones) return;
  const message = 'You do not see phone numbers here: open the customer, and text them from there';
  throw new Problem('000003', { message });
}

async function newPage(visit: WorkshopVisit, refused: Refused | null): Promise<ConsolePage> {
  const { form, base } = visit;
  const number = field({
    ...{ name: 'phone', label: 'Mobile number', type: 'tel', value: form['phone'], isUnmarked: true },
    ...{ required: true, error: faultOf(refused, 'phone') },
  });
  const path = `${base}/inbox`;
  const of = { field: 'message', action: `${path}/new`, drafts: null, seen: null, back: path } as const;
  return {
    title: 'New message',
    current: 'Inbox',
    scripts: countScripts,
    main: html`<div class="stack narrow"><h1>New message</h1>
${await textRefusal(visit, refused)}
<section class="card">${await textForm(visit, { ...of, above: number }, refused && { form, refused })}</section></div>`,
  };
}
