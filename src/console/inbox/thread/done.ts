/** The action just done to a conversation, for the region `role=status`. */
import { doneText as usual } from '../../bookings/done.ts';

const texts: Readonly<Record<string, string>> = {
  done: 'Done.',
  waiting: 'It waits for us again.',
  assigned: 'Assigned.',
  unassigned: 'Assigned to nobody.',
  noted: 'Noted, inside only.',
};

export const doneText = (done: string | undefined): string | null =>
  (done !== undefined && Object.hasOwn(texts, done) && texts[done]) || usual(done);
