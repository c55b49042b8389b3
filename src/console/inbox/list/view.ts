/** The list of conversations, with its filters and its search: the inbox itself, and beside a conversation. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { linkButton } from '#platform/pages/components.ts';
import { nameShown, textShown } from '../../frame/masked.ts';
import { moreLetters } from '../../frame/search-turn.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { mayTextNumbers } from '../new.ts';
import { shortTime, timeShown } from '../when.ts';
import { type FilterName, filters, type Listing, queryFor } from './query.ts';
import type { Listed, Row } from './read.ts';

export interface ListShown extends Listed {
  readonly listing: Listing;
  /** The conversation that is open beside it; null: none. */
  readonly openId: string | null;
}

const snippetAtMost = 140;

export function conversationList(
  visit: WorkshopVisit,
  { listing, rows, next, refused, isWhole, openId }: ListShown,
): SafeHtml {
  const { base } = visit;
  const { filter, search, before } = listing;
  const heading = openId === null ? html`<h1>Inbox</h1>` : html`<h2>Conversations</h2>`;
  const head = mayTextNumbers(visit)
    ? html`<div class="head">${heading}${linkButton('New message', `${base}/inbox/new`, 'quiet')}</div>`
    : heading;
  return html`<section class="conversations" aria-label="Conversations">${head}
<form class="look" role="search" aria-label="Conversations" action="${base}/inbox"><input type="hidden" name="filter" value="all"><label class="unseen" for="look">Search conversations</label><input id="look" name="q" type="search" value="${search ?? ''}" placeholder="Name, phone, rego, code" autocomplete="off" maxlength="100"><button class="button quiet">Search</button></form>
<nav class="filters" aria-label="Filters"><ul>${Object.entries(filters).map(([name, label]) => html`<li><a href="${base}/inbox${queryFor({ ...listing, filter: name as FilterName, before: null })}"${name === filter ? html` aria-current="true"` : null}>${label}</a></li>`)}</ul></nav>
<div class="pane" id="list-pane">${isWhole ? null : moreLetters}${rows.length === 0 ? html`<p class="${refused === null ? 'quiet none' : 'notice bad'}">${refused ?? emptyOf(listing)}</p>` : html`<ul class="talk-rows" aria-label="Conversations" data-steps>${rows.map((row) => rowItem(visit, row, openId))}</ul>`}
${before === null && next === null ? null : html`<p class="buttons">${before === null ? null : html`<a class="button quiet" href="${base}/inbox${queryFor({ ...listing, before: null })}">Newest</a>`}${next === null ? null : html`<a class="button quiet" href="${base}/inbox${queryFor({ ...listing, before: next })}">Older conversations</a>`}</p>`}</div></section>`;
}

const empty: Readonly<Record<FilterName, string>> = {
  waiting: 'Nobody waits for an answer.',
  mine: 'No conversation is assigned to you.',
  all: 'Nobody has written, and nobody was written to.',
  done: 'No conversation is done.',
  failed: 'No text failed in the last three days.',
};

const emptyOf = ({ filter, search, before }: Listing): string =>
  search !== null ? 'Nothing was found.' : before !== null ? 'There are no older ones.' : empty[filter];

function rowItem({ context, workshop }: WorkshopVisit, row: Row, openId: string | null): SafeHtml {
  const { key, href, conversationId, name, who, text, at, marks } = row;
  // The whole text is masked before it is cut.
  const snippet = textShown(text, workshop).slice(0, snippetAtMost);
  const isOpen = openId !== null && conversationId === openId;
  return html`<li id="row-${key}"><a href="${href}"${isOpen ? html` aria-current="page"` : null}><span class="row-title">${nameShown(name, workshop)}</span><span class="when">${timeShown(at, shortTime(at, context.clock.now(), workshop.timezone), workshop.timezone)}</span><span class="snippet"><span class="quiet">${who}:</span> ${snippet}</span><span class="row-marks">${marks}</span></a></li>`;
}
