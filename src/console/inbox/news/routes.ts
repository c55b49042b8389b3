/** /console/w/{slug}/inbox/news: what customers wrote in the last minute, for the script that shows notifications. */
import { redactedContacts } from '#base/values/redacted-contacts.ts';
import { shorten } from '#base/values/shorten.ts';
import { page } from '../../frame/console-page.ts';
import { letIn } from '../../frame/found.ts';
import { textShown } from '../../frame/masked.ts';
import { listNews } from './store.ts';

const textAtMost = 200;

/** Notifications appear on locked screens too: they contain no phone, and the text only for people who chose that. */
export const newsRoute = page('inbox/news', 'seeCustomers', async (visit) => {
  const { context, workshop, query } = visit;
  const news = await listNews(context.db, workshop.workshopId);
  const { isLetIn } = await letIn(
    visit,
    news.map(({ customerId }) => customerId),
  );
  const texts = (isLetIn ? news : []).map(({ id, conversationId, name, body }) => ({
    ...{ id, conversationId, name: nameOf(name) },
    ...(query['text'] === 'yes' ? { text: shorten(textShown(body, workshop), textAtMost) } : {}),
  }));
  return { json: { texts } };
});

/** Somebody who has only texted has their number as a name. */
function nameOf(name: string): string {
  const shown = redactedContacts(name);
  return /[\p{L}\p{N}]/u.test(shown) ? shown : 'A customer';
}
