/** Examples of bookings, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const service = {
  catalogId: exampleIds.service,
  catalogCode: 'logbook',
  title: 'Logbook service',
  category: 'service',
  cost: 289.5,
  maxCost: 399,
  icon: 'clipboard',
  color: 'blue',
  source: 'catalog',
};

const wipers = {
  catalogId: null,
  catalogCode: null,
  title: 'New wipers',
  category: 'others',
  cost: null,
  maxCost: null,
  icon: null,
  color: null,
  source: 'custom',
};

const booking = {
  id: exampleIds.booking,
  code: '7K3M9QXW',
  carId: exampleIds.car,
  customerId: exampleIds.customer,
  workshopId: exampleIds.workshop,
  externalId: 'ORDER-1001',
  car: {
    id: exampleIds.car,
    customerId: exampleIds.customer,
    rego: '1AB2CD',
    year: 2019,
    make: 'Toyota',
    model: 'Corolla',
    badge: 'Ascent Sport',
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
  status: 'pending',
  date: '2030-03-04T22:30:00.000Z',
  pickupTime: '2030-03-05T05:00:00.000Z',
  serviceCategory: 'service',
  services: [service, wipers],
  servicePackageType: 'logbook',
  customerCompany: null,
  notes: 'Squeaks when braking',
  interval: null,
  jobNotes: ['Check the brake pads'],
  productNotes: [],
  tyreQuantities: null,
  cancelReason: null,
  createdAt: '2030-02-20T01:15:30.125Z',
  updatedAt: '2030-02-20T01:15:30.125Z',
};

const created: Examples = { pending: { summary: 'A new booking', value: { success: true, booking } } };

const least = {
  workshopId: exampleIds.workshop,
  carRego: '1AB2CD',
  bookingTime: '2030-03-04T22:30:00Z',
  customerName: 'Ava Nguyen',
  customerPhone: '0491 570 313',
  customerEmail: 'ava.nguyen@mail.example',
};

export const createBookingExamples: { body: Examples; answer: Examples } = {
  body: {
    full: {
      summary: 'With a service of the catalogue and one in your own words',
      value: {
        ...least,
        pickupTime: '2030-03-05T05:00:00Z',
        services: [{ catalogId: exampleIds.service, cost: 289.5 }, { title: 'New wipers' }],
        servicePackageType: 'logbook',
        notes: 'Squeaks when braking',
        jobNotes: ['Check the brake pads'],
        carMake: 'Toyota',
        carModel: 'Corolla',
        carYear: 2019,
        carBadge: 'Ascent Sport',
        externalId: 'ORDER-1001',
      },
    },
    least: { summary: 'The least that is needed', value: least },
    silent: { summary: 'Without notifying anybody', value: { ...least, skipNotification: true } },
  },
  answer: created,
};

export const getBookingExamples: { answer: Examples } = { answer: created };

const moved = '2030-03-05T23:00:00.000Z';

export const updateBookingExamples: { body: Examples; answer: Examples } = {
  body: {
    moved: {
      summary: 'Another time; the customer is notified',
      value: { date: '2030-03-06T10:00:00+11:00' },
    },
    services: {
      summary: 'Other services; the list is replaced whole',
      value: { services: [{ catalogCode: 'alignment' }, { title: 'New wipers' }] },
    },
    details: {
      summary: 'Other details; nobody is notified',
      value: { notes: 'Squeaks when braking, front left', tyreQuantities: 2, servicePackageType: null },
    },
  },
  answer: {
    moved: {
      summary: 'The updated booking',
      value: { success: true, booking: { ...booking, date: moved, updatedAt: '2030-02-21T03:02:11.480Z' } },
    },
  },
};

export const listBookingsExamples: { answer: Examples } = {
  answer: {
    last: { summary: 'The last page', value: { success: true, bookings: [booking], nextCursor: null } },
    feed: {
      summary: 'A page of the feed of changes',
      value: { success: true, bookings: [booking], nextCursor: 'MSA5MTI4MyAwMTk4YzZhNA' },
    },
  },
};

const changedAt = '2030-02-21T04:10:52.007Z';

export const setStatusExamples: { body: Examples; answer: Examples } = {
  body: {
    empty: { summary: 'Nothing to add', value: {} },
    cancelled: { summary: 'Why it is cancelled', value: { reason: 'The part is not in stock' } },
    silent: { summary: 'Without notifying anybody', value: { skipNotification: true } },
  },
  answer: {
    confirmed: {
      summary: 'A confirmed booking',
      value: { success: true, booking: { ...booking, status: 'confirmed', updatedAt: changedAt } },
    },
    cancelled: {
      summary: 'A cancelled booking',
      value: {
        success: true,
        booking: {
          ...booking,
          status: 'cancelled',
          cancelReason: 'The part is not in stock',
          updatedAt: changedAt,
        },
      },
    },
  },
};
