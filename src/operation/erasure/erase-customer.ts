/** Erases a person: a customer's personal details, wherever they are stored. It can't be undone. */

import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { blankEntries } from '#platform/audit/store.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { allowLongStatements } from '#platform/db/long-statements.ts';
import { endHolds } from '#platform/events/held/store.ts';
import { eraseRecords, holdRecords, type Person } from '#platform/records/erasure/store.ts';
import type { AnyRecord } from '#platform/records/record.ts';
import { deleteManageLinks } from '#product/bookings/manage-link/store.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { findApart } from '#product/customers/apart/store.ts';
import { eraseCarsOf } from '#product/customers/cars/store.ts';
import { findIds, lockCustomers } from '#product/customers/merged/store.ts';
import { deleteProviderOptIns } from '#product/customers/provider-opt-in/store.ts';
import { forgetSearched } from '#product/customers/search/keep.ts';
import { eraseCustomerRow, requireCustomer } from '#product/customers/store.ts';
import { deleteFilesOf } from '#product/imports/files/store.ts';
import { forgetChanges } from '#product/imports/take-back/noted/store.ts';
import { eraseNotes } from '#product/leads/call-back/store.ts';
import { callRecord } from '#product/leads/record.ts';
import { deleteNotes } from '#product/messaging/inbox/desk/store.ts';
import { quoteRecord } from '#product/quotes/record.ts';
import { deleteWayOuts } from '#product/way-out/store.ts';
import { records } from '#records.ts';
import { rewriteWaiting } from './rewrite-waiting.ts';
import { scrub } from './scrub.ts';
import {
  deleteAttachments,
  deleteGrounds,
  deleteRates,
  deleteSandboxCopies,
  deleteScheduled,
  deleteUnmatched,
  eraseMessages,
  findMessages,
  findOwnMessages,
  lockEventsAbout,
  lockResponsesNaming,
  replacePayloads,
  replaceResponse,
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

/** The fields of a form that erases. */
export interface AskedErasure {
  /** The workshop that the customer must belong to. */
  readonly workshopId: string;
  /** The version of the customer that the form showed. */
  readonly seen: number;
}

/**
 * One transaction, over all rows of a customer who was merged: either id erases both; and over those who were booked with their number. Rows stay, so that counts and reports do; their
 * personal details are overwritten. Erasing again covers what was written since. Throws OperatorError when there is no such customer; of a
 * form also 404 040001 for one of another workshop, and 412 000010 where the customer has changed since.
 */
export async function eraseCustomer(
  context: ChangeContext,
  customerId: string,
  actor: Actor,
  asked: AskedErasure | null = null,
): Promise<Erasure> {
  return change(context, async ({ tx, now: at }) => {
    await allowLongStatements(tx);
    const { customerId: id, workshopId } = await requireCustomer(tx, customerId);
    if (asked !== null && asked.workshopId !== workshopId) throw new Problem('040001');
    // Locks in the order of an update: records, then the customer; then those that were made before the customer was locked.
    for (const customerId of await withApart(tx, await findIds(tx, id)))
      await holdAll(tx, { workshopId, customerId, phones: [] });
    // A lock of the customer keeps bookings apart with this number from being made.
    const ids = await withApart(tx, await lockCustomers(tx, [id]));
    const people: Person[] = [];
    for (const customerId of ids) {
      const row = await eraseCustomerRow(tx, customerId, at);
      if (asked !== null && customerId === id && asked.seen !== row?.version) throw new Problem('000010');
      const bookedWith = await holdAll(tx, { workshopId, customerId, phones: [] });
      people.push({ workshopId, customerId, phones: [...(row?.phone ? [row.phone] : []), ...bookedWith] });
    }
    const phones = [...new Set(people.flatMap((person) => person.phones))];
    // One that is being queued is waited for: its message is found below.
    await deleteScheduled(tx, workshopId, ids);
    const messageIds = await findOwnMessages(tx, ids);

    const erased = await eraseAll(tx, people, at);
    await deleteManageLinks(tx, erased.get(bookingRecord) ?? []);
    await eraseNotes(tx, erased.get(callRecord) ?? []);
    const recordIds = [...erased.values()].flat();
    const subjectIds = [...ids, ...recordIds, ...messageIds];
    const events = await lockEventsAbout(tx, { workshopId, customerIds: ids, subjectIds });
    const eventIds = events.map((event) => event.id);
    await replacePayloads(
      tx,
      events.map((event) => ({ ...event, payload: scrub(event.payload) })),
    );
    // They hold rows as they were before, also of a booking that has become another's since.
    await endHolds(tx, recordIds, eventIds);
    for (const answer of await lockResponsesNaming(tx, workshopId, [...ids, ...recordIds])) {
      await replaceResponse(tx, { ...answer, body: scrub(answer.body) });
    }
    const found = await findMessages(tx, {
      ...{ workshopId, customerIds: ids, eventIds, phones },
      seriesIds: recordIds,
    });
    const allIds = [...new Set([...messageIds, ...found.map((message) => message.id)])];
    const notices = found.filter(({ isNotice }) => isNotice).length;

    for (const person of people) {
      await blankEntries(tx, { ...person, phones, subjectIds: [...subjectIds, ...allIds] });
      await eraseCarsOf(tx, person.customerId, at);
    }
    await forgetSearched(tx, ids);
    await eraseMessages(tx, allIds, at);
    const failedIds = await findFailedWork(tx, { customerIds: ids, messageIds: allIds, phones });
    await deleteAttachments(tx, allIds);
    await rewriteWaiting(tx, allIds);
    await eraseDeadLetters(tx, [...subjectIds, ...allIds, ...eventIds, ...failedIds]);
    await deleteSandboxCopies(tx, allIds, phones);
    await deleteUnmatched(tx, phones);
    await deleteParts(tx, phones);
    await deleteRates(tx, workshopId, phones);
    await deleteGrounds(tx, workshopId, ids, phones);
    await deleteWayOuts(tx, workshopId, phones);
    await deleteNotes(tx, ids);
    await deleteProviderOptIns(tx, ids);
    // Import files that wait may contain this person: they are deleted, and have to be uploaded again.
    await deleteFilesOf(tx, workshopId);
    await forgetChanges(tx, workshopId, ids);

    const counts = {
      bookings: erased.get(bookingRecord)?.length ?? 0,
      quotes: erased.get(quoteRecord)?.length ?? 0,
      messages: allIds.length - notices,
      notifications: notices,
      events: events.length,
    };
    for (const subject of ids.map((each) => ({ kind: 'customer', id: each })))
      await recordEntry(tx, { actor, workshopId, subject, action: 'customer.erased', after: counts, at });
    return { customerId: id, ...counts };
  });
}

/** These rows, and the customers apart with a number of theirs. */
const withApart = async (tx: Queryable, ids: readonly string[]): Promise<readonly string[]> => [
  ...ids,
  ...(await findApart(tx, ids)),
];

/** The phones of the person's records, E.164. */
async function holdAll(tx: Queryable, person: Person): Promise<string[]> {
  const phones: string[] = [];
  for (const record of records) phones.push(...(await holdRecords(tx, record, person)));
  return phones;
}

/** The ids of the rows that were overwritten, by record. */
async function eraseAll(
  tx: Queryable,
  people: readonly Person[],
  at: Date,
): Promise<Map<AnyRecord, string[]>> {
  const erased = new Map<AnyRecord, string[]>();
  for (const record of records) {
    const ids: string[] = [];
    for (const person of people) ids.push(...(await eraseRecords(tx, record, person, at)));
    erased.set(record, ids);
  }
  return erased;
}
