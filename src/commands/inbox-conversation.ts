/** The conversation that a command names. */
import type { ConversationHead } from '#product/messaging/inbox/store.ts';
import type { Session } from './session.ts';
import { workshopOf } from './workshop-option.ts';

/** By its id, the code of a booking or a phone. */
export async function conversationIn(
  session: Session,
  named: string,
  workshop: string | undefined,
): Promise<ConversationHead> {
  const { conversationNamed } = await import('#product/messaging/inbox/find.ts');
  return conversationNamed(session.db, named, () => workshopOf(session, workshop));
}
