/** Staff add an internal note to a conversation. */
import { InvalidInput } from '#base/operator-error.ts';
import { type Actor, storedActor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { normaliseString } from '#base/values/text.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { ofCustomer } from '#product/customers/trail.ts';
import { holdDesk, type Which } from './change.ts';
import { countNotes, type Desk, insertNote } from './store.ts';

const lengthAtMost = 2_000;
/** For each customer. */
export const notesAtMost = 1_000;

export interface AddedNote extends Desk {
  readonly noteId: string;
}

/**
 * A note is never sent, and changes neither the conversation's version nor its state. The trail records that a note was added, not
 * its text. Throws what `changeTalk` throws, and InvalidInput (`text`) for a text that is not 1 to 2,000 characters long.
 */
export async function addNote(
  context: ChangeContext,
  { text: typed, ...which }: Omit<Which, 'seen'> & { readonly text: string },
  actor: Actor,
): Promise<AddedNote> {
  const text = normaliseString(typed);
  if (text === '' || [...text].length > lengthAtMost)
    throw new InvalidInput([{ field: 'text', message: 'must have 1 to 2,000 characters' }]);
  return change(context, async ({ tx, now: at }) => {
    const desk = await holdDesk(tx, which);
    const { workshopId, customerId, conversationId } = desk;
    if ((await countNotes(tx, workshopId, customerId)) >= notesAtMost)
      throw new InvalidInput([{ field: 'text', message: 'would be one note too many: there are 1,000' }]);
    const noteId = newId();
    await insertNote(tx, { noteId, workshopId, customerId, text, actor: storedActor(actor), at });
    await recordEntry(tx, { ...ofCustomer(desk, actor, 'noted', at), after: { conversationId, noteId } });
    return { ...desk, noteId };
  });
}
