/** Changes of the API document, some of which break what it promised. */

// biome-ignore lint/suspicious/noExplicitAny: a change reaches into any part of the document.
export type Loose = any;

export const schemaOf = (doc: Loose, name: string) => doc.components.schemas[name];
const create = (doc: Loose) => doc.paths['/bookings'].post;
const list = (doc: Loose) => doc.paths['/bookings'].get;
const parameter = (operation: Loose, name: string) =>
  operation.parameters.find((one: Loose) => one.name === name);

type Change = readonly [name: string, of: string, change: (doc: Loose) => void, expected: readonly string[]];

export const breaks: readonly Change[] = [
  ['a path is gone', 'createBooking', (doc) => delete doc.paths['/bookings'], ['POST /bookings: is removed']],
  [
    'a method is gone',
    'listBookings',
    (doc) => delete doc.paths['/bookings'].get,
    ['GET /bookings: is removed'],
  ],
  [
    'another name of an operation',
    'createBooking',
    (doc) => Object.assign(create(doc), { operationId: 'book' }),
    ['operationId: is book now'],
  ],
  [
    'a token where none was needed',
    'isLive',
    (doc) => Object.assign(doc.paths['/health/live'].get, { security: [{ accessToken: [] }] }),
    ['security: accessToken is required now'],
  ],
  [
    'a parameter is gone',
    'listBookings',
    (doc) => list(doc).parameters.splice(0, 1),
    ['query.workshopId: is removed'],
  ],
  [
    'a parameter is required',
    'listBookings',
    (doc) => Object.assign(parameter(list(doc), 'from'), { required: true }),
    ['query.from: is required now'],
  ],
  [
    'a new parameter that is required',
    'createBooking',
    (doc) =>
      create(doc).parameters.push({ in: 'query', name: 'mode', required: true, schema: { type: 'string' } }),
    ['query.mode: is required now'],
  ],
  [
    'a parameter loses a word',
    'listBookings',
    (doc) => parameter(list(doc), 'status').schema.enum.pop(),
    ['query.status: takes no cancelled any more'],
  ],
  [
    'a body where none was needed',
    'setBookingStatus',
    (doc) => Object.assign(doc.paths['/bookings/{id}/{status}'].post.requestBody, { required: true }),
    ['body: is required now'],
  ],
  [
    'a field of a body is required',
    'createBooking',
    (doc) => schemaOf(doc, 'CreateBookingBody').required.push('notes'),
    ['body.notes: is required now'],
  ],
  [
    'a field of a body is gone',
    'createBooking',
    (doc) => delete schemaOf(doc, 'CreateBookingBody').properties.carYear,
    ['body.carYear: is removed'],
  ],
  [
    'a field of a body takes no null',
    'createBooking',
    (doc) => Object.assign(schemaOf(doc, 'CreateBookingBody').properties.carYear, { type: 'integer' }),
    ['body.carYear: takes no null any more'],
  ],
  [
    'a field of a body has tighter limits',
    'createBooking',
    (doc) =>
      Object.assign(schemaOf(doc, 'CreateBookingBody').properties.carYear, { minimum: 1990, maximum: 2100 }),
    ['body.carYear: minimum is 1990 now', 'body.carYear: maximum is 2100 now'],
  ],
  [
    'a text of a body takes certain words only',
    'createBooking',
    (doc) =>
      Object.assign(schemaOf(doc, 'CreateBookingBody').properties.servicePackageType, { enum: ['a', null] }),
    ['body.servicePackageType: takes only certain words now'],
  ],
  [
    'an item of a list in a body has another type',
    'createBooking',
    (doc) =>
      Object.assign(schemaOf(doc, 'CreateBookingBody').properties.jobNotes, { items: { type: 'integer' } }),
    ['body.jobNotes[]: takes no string any more'],
  ],
  ['a success is gone', 'createBooking', (doc) => delete create(doc).responses['201'], ['201: is removed']],
  [
    'a header is gone',
    'createBooking',
    (doc) => delete create(doc).responses['201'].headers.ETag,
    ['201 header ETag: is removed'],
  ],
  [
    'a content type is gone',
    'getPartnerReport',
    (doc) => delete doc.paths['/reports/partner'].get.responses['200'].content['text/csv'],
    ['200: is no text/csv any more'],
  ],
  [
    'a field of an answer is gone, deep in it',
    'createBooking',
    (doc) => delete schemaOf(doc, 'ServiceItem').properties.title,
    ['201.booking.services[].title: is removed'],
  ],
  [
    'a field of an answer may be missing',
    'getBooking',
    (doc) => schemaOf(doc, 'Booking').required.splice(0, 1),
    ['200.booking.id: may be missing now'],
  ],
  [
    'a field of an answer may be null',
    'getBooking',
    (doc) => Object.assign(schemaOf(doc, 'Booking').properties.code, { type: ['string', 'null'] }),
    ['200.booking.code: may be null now'],
  ],
  [
    'a structure of an answer may be null',
    'getBooking',
    (doc) => {
      const { properties } = schemaOf(doc, 'Booking');
      properties.car = { anyOf: [properties.car, { type: 'null' }] };
    },
    ['200.booking.car: may be null now'],
  ],
  [
    'a field of an answer has another type, format, no words',
    'getBooking',
    (doc) => {
      const { properties } = schemaOf(doc, 'Booking');
      properties.interval.type = ['number', 'null'];
      properties.id.format = 'uri';
      delete properties.status.enum;
    },
    [
      '200.booking.id: format is uri now',
      '200.booking.status: has no enum any more',
      '200.booking.interval: may be number now',
    ],
  ],
];

/** What partners are told to expect. */
export const additions: readonly (readonly [name: string, change: (doc: Loose) => void])[] = [
  ['an operation', (doc) => Object.assign(doc.paths, { '/things': { get: create(doc) } })],
  [
    'a parameter that may be left out',
    (doc) =>
      list(doc).parameters.push({ in: 'query', name: 'mode', required: false, schema: { type: 'string' } }),
  ],
  [
    'a field of a body that may be left out, and of an answer',
    (doc) => {
      schemaOf(doc, 'CreateBookingBody').properties.colour = { type: 'string' };
      schemaOf(doc, 'Booking').properties.colour = { type: 'string' };
      schemaOf(doc, 'Booking').required.push('colour');
    },
  ],
  [
    'words: of a filter, of an answer',
    (doc) => {
      parameter(list(doc), 'status').schema.enum.push('paused');
      schemaOf(doc, 'Booking').properties.status.enum.push('paused');
    },
  ],
  [
    'wider limits, null where a text was needed, a body that may be empty',
    (doc) => {
      const { properties } = schemaOf(doc, 'CreateBookingBody');
      Object.assign(properties.carYear, { minimum: 1, maximum: 9_999 });
      Object.assign(properties.customerName, { type: ['string', 'null'] });
      create(doc).requestBody.required = false;
    },
  ],
  [
    'an answer that is never null any more, and a null that is said in another way',
    (doc) => {
      const { properties } = schemaOf(doc, 'Booking');
      properties.interval.type = 'integer';
      properties.notes = { anyOf: [{ type: 'null' }, { type: 'string' }] };
    },
  ],
  [
    'a refusal less, and one more',
    (doc) => {
      const { responses } = create(doc);
      responses['418'] = responses['409'];
      delete responses['409'];
    },
  ],
  ['other texts', (doc) => Object.assign(create(doc), { summary: 'Book', description: 'Other words' })],
];
