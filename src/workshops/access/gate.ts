/** Refusals of a partner that may not use a workshop (decisions, section 2; document, section 7). */
import { Problem } from '#errors.ts';
import type { Gate } from './store.ts';

/** Throws 404 030001 for an unknown or unlinked workshop, 403 000004 for a link that is switched off. */
export function requireLink<T extends Pick<Gate, 'linkActive'>>(gate: T | null): asserts gate is T {
  if (gate === null) throw new Problem('030001');
  if (!gate.linkActive)
    throw new Problem('000004', { message: 'Partner integration is disabled for this workshop' });
}

/** What messaging requires, in this order: workshop 030001, feature 000003, partner integration and inbox 000004. */
export function requireMessaging(gate: Gate | null): asserts gate is Gate {
  if (gate === null) throw new Problem('030001');
  if (!gate.messagingFeature)
    throw new Problem('000003', { message: 'Messaging is switched off for this partner' });
  requireLink(gate);
  if (!gate.inboxMessaging)
    throw new Problem('000004', { message: 'Inbox messaging is disabled for this workshop' });
}
