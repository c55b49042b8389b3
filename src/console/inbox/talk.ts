/** Opens a conversation of the workshop that a visit is at. */
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { type Desk, findDesk } from '#product/messaging/inbox/desk/store.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export interface Talk extends Desk {
  /** The path of its page. */
  readonly path: string;
}

/** By the id of any conversation with the customer. Throws 404, also for one of another workshop. */
export async function openTalk(
  { context, workshop, base }: WorkshopVisit,
  conversationId: string,
): Promise<Talk> {
  const desk = isId(conversationId) ? await findDesk(context.db, workshop.workshopId, conversationId) : null;
  if (desk === null) throw new Problem('000002');
  return { ...desk, path: `${base}/inbox/${desk.conversationId}` };
}
