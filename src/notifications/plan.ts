/** Which notices an event leads to (document, 4.1 and 4.2; decisions, section 4, Notifications). */
import type { Planner } from '#events/reaction.ts';
import { flagsOf } from '#work/flags.ts';
import { insertNotifications } from './store.ts';

export const deliverJob = 'deliverNotification';

function planner(audiences: { readonly workshop: boolean; readonly newDateOnly: boolean }): Planner {
  return async (tx, events, ctx) => {
    const made = await insertNotifications(tx, {
      eventIds: events.map((event) => event.id),
      ...audiences,
      at: ctx.clock.now(),
    });
    return made.map((notice) => ({
      job: deliverJob,
      payload: { notificationId: notice.id },
      flags: flagsOf(notice),
    }));
  };
}

/** Customer and workshop, SMS and e-mail each. */
export const notifyBoth = planner({ workshop: true, newDateOnly: false });
/** The customer, SMS and e-mail. */
export const notifyCustomer = planner({ workshop: false, newDateOnly: false });
/** The customer, SMS and e-mail, when the booking has moved to another date. */
export const notifyCustomerOfNewDate = planner({ workshop: false, newDateOnly: true });
