/** SQL of the values that fill a template: those that a partner may know, and for previews by staff all of them. */
import type { Booking } from '#bookings/schema.ts';
import { bookingJson } from '#bookings/snapshot.ts';
import type { TemplateWorkshop } from '#bookings/template-variables.ts';
import { type CustomerSeen, customerSeen, latestBooking } from '#customers/seen/store.ts';
import type { Queryable } from '#db/database.ts';
import type { TemplateVersion } from '#templates/store.ts';
import { type Gate, gateColumns, gateCte } from '#workshops/access/store.ts';
import { workshopJson } from '#workshops/store.ts';
import type { Named } from '../store.ts';

export interface TemplateContext extends Gate, Named {
  workshop: TemplateWorkshop;
  /** As this partner may see them; null when the customer does not exist yet. */
  customer: CustomerSeen | null;
  booking: Booking | null;
  /** Null unless it is a published inbox template of the workshop. */
  templateBody: string | null;
  /** The template's present one. */
  templateVersion: number | null;
  requiresBooking: boolean | null;
}

/**
 * CTEs `person`, `its_booking` and `sent_before`: the customer and the booking that the request names, where the workshop has
 * them, and the message that was sent under its referenceId.
 */
function namedCtes(
  $: (name: 'customerId' | 'phone' | 'bookingId' | 'partnerId' | 'referenceId') => string,
  by: 'id' | 'phone',
): string {
  return `person AS (
      SELECT c.id, c.phone, c.opted_out_at IS NOT NULL AS opted_out FROM customer c JOIN gate ON gate.workshop_id = c.workshop_id
       WHERE ${by === 'id' ? `c.id = ${$('customerId')} AND c.phone IS NOT NULL` : `c.phone = ${$('phone')}`}),
    its_booking AS (
      SELECT b.id, b.customer_id FROM booking b JOIN gate ON gate.workshop_id = b.workshop_id
       WHERE b.id = ${$('bookingId')} AND b.partner_id = ${$('partnerId')}),
    sent_before AS (
      SELECT m.id FROM message m JOIN gate ON gate.workshop_id = m.workshop_id JOIN person ON person.id = m.customer_id
       WHERE m.partner_id = ${$('partnerId')} AND m.reference_id = ${$('referenceId')}
         AND m.state NOT IN ('sending', 'failed', 'unknown'))`;
}

const namedColumns = `person.id IS NOT NULL AS customer_found, its_booking.id IS NOT NULL AS booking_found,
       coalesce(its_booking.customer_id = person.id, false) AS booking_is_theirs,
       EXISTS (SELECT FROM sent_before) AS sent_before`;

function contextText(by: 'id' | 'phone'): string {
  const names = {
    partnerId: '$1::uuid',
    customerId: '$3::uuid',
    phone: '$3::text',
    bookingId: '$4::uuid',
    referenceId: '$6::text',
  };
  return `WITH ${gateCte('$1::uuid', '$2::uuid')}, ${namedCtes((name) => names[name], by)}
    SELECT ${gateColumns}, ${namedColumns},
           ${workshopJson} AS workshop,
           ${customerSeen('k', 'own', '$1::uuid')} AS customer,
           CASE WHEN b.id IS NOT NULL THEN ${bookingJson('b', 'c')} END AS booking,
           t.body AS template_body, t.version AS template_version, t.requires_booking
      FROM gate JOIN workshop w ON w.id = gate.workshop_id
      LEFT JOIN person ON true LEFT JOIN its_booking ON true
      LEFT JOIN customer k ON k.id = person.id
      LEFT JOIN ${latestBooking('k', '$1::uuid')} AS own ON true
      LEFT JOIN booking b ON b.id = its_booking.id
      LEFT JOIN car c ON c.id = b.car_id
      LEFT JOIN template t ON t.workshop_id = gate.workshop_id AND t.id = $5::uuid AND t.status = 'published' AND t.purpose = 'inbox'`;
}

const byId = contextText('id');
const byPhone = contextText('phone');

/** Null when the partner has no such workshop. */
export async function readTemplateContext(
  db: Queryable,
  named: {
    partnerId: string;
    workshopId: string;
    customerId: string | null;
    phone: string | null;
    bookingId: string | null;
    templateId: string;
    referenceId: string | null;
  },
): Promise<TemplateContext | null> {
  const { partnerId, workshopId, customerId, phone, bookingId, templateId, referenceId } = named;
  const [row] = await db.query<TemplateContext>(customerId === null ? byPhone : byId, [
    partnerId,
    workshopId,
    customerId ?? phone,
    bookingId,
    templateId,
    referenceId,
  ]);
  return row ?? null;
}

export interface VersionOfWorkshop
  extends Pick<TemplateVersion, 'subject' | 'body' | 'placeholders' | 'requiresBooking'> {
  readonly workshop: TemplateWorkshop;
}

/** Null when the workshop's template has no such version. */
export async function findVersionOf(
  db: Queryable,
  { workshopId, templateId, version }: { workshopId: string; templateId: string; version: number },
): Promise<VersionOfWorkshop | null> {
  const [row] = await db.query<VersionOfWorkshop>(
    `SELECT v.subject, v.body, v.placeholders, v.requires_booking,
            ${workshopJson} AS workshop
       FROM template t JOIN template_version v ON v.template_id = t.id JOIN workshop w ON w.id = t.workshop_id
      WHERE t.id = $2 AND t.workshop_id = $1 AND v.number = $3`,
    [workshopId, templateId, version],
  );
  return row ?? null;
}

export interface Recipient {
  readonly customerId: string;
  /** One of theirs; null: the text is about none. */
  readonly bookingId: string | null;
}

/** A customer as the workshop knows them. */
export interface Known {
  readonly customer: Record<'name' | 'firstName' | 'lastName' | 'email' | 'phone' | 'company', string | null>;
  readonly booking: Booking | null;
}

/** Those who are customers of the workshop; `ordinal` counts from 1. */
export async function readRecipients(
  db: Queryable,
  workshopId: string,
  recipients: readonly Recipient[],
): Promise<(Known & { readonly ordinal: string })[]> {
  return db.query(
    `SELECT named.ordinal, jsonb_build_object('name', k.name, 'firstName', k.first_name, 'lastName', k.last_name,
              'email', k.email, 'phone', k.phone, 'company', k.company) AS customer,
            CASE WHEN b.id IS NOT NULL THEN ${bookingJson('b', 'c')} END AS booking
       FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS named (customer_id, booking_id, ordinal)
       JOIN customer k ON k.id = named.customer_id AND k.workshop_id = $1
       LEFT JOIN booking b ON b.id = named.booking_id AND b.customer_id = k.id AND b.workshop_id = $1
       LEFT JOIN car c ON c.id = b.car_id`,
    [
      workshopId,
      recipients.map(({ customerId }) => customerId),
      recipients.map(({ bookingId }) => bookingId),
    ],
  );
}

export async function findPreviewBooking(
  db: Queryable,
  workshopId: string,
  id: string,
): Promise<Booking | null> {
  const [row] = await db.query<{ booking: Booking }>(
    `SELECT ${bookingJson('b', 'c')} AS booking FROM booking b JOIN car c ON c.id = b.car_id
      WHERE b.id = $2 AND b.workshop_id = $1`,
    [workshopId, id],
  );
  return row?.booking ?? null;
}
