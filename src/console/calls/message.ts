/** /console/w/{slug}/calls/{id}/message: a custom text to a caller, who need not be a customer yet. */
import { html } from '@remix-run/html-template';
import { Problem } from '#errors.ts';
import { findLastSaid } from '#product/messaging/inbox/answered/store.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { countShown } from '../frame/found.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { textRefusal } from '../said/answered.ts';
import { countScripts } from '../said/count.ts';
import { textForm } from '../said/text-form.ts';
import { sendText } from '../said/write.ts';
import { type OpenedCall, openCall } from './open.ts';
import { callerShown, phoneShown } from './view.ts';

export const askMessage = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  messagePage(visit, await openCall(visit), null);

/** The recipient is the number that called; a customer is created with the text when there is none. */
export async function message(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const opened = await openCall(visit);
  const { call, path } = opened;
  if (call.phone === null) throw new Problem('000002');
  const to = { phone: call.phone };
  return sendText(visit, { to, bookingId: null, path, field: 'message' }, (refused) =>
    messagePage(visit, opened, refused),
  );
}

async function messagePage(
  visit: WorkshopVisit,
  { call, path }: OpenedCall,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { id, phone, optedOut, version, customerId } = call;
  if (phone === null) throw new Problem('000002');
  await countShown(visit, customerId === null ? [] : [customerId]);
  const { workshopId } = visit.workshop;
  // A caller who is not a customer yet has no messages.
  const seen = customerId === null ? null : await findLastSaid(visit.context.db, { workshopId, customerId });
  const form = {
    ...({ field: 'message', action: `${path}/message` } as const),
    drafts: null,
    seen,
    back: path,
  };
  return {
    title: 'Text to a caller',
    ...{ live: [`call:${id}`], version: String(version), isForm: true, current: 'Calls' },
    scripts: countScripts,
    main: html`<div class="stack narrow"><h1>Text</h1><p>To ${callerShown(call, visit)}, ${phoneShown(call, visit.workshop)}</p>
${await textRefusal(visit, refused)}
${optedOut ? html`<p class="notice bad">The customer has opted out of SMS: nothing can be sent.</p>` : null}
<section class="card">${await textForm(visit, form, refused && { form: visit.form, refused })}</section></div>`,
  };
}
