/** Examples of quotes, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const service = {
  catalogId: null,
  catalogCode: null,
  title: 'Front brake pads',
  category: 'repair',
  cost: null,
  maxCost: null,
  icon: null,
  color: null,
  source: 'custom',
};

const requested = {
  id: exampleIds.quote,
  code: '7K3M9QXW2P',
  workshopId: exampleIds.workshop,
  customerId: exampleIds.customer,
  carId: exampleIds.car,
  bookingId: null,
  externalId: 'LEAD-77',
  car: {
    id: exampleIds.car,
    customerId: exampleIds.customer,
    rego: '1AB2CD',
    year: 2019,
    make: 'Toyota',
    model: 'Corolla',
    badge: null,
    vin: null,
  },
  customer: {
    id: exampleIds.customer,
    workshopId: exampleIds.workshop,
    name: 'Ava Nguyen',
    firstName: 'Ava',
    lastName: 'Nguyen',
    email: 'ava.nguyen@mail.example',
    phone: '+61491570313',
    company: null,
    address: null,
    postcode: null,
    suburb: null,
  },
  status: 'requested',
  services: [service],
  notes: 'Squeaks when braking',
  lines: [],
  total: null,
  message: null,
  validUntil: null,
  url: null,
  createdAt: '2030-02-20T01:15:30.125Z',
  updatedAt: '2030-02-20T01:15:30.125Z',
};

const quoted = {
  ...requested,
  status: 'quoted',
  lines: [
    { title: 'Brake pads', quantity: 2, unitPrice: 94.5, total: 189 },
    { title: 'Labour', quantity: 1.5, unitPrice: 120, total: 180 },
  ],
  total: 369,
  message: 'We would do both front wheels.',
  validUntil: '2030-03-06T03:40:12.004Z',
  url: 'https://pitlane.example.com/q/7K3M9QXW2P',
  updatedAt: '2030-02-20T03:40:12.004Z',
};

export const createQuoteExamples: { body: Examples; answer: Examples } = {
  body: {
    full: {
      summary: 'With details of the car',
      value: {
        workshopId: exampleIds.workshop,
        customerName: 'Ava Nguyen',
        customerPhone: '0491 570 313',
        customerEmail: 'ava.nguyen@mail.example',
        carRego: '1AB2CD',
        carMake: 'Toyota',
        carModel: 'Corolla',
        carYear: 2019,
        services: [{ title: 'Front brake pads', category: 'repair' }],
        notes: 'Squeaks when braking',
        externalId: 'LEAD-77',
      },
    },
    least: {
      summary: 'The least that is needed',
      value: {
        workshopId: exampleIds.workshop,
        customerName: 'Ava Nguyen',
        customerPhone: '0491 570 313',
        customerEmail: 'ava.nguyen@mail.example',
        carRego: '1AB2CD',
        services: [{ title: 'Front brake pads' }],
      },
    },
  },
  answer: { requested: { summary: 'A new quote', value: { success: true, quote: requested } } },
};

export const getQuoteExamples: { answer: Examples } = {
  answer: {
    quoted: { summary: 'One that the workshop has priced', value: { success: true, quote: quoted } },
    requested: { summary: 'One that it has not priced yet', value: { success: true, quote: requested } },
  },
};

export const listQuotesExamples: { answer: Examples } = {
  answer: {
    last: { summary: 'The last page', value: { success: true, quotes: [quoted], nextCursor: null } },
    feed: {
      summary: 'A page of the feed of changes',
      value: { success: true, quotes: [requested], nextCursor: 'MSA5MTI4MyAwMTk4YzZhNA' },
    },
  },
};
