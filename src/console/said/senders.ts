/** The authors of texts by staff, in words. */
import { actorInWords, personOf } from '#platform/audit/words.ts';
import { findSenders, type Sent } from '#product/messaging/staff/senders/store.ts';
import { namesOf } from '#product/people/names/store.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export interface Sender {
  readonly words: string;
  /** Null: it was no person. */
  readonly personId: string | null;
}

/** Authors by the message's id, without those that the trail does not know. */
export async function sendersOf(
  { context: { db }, workshop }: WorkshopVisit,
  messages: readonly Sent[],
): Promise<ReadonlyMap<string, Sender>> {
  const actors = await findSenders(db, workshop.workshopId, messages);
  const people = [...new Set(actors.values())].flatMap((actor) => personOf(actor) ?? []);
  const names = people.length === 0 ? new Map<string, string>() : await namesOf(db, people);
  return new Map(
    [...actors].map(([messageId, actor]) => {
      const personId = personOf(actor) ?? null;
      return [
        messageId,
        { words: actorInWords(actor, { person: names.get(personId ?? '') ?? null }), personId },
      ];
    }),
  );
}
