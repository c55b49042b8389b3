/** Renders the texts of queued notices to a workshop again after a person in them was erased. */
import type { Queryable } from '#platform/db/database.ts';
import type { Channel } from '#product/sending/kinds.ts';
import type { Subject } from './subject.ts';
import { textOfNotice } from './text.ts';

/** A queued notice or digest to a workshop. */
export interface WaitingNotice {
  /** The id of the message. */
  readonly id: string;
  readonly kind: string;
  readonly workshopId: string;
  readonly channel: Channel;
  /** The event or the digest that it reports. */
  readonly causeId: string;
}

export interface WaitingText {
  readonly id: string;
  readonly channel: Channel;
  /** Null for an SMS. */
  readonly subject: string | null;
  readonly body: string;
}

/** Notices of purged events, and those that can't be composed, are left out. */
export async function textsOfNotices(
  tx: Queryable,
  subject: Subject,
  waiting: readonly WaitingNotice[],
): Promise<WaitingText[]> {
  const events = await subject.reads.events(
    tx,
    waiting.map(({ causeId }) => causeId),
  );
  const byId = new Map(events.map((event) => [event.eventId, event]));
  return waiting.flatMap(({ id, causeId, channel }) => {
    const event = byId.get(causeId);
    if (event === undefined) return [];
    try {
      const text = textOfNotice(subject, event, { audience: 'workshop', channel }, quiet);
      return [{ id, channel, subject: channel === 'email' ? text.subject : null, body: text.body }];
    } catch {
      return [];
    }
  });
}

/** Faults of a workshop's own text were logged when the notice was queued. */
const quiet = { warn: () => undefined };
