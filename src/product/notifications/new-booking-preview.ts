/** Previews the SMS that the customer of a new booking will get. Nothing is stored. */
import { publicUrl } from '#base/config/public-url.ts';
import { splitName } from '#base/values/person-name.ts';
import type { Context } from '#platform/context.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { managePath } from '#product/bookings/manage-link/codes.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import { customItem } from '#product/catalogue/item.ts';
import { previewText, type SmsPreview } from '#product/messaging/preview.ts';
import { bookingSubject } from './bookings/subject.ts';
import { withLink } from './sms-link.ts';
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
  /** It will be made confirmed. */
  readonly isConfirmed: boolean;
}

/** Stand for the booking's code and for the end of its link, which are created with the booking: as long, and of the same alphabet. */
const codeToCome = 'XXXXXXXX';
const linkToCome = 'XXXXXXXXXX';

/** As it will be measured and sent, but for the code and the end of the link: `[code]` and `[link]`. Null: there is no such workshop. */
export async function previewNewBooking(
  { db, config }: Pick<Context, 'db' | 'config'>,
  draft: DraftBooking,
): Promise<SmsPreview | null> {
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
  const base = publicUrl(config);
  const { smsLink } = bookingSubject;
  const isLinked = base !== null && smsLink !== undefined;
  const url = isLinked ? base + managePath(linkToCome) : '';
  const sms = previewText(isLinked ? withLink(body, smsLink.label, url) : body);
  const text = sms.text.replace(url, url.replace(linkToCome, '[link]')).replace(codeToCome, '[code]');
  return { ...sms, text };
}

function bookingOf({ workshopId, date, rego, name, phone, services, isConfirmed }: DraftBooking): AnyBooking {
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
    status: isConfirmed ? 'confirmed' : 'pending',
    date: at,
    pickupTime: null,
    services: services.map((title) => customItem({ title })),
    ...{ serviceCategory: null, servicePackageType: null, customerCompany: null, notes: null },
    ...{ interval: null, jobNotes: [], productNotes: [], tyreQuantities: null, cancelReason: null },
    createdAt: at,
    updatedAt: at,
  };
}
