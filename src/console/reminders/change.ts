/** Staff's changes of a reminder: the verbs of the schedule and of the API, with the person as actor. */
import { stopReminder } from '#product/reminders/cancel.ts';
import { sendReminderNow } from '#product/reminders/schedule/send-now.ts';
import type { ConsoleResponse } from '../frame/console-page.ts';
import { submit, versionOf } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { openReminder, reminderPage } from './show.ts';

interface Asked {
  readonly workshopId: string;
  readonly reminderId: string;
  readonly seen: number;
  readonly actor: WorkshopVisit['actor'];
}

/** Redirects to the reminder's page; a refusal shows that page in its present state. */
const ofReminder =
  (done: string, work: (context: WorkshopVisit['context'], asked: Asked) => Promise<unknown>) =>
  async (visit: WorkshopVisit): Promise<ConsoleResponse> => {
    const { actor, form, workshop, base } = visit;
    const { id: reminderId } = await openReminder(visit);
    const to = `${base}/reminders/${reminderId}?done=${done}`;
    return submit(
      visit,
      async (key) => {
        const of = { workshopId: workshop.workshopId, reminderId, seen: versionOf(form) };
        await work(key.once(to), { ...of, actor });
        return to;
      },
      async (refused) => reminderPage(visit, await openReminder(visit), refused),
    );
  };

export const sendNow = ofReminder('sent', sendReminderNow);
export const stop = ofReminder('stopped', stopReminder);
