/** The ways in which a person signs in beside codes by e-mail. */
import type { Queryable } from '#platform/db/database.ts';
import { listPasskeys, type ShownPasskey } from '#product/people/factors/passkeys/store.ts';
import { countCodes } from '#product/people/factors/recovery-codes/store.ts';
import { findTotp, type Totp } from '#product/people/factors/totp/store.ts';

export interface Methods {
  readonly passkeys: readonly ShownPasskey[];
  readonly totp: Totp | null;
  /** How many are left. */
  readonly recoveryCodes: number;
}

export async function readMethods(db: Queryable, personId: string): Promise<Methods> {
  const [passkeys, totp, recoveryCodes] = await Promise.all([
    listPasskeys(db, personId),
    findTotp(db, personId),
    countCodes(db, personId),
  ]);
  return { passkeys, totp, recoveryCodes };
}
