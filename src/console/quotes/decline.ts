/** /console/w/{slug}/quotes/{id}/decline: asks for confirmation before a quote is declined. Nobody is notified. */
import { html } from '@remix-run/html-template';
import { button, buttons, linkButton } from '#platform/pages/components.ts';
import { declineOwn } from '#product/quotes/staff/decline.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import { changeForm, refusal } from '../frame/form.ts';
import { type Refused, submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesSince } from '../trail/since.ts';
import { quoteFacts } from './facts.ts';
import { followedByForm, type OpenedQuote, openQuote } from './open.ts';

export const askDecline = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  declinePage(visit, await openQuote(visit), null);

export async function decline(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { actor, form, workshop } = visit;
  const { quote, path } = await openQuote(visit);
  const to = `${path}?done=declined`;
  return submit(
    visit,
    async (key) => {
      const own = { workshopId: workshop.workshopId, seen: versionOf(form) };
      await declineOwn(key.once(to), quote.id, actor, own);
      return to;
    },
    async (refused) => declinePage(visit, await openQuote(visit), refused),
  );
}

async function declinePage(
  visit: WorkshopVisit,
  opened: OpenedQuote,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { quote, beside, path } = opened;
  return {
    title: `Decline the quote for ${quote.car.rego}`,
    ...followedByForm(opened),
    current: 'Quotes',
    main: html`<div class="stack narrow"><h1>Decline this quote?</h1>
${refusal(refused, await changesSince(visit, quote.id, refused))}
<section class="card">${quoteFacts(visit, opened)}</section>
<section class="card">${changeForm({
      action: `${path}/decline`,
      version: beside.version,
      body: html`<p>It can’t be priced or accepted afterwards. The customer is not told; their page says that it was declined.</p>${buttons(button('Decline the quote', 'danger'), linkButton('Keep it', path, 'quiet'))}`,
    })}</section></div>`,
  };
}
