/** Reads a page of a conversation: messages and notes merged by time. */
import { isId } from '#base/values/id.ts';
import { listNotes, type Note } from '#product/messaging/inbox/desk/store.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { type Sender, sendersOf } from '../../said/senders.ts';
import type { Talk } from '../talk.ts';
import { listThread, type ThreadMessage } from './store.ts';

export type Entry =
  | {
      readonly id: string;
      readonly at: Date;
      readonly message: ThreadMessage;
      readonly author: string | null;
    }
  | { readonly id: string; readonly at: Date; readonly note: Note };

export interface Story {
  /** The oldest first. */
  readonly entries: readonly Entry[];
  /** The cursor of the earlier entries; null: there are none. */
  readonly earlier: string | null;
  /** The page does not have the newest entries. */
  readonly isEarlier: boolean;
}

const entriesAtMost = 50;

/** The parameter of the address: the oldest entry of the previous page. */
export const earlierThan = 'earlier';

export async function readStory(visit: WorkshopVisit, talk: Talk): Promise<Story> {
  const { context, workshop, query } = visit;
  const asked = query[earlierThan] ?? '';
  const before = isId(asked) ? asked : null;
  const page = { workshopId: workshop.workshopId, before, limit: entriesAtMost + 1 };
  const [messages, notes] = await Promise.all([
    listThread(context.db, { ...page, customerId: talk.customerId }),
    listNotes(context.db, { ...page, conversationId: talk.conversationId }),
  ]);
  const replies = messages.filter(({ kind }) => kind === 'reply');
  // Only for people who may see the trail.
  const authors = visit.may('seeTrail')
    ? await sendersOf(
        visit,
        replies.map(({ id, customerId }) => ({ messageId: id, customerId })),
      )
    : new Map<string, Sender>();
  const all: Entry[] = [
    ...messages.map((message) => ({
      ...{ id: message.id, at: message.at, message },
      author: authors.get(message.id)?.words ?? null,
    })),
    ...notes.map((note) => ({ id: note.noteId, at: note.at, note })),
  ].sort((one, other) => (one.id < other.id ? 1 : -1));
  const shown = all.slice(0, entriesAtMost);
  return {
    entries: shown.toReversed(),
    earlier: all.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
    isEarlier: before !== null,
  };
}
