/** WHAT A QUOTE IS, ON ONE PAGE: `src/platform/records/` serves from this every edge that quotes share with other records. */

import { readCode } from '#base/values/code.ts';
import { currencyOf } from '#base/values/money.ts';
import { externalId, fewIn, idIn } from '#platform/records/filters.ts';
import type { RecordType, StaffRow } from '#platform/records/record.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { carInWords, contactErased, ofCustomer } from '#product/customers/records.ts';
import { ofWorkshop, staffProjection } from '#product/workshops/records.ts';
import { type Quote, quoteStatuses } from './schema.ts';
import { quoteJson } from './snapshot.ts';

/** A quote with the fields that only its workshop sees. */
export type WorkshopQuote = Quote & StaffRow;

const sight = {
  json: (row: string) => quoteJson(row, 'its_car'),
  joins: (row: string) => `JOIN car its_car ON its_car.id = ${row}.car_id`,
};

export const quoteRecord: RecordType<Quote, WorkshopQuote, 'quote', 'quotes'> = {
  ...{ name: 'quote', plural: 'quotes', noun: 'quote', table: 'quote', list: 'quote' },
  state: { name: 'status', all: quoteStatuses },
  order: 'id',
  hasFeed: true,
  readCode,
  notFound: '050001',
  partner: sight,
  staff: {
    ...staffProjection(sight),
    hasOwn: true,
    filters: { partner: idIn('partner_id'), customer: fewIn('customer_id') },
  },
  filters: { workshopId: ofWorkshop, externalId },
  events: ['quote.requested', 'quote.quoted', 'quote.accepted', 'quote.declined', 'quote.expired'],
  retention: {
    ...{ days: 'quotesKeptDays', since: 'updated_at' },
    where: `status IN ('requested', 'declined', 'expired')`,
  },
  erasure: {
    rows: ofCustomer,
    phone: 'contact_phone',
    // The lines stay; the message to the customer does not.
    set: () => ({ ...contactErased, car_vin: 'NULL', notes: 'NULL', message: 'NULL' }),
  },
  people: {
    columns: {
      CODE: ({ code }) => code,
      CREATED: ({ createdAt }, { time }) => time(createdAt),
      STATUS: ({ status }) => status,
      CAR: ({ car }) => car.rego,
      CUSTOMER: ({ customer }, { name }) => name(customer.name),
      SERVICES: ({ services }) => titlesOf(services),
      TOTAL: totalOf,
      PARTNER: ({ partner }) => partner,
    },
    details: (quote, { time, phone, name }) => ({
      quoteId: quote.id,
      code: quote.code,
      status: quote.status,
      customer: name(quote.customer.name),
      phone: phone(quote.customer.phone),
      email: quote.customer.email,
      car: carInWords(quote.car),
      services: titlesOf(quote.services),
      notes: quote.notes,
      lines: quote.lines.map(
        ({ title, quantity, unitPrice, total }) =>
          `${title}: ${quantity} × ${unitPrice.toFixed(2)} = ${total.toFixed(2)}`,
      ),
      total: totalOf(quote),
      message: quote.message,
      validUntil: time(quote.validUntil),
      url: quote.url,
      bookingId: quote.bookingId,
      partner: quote.partner,
      workshopId: quote.workshopId,
      createdAt: time(quote.createdAt),
      updatedAt: time(quote.updatedAt),
    }),
  },
};

/** `310.50 AUD`; without a currency when that of the country is unknown. */
function totalOf({ total, country }: WorkshopQuote): string | null {
  return total === null ? null : [total.toFixed(2), currencyOf(country)].filter(Boolean).join(' ');
}
