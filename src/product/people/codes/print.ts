/** A code that is shown to the requester, who passes it on to the person: it needs no mail server, and works in any browser. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Sealing } from '#base/sealing.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { noMember, type WhichMember } from '../members/change.ts';
import { hasMoreThan, requireOwner } from '../members/rules.ts';
import { findMember, lockOwners, standingOf } from '../members/store.ts';
import { findPerson, lockPerson, requirePerson } from '../store.ts';
import { ofPerson } from '../trail.ts';
import { hashCode, newSignInCode } from './hash.ts';
import { putCode } from './store.ts';

export interface PrintedCode {
  /** Returned only here: only its hash is stored. */
  readonly code: string;
  readonly expiresAt: Date;
}

/**
 * The operator prints a code for any person. `who` is an e-mail address or an id. Throws OperatorError when there is no such
 * person.
 */
export async function printCode(
  context: ChangeContext & Pick<Context, 'sealing'>,
  actor: Actor,
  who: string,
): Promise<PrintedCode> {
  const { db, sealing } = context;
  const { personId, email } = await requirePerson(db, who);
  return change(context, async ({ tx, now }) => {
    await recordEntry(tx, ofPerson(personId, actor, 'codePrinted', now));
    return print(tx, sealing, email, null);
  });
}

/**
 * An owner prints a code for a member of this workshop who has no place anywhere else and may do no more than the owner, since the
 * code signs in as that person.
 * Throws Problem 403 for a person who is not an owner there, InvalidInput, and OperatorError when the person is not a member.
 */
export function printMembersCode(
  context: ChangeContext & Pick<Context, 'sealing'>,
  actor: Actor,
  which: WhichMember,
): Promise<PrintedCode> {
  const { sealing } = context;
  const { workshopId, personId } = which;
  return change(context, async ({ tx, now }) => {
    requireOwner(actor, await lockOwners(tx, workshopId));
    await lockPerson(tx, personId);
    const person = await findPerson(tx, personId);
    if (person === null || !person.workshops.some((each) => each.workshopId === workshopId))
      throw noMember(which);
    if (person.workshops.length > 1 || person.partners.length > 0 || person.operator)
      throw new InvalidInput([
        {
          field: 'person',
          message: 'a code for this person is printed by whoever runs this installation',
        },
      ]);
    const member = await findMember(tx, workshopId, personId);
    if (member !== null && hasMoreThan(await standingOf(tx, actor, workshopId), member))
      throw new InvalidInput([
        {
          field: 'person',
          message:
            'may do more than you: another owner, or whoever runs this installation, prints a code for them',
        },
      ]);
    await recordEntry(tx, ofPerson(personId, actor, 'codePrinted', now, workshopId));
    const printed = await print(tx, sealing, person.email, workshopId);
    return printed;
  });
}

async function print(
  tx: Queryable,
  sealing: Sealing,
  email: string,
  vouchedBy: string | null,
): Promise<PrintedCode> {
  const [id, code] = [newId(), newSignInCode()];
  const codeHmac = hashCode(sealing, id, code);
  const expiresAt = await putCode(tx, {
    ...{ id, email, codeHmac, vouchedBy },
    ...{ codeSealed: null, browserSha256: null },
  });
  return { code, expiresAt };
}
