/** GET /sandbox/messages: a page of sent messages. */
import type { Static } from 'typebox';
import { formatInstant, parseInstant } from '#base/values/instant.ts';
import { parsePhone } from '#base/values/phone.ts';
import type { SegmentPrice } from '#base/values/segment-price.ts';
import type { Context } from '#platform/context.ts';
import { cutPage, pageOf } from '#platform/http/paging.ts';
import type { MessagesAnswer, MessagesQuery } from './schema.ts';
import { sizeOf } from './size.ts';
import { listSandboxMessages, type SandboxMessage } from './store.ts';

/** The absent sizes of an e-mail. */
const unsized = { encoding: null, segments: null, cost: null };

/** People write a phone as they like; a `+` that was not escaped in the query arrives as a space. */
function recipient(to: string): string {
  if (to.includes('@')) return to.trim().replaceAll(' ', '+');
  const text = /^ \d/.test(to) ? `+${to.slice(1)}` : to.trim();
  return parsePhone(text, 'AU') ?? text;
}

/** A message in its wire form; `price` is that of a segment, where it is known. */
export const wireMessage = (message: SandboxMessage, price: SegmentPrice | null) => ({
  ...message,
  ...(message.channel === 'sms' ? sizeOf(message.body, price) : unsized),
  at: formatInstant(message.at),
});

/** Newest first; only accepted ones unless `outcome` is given. Throws 400 000001 for a cursor of another list. */
export async function listMessages(
  { db, config }: Pick<Context, 'db' | 'config'>,
  query: Static<typeof MessagesQuery>,
): Promise<Static<typeof MessagesAnswer>> {
  const { to, since, channel, outcome = 'accepted' } = query;
  const page = pageOf(query, { list: 'sandboxMessages' });
  const rows = await listSandboxMessages(db, {
    to: to === undefined ? undefined : recipient(to),
    channel,
    since: since === undefined ? undefined : (parseInstant(since) ?? undefined),
    outcome,
    limit: page.limit + 1,
    before: page.after ?? undefined,
  });
  const { items, nextCursor } = cutPage(rows, page);
  return { messages: items.map((message) => wireMessage(message, config.sandboxSegmentPrice)), nextCursor };
}
