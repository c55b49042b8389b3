/** /console/w/{slug}/blasts/{id}/preview: whom a blast would reach if it began now, and five of the texts as they would go. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { costOf, type SegmentPrice } from '#base/values/segment-price.ts';
import { facts } from '#platform/pages/components.ts';
import { type BlastPreview, previewBlast } from '#product/campaigns/blasts/preview.ts';
import type { ConsoleResponse } from '../../frame/console-page.ts';
import { countShown } from '../../frame/found.ts';
import { nameShown, phoneLink, textShown } from '../../frame/masked.ts';
import { reasonInWords } from '../../frame/reasons.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { customers } from '../parts.ts';
import { audienceInWords } from '../words.ts';
import { openBlast } from './show.ts';

/** A blast that has begun, or was stopped, leads to its page: whom it reaches is fixed then. */
export async function showPreview(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const { context, workshop, base } = visit;
  const { id, name, audience, startedAt, status } = await openBlast(visit);
  const path = `${base}/blasts/${id}`;
  if (startedAt !== null || status === 'cancelled') return { to: path };
  const { recipients, otherCountry, mayHaveOptedOut, examples } = await previewBlast(context, id);
  await countShown(
    visit,
    examples.map(({ customerId }) => customerId),
  );
  const shownName = textShown(name, workshop);
  return {
    title: `Preview of ${shownName}`,
    current: 'More',
    main: html`<h1>Preview of <bdi>${shownName}</bdi></h1>
<section class="card">${facts([
      ['Audience', audienceInWords(audience, workshop)],
      ['Would get it', customers(recipients - otherCountry - mayHaveOptedOut)],
      [
        'Left out',
        otherCountry === 0 ? null : `${customers(otherCountry)}: ${reasonInWords('otherCountry')}`,
      ],
      [
        'Left out until somebody decides',
        mayHaveOptedOut === 0 ? null : `${customers(mayHaveOptedOut)}: ${reasonInWords('mayHaveOptedOut')}`,
      ],
    ])}<p class="quiet">As of now: it is counted again when it begins. Who has opted out or has no mobile number is not counted.</p></section>
${examples.length === 0 ? null : html`<h2>Some of the texts</h2><ul class="stack">${examples.map((each) => example(visit, each, context.config.segmentPrice))}</ul>`}
<p><a href="${path}">Back to the blast</a></p>`,
  };
}

function example(
  { workshop, base }: WorkshopVisit,
  { customerId, name, phone, text, segments, fault }: BlastPreview['examples'][number],
  price: SegmentPrice | null,
): SafeHtml {
  const cost = price === null || segments === null ? '' : `, ${costOf(segments, price)}`;
  const size = segments === null ? null : `${segments === 1 ? '1 segment' : `${segments} segments`}${cost}`;
  return html`<li class="card"><p><strong><a href="${base}/customers/${customerId}">${nameShown(name, workshop)}</a></strong> ${phoneLink(phone, workshop)}</p>
${text === null ? html`<p class="notice bad">Nothing would go: ${reasonInWords(fault ?? 'error')}.</p>` : html`<blockquote class="sms message">${textShown(text, workshop)}</blockquote><p class="quiet">${size}</p>`}</li>`;
}
