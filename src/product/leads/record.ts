/**
 * WHAT A CALL LEAD IS, ON ONE PAGE: `src/platform/records/` serves from this every edge that call leads share with other records.
 */
import { externalId, idIn, period } from '#platform/records/filters.ts';
import type { RecordType, StaffRow } from '#platform/records/record.ts';
import { ofWorkshop, staffProjection } from '#product/workshops/records.ts';
import { isCalledBack } from './call-back/store.ts';
import { type CallLead, callOutcomes } from './schema.ts';
import { callLeadJson, leadLinks } from './snapshot.ts';

/** A call lead with the fields that only its workshop sees. */
export type WorkshopCall = CallLead &
  StaffRow & {
    /** Staff have called back. */
    readonly calledBack: boolean;
  };

const partnersOwn = { json: (row: string) => callLeadJson(row, 'partner'), joins: leadLinks };
const staffsOwn = staffProjection({
  json: (row) => `${callLeadJson(row, 'workshop')} || jsonb_build_object('calledBack', ${isCalledBack(row)})`,
  joins: leadLinks,
});

export const callRecord: RecordType<CallLead, WorkshopCall, 'callLead', 'callLeads'> = {
  ...{ name: 'callLead', plural: 'callLeads', noun: 'lead', table: 'call_lead', list: 'calls' },
  state: { name: 'outcome', all: callOutcomes },
  order: { column: 'called_at', key: 'calledAt' },
  hasFeed: false,
  readCode: null,
  notFound: '100001',
  partner: partnersOwn,
  staff: {
    ...staffsOwn,
    filters: { partner: idIn('partner_id'), ...period('called_at') },
  },
  filters: { workshopId: ofWorkshop, ...period('called_at'), externalId },
  events: ['callLead.created', 'callLead.updated', 'callLead.missed'],
  retention: { days: 'callLeadsKeptDays', since: 'id', where: 'true' },
  erasure: {
    // Calls stay linked to the customer, so they are found without the phone.
    rows: ({ workshopId, customerId, phones }) =>
      `workshop_id = ${workshopId} AND (caller_phone = ANY (${phones}) OR customer_id = ${customerId})`,
    phone: null,
    set: ({ customerId }) => ({
      customer_id: customerId,
      caller_phone: `''`,
      customer_name: `CASE WHEN customer_name IS NOT NULL THEN 'Erased' END`,
      ...{ recording_url: 'NULL', notes: 'NULL' },
    }),
  },
  people: {
    columns: {
      LEAD: ({ id }) => id,
      CALLED: ({ calledAt }, { time }) => time(calledAt),
      OUTCOME: ({ outcome }) => outcome,
      PHONE: ({ callerPhone }, { phone }) => phone(callerPhone),
      NAME: ({ customerName }, { name }) => name(customerName),
      SECONDS: ({ durationSeconds }) => durationSeconds,
      BOOKED: ({ bookingId }) => bookingId !== null,
      'CALLED BACK': ({ calledBack }) => calledBack,
      PARTNER: ({ partner }) => partner,
    },
    details: (call, { time, phone, name }) => ({
      ...call,
      customerName: name(call.customerName),
      callerPhone: phone(call.callerPhone),
      calledAt: time(call.calledAt),
      createdAt: time(call.createdAt),
      updatedAt: time(call.updatedAt),
    }),
  },
};
