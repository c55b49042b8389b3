/** Erases a person: everything that tells who a customer is, wherever it is kept. It can't be undone. */
import type { Clock } from '#clock.ts';
import { requireCustomer } from '#customers/require.ts';
import { eraseCarsOf, eraseCustomerRow } from '#customers/store.ts';
import type { Database } from '#db/database.ts';
import { scrub } from './scrub.ts';
import {
  allowLongStatements,
  deleteRates,
  deleteSandboxCopies,
  deleteUnplaced,
  eraseBookings,
  eraseDeadLetters,
  eraseMessages,
  eraseNotifications,
  findAnswerNotices,
  findNotifications,
  findTraces,
  lockAnswersNaming,
  lockEventsAbout,
  replaceAnswer,
  replacePayloads,
} from './store.ts';

export interface Erasure {
  readonly customerId: string;
  readonly bookings: number;
  readonly messages: number;
  readonly notifications: number;
  readonly events: number;
}

/**
 * One transaction. Rows stay, so that counts and reports do; what they say of the person goes. Erasing again takes what
 * was written since. Throws OperatorError when there is no such customer.
 */
export async function eraseCustomer(db: Database, clock: Clock, customerId: string): Promise<Erasure> {
  const at = clock.now();
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    const { customerId: id, workshopId } = await requireCustomer(tx, customerId);
    const phone = await eraseCustomerRow(tx, id, at);
    const { bookingIds, messageIds, phones: bookedWith } = await findTraces(tx, id);
    const phones = phone ? [...new Set([phone, ...bookedWith])] : bookedWith;

    const subjectIds = [id, ...bookingIds, ...messageIds];
    const events = await lockEventsAbout(tx, { workshopId, customerId: id, subjectIds });
    const eventIds = events.map((event) => event.id);
    await replacePayloads(
      tx,
      events.map((event) => ({ ...event, payload: scrub(event.payload) })),
    );
    for (const answer of await lockAnswersNaming(tx, workshopId, id)) {
      await replaceAnswer(tx, { ...answer, body: scrub(answer.body) });
    }
    const notificationIds = await findNotifications(tx, { workshopId, bookingIds, eventIds, phones });

    await eraseCarsOf(tx, id, at);
    await eraseBookings(tx, bookingIds, at);
    await eraseMessages(tx, messageIds, at);
    await eraseNotifications(tx, notificationIds, at);
    await eraseDeadLetters(tx, [...subjectIds, ...notificationIds, ...eventIds]);
    const answerNoticeIds = await findAnswerNotices(tx, id);
    await deleteSandboxCopies(tx, [...messageIds, ...notificationIds, ...answerNoticeIds], phones);
    await deleteUnplaced(tx, phones);
    await deleteRates(tx, workshopId, phones);

    return {
      customerId: id,
      bookings: bookingIds.length,
      messages: messageIds.length,
      notifications: notificationIds.length,
      events: events.length,
    };
  });
}
