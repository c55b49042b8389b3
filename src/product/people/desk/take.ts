/** A person signs in at a browser: the previous person is put aside, or signed out. */
import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import { countDesk, type Left, leaveDesk, lockDesk, peopleAtMost } from './store.ts';

/** There would be a ninth person at one desk. */
export class DeskFull extends Problem {
  constructor() {
    super('000003', {
      message: `${peopleAtMost} people are signed in at this browser already: one of them signs out first`,
    });
  }
}

/** Runs in the transaction of the sign-in, before the session is inserted. Throws DeskFull. */
export async function takeDesk(
  tx: Queryable,
  of: { readonly browserSha256: Buffer; readonly sessionId: string; readonly personId: string },
): Promise<Left[]> {
  await lockDesk(tx, of.browserSha256);
  const left = await leaveDesk(tx, of);
  if ((await countDesk(tx, of.browserSha256)) >= peopleAtMost) throw new DeskFull();
  return left;
}
