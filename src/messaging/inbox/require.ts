/** Conversations by the id that an operator typed. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { type ConversationHead, findConversation } from './store.ts';

/** Throws OperatorError when there is no such conversation. */
export async function requireConversation(db: Queryable, id: string): Promise<ConversationHead> {
  const found = isId(id) ? await findConversation(db, id) : null;
  if (!found) throw new OperatorError(`there is no conversation ${id} (pitlane inbox list shows them)`);
  return found;
}
