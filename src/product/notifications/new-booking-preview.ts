/** Previews the SMS that the customer of a new booking will get. Nothing is stored. */
import { splitName } from '#base/values/person-name.ts';
import type { Queryable } from '#platform/db/database.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import { customItem } from '#product/catalogue/item.ts';
import { previewText, type SmsPreview } from '#product/messaging/preview.ts';
import { bookingSubject } from './bookings/subject.ts';
import { readWorkshopTexts } from './store.ts';
import { textOfNotice } from './text.ts';

/** The fields that are known so far. */
export interface DraftBooking {
  readonly workshopId: string;
  readonly date: Date;
  readonly rego: string | null;
  readonly name: string | null;
  /** E.164 */
  readonly phone: string;
  /** Titles. */
  readonly services: readonly string[];
}

/** Stands for the code, which is created with the booking. */
const codeToCome = '········';

/** Without the link at its end. Null: there is no such workshop. */
export async function previewNewBooking(db: Queryable, draft: DraftBooking): Promise<SmsPreview | null> {
  const texts = await readWorkshopTexts(db, draft.workshopId);
  if (texts === null) return null;
  const payload = {
    ...{ booking: bookingOf(draft), dateChanged: false, previousDate: null },
    ...{ notifyCustomer: true, notifyWorkshop: false },
  };
  const event = {
    ...{ ...texts, payload, eventId: lowestId, kind: 'booking.created', version: 1 },
    workshopId: draft.workshopId,
  };
  const way = { audience: 'customer', channel: 'sms' } as const;
  const { body } = textOfNotice(bookingSubject, event, way, { warn: () => undefined });
  return previewText(body);
}

function bookingOf({ workshopId, date, rego, name, phone, services }: DraftBooking): AnyBooking {
  const at = date.toISOString();
  const ids = { id: lowestId, carId: lowestId, customerId: lowestId, workshopId, externalId: null };
  const unknown = { year: null, make: null, model: null, badge: null, vin: null };
  return {
    ...ids,
    code: codeToCome,
    car: { id: lowestId, customerId: lowestId, rego, ...unknown },
    customer: {
      ...{ id: lowestId, workshopId, name, ...splitName(name ?? '') },
      ...{ email: null, phone, company: null, address: null, postcode: null, suburb: null },
    },
    status: 'pending',
    date: at,
    pickupTime: null,
    services: services.map((title) => customItem({ title })),
    ...{ serviceCategory: null, servicePackageType: null, customerCompany: null, notes: null },
    ...{ interval: null, jobNotes: [], productNotes: [], tyreQuantities: null, cancelReason: null },
    createdAt: at,
    updatedAt: at,
  };
}
