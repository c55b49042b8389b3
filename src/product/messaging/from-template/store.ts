/** SQL of the values that fill a template: for partners those that they may know, for previews by staff all of them. */

import type { Queryable } from '#platform/db/database.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import { bookingJson } from '#product/bookings/snapshot.ts';
import type { TemplateWorkshop } from '#product/bookings/template-variables.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { type CustomerSeen, customerKnown, customerSeen } from '#product/customers/seen/store.ts';
import type { TemplateVersion } from '#product/templates/store.ts';
import { type Gate, gateColumns, gatesCte } from '#product/workshops/access/store.ts';
import { workshopJson } from '#product/workshops/store.ts';
import { type Named, type Naming, namedColumns, namedCtes, namedJoins } from '../named/store.ts';
import { type SentBefore, sentBeforeCte } from '../store.ts';

export interface TemplateContext extends Gate, Named, SentBefore {
  workshop: TemplateWorkshop;
  /** The customer as this partner may see them; null when the customer does not exist yet. */
  customer: CustomerSeen | null;
  booking: AnyBooking | null;
  /** Null unless it is a published inbox template of the workshop. */
  templateBody: string | null;
  /** The present version of the template. */
  templateVersion: number | null;
  requiresBooking: boolean | null;
}

const contextText = `WITH input AS (
      SELECT 1 AS ordinal, $1::uuid AS partner_id, $2::uuid AS workshop_id, $3::uuid AS customer_id, $4::text AS phone,
             $5::uuid AS booking_id, $6::text AS reference_id),
    ${gatesCte},
    ${namedCtes},
    ${sentBeforeCte}
    SELECT ${gateColumns}, ${namedColumns}, EXISTS (SELECT FROM sent_before) AS sent_before,
           ${workshopJson} AS workshop,
           ${customerSeen('k', '$1::uuid')} AS customer,
           CASE WHEN b.id IS NOT NULL THEN ${bookingJson('b', 'c')} END AS booking,
           t.body AS template_body, t.version AS template_version, t.requires_booking
      FROM gate JOIN workshop w ON w.id = gate.workshop_id ${namedJoins}
      LEFT JOIN customer k ON k.id = person.id
      LEFT JOIN booking b ON b.id = its_booking.id
      LEFT JOIN car c ON c.id = b.car_id
      LEFT JOIN template t ON t.workshop_id = gate.workshop_id AND t.id = $7::uuid AND t.status = 'published' AND t.purpose = 'inbox'`;

/** Null when the partner has no such workshop. */
export async function readTemplateContext(
  db: Queryable,
  named: Naming & {
    readonly partnerId: string;
    readonly workshopId: string;
    readonly templateId: string;
    readonly referenceId: string | null;
  },
): Promise<TemplateContext | null> {
  const { partnerId, workshopId, customerId, phone, bookingId, templateId, referenceId } = named;
  const [row] = await db.query<TemplateContext>(contextText, [
    ...[partnerId, workshopId, customerId, phone, bookingId, referenceId, templateId],
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
  /** A booking of this customer; null: the text needs none. */
  readonly bookingId: string | null;
}

/** A customer as the workshop sees them. */
export interface Known {
  readonly customer: Required<CustomerSeen>;
  readonly booking: AnyBooking | null;
}

/** The recipients that are customers of the workshop; `ordinal` counts from 1. */
export async function readRecipients(
  db: Queryable,
  workshopId: string,
  recipients: readonly Recipient[],
): Promise<(Known & { readonly ordinal: string })[]> {
  return db.query(
    `SELECT named.ordinal, ${customerKnown('k')} AS customer,
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
): Promise<AnyBooking | null> {
  const [row] = await db.query<{ booking: AnyBooking }>(
    `SELECT ${bookingJson('b', 'c')} AS booking FROM booking b JOIN car c ON c.id = b.car_id
      WHERE b.id = $2 AND b.workshop_id = $1`,
    [workshopId, id],
  );
  return row?.booking ?? null;
}

/** The next booking of the customer, over all merged rows, with the row that has it; null: no booking is ahead. */
export async function findNextBooking(
  db: Queryable,
  workshopId: string,
  { customerId, now }: { readonly customerId: string; readonly now: Date },
): Promise<(Recipient & { readonly bookingId: string }) | null> {
  const [row] = await db.query<Recipient & { readonly bookingId: string }>(
    `SELECT b.customer_id, b.id AS booking_id
       FROM unnest(${idsOf('$2::uuid')}) AS one (id) CROSS JOIN LATERAL (
         SELECT customer_id, id, date FROM booking
          WHERE customer_id = one.id AND workshop_id = $1 AND date >= $3 AND status IN ('pending', 'confirmed')
          ORDER BY date, id LIMIT 1) AS b
      ORDER BY b.date, b.id LIMIT 1`,
    [workshopId, customerId, now],
  );
  return row ?? null;
}
