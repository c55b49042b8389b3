/** The conversation being answered, as far as the form needs it. */
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { findAnswered } from '#product/messaging/inbox/answered/store.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';

export interface Talk {
  readonly conversationId: string;
  readonly customerId: string;
  /** Null: unknown or erased; a sender that is a word may stand here too. */
  readonly phone: string | null;
  readonly optedOut: boolean;
  /** The newest message that the page shows; null: none. */
  readonly lastMessageId: string | null;
}

export const talkPath = ({ base }: WorkshopVisit, conversationId: string): string =>
  `${base}/inbox/${conversationId}`;

/** The conversation that the address names. Throws 404 for one of another workshop. */
export async function requireTalk({ context, workshop, params }: WorkshopVisit): Promise<string> {
  const id = params['id'] ?? '';
  const found = isId(id) ? await findAnswered(context.db, workshop.workshopId, id) : null;
  if (found === null) throw new Problem('000002');
  return id;
}

/** Why the customer can't be answered; null: they can. */
export function whyNot({ phone, optedOut }: Talk): string | null {
  if (optedOut) return 'The customer has opted out of SMS: nothing can be sent.';
  if (phone === null) return 'The customer has no number: nothing can be sent.';
  return phone.startsWith('+') ? null : 'The customer wrote from no number that can be answered.';
}
