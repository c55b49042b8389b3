/** The text of a digest of answers, made when its round is closed, and its e-mail, made when it is handed over. */
import type { EmailComposer } from '#sending/compose.ts';
import type { Channel } from '#sending/kinds.ts';
import { digestEmail } from './email.ts';
import { nameOfWorkshop, type Round, readRound } from './store.ts';
import { bodyOf, smsOf, summaryOf } from './text.ts';

/** An e-mail shows no more; it says how many there are. */
export const shownAtMost = 50;

export function textOfDigest(
  round: Round,
  workshop: string,
  channel: Channel,
): { readonly subject: string | null; readonly body: string } {
  return channel === 'sms'
    ? { subject: null, body: smsOf(round, workshop) }
    : { subject: summaryOf(round), body: bodyOf(round, workshop) };
}

/** With what was written, as it is now: of a person who was erased since, nothing. */
export const digestEmailOf: EmailComposer = async ({ db, config }, message) => {
  const { id, recipient, causeId, workshopId } = message;
  if (causeId === null) return null;
  const round = await readRound(db, causeId, shownAtMost);
  const workshop = await nameOfWorkshop(db, workshopId);
  return digestEmail({ id, recipient, workshop }, round, config.mailUnsubscribe);
};
