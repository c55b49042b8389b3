/** Refusals of a partner that may not use a workshop (specification: Partners and workshops). */
import { Problem } from '#errors.ts';
import { conditions, type Flags, needs, type Work } from './conditions.ts';

/** Throws 404 030001 for an unknown or unlinked workshop. Reads need no more than this. */
export function requireLinked<T>(gate: T | null): asserts gate is T {
  if (gate === null) throw new Problem('030001');
}

function requireOpen<W extends Work, T extends Flags<W>>(work: W, gate: T | null): asserts gate is T {
  requireLinked(gate);
  const closed = needs[work].find((name: keyof Flags<W>) => !gate[name]);
  if (closed === undefined) return;
  const { code, message } = conditions[closed];
  throw new Problem(code, { message });
}

/** Throws 404 030001 for an unknown or unlinked workshop, 403 000004 for a link that is switched off. */
export function requireLink<T extends Flags<'dealing'>>(gate: T | null): asserts gate is T {
  requireOpen('dealing', gate);
}

/**
 * For sending through the inbox of a workshop, in this order: workshop 030001, feature 000003, partner integration and inbox
 * 000004.
 */
export function requireMessaging<T extends Flags<'messaging'>>(gate: T | null): asserts gate is T {
  requireOpen('messaging', gate);
}

/** As `requireMessaging`, for triggers of automations and blasts. */
export function requireCampaigns<T extends Flags<'campaigns'>>(gate: T | null): asserts gate is T {
  requireOpen('campaigns', gate);
}
