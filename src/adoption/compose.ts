/** Makes messages of old notices, with the same texts. */
import type { Queryable } from '#db/database.ts';
import { textOfNotice } from '#notifications/compose.ts';
import { shownAtMost, textOfDigest } from '#notifications/inbox-digests/compose.ts';
import { readDigest, readDigestWorkshop } from '#notifications/inbox-digests/store.ts';
import type { NoticeLog } from '#notifications/render.ts';
import { readNoticeEvents } from '#notifications/store.ts';
import { rowOf } from '#sending/enqueue.ts';
import type { MessageRow } from '#sending/queue/store.ts';
import type { OldNotice } from './store.ts';

/** A message has the id of its notice, so e-mails keep their Message-ID. A notice whose event was purged has no text. */
export async function newMessagesOf(
  tx: Queryable,
  notices: readonly OldNotice[],
  log: NoticeLog,
): Promise<MessageRow[]> {
  const causes = notices.filter(({ kind }) => kind === 'bookingNotice').map(({ causeId }) => causeId);
  const events = new Map((await readNoticeEvents(tx, causes)).map((event) => [event.eventId, event]));
  const rows: MessageRow[] = [];
  for (const notice of notices) {
    const { id, kind, workshopId, audience, channel, recipient, causeId, bookingId, customerId } = notice;
    const event = events.get(causeId);
    const text =
      kind === 'inboxDigest'
        ? textOfDigest(
            await readDigest(tx, causeId, shownAtMost),
            await readDigestWorkshop(tx, workshopId),
            channel,
          )
        : event === undefined
          ? { subject: '', body: '' }
          : textOfNotice(event, { audience, channel }, log);
    const { body } = text;
    const subject = channel === 'email' ? text.subject : null;
    const seriesNumber = bookingId === null ? null : (event?.version ?? 1);
    const message = {
      kind,
      workshopId,
      audience,
      channel,
      recipient,
      causeId,
      bookingId,
      customerId,
      subject,
      body,
    };
    rows.push({ ...rowOf({ ...message, seriesId: bookingId, seriesNumber }), id });
  }
  return rows;
}
