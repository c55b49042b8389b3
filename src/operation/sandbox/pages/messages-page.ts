/** GET /sandbox: the messages that were "sent", one of them in detail, and the clock. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Page } from '#platform/pages/layout.ts';
import { type Detail, messageDetail, type ShownMessage, sizeText, subjectOf } from './message.ts';
import { choice, messagesPath, refreshing, sandboxPage, timeElement } from './parts.ts';
import { hrefOf, isFiltered, olderHref, type Way } from './way.ts';

export interface Messages {
  readonly messages: readonly ShownMessage[];
  readonly hasMore: boolean;
  /** The chosen message, else the newest; null: there is none. */
  readonly detail: Detail | null;
  /** The clock and the magic numbers. */
  readonly tools: SafeHtml;
}

export function messagesPage(way: Way, { messages, hasMore, detail, tools }: Messages): Page {
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages, newest first`;
  const none = isFiltered(way)
    ? 'No message fits the filter.'
    : 'Nothing was sent yet: make a booking, or send an SMS.';
  const older = hasMore ? olderHref(way) : null;
  return sandboxPage({
    path: messagesPath,
    title: 'Sandbox',
    intro: 'What Pitlane would have sent. It reaches nobody: it is kept here.',
    tools: html`<aside class="tools" aria-label="Tools">${tools}</aside>`,
    main: html`<div id="mail" class="mail" data-shows="${way.message === null ? 'list' : 'detail'}">
<section class="list" aria-label="Messages">
${filter(way)}
<div class="bar"><p id="count" class="quiet" role="status" data-live>${count}</p>${refreshing(hrefOf(way))}</div>
<p id="none" class="empty" data-live${messages.length > 0 ? html` hidden` : null}>${none}</p>
<ol id="messages" class="messages" data-live>${messages.map((message) => row(way, message, message.id === detail?.message.id))}</ol>
<p id="older" class="more" data-live>${older === null ? null : html`<a class="button quiet" href="${older}" data-swap="older">Older</a>`}</p>
</section>
${messageDetail(way, detail)}
</div>`,
  });
}

const filter = ({
  to,
  channel,
  outcome,
}: Way) => html`<form id="filter" class="filter" action="${messagesPath}" aria-label="Filter">
<label class="wide">Recipient <input name="to" type="search" placeholder="0491 570 006 or sam@example.com" autocomplete="off" maxlength="255" value="${to}"></label>
${choice('channel', 'Channel', channel, [
  { value: '', label: 'All' },
  { value: 'sms', label: 'SMS' },
  { value: 'email', label: 'E-mail' },
])}
${choice('outcome', 'Outcome', outcome, [
  { value: 'accepted', label: 'Sent' },
  { value: 'refused', label: 'Refused' },
])}
<noscript><button class="button quiet">Show</button></noscript>
</form>`;

/** Characters of a row's text. */
const textAtMost = 120;

function row(way: Way, message: ShownMessage, isChosen: boolean): SafeHtml {
  const { id, channel, outcome, to, at, body, segments } = message;
  const isSms = channel === 'sms';
  const what = (isSms ? body : subjectOf(message)).replace(/\s+/g, ' ');
  const badges = html`<span class="badge">${isSms ? 'SMS' : 'E-mail'}</span>${outcome === 'refused' ? html`<span class="badge refused">Refused</span>` : null}${isSms && (segments ?? 1) > 1 ? html`<span class="quiet">${sizeText(message)}</span>` : null}`;
  return html`<li><a class="row" href="${hrefOf(way, { message: id, as: null })}" data-swap="${id}"${isChosen ? html` aria-current="true"` : null}><span class="who"><bdi>${to}</bdi></span>${timeElement(at, 'short')}<span class="what" dir="auto">${[...what].slice(0, textAtMost).join('')}</span><span class="badges">${badges}</span></a></li>
`;
}
