/** The chosen message: an e-mail, or an SMS in its conversation. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Static } from 'typebox';
import { button, hidden } from '#platform/pages/components.ts';
import type { ConversationAnswer, MessagesAnswer } from '../schema.ts';
import type { SmsSize } from '../size.ts';
import { timeElement } from './parts.ts';
import { hrefOf, type View, type Way } from './way.ts';

export type ShownMessage = Static<typeof MessagesAnswer>['messages'][number];
type Text = Static<typeof ConversationAnswer>['messages'][number];

export interface Detail {
  readonly message: ShownMessage;
  /** The conversation with the customer of an SMS, oldest first. */
  readonly conversation: readonly Text[];
  /** SMS can be answered as the customer. */
  readonly canAnswer: boolean;
  /** Why an answer was refused, and its text. */
  readonly refused: { readonly message: string; readonly body: string } | null;
}

/** `2 segments, UCS-2` */
export function sizeText({
  encoding,
  segments,
}: Partial<Pick<ShownMessage, 'encoding' | 'segments'>>): string {
  const count = segments === 1 ? '1 segment' : `${segments} segments`;
  return encoding === 'ucs2' ? `${count}, UCS-2` : count;
}

/** `AUD 0.10` */
function price({ amount, currency }: NonNullable<SmsSize['cost']>): string {
  const format = { style: 'currency', currency, currencyDisplay: 'code', maximumFractionDigits: 4 } as const;
  return new Intl.NumberFormat('en-AU', format).format(amount);
}

export function messageDetail(way: Way, detail: Detail | null): SafeHtml {
  if (detail === null)
    return html`<section id="detail" class="detail card" aria-label="The message" data-live data-key=""><p class="quiet">Choose a message.</p></section>`;
  const { message } = detail;
  const { id, to, channel } = message;
  return html`<section id="detail" class="detail card" aria-label="The message" data-live data-message="${id}" data-key="${id} ${way.as ?? ''} ${detail.refused?.message ?? ''}">
<p class="detail-bar"><a class="back" href="${hrefOf(way, { message: null, as: null })}" data-swap>‹ All messages</a><a href="${hrefOf(way, { to, message: id, as: null })}" data-swap>Show this recipient only</a></p>
${channel === 'sms' ? conversation(detail) : email(way, message)}
</section>`;
}

function conversation({ message, conversation: texts, canAnswer, refused }: Detail): SafeHtml {
  const { id, to, from, outcome } = message;
  const form = html`<form class="answer-form" method="post" action="/sandbox/answer" data-stays data-clears>
${hidden('message', id)}<label for="answer" class="unseen">Answer as ${to}</label>
<input id="answer" name="body" maxlength="10000" autocomplete="off" required placeholder="Answer as ${to}" value="${refused?.body ?? ''}">${button('Send', 'quiet')}
</form>`;
  return html`<article class="conversation"><h2>${to}</h2><p class="quiet">from ${from}</p>
<ol id="thread" class="thread" aria-label="The conversation" data-live>${texts.map((text) => bubble(text, text.id === id))}</ol>
<p id="answer-trouble" class="trouble" role="alert" data-live${refused === null ? html` hidden` : null}>${refused?.message ?? null}</p>
${outcome === 'accepted' && canAnswer ? form : null}</article>`;
}

function bubble({ id, direction, outcome, body, at, cost, ...size }: Text, isChosen: boolean): SafeHtml {
  const isAnswer = direction === 'inbound';
  const about = [
    isAnswer ? 'Answer' : outcome === 'refused' ? 'Refused' : 'Sent',
    sizeText(size),
    ...(cost && !isAnswer ? [price(cost)] : []),
  ].join(' · ');
  return html`<li class="bubble ${isAnswer ? 'answer' : outcome}" data-key="${id}"${isChosen ? html` aria-current="true"` : null}><p class="text" dir="auto">${body}</p><p class="quiet">${about} · ${timeElement(at, 'short')}</p></li>`;
}

const noSubject = '(no subject)';
export const subjectOf = ({ subject }: Pick<ShownMessage, 'subject'>): string => subject ?? noSubject;

function email(way: Way, message: ShownMessage): SafeHtml {
  const { id, from, to, at, outcome, body, html: markup, calendar } = message;
  const source = (text: string) => html`<pre tabindex="0">${text}</pre>`;
  const panels: Partial<Record<View, SafeHtml>> = {
    // Its `sandbox` attribute and the server's headers let it run nothing, and fetch nothing but pictures of this server.
    ...(markup === null
      ? {}
      : {
          html: html`<iframe sandbox="" src="/sandbox/messages/${id}/preview" title="The e-mail as HTML"></iframe>`,
        }),
    text: html`<p class="text" dir="auto">${body.trimEnd()}</p>`,
    ...(markup === null ? {} : { source: source(markup) }),
    ...(calendar === null ? {} : { invitation: source(calendar) }),
  };
  const first: View = markup === null ? 'text' : 'html';
  const view = way.as !== null && panels[way.as] ? way.as : first;
  const labels: Readonly<Record<View, string>> = {
    ...{ html: 'HTML', text: 'Text', source: 'Source', invitation: 'Invitation' },
  };
  const tabs = (Object.keys(panels) as View[]).map(
    (name) =>
      html`<a class="button quiet" href="${hrefOf(way, { message: id, as: name })}" data-swap="${name}"${name === view ? html` aria-current="true"` : null}>${labels[name]}</a>`,
  );
  const fact = (term: string, value: SafeHtml | string) =>
    html`<div><dt>${term}</dt><dd dir="auto">${value}</dd></div>`;
  return html`<article class="email ${outcome}"><h2 dir="auto">${subjectOf(message)}</h2>
<dl class="facts">${fact('From', from)}${fact('To', to)}${fact('Sent', timeElement(at, 'long'))}</dl>
<div class="views" role="group" aria-label="Show as">${tabs}</div>
<div class="panel">${panels[view]}</div></article>`;
}
