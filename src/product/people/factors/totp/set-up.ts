/** Sets up an authenticator app: a seed is shown, and a code that the app computes from it confirms it. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Sealing } from '#base/sealing.ts';
import type { Actor } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { lockPerson } from '../../store.ts';
import { type AddedFactor, afterAdding, type Holder } from '../added.ts';
import { hasFactor } from '../store.ts';
import { keyUri, newSeed, stepOf } from './code.ts';
import { putTotp } from './store.ts';

export interface OfferedSeed {
  /** base32, for typing into an app. */
  readonly seed: string;
  /** For the QR code. */
  readonly uri: string;
  /** For the confirming form: the sealed seed, valid only in this session. */
  readonly offered: string;
}

const contextOf = ({ personId, sessionId }: Holder) => `${personId} ${sessionId}`;

/** A new seed, or that of a resubmitted form; nothing is stored. */
export async function offerSeed(sealing: Sealing, holder: Holder, offered = ''): Promise<OfferedSeed> {
  const seed = sealing.open('totpOffer', offered, contextOf(holder)) ?? (await newSeed());
  return {
    seed,
    uri: await keyUri(seed, holder.email),
    offered: sealing.seal('totpOffer', seed, contextOf(holder)),
  };
}

/** Replaces the previous one. Throws InvalidInput for a code that does not match the offered seed. */
export async function setUpTotp(
  context: ChangeContext & Pick<Context, 'sealing'>,
  actor: Actor,
  holder: Holder,
  { offered, code }: { readonly offered: string; readonly code: string },
): Promise<AddedFactor> {
  const { clock, sealing } = context;
  const { personId, vouchedBy } = holder;
  const seed = sealing.open('totpOffer', offered, contextOf(holder));
  const step = seed === null ? null : await stepOf(seed, code, clock.machineNow());
  if (seed === null || step === null)
    throw new InvalidInput([{ field: 'code', message: 'is not the one that the app shows now' }]);
  const seedSealed = sealing.seal('totpSeed', seed, personId);
  return change(context, async ({ tx, now }) => {
    await lockPerson(tx, personId);
    const hadFactor = await hasFactor(tx, personId);
    await putTotp(tx, { personId, seedSealed, step, vouchedBy });
    const added = await afterAdding(tx, { actor, holder, hadFactor, what: 'totpSet', at: now });
    return added;
  });
}
