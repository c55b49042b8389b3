/** An owner sets after how many minutes without use a session asks for a PIN or code again. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requireOwner } from '../../members/rules.ts';
import { lockOwners } from '../../members/store.ts';
import { findDeskRule, putDeskRule } from './store.ts';

const minutesAtMost = 240;

export interface SetDeskRule {
  readonly workshopId: string;
  /** As typed; empty: never. */
  readonly askAgainMinutes: string;
  /** The version of the rule that was shown. */
  readonly seen: number;
}

/**
 * Throws Problem 403 for a person who is not an owner, InvalidInput for an invalid number of minutes, 412 000010 when it was
 * changed since.
 */
export async function setDeskRule(
  context: ChangeContext,
  actor: Actor,
  { workshopId, askAgainMinutes: typed, seen }: SetDeskRule,
): Promise<void> {
  const askAgainMinutes = readMinutes(typed.trim());
  await change(context, async ({ tx, now }) => {
    requireOwner(actor, await lockOwners(tx, workshopId));
    const present = await findDeskRule(tx, workshopId);
    if (!(await putDeskRule(tx, workshopId, { askAgainMinutes, version: seen }))) throw new Problem('000010');
    await recordEntry(tx, {
      ...{ actor, workshopId, at: now, action: 'workshop.changed' },
      subject: { kind: 'workshop', id: workshopId },
      before: { askAgainMinutes: present.askAgainMinutes },
      after: { askAgainMinutes },
    });
  });
}

function readMinutes(typed: string): number | null {
  if (typed === '') return null;
  const minutes = /^\d{1,3}$/.test(typed) ? Number(typed) : 0;
  if (minutes < 1 || minutes > minutesAtMost)
    throw new InvalidInput([
      { field: 'askAgainMinutes', message: `is a number from 1 to ${minutesAtMost}, or empty for never` },
    ]);
  return minutes;
}
