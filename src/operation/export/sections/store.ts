/** Long because all that is held on a customer stands on one page: the SQL of an export, by table. What has a section is tested against the schema, column by column. */
import { trailTable } from '#platform/audit/read/store.ts';
import { customerSeen, hasDealtWith } from '#product/customers/seen/store.ts';
import { type Section, words } from './section.ts';

/** Columns that sections of bookings, quotes and reminders leave out: the workshop, the customer, and counters. */
const always = 'workshop_id customer_id version changed_in';

const ofCustomer = 't.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid';
const idsOf = (table: string) =>
  `SELECT id FROM ${table} WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid`;
const ofMessages = `t.message_id IN (${idsOf('message')})`;

/** Also texts from their phone before they were known as a customer. */
const ofCalls = `t.workshop_id = $1::uuid AND (t.customer_id = ANY ($2::uuid[])
    OR t.customer_id IS NULL AND t.caller_phone = ANY ($3::text[]))`;

const partner = { partner: '(SELECT name FROM partner WHERE partner.id = t.partner_id)' };

/** The kind of the actor only: names of staff in the trail are for the workshop. */
const by = {
  by: `CASE WHEN t.actor LIKE 'person %' THEN 'staff' WHEN t.actor LIKE 'customer %' THEN 'customer'
    WHEN t.actor IN ('operator', 'schedule', 'gateway', 'visitor') THEN t.actor ELSE 'partner' END`,
};

const theirIds = '($2::uuid[])::text[]';

/** An entry from before the record became this customer's may be about the previous customer. */
const sinceTheirs = (
  side: string,
) => `CASE WHEN (t.${side} ->> 'customerId' IS NULL OR t.${side} ->> 'customerId' = ANY (${theirIds}))
    AND NOT EXISTS (SELECT FROM audit_entry later WHERE later.subject_id = t.subject_id AND later.id > t.id
      AND later.after ->> 'customerId' = ANY (${theirIds})
      AND coalesce(later.before ->> 'customerId', '') <> ALL (${theirIds})) THEN t.${side} END`;

export const sections: readonly Section[] = [
  {
    ...{ name: 'customer', title: 'Customer', table: 'customer' },
    whose: 't.id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid',
    columns: words(`id name first_name last_name email phone company address postcode suburb tags opted_out_at
      bounced_email email_bounced_at email_bounce merged_into created_at updated_at`),
    made: {
      details_from: 'ARRAY(SELECT name FROM partner WHERE partner.id = ANY (t.details_from) ORDER BY name)',
    },
    leftOut: words('workshop_id erased_at version'),
  },
  {
    ...{
      name: 'partners',
      title: 'Partners who deal with the customer, and what they may see of the contact',
      table: 'partner',
    },
    whose: `EXISTS (SELECT FROM link WHERE link.partner_id = t.id AND link.workshop_id = $1::uuid) AND EXISTS (
      SELECT FROM unnest($2::uuid[]) AS k (id) WHERE ${hasDealtWith('k.id', 't.id')})`,
    columns: ['name'],
    made: {
      may_see: `ARRAY(SELECT ${customerSeen('k', 't.id')} FROM customer k
        WHERE k.id = ANY ($2::uuid[]) AND k.workshop_id = $1::uuid AND ${hasDealtWith('k.id', 't.id')} ORDER BY k.id)`,
    },
    leftOut: words('id status messaging_enabled is_demo email campaigns_enabled created_at updated_at'),
  },
  {
    ...{ name: 'cars', title: 'Cars', table: 'car', whose: ofCustomer },
    columns: words('id rego year make model badge vin same_car created_at updated_at'),
    leftOut: words('workshop_id customer_id'),
  },
  {
    ...{ name: 'bookings', title: 'Bookings', table: 'booking', whose: ofCustomer, made: partner },
    columns:
      words(`id code external_id car_id status date pickup_time service_category service_package_type services contact_name
      contact_first_name contact_last_name contact_email contact_phone contact_company notes interval job_notes product_notes
      tyre_quantities cancel_reason anyway_reason car_year car_make car_model car_badge car_vin created_at updated_at`),
    leftOut:
      words(`${always} occupied_from occupied_until counted_services counted_categories place_version held_to service_minutes
      service_category_derived`),
  },
  {
    ...{ name: 'attendance', title: 'Attendance', table: 'attendance', made: by },
    whose: `t.booking_id IN (${idsOf('booking')})`,
    columns: words('booking_id state at'),
    leftOut: [],
    key: [['booking_id', 'uuid']],
  },
  {
    ...{ name: 'quotes', title: 'Quotes', table: 'quote', whose: ofCustomer, made: partner },
    columns:
      words(`id code external_id car_id booking_id status contact_name contact_first_name contact_last_name contact_email
      contact_phone contact_company car_year car_make car_model car_badge car_vin services notes lines total message valid_until
      url created_at updated_at`),
    leftOut: words(`${always} service_minutes`),
  },
  {
    ...{
      name: 'reminders',
      title: 'Service reminders',
      table: 'service_reminder',
      whose: ofCustomer,
      made: partner,
    },
    columns:
      words(`id code external_id reference_id car_id last_service_id last_booking_id new_booking_id automatic customer car
      status due_at sent_at created_at updated_at`),
    leftOut: words(`${always} taken_at`),
  },
  {
    ...{ name: 'calls', title: 'Calls', table: 'call_lead', made: partner },
    whose: ofCalls,
    columns:
      words(`id external_id caller_phone called_at duration_seconds outcome was_missed source recording_url customer_name notes
      created_at updated_at`),
    leftOut: words('workshop_id customer_id version'),
  },
  {
    ...{ name: 'callBacks', title: 'Whether the workshop called back', table: 'call_back', made: by },
    whose: `t.call_lead_id IN (SELECT t.id FROM call_lead t WHERE ${ofCalls})`,
    columns: words('call_lead_id state note at'),
    leftOut: ['version'],
    key: [['call_lead_id', 'uuid']],
  },
  {
    ...{ name: 'conversations', title: 'Conversations', table: 'conversation', whose: ofCustomer },
    columns: words('id created_at last_sent_at'),
    leftOut: words('workshop_id customer_id'),
  },
  {
    ...{
      name: 'talk',
      title: 'What staff do with the conversations, as one',
      table: 'talk',
      whose: ofCustomer,
    },
    columns: words(
      'conversation_id last_message_id heard_id answer_id failed_id reopened_id done_at asked_id meant_id meant_booking_id',
    ),
    made: { assigned: 't.assigned_to IS NOT NULL' },
    leftOut: words('workshop_id customer_id merged_into version'),
    key: [['customer_id', 'uuid']],
  },
  {
    ...{ name: 'providerOptIns', title: 'Opt-ins, as the SMS provider was told', table: 'provider_opt_in' },
    whose: ofCustomer,
    columns: words('id agreed_on state detail created_at'),
    leftOut: words('workshop_id customer_id attempts due_at'),
  },
  {
    ...{ name: 'notes', title: 'Notes of staff', table: 'talk_note', whose: ofCustomer, made: by },
    columns: words('id text created_at'),
    leftOut: words('workshop_id customer_id'),
  },
  {
    ...{ name: 'messages', title: 'Messages', table: 'message', made: partner },
    whose: `${ofCustomer} AND t.audience = 'customer'`,
    columns:
      words(`id conversation_id booking_id direction channel kind recipient subject body encoding segments state reason detail
      reference_id template_id template_version created_at handed_over_at updated_at`),
    leftOut:
      words(`workshop_id customer_id version audience attempt_id attempts gateway gateway_message_id despite_opt_out notice_due
      told_in cause_id series_id series_number`),
  },
  {
    ...{
      name: 'attachments',
      title: 'Pictures and files that the customer sent (Base64)',
      table: 'message_attachment',
    },
    whose: ofMessages,
    columns: words('id message_id ordinal content_type size_bytes state reason created_at'),
    made: { content: `encode(t.content, 'base64')` },
    leftOut: words('workshop_id gateway source_url attempts due_at'),
    pageSize: 2,
  },
  {
    ...{ name: 'attempts', title: 'Attempts to send messages', table: 'message_attempt', whose: ofMessages },
    columns: words(
      'id message_id number gateway state reason detail business_started_at business_finished_at',
    ),
    leftOut: words('gateway_id repeats_unknown started_at asked_at finished_at'),
  },
  {
    ...{ name: 'deliveryReports', title: 'Delivery reports of parts of SMS', table: 'sms_segment' },
    whose: `t.reference IN (SELECT a.id FROM message_attempt a WHERE a.message_id IN (${idsOf('message')}))`,
    columns: words('gateway reference segments state detail reported_at created_at'),
    leftOut: words('segment_id shared_at'),
    key: [
      ['gateway', 'text'],
      ['segment_id', 'text'],
    ],
  },
  {
    ...{
      name: 'noticesToTheWorkshop',
      title: 'Notices of bookings and quotes to the workshop',
      table: 'message',
    },
    // A digest of answers names other customers too.
    whose: `t.workshop_id = $1::uuid AND t.audience = 'workshop' AND t.kind <> 'inboxDigest'
      AND t.series_id IN (${idsOf('booking')} UNION ALL ${idsOf('quote')})`,
    columns: words('id booking_id kind channel subject body state created_at'),
    // As above; the recipients are the workshop's people.
    leftOut: [],
  },
  {
    ...{
      name: 'textingGrounds',
      title: 'Why texts without a booking were allowed',
      table: 'texting_ground',
      made: by,
    },
    whose: ofCustomer,
    columns: words('phone reason abroad_allowed at'),
    leftOut: words('workshop_id customer_id'),
    key: [['phone', 'text']],
  },
  {
    ...{ name: 'scheduledTexts', title: 'Texts that go later', table: 'scheduled_text', whose: ofCustomer },
    columns: words('id booking_id body due_at created_at'),
    leftOut: words('workshop_id customer_id person_id seen'),
  },
  {
    ...{ name: 'automationRuns', title: 'Automations', table: 'automation_run' },
    whose: `t.automation_id IN (SELECT id FROM automation WHERE workshop_id = $1::uuid) AND t.customer_id = ANY ($2::uuid[])`,
    columns: words(
      `id booking_id booking_date message_id reference_id status reason due_at sent_at ended_at created_at`,
    ),
    made: { automation: '(SELECT name FROM automation WHERE automation.id = t.automation_id)', ...partner },
    leftOut: words('workshop_id customer_id cause by_page'),
  },
  {
    ...{ name: 'blasts', title: 'Blasts', table: 'blast_recipient' },
    whose: `t.blast_id IN (SELECT id FROM blast WHERE workshop_id = $1::uuid) AND t.customer_id = ANY ($2::uuid[])`,
    columns: words('blast_id state reason'),
    made: { blast: '(SELECT name FROM blast WHERE blast.id = t.blast_id)' },
    leftOut: ['customer_id'],
    key: [
      ['blast_id', 'uuid'],
      ['customer_id', 'uuid'],
    ],
  },
  {
    ...{ name: 'changes', title: 'Who changed what', table: trailTable },
    whose: `t.workshop_id = $1::uuid AND t.subject_id IN (
      SELECT unnest($2::uuid[]) UNION ALL ${idsOf('booking')} UNION ALL ${idsOf('quote')}
      UNION ALL ${idsOf('service_reminder')} UNION ALL ${idsOf('call_lead')} UNION ALL ${idsOf('message')})`,
    columns: words('id occurred_at subject_kind subject_id action'),
    made: { ...by, ...partner, before: sinceTheirs('before'), after: sinceTheirs('after') },
    leftOut: words('workshop_id request_id version'),
  },
  {
    ...{
      name: 'keptAnswers',
      title: 'Answers to requests of partners, kept for a day',
      table: 'idempotency',
      made: partner,
    },
    // An id is of this workshop; a phone may be known to others too, whose records name their workshop.
    whose: `t.partner_id IN (SELECT partner_id FROM link WHERE workshop_id = $1::uuid)
      AND (jsonb_path_exists(t.body, '$.** ? (@ == $ids[*])', jsonb_build_object('ids', ${theirIds}))
        OR jsonb_path_exists(t.body, '$.* ? (@.workshopId == $here).** ? (@ == $phones[*])',
          jsonb_build_object('here', $1::uuid, 'phones', $3::text[])))`,
    columns: words('created_at status body'),
    leftOut: words('key fingerprint owner leased_until'),
    key: [
      ['partner_id', 'uuid'],
      ['key', 'text'],
    ],
    pageSize: 100,
  },
];
