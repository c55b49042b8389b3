/** /console/w/{slug}/inbox/{conversationId}: what was said, and the form that answers. */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { Problem } from '#errors.ts';
import { findAnswered } from '#product/messaging/inbox/answered/store.ts';
import { listMessages } from '#product/messaging/inbox/store.ts';
import { doneText } from '../../bookings/done.ts';
import { textShown } from '../../frame/masked.ts';
import { type ConsolePage, page } from '../../frame/place.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { countScripts } from '../../said/count.ts';
import { againForm } from '../compose/again.ts';
import { composer, type Sent } from '../compose/composer.ts';

export const thread = page('inbox/:id', 'seeCustomers', (visit) =>
  threadPage(visit, visit.params['id'] ?? ''),
);

export async function threadPage(
  visit: WorkshopVisit,
  conversationId: string,
  sent: Sent | null = null,
): Promise<ConsolePage> {
  const { context, workshop } = visit;
  const answered = isId(conversationId)
    ? await findAnswered(context.db, workshop.workshopId, conversationId)
    : null;
  if (answered === null) throw new Problem('000002');
  const messages = await listMessages(context.db, { conversationId, before: null, limit: 50 });
  const talk = { ...answered, conversationId, lastMessageId: messages[0]?.messageId ?? null };
  return {
    title: 'Conversation',
    current: 'Inbox',
    live: [`message:${conversationId}`, `customer:${answered.customerId}`],
    said: sent === null ? doneText(visit.query['done']) : null,
    scripts: countScripts,
    main: html`<h1>Conversation</h1><ol class="story">${messages.map((each) => html`<li class="${each.direction}"><p class="quiet">${localDateTime(each.at, workshop.timezone)}, ${each.state}${each.reason ? `: ${each.detail ?? each.reason}` : ''}</p><p class="message">${textShown(each.body, workshop)}</p>${againForm(visit, conversationId, each)}</li>`)}</ol>${await composer(visit, talk, sent)}`,
  };
}
