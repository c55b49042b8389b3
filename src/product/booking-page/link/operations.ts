/** The operation that makes a link to the booking page (specification: Booking page 1). */
import { Type } from 'typebox';
import { email, nullable, out, phone, text, word } from '#platform/http/fields.ts';
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';
import { workshopPath } from '#product/workshops/access/path.ts';

const Prefill = Type.Object({
  name: Type.Optional(text({ max: 100, description: 'Fills in the name.', examples: ['Sam Taylor'] })),
  phone: Type.Optional(phone({ description: "Any form that is valid in the workshop's country." })),
  email: Type.Optional(email({ description: 'Fills in the e-mail address.', examples: ['sam@example.com'] })),
  rego: Type.Optional(
    text({ max: 32, of: 'spaced', description: 'Fills in the registration.', examples: ['ABC123'] }),
  ),
  serviceCategory: Type.Optional(
    word(serviceCategories, {
      description: 'Begins with the times for work of this category.',
    }),
  ),
  catalogId: Type.Optional(
    text({
      description: 'Begins with the times for this service of the catalogue.',
      examples: [exampleIds.service],
    }),
  ),
  externalId: Type.Optional(text({ description: 'Your own reference: the booking gets it.' })),
});

const BookingUrlAnswer = Type.Object(
  {
    success: out.success(true),
    url: out.string({
      examples: ['https://bookings.example.com/book/yarra-street-motors?k=5p0c…'],
      description: 'Whose details it fills in is encrypted. Do not take it apart: its form may change.',
    }),
    expiresAt: nullable(
      out.instant({
        description: 'Null: it lasts until the operator revokes it, or the link is switched off.',
      }),
    ),
  },
  { description: 'A link to the booking page.' },
);

const examples: { answer: Examples } = {
  answer: {
    personal: {
      summary: "A link that fills in a person's details",
      value: {
        success: true,
        url: 'https://bookings.example.com/book/yarra-street-motors?k=5p0cXo1…',
        expiresAt: '2027-04-28T01:30:00.000Z',
      },
    },
    button: {
      summary: 'A link for a button on a website',
      value: {
        success: true,
        url: 'https://bookings.example.com/book/yarra-street-motors?k=5p0cUe7…',
        expiresAt: null,
      },
    },
  },
};

export const getBookingUrl = operation({
  id: 'getBookingUrl',
  method: 'GET',
  path: '/workshops/{id}/booking-url',
  tag: 'Bookings',
  access: 'partner',
  summary: 'Get a link to the booking page',
  description:
    "A page on which a customer chooses a service, a day and a time, and books. Such a booking is yours, as if you had created it. With a person's " +
    'details (`name`, `phone`, `email`, `rego`), which the page fills in, the link works for 30 days; without them until it is revoked.',
  params: Type.Object(workshopPath),
  query: Prefill,
  success: { status: 200, schema: BookingUrlAnswer },
  refusals: { 403: ['000003', '000004'], 404: ['030001'] },
  examples,
});
