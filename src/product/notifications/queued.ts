/** Composes queued notices and digests, by kind: the e-mail at the hand-over, and the text again after an erasure. */
import type { Queryable } from '#platform/db/database.ts';
import type { EmailComposer, EmailComposers } from '#product/sending/compose.ts';
import { emailComposer } from './email.ts';
import { composeDigestEmail, textsOfDigests } from './inbox-digests/compose.ts';
import { subjects } from './subjects.ts';
import { textsOfNotices, type WaitingNotice, type WaitingText } from './waiting.ts';

interface Queued {
  readonly email: EmailComposer;
  texts(tx: Queryable, waiting: readonly WaitingNotice[]): Promise<readonly WaitingText[]>;
}

const queued: ReadonlyMap<string, Queued> = new Map([
  ...subjects.map((subject): [string, Queued] => [
    subject.kind,
    { email: emailComposer(subject), texts: (tx, waiting) => textsOfNotices(tx, subject, waiting) },
  ]),
  ['inboxDigest', { email: composeDigestEmail, texts: textsOfDigests }],
]);

/** For each kind of notice, and for digests. */
export const noticeComposers: EmailComposers = Object.fromEntries(
  [...queued].map(([kind, { email }]) => [kind, email]),
);

/** Notices of purged events, and those that can't be composed, are left out. */
export async function textsOfWaiting(
  tx: Queryable,
  waiting: readonly WaitingNotice[],
): Promise<WaitingText[]> {
  const texts: WaitingText[] = [];
  for (const [kind, ofKind] of Map.groupBy(waiting, (notice) => notice.kind))
    texts.push(...((await queued.get(kind)?.texts(tx, ofKind)) ?? []));
  return texts;
}
