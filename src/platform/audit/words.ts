/** Who did it, in words for people. */

export interface ActorNames {
  /** Of the person; null: nobody knows it any more. */
  readonly person?: string | null;
  /** Of the entry's partner. */
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
  return words[actor] ?? (partner === null ? 'Partner' : `Partner ${partner}`);
}

/** The id of the person that a stored actor names; null: it is nobody of the staff. */
export function personOf(actor: string): string | null {
  const [kind, id = null] = actor.split(' ');
  return kind === 'person' ? id : null;
}
