/** /console/w/{slug}/inbox: the conversations in which a customer waits; or the texts that failed. */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { listConversations } from '#product/messaging/inbox/store.ts';
import { nameShown, phoneLink, textShown } from '../frame/masked.ts';
import { page } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { listFailed, sinceOf } from '../waiting/store.ts';
import { listedAtMost, table } from './table.ts';

export const inboxPage = page('inbox', 'seeCustomers', async (visit) => ({
  title: 'Inbox',
  current: 'Inbox',
  isWide: true,
  live: ['message', 'customer'],
  main: html`<div class="head"><h1>Inbox</h1><p class="buttons"><a class="button quiet" href="${visit.base}/inbox">Waiting for us</a><a class="button quiet" href="${visit.base}/inbox?filter=failed">Failed</a></p></div>${visit.query['filter'] === 'failed' ? await failed(visit) : await waiting(visit)}`,
}));

async function waiting({ context, workshop, base, query }: WorkshopVisit) {
  const before = query['before'] ?? '';
  const conversations = await listConversations(context.db, {
    ...{
      workshopId: workshop.workshopId,
      filter: 'waiting',
      assignedTo: null,
      search: null,
      limit: listedAtMost,
    },
    before: isId(before) ? before : null,
  });
  const last = conversations.at(-1);
  return table({
    head: ['Customer', 'Phone', 'Last message', 'When'],
    rows: conversations.map(({ customerId, name, phone, lastText, lastAt }) => [
      html`<a href="${base}/customers/${customerId}">${nameShown(name, workshop)}</a>`,
      phoneLink(phone, workshop),
      html`<span class="message">${textShown(lastText, workshop)}</span>`,
      localDateTime(lastAt, workshop.timezone),
    ]),
    next: conversations.length < listedAtMost || !last ? null : `${base}/inbox?before=${last.lastMessageId}`,
    empty: 'Nobody waits for an answer.',
  });
}

async function failed({ context, workshop, base }: WorkshopVisit) {
  const { threeDays } = sinceOf(context.clock.now());
  const messages = await listFailed(context.db, workshop.workshopId, threeDays);
  return table({
    head: ['To', 'Text', 'Why', 'When'],
    rows: messages.map(({ customerId, bookingId, body, state, reason, createdAt }) => [
      bookingId === null
        ? html`<a href="${base}/customers/${customerId}">The customer</a>`
        : html`<a href="${base}/bookings/${bookingId}">The booking</a>`,
      html`<span class="message">${textShown(body, workshop)}</span>`,
      reason ?? state,
      localDateTime(createdAt, workshop.timezone),
    ]),
    next: null,
    empty: 'No text failed in the last three days.',
  });
}
