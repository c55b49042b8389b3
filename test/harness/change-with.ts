/** Runs a verb in a change of its caller, with what the caller does in its commit. */
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';

/** `after` runs when the verb has written, and its error rolls both back. */
export function changeWith<C extends ChangeContext, T>(
  context: C,
  verb: (context: C) => Promise<T>,
  after: (tx: Queryable, made: T) => Promise<unknown>,
): Promise<T> {
  return change(context, async ({ tx, within }) => {
    const made = await verb({ ...context, ...within });
    await after(tx, made);
    return made;
  });
}

export const failing = (message: string) => () => Promise.reject(new Error(message));
