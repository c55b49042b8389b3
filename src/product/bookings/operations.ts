/** The operations of bookings (specification: Bookings; Creating a booking; Changing a booking; Status of a booking). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems } from '#platform/http/paging.ts';
import {
  createBookingDetails,
  getBookingDetails,
  listBookingsDetails,
  setBookingStatusDetails,
  updateBookingDetails,
} from './details.ts';
import {
  createBookingExamples,
  getBookingExamples,
  listBookingsExamples,
  setStatusExamples,
  updateBookingExamples,
} from './examples.ts';
import {
  Booking,
  BookingAnswerRef,
  CreateBookingBody,
  ListBookingsQuery,
  StatusBody,
  StatusPath,
  UpdateBookingBody,
} from './schema.ts';

const BookingPath = Type.Object({
  id: out.string({ description: "The booking's id.", examples: [exampleIds.booking] }),
});

export const createBooking = operation({
  id: 'createBooking',
  method: 'POST',
  path: '/bookings',
  tag: 'Bookings',
  access: 'partner',
  summary: 'Create a booking',
  description:
    'The booking starts as `pending`. Customer and workshop each get an SMS and an e-mail, unless `skipNotification` ' +
    'is true. The customer is found by phone, the car by registration; both are made when they are new. A service that names one of ' +
    "the workshop's catalogue, by `catalogId` or `catalogCode`, gets its category, title, icon, color and maxCost from there, and its " +
    'cost unless one is sent. Any other is a custom item in your own words. Where the workshop enforces availability, `bookingTime` ' +
    'must lie within an offered slot; daily limits hold everywhere. Else 409 `060003` says why, and when it is free next.',
  details: createBookingDetails,
  idempotent: true,
  versioned: true,
  checksBody: true,
  body: CreateBookingBody,
  success: { status: 201, schema: BookingAnswerRef },
  refusals: { 403: ['000004'], 404: ['030001'], 409: ['060003'] },
  examples: createBookingExamples,
});

export const getBooking = operation({
  id: 'getBooking',
  method: 'GET',
  path: '/bookings/{id}',
  tag: 'Bookings',
  access: 'partner',
  summary: 'Read a booking',
  description: 'One that you made; bookings of other partners are not found.',
  details: getBookingDetails,
  versioned: true,
  params: BookingPath,
  success: { status: 200, schema: BookingAnswerRef },
  refusals: { 404: ['060001'] },
  examples: getBookingExamples,
});

export const updateBooking = operation({
  id: 'updateBooking',
  method: 'PUT',
  path: '/bookings/{id}',
  tag: 'Bookings',
  access: 'partner',
  summary: 'Update a booking',
  description:
    'Only the fields that are sent change; `null` clears an optional one. A new `date` notifies the customer, ' +
    'unless `skipNotification` is true; the workshop is never notified. In a completed or cancelled booking only ' +
    'notes, jobNotes and productNotes change. The status is changed by its own operation. `services` are replaced whole and filled from ' +
    'the catalogue as on creation; an item that you send back as you got it stays as it is. A changed `date` and changed `services` must ' +
    'fit slots and daily limits as a new booking does; what the booking has already is never refused.',
  details: updateBookingDetails,
  versioned: true,
  ifMatch: true,
  checksBody: true,
  params: BookingPath,
  body: UpdateBookingBody,
  success: { status: 200, schema: BookingAnswerRef },
  refusals: { 403: ['000004'], 404: ['060001'], 409: ['060003', '060004'] },
  examples: updateBookingExamples,
});

export const listBookings = operation({
  id: 'listBookings',
  method: 'GET',
  path: '/bookings',
  tag: 'Bookings',
  access: 'partner',
  summary: 'List your bookings',
  description:
    'Newest created first. With `updatedSince` it is a feed of changes, oldest first, whose `nextCursor` is never null: keep it ' +
    'and ask with it again to get what changed since, each booking at least once. A cursor goes with the filters of the request that gave it.',
  details: listBookingsDetails,
  query: ListBookingsQuery,
  success: { status: 200, schema: pageOfItems('bookings', ref(Booking), 'A page of bookings.') },
  refusals: { 404: ['030001'] },
  examples: listBookingsExamples,
});

export const setBookingStatus = operation({
  id: 'setBookingStatus',
  method: 'POST',
  path: '/bookings/{id}/{status}',
  tag: 'Bookings',
  access: 'partner',
  summary: 'Confirm, complete or cancel a booking',
  description:
    'A pending booking may become confirmed, completed or cancelled, a confirmed one completed or cancelled. The status that it ' +
    'has already changes nothing. The customer is told by SMS and e-mail when it is confirmed or cancelled, the workshop when it ' +
    'is cancelled, unless `skipNotification` is true. The body may be empty. What its own staff has done a workshop can take back within ' +
    'moments: the booking then has its earlier status again, at a higher version, and `bookingUpdated` says so.',
  details: setBookingStatusDetails,
  versioned: true,
  ifMatch: true,
  emptyBody: true,
  params: StatusPath,
  body: StatusBody,
  success: { status: 200, schema: BookingAnswerRef },
  refusals: { 403: ['000004'], 404: ['060001'], 409: ['060002'] },
  examples: setStatusExamples,
});
