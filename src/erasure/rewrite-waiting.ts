/** Rewrites the texts of queued notices and digests to a workshop: they still report the booking, the quote or the answers, without the erased person. */
import type { Queryable } from '#db/database.ts';
import { textOfNotice } from '#notifications/compose.ts';
import { shownAtMost, textOfDigest } from '#notifications/inbox-digests/compose.ts';
import { readDigest, readDigestWorkshop } from '#notifications/inbox-digests/store.ts';
import { textOfQuoteNotice } from '#notifications/quotes/compose.ts';
import { readQuoteEvent } from '#notifications/quotes/store.ts';
import { readNoticeEvent } from '#notifications/store.ts';
import { measureSms } from '#values/sms-text.ts';
import { findWaitingNotices, replaceText, type WaitingNotice } from './store.ts';

/** Call it after the rows that the texts are made from were erased. Where an event was purged, the text stays `Erased`. */
export async function rewriteWaiting(tx: Queryable, messageIds: readonly string[]): Promise<void> {
  for (const notice of await findWaitingNotices(tx, messageIds)) {
    const text = notice.kind === 'inboxDigest' ? await digestText(tx, notice) : await noticeText(tx, notice);
    if (text === null) continue;
    const { encoding, segments } =
      notice.channel === 'sms' ? measureSms(text.body) : { encoding: null, segments: null };
    await replaceText(tx, { id: notice.id, ...text, encoding, segments });
  }
}

interface Text {
  readonly subject: string | null;
  readonly body: string;
}

async function digestText(tx: Queryable, { causeId, workshopId, channel }: WaitingNotice): Promise<Text> {
  const digest = await readDigest(tx, causeId, shownAtMost);
  return textOfDigest(digest, await readDigestWorkshop(tx, workshopId), channel);
}

async function noticeText(tx: Queryable, notice: WaitingNotice): Promise<Text | null> {
  const { kind, channel } = notice;
  try {
    const text = await (kind === 'quoteNotice' ? quoteText : bookingText)(tx, notice);
    if (text === null) return null;
    const { subject, body } = text;
    return { subject: channel === 'email' ? subject : null, body };
  } catch {
    // A text that can't be composed stays `Erased`.
    return null;
  }
}

async function bookingText(tx: Queryable, { causeId, channel }: WaitingNotice) {
  const event = await readNoticeEvent(tx, causeId);
  return event && textOfNotice(event, { audience: 'workshop', channel }, quiet);
}

async function quoteText(tx: Queryable, { causeId, channel }: WaitingNotice) {
  const event = await readQuoteEvent(tx, causeId);
  return event && textOfQuoteNotice(event, { audience: 'workshop', channel }, quiet);
}

/** Faults of a workshop's own text were logged when the notice was enqueued. */
const quiet = { warn: () => undefined };
