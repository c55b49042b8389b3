/** Deletes the sandbox's copies of messages whose retention time is over. */
import type { Context } from '#platform/context.ts';
import { deleteLeftCopies } from './store.ts';

/** The purge of messages deletes their copies; this deletes remaining ones. Two processes may run it at once. */
export async function purgeLeftCopies({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  const { noticesKeptDays, messagesKeptDays } = config;
  const keptDays = Math.min(noticesKeptDays, messagesKeptDays ?? noticesKeptDays);
  await deleteLeftCopies(db, keptDays);
}
