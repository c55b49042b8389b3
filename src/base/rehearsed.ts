/** Whether the present work is a rehearsal: it is carried out to make the process ready, and leaves no trace. */
import { AsyncLocalStorage } from 'node:async_hooks';

const present = new AsyncLocalStorage<object>();
/** A process that never rehearses, or has not yet, pays for no look-up. */
let hasRehearsed = false;

/** The rehearsal that the present work belongs to, also when it is over. */
export const rehearsal = (): object | undefined => (hasRehearsed ? present.getStore() : undefined);

/** True within `asRehearsal`, including un-awaited work that it started. */
export const isRehearsed = (): boolean => rehearsal() !== undefined;

/** Runs `work` as part of a rehearsal. */
export function asRehearsal<T>(of: object, work: () => Promise<T>): Promise<T> {
  hasRehearsed = true;
  return present.run(of, work);
}
