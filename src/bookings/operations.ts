/** The operations of bookings (document, 4.1 and 4.2; decisions, section 4). */
import { Type } from 'typebox';
import { out } from '#http/fields.ts';
import { exampleIds } from '#http/openapi-examples.ts';
import { operation } from '#http/operation.ts';
import { createBookingExamples, getBookingExamples, updateBookingExamples } from './examples.ts';
import { BookingAnswerRef, CreateBookingBody, UpdateBookingBody } from './schema.ts';

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
    'is true. The customer is found by phone, the car by registration; both are made when they are new.',
  idempotent: true,
  versioned: true,
  checksBody: true,
  body: CreateBookingBody,
  success: { status: 201, schema: BookingAnswerRef },
  refusals: { 403: ['000004'], 404: ['030001'] },
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
    'notes, jobNotes and productNotes change. The status is changed by its own operation.',
  versioned: true,
  ifMatch: true,
  checksBody: true,
  params: BookingPath,
  body: UpdateBookingBody,
  success: { status: 200, schema: BookingAnswerRef },
  refusals: { 403: ['000004'], 404: ['060001'], 409: ['060004'] },
  examples: updateBookingExamples,
});
