/** The action just done to a conversation, for the region `role=status`. */
import { ownValue } from '#base/values/own-value.ts';
import { doneText as usual } from '../../bookings/done.ts';

const texts: Readonly<Record<string, string>> = {
  done: 'Done.',
  waiting: 'It waits for us again.',
  assigned: 'Assigned.',
  unassigned: 'Assigned to nobody.',
  stopMeant: 'Opted out of SMS.',
  stopNotMeant: 'Campaigns and reminders go to them again.',
  noted: 'Noted, inside only.',
};

export const doneText = (done: string | undefined): string | null =>
  ownValue(texts, done ?? '') ?? usual(done);
