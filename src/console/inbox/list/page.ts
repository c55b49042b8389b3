/** /console/w/{slug}/inbox: conversations, by default those in which a customer waits for us. */
import { html } from '@remix-run/html-template';
import type { ConsolePage } from '../../frame/console-page.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { filters, listingOf } from './query.ts';
import { readList } from './read.ts';
import { conversationList } from './view.ts';

export async function listPage(visit: WorkshopVisit): Promise<ConsolePage> {
  const listing = listingOf(visit.query);
  const listed = await readList(visit, listing);
  return {
    title: `Inbox: ${filters[listing.filter]}`,
    current: 'Inbox',
    isWide: true,
    isRefusal: listed.refused !== null,
    live: ['message', 'customer'],
    main: html`<div class="talks">${conversationList(visit, { ...listed, listing, openId: null })}
<p class="no-talk quiet">Choose a conversation.</p></div>`,
  };
}
