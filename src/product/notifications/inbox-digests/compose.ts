/** The text of an inbox digest, rendered when it is queued, and its e-mail, composed at its hand-over. */
import type { Queryable } from '#platform/db/database.ts';
import { signedAddress } from '#platform/gateways/email/signed-address.ts';
import type { EmailComposer } from '#product/sending/compose.ts';
import type { Channel } from '#product/sending/kinds.ts';
import type { WaitingNotice, WaitingText } from '../waiting.ts';
import { digestEmail } from './email.ts';
import { type DigestWorkshop, type InboxDigest, readDigest, readDigestWorkshop } from './store.ts';
import { bodyOf, smsOf, summaryOf } from './text.ts';

/** The e-mail quotes at most this many answers, and gives their total number. */
export const listedAtMost = 50;

/** The texts of queued digests, rendered again from the present data. */
export async function textsOfDigests(
  tx: Queryable,
  waiting: readonly WaitingNotice[],
): Promise<WaitingText[]> {
  const texts: WaitingText[] = [];
  for (const { id, channel, causeId, workshopId } of waiting) {
    const digest = await readDigest(tx, causeId, listedAtMost);
    const workshop = await readDigestWorkshop(tx, workshopId);
    texts.push({ id, channel, ...textOfDigest(digest, workshop, channel) });
  }
  return texts;
}

export function textOfDigest(
  digest: InboxDigest,
  workshop: DigestWorkshop,
  channel: Channel,
): { readonly subject: string | null; readonly body: string } {
  return channel === 'sms'
    ? { subject: null, body: smsOf(digest, workshop) }
    : { subject: summaryOf(digest, workshop, channel), body: bodyOf(digest, workshop) };
}

/** With the answers as stored at the hand-over: without the details of people who were erased since. */
export const composeDigestEmail: EmailComposer = async ({ db, clock, sealing, config }, message) => {
  const { id, recipient, causeId, workshopId } = message;
  if (causeId === null) return null;
  const digest = await readDigest(db, causeId, listedAtMost);
  const workshop = await readDigestWorkshop(db, workshopId);
  const domain = config.inboundMailDomain;
  const now = clock.machineNow();
  const replyTo = (conversationId: string) =>
    domain === null ? null : signedAddress(sealing, { use: 'reply', id: conversationId, domain, now });
  return digestEmail({ id, recipient, workshop }, digest, { unsubscribe: config.mailUnsubscribe, replyTo });
};
