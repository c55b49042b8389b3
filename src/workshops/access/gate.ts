/** Refusals of a partner that may not use a workshop (specification: Partners and workshops). */
import { Problem } from '#errors.ts';
import type { Gate } from './store.ts';

/** Throws 404 030001 for an unknown or unlinked workshop. What only reads asks for no more. */
export function requireLinked<T>(gate: T | null): asserts gate is T {
  if (gate === null) throw new Problem('030001');
}

/** Throws 404 030001 for an unknown or unlinked workshop, 403 000004 for a link that is switched off. */
export function requireLink<T extends Pick<Gate, 'linkActive'>>(gate: T | null): asserts gate is T {
  if (gate === null) throw new Problem('030001');
  if (!gate.linkActive)
    throw new Problem('000004', { message: 'Partner integration is disabled for this workshop' });
}

/** What sends through the inbox of a workshop requires, in this order: workshop 030001, feature 000003, partner integration and inbox 000004. */
function requireInbox(
  gate: Gate | null,
  hasFeature: (gate: Gate) => boolean,
  feature: string,
): asserts gate is Gate {
  if (gate === null) throw new Problem('030001');
  if (!hasFeature(gate)) throw new Problem('000003', { message: `${feature} switched off for this partner` });
  requireLink(gate);
  if (!gate.inboxMessaging)
    throw new Problem('000004', { message: 'Inbox messaging is disabled for this workshop' });
}

export function requireMessaging(gate: Gate | null): asserts gate is Gate {
  requireInbox(gate, ({ messagingFeature }) => messagingFeature, 'Messaging is');
}

/** For triggers of automations and blasts. */
export function requireCampaigns(gate: Gate | null): asserts gate is Gate {
  requireInbox(gate, ({ campaignsFeature }) => campaignsFeature, 'Campaigns are');
}
