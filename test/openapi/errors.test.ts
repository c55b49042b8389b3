/** Every error of every operation is in the API document, with its codes, examples and headers. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { catalogue } from '#errors.ts';
import { startTestApp } from '../harness/app.ts';
import {
  type Document,
  exampleOf,
  jsonOf,
  type NamedOperation,
  operationsOf,
  readDocument,
  successesOf,
  validatorOf,
} from './document.ts';

let document: Document;
let operations: NamedOperation[];

before(async () => {
  document = await readDocument(await startTestApp());
  operations = operationsOf(document);
});

const always = ['400 000001', '408 000001', '414 000001', '431 000001', '500 000500', '503 000007'];
const withBody = ['413 000005', '415 000006'];
const signedIn = ['401 010000', '401 010001'];

/** The responses of each operation, beside the common ones (specification: Errors 3). */
const expected: Readonly<Record<string, readonly string[]>> = {
  signIn: ['401 010001', '401 010003', '429'],
  refreshToken: ['400 010002'],
  listWorkshops: signedIn,
  listServices: [...signedIn, '404 030001'],
  listAvailabilities: [...signedIn, '403 000004', '404 030001'],
  createBooking: [...signedIn, '403 000004', '404 030001', '409 000009', '409 060003', '422 000008'],
  getBookingUrl: [...signedIn, '403 000003', '403 000004', '404 030001'],
  getBooking: [...signedIn, '404 060001'],
  listBookings: [...signedIn, '404 030001'],
  setBookingStatus: [...signedIn, '403 000004', '404 060001', '409 060002', '412 000010'],
  updateBooking: [...signedIn, '403 000004', '404 060001', '409 060003', '409 060004', '412 000010'],
  createServiceReminder: [
    ...signedIn,
    '400 060001',
    '403 000003',
    '403 000004',
    '404 030001',
    '404 040001',
    '404 060001',
    '409 000009',
    '429',
  ],
  getServiceReminder: [...signedIn, '404 080001'],
  listServiceReminders: [...signedIn, '404 030001'],
  cancelServiceReminder: [...signedIn, '403 000004', '404 080001', '409 080002'],
  recordCall: [...signedIn, '403 000004', '404 030001', '409 000009', '422 000008'],
  getCallLead: [...signedIn, '404 100001'],
  listCallLeads: [...signedIn, '404 030001'],
  createQuote: [...signedIn, '403 000004', '404 030001', '409 000009', '422 000008'],
  getQuote: [...signedIn, '404 050001'],
  listQuotes: [...signedIn, '404 030001'],
  sendMessage: [
    ...signedIn,
    '400 060001',
    '403 000003',
    '403 000004',
    '404 030001',
    '404 040001',
    '404 060001',
    '409 000009',
    '429',
  ],
  getMessage: [...signedIn, '404 030001', '404 120001'],
  listAutomations: [...signedIn, '404 030001'],
  triggerAutomation: [
    ...signedIn,
    '400 060001',
    '403 000003',
    '403 000004',
    '404 030001',
    '404 040001',
    '404 060001',
    '404 090001',
    '429',
    '409 000009',
    '422 000008',
  ],
  listBlasts: [...signedIn, '404 030001'],
  getBlast: [...signedIn, '404 030001', '404 090001'],
  triggerBlast: [
    ...signedIn,
    '403 000003',
    '403 000004',
    '404 030001',
    '404 090001',
    '409 000009',
    '409 090002',
    '422 000008',
  ],
  listTemplates: [...signedIn, '403 000003', '403 000004', '404 030001'],
  createWebhook: [...signedIn, '404 030001', '409 000009', '409 110002', '422 000008'],
  listWebhooks: signedIn,
  getWebhook: [...signedIn, '404 110001'],
  updateWebhook: [...signedIn, '403 000003', '404 030001', '404 110001'],
  deleteWebhook: [...signedIn, '404 110001'],
  testWebhook: [...signedIn, '404 110001', '429'],
  rotateWebhookSecret: [...signedIn, '404 110001'],
  listWebhookDeliveries: [...signedIn, '404 110001'],
  replayWebhookDelivery: [...signedIn, '404 110001', '429'],
  replayWebhookDeliveries: [...signedIn, '404 110001', '429'],
  listEvents: signedIn,
  getPartnerReport: [...signedIn, '404 030001'],
  listSandboxMessages: ['403 000003'],
  readSandboxConversation: ['403 000003'],
  listSandboxRequests: ['403 000003'],
  getClock: ['403 000003'],
  advanceClock: ['403 000003'],
  resetClock: ['403 000003'],
  answerAsCustomer: ['403 000003'],
  isLive: [],
  isReady: [],
};

/** `400 000001` for each code that the document names under an error status; the bare status for none. */
function errorsOf({ responses }: NamedOperation): string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) => {
      const codes = [...description.matchAll(/`(\d{6})`/g)].map((match) => `${status} ${match[1]}`);
      return codes.length > 0 ? codes : [status];
    });
}

test('every operation names exactly its statuses and codes', () => {
  for (const operation of operations) {
    const own = expected[operation.operationId];
    assert.ok(own, `say in this test which errors ${operation.operationId} has`);
    const body = operation.method === 'get' ? [] : withBody;
    assert.deepEqual(errorsOf(operation).sort(), [...always, ...body, ...own].sort(), operation.operationId);
  }
  assert.equal(operations.length, Object.keys(expected).length);
});

test('every code is one of the catalogue, under a status of its own, and the catalogue is in the description', () => {
  for (const operation of operations) {
    for (const [status, code] of errorsOf(operation).map((error) => error.split(' '))) {
      if (code === undefined) assert.equal(status, '429');
      else {
        const statuses: readonly number[] = catalogue[code as keyof typeof catalogue].status;
        assert.ok(statuses.includes(Number(status)), `${operation.operationId}: ${status} ${code}`);
      }
    }
  }
  for (const [code, { title }] of Object.entries(catalogue)) {
    assert.match(document.info.description, new RegExp(`\`${code}\` \\|.*${title.slice(0, 10)}`));
  }
});

test('every error has an example for each of its codes, in the one form of errors (specification: Errors 1)', () => {
  const wrong = validatorOf(document);
  for (const { operationId, responses } of operations) {
    for (const [status, { description, content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const { schema, examples = {} } = jsonOf(content);
      assert.equal(schema.$ref, '#/components/schemas/Error');
      const bodies = Object.values(examples).map((example) => exampleOf(document, example).value);
      for (const body of bodies) assert.equal(wrong(schema, body), '', `${operationId} ${status}`);
      const codes = [...description.matchAll(/`(\d{6})`/g)].map((match) => match[1]);
      assert.deepEqual(
        // JSON puts keys that look like whole numbers first.
        bodies.map((body) => (body as { errorCode?: string }).errorCode).sort(),
        codes.length > 0 ? codes : [undefined],
        `${operationId} ${status}`,
      );
    }
  }
});

test('response headers: X-Request-Id on all, and each other one where it is sent (specification: Idempotency 1)', () => {
  const headersOf = (id: string, status: number) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    return Object.keys(operation?.responses[status]?.headers ?? {});
  };
  for (const operation of operations) {
    for (const [status, { headers }] of Object.entries(operation.responses)) {
      const names = Object.keys(headers);
      assert.ok(names.includes('X-Request-Id'), `${operation.operationId} ${status}`);
      assert.equal(names.includes('WWW-Authenticate'), status === '401');
      assert.equal(names.includes('Retry-After'), status === '429' || status === '503');
    }
    const limited = '429' in operation.responses;
    const successes = successesOf(operation).map(({ status }) => status);
    for (const status of [...successes, ...(limited ? [429] : [])]) {
      const names = headersOf(operation.operationId, status);
      assert.equal(names.includes('RateLimit') && names.includes('RateLimit-Policy'), limited);
    }
  }
  const created = ['X-Request-Id', 'ETag', 'Idempotent-Replayed', 'Pitlane-Ignored-Fields'];
  assert.deepEqual(headersOf('createBooking', 201), created);
  assert.deepEqual(headersOf('getBooking', 200), ['X-Request-Id', 'ETag', 'Pitlane-Ignored-Fields']);
  assert.deepEqual(headersOf('listWorkshops', 200), ['X-Request-Id', 'Pitlane-Ignored-Fields']);
  assert.deepEqual(headersOf('updateBooking', 200), ['X-Request-Id', 'ETag', 'Pitlane-Ignored-Fields']);
  const parameters = (id: string) =>
    operations.find(({ operationId }) => operationId === id)?.parameters?.map(({ name }) => name);
  assert.deepEqual(parameters('createBooking'), ['Idempotency-Key', 'Pitlane-Strict']);
  assert.deepEqual(parameters('updateBooking'), ['id', 'If-Match', 'Pitlane-Strict']);
  // Messages have a reference of their own, and signing in has neither.
  const keyed = operations.filter(({ operationId }) => parameters(operationId)?.includes('Idempotency-Key'));
  assert.ok(keyed.length > 5 && keyed.every(({ method }) => method === 'post'));
  for (const { operationId, tags } of keyed)
    assert.ok(operationId !== 'sendMessage' && !tags.includes('Authentication'), operationId);
});
