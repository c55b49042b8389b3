/** Rewrites the texts of queued notices and digests to a workshop: they still report the booking, the quote or the answers, without the erased person. */

import { measureSms } from '#base/values/sms-text.ts';
import type { Queryable } from '#platform/db/database.ts';
import { textsOfWaiting } from '#product/notifications/queued.ts';
import { findWaitingNotices, replaceText } from './store.ts';

/** Call it after the rows that the texts are made from were erased. Where an event was purged, the text stays `Erased`. */
export async function rewriteWaiting(tx: Queryable, messageIds: readonly string[]): Promise<void> {
  const waiting = await findWaitingNotices(tx, messageIds);
  for (const { id, channel, subject, body } of await textsOfWaiting(tx, waiting)) {
    const { encoding = null, segments = null } = channel === 'sms' ? measureSms(body) : {};
    await replaceText(tx, { id, subject, body, encoding, segments });
  }
}
