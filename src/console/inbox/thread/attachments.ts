/**
 * Attachments of customers' texts: pictures that browsers draw are shown, other pictures are links, and other files are only
 * named.
 */

import { html, type SafeHtml } from '@remix-run/html-template';
import { ownValue } from '#base/values/own-value.ts';
import type { Attachment } from '#product/messaging/attachments/store.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { drawnTypes } from '../picture.ts';

const whyNot: Readonly<Record<string, string>> = {
  typeNotAllowed: 'it is no picture',
  otherContent: 'it is not the picture that it says it is',
  tooLarge: 'it is too large',
  empty: 'it is empty',
  addressNotAllowed: 'it has no address that may be asked',
};

/** `talk`: the path of the conversation. `from`: who sent it, and when. */
export function attachmentList(
  { workshop }: Pick<WorkshopVisit, 'workshop'>,
  talk: string,
  attachments: readonly Attachment[],
  from: string,
): SafeHtml | null {
  if (attachments.length === 0) return null;
  const item = (attachment: Attachment, n: number) =>
    attachmentShown(workshop, `${talk}/pictures/${attachment.attachmentId}`, attachment, {
      name: attachments.length === 1 ? 'Picture' : `Picture ${n + 1}`,
      from,
    });
  return html`<div class="pictures">${attachments.map(item)}</div>`;
}

function attachmentShown(
  { seesPhones }: WorkshopVisit['workshop'],
  href: string,
  { contentType, state, reason }: Attachment,
  { name, from }: { readonly name: string; readonly from: string },
): SafeHtml {
  if (state === 'waiting') return html`<p class="quiet">${name}: it is being fetched.</p>`;
  if (state === 'failed') return html`<p class="quiet">${name}: it could not be fetched.</p>`;
  if (state !== 'stored')
    return html`<p class="quiet">A file was sent (<bdi>${contentType}</bdi>), and is not shown: ${ownValue(whyNot, reason ?? '') ?? 'it was not kept'}.</p>`;
  // A picture may show a phone number or an address, and cannot be masked.
  if (!seesPhones) return html`<p class="quiet">${name}: hidden, as phone numbers are.</p>`;
  if (!drawnTypes.has(contentType))
    return html`<p><a href="${href}">${name}: download it</a> <span class="quiet">(${contentType}, which browsers do not show)</span></p>`;
  return html`<a class="picture" href="${href}"><img src="${href}" alt="${name} from ${from}" loading="lazy"></a>`;
}
