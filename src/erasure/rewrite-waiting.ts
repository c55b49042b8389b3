/** What waits to tell a workshop of an erased person is worded again: it still tells of the booking or the answers, and names nobody. */
import type { Queryable } from '#db/database.ts';
import { textOfNotice } from '#notifications/compose.ts';
import { shownAtMost, textOfDigest } from '#notifications/inbox-digests/compose.ts';
import { readDigest } from '#notifications/inbox-digests/store.ts';
import { readNoticeEvent } from '#notifications/store.ts';
import { measureSms } from '#values/sms-text.ts';
import { workshopName } from '#workshops/store.ts';
import { findWaitingNotices, replaceText, type WaitingNotice } from './store.ts';

/** Call it when the rows that the texts are made of are erased. Of what is not kept any more `Erased` stays. */
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
  return textOfDigest(digest, await workshopName(tx, workshopId), channel);
}

async function noticeText(tx: Queryable, { causeId, channel }: WaitingNotice): Promise<Text | null> {
  const event = await readNoticeEvent(tx, causeId);
  if (event === null) return null;
  try {
    const { subject, body } = textOfNotice(event, { audience: 'workshop', channel }, quiet);
    return { subject: channel === 'email' ? subject : null, body };
  } catch {
    // Whatever the event lacks, it is no reason to keep the person.
    return null;
  }
}

/** What is wrong with a workshop's text was logged when the notice was queued. */
const quiet = { warn: () => undefined };
