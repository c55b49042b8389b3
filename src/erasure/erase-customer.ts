/** Erases a person: a customer's personal details, wherever they are stored. It can't be undone. */
import type { Clock } from '#clock.ts';
import { eraseCarsOf } from '#customers/cars/store.ts';
import { eraseCustomerRow, requireCustomer } from '#customers/store.ts';
import type { Database } from '#db/database.ts';
import { eraseCallsOf } from '#leads/store.ts';
import { eraseRemindersOf } from '#reminders/store.ts';
import { eraseBookings, eraseQuotes, holdQuotesAndBookings } from './records/store.ts';
import { rewriteWaiting } from './rewrite-waiting.ts';
import { scrub } from './scrub.ts';
import {
  allowLongStatements,
  deleteAttachments,
  deleteRates,
  deleteSandboxCopies,
  deleteUnmatched,
  eraseMessages,
  findMessages,
  findTraces,
  lockAnswersNaming,
  lockEventsAbout,
  replaceAnswer,
  replacePayloads,
} from './store.ts';
import { deleteParts, eraseDeadLetters, findFailedWork } from './unfinished/store.ts';

export interface Erasure {
  readonly customerId: string;
  readonly bookings: number;
  readonly quotes: number;
  /** Messages of their conversation. */
  readonly messages: number;
  /** Notices of their bookings and quotes, and digests of their answers. */
  readonly notifications: number;
  readonly events: number;
}

/**
 * One transaction. Rows stay, so that counts and reports do; their personal details are overwritten. Erasing again covers what
 * was written since. Throws OperatorError when there is no such customer.
 */
export async function eraseCustomer(db: Database, clock: Clock, customerId: string): Promise<Erasure> {
  const at = clock.now();
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    const { customerId: id, workshopId } = await requireCustomer(tx, customerId);
    // Locks in the order of an update: quotes and bookings, then the customer; then those that were made before the customer was locked.
    await holdQuotesAndBookings(tx, id);
    const phone = await eraseCustomerRow(tx, id, at);
    await holdQuotesAndBookings(tx, id);
    const { bookingIds, quoteIds, messageIds, phones: bookedWith } = await findTraces(tx, id);
    const phones = phone ? [...new Set([phone, ...bookedWith])] : bookedWith;

    const reminderIds = await eraseRemindersOf(tx, id, at);
    const callIds = await eraseCallsOf(tx, { workshopId, customerId: id, phones }, at);
    const subjectIds = [id, ...bookingIds, ...quoteIds, ...messageIds, ...callIds, ...reminderIds];
    const events = await lockEventsAbout(tx, { workshopId, customerId: id, subjectIds });
    const eventIds = events.map((event) => event.id);
    await replacePayloads(
      tx,
      events.map((event) => ({ ...event, payload: scrub(event.payload) })),
    );
    for (const answer of await lockAnswersNaming(tx, workshopId, [id, ...callIds])) {
      await replaceAnswer(tx, { ...answer, body: scrub(answer.body) });
    }
    const found = await findMessages(tx, {
      ...{ workshopId, customerId: id, eventIds, phones },
      seriesIds: [...bookingIds, ...quoteIds],
    });
    const allIds = [...new Set([...messageIds, ...found.map((message) => message.id)])];
    const notices = found.filter(({ isNotice }) => isNotice).length;

    await eraseCarsOf(tx, id, at);
    await eraseBookings(tx, bookingIds, at);
    await eraseQuotes(tx, quoteIds, at);
    await eraseMessages(tx, allIds, at);
    const failedIds = await findFailedWork(tx, { customerId: id, messageIds: allIds, phones });
    await deleteAttachments(tx, allIds);
    await rewriteWaiting(tx, allIds);
    await eraseDeadLetters(tx, [...subjectIds, ...allIds, ...eventIds, ...failedIds]);
    await deleteSandboxCopies(tx, allIds, phones);
    await deleteUnmatched(tx, phones);
    await deleteParts(tx, phones);
    await deleteRates(tx, workshopId, phones);

    return {
      customerId: id,
      bookings: bookingIds.length,
      quotes: quoteIds.length,
      messages: allIds.length - notices,
      notifications: notices,
      events: events.length,
    };
  });
}
