/** The actor in words for people. */
import { ownValue } from '#base/values/own-value.ts';

export interface ActorNames {
  /** The name of the person; null: it was deleted. */
  readonly person?: string | null;
  /** The name of the entry's partner. */
  readonly partner?: string | null;
}

const words: Readonly<Record<string, string>> = {
  'customer link': 'Customer by link',
  'customer sms': 'Customer by SMS',
  operator: 'Command line',
  schedule: 'Schedule',
  gateway: 'Gateway',
  visitor: 'Somebody at the sign-in',
};

/** `actor` as it is stored. */
export function actorInWords(actor: string, { person = null, partner = null }: ActorNames): string {
  if (personOf(actor) !== null) return person ?? 'Someone who was removed';
  return ownValue(words, actor) ?? partnerInWords(partner);
}

/** A name that says itself that it is a partner's stands alone. */
function partnerInWords(name: string | null): string {
  if (name === null) return 'Partner';
  return /\bpartner\b/i.test(name) ? name : `Partner ${name}`;
}

/** The id of the person that a stored actor names; null: the actor is not a person. */
export function personOf(actor: string): string | null {
  const [kind, id = null] = actor.split(' ');
  return kind === 'person' ? id : null;
}
