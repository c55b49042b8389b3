/** The examples of the API document: valid by their own schemas, and correct when they are tried on the demo. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { demoPartner, demoPeople, demoTemplateId, demoWorkshops } from '../../src/operation/demo/data.ts';
import { ensureDemo } from '../../src/operation/demo/demo.ts';
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts';
import {
  type Document,
  exampleOf,
  jsonOf,
  type Media,
  type NamedOperation,
  operationsOf,
  readDocument,
  successesOf,
  validatorOf,
} from './document.ts';

let app: TestApp;
let document: Document;
let operations: NamedOperation[];
let wrong: ReturnType<typeof validatorOf>;

before(async () => {
  app = await startTestApp();
  await ensureDemo(app.context);
  document = await readDocument(app);
  operations = operationsOf(document);
  wrong = validatorOf(document);
});

const bodiesOf = (media: Media) =>
  Object.values(media.examples ?? {}).map((example) => exampleOf(document, example));

function operation(id: string): NamedOperation {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

describe('by the schemas', () => {
  test('every request body and every success has examples that are valid', () => {
    for (const { operationId, requestBody, ...rest } of operations) {
      const responses = successesOf({ operationId, ...rest }).map(({ response }) => response);
      for (const { content } of [...(requestBody ? [requestBody] : []), ...responses]) {
        // A 204 has none.
        if (content === undefined) continue;
        const media = jsonOf(content);
        const examples = bodiesOf(media);
        assert.ok(examples.length > 0, operationId);
        for (const { summary, value } of examples) {
          assert.ok(summary, operationId);
          assert.equal(wrong(media.schema, value), '', `${operationId}: ${summary}`);
        }
      }
    }
  });

  test('every example of a field and of a parameter is valid', () => {
    const check = (schema: unknown, at: string): void => {
      if (schema === null || typeof schema !== 'object') return;
      const { examples, ...rest } = schema as { examples?: unknown[] };
      if (Array.isArray(examples)) {
        for (const example of examples) assert.equal(wrong(rest, example), '', at);
      }
      for (const [name, child] of Object.entries(schema)) check(child, `${at}/${name}`);
    };
    check(document.components['schemas'], '');
    for (const { operationId, parameters = [] } of operations) {
      for (const { name, schema, example } of parameters) {
        if (example !== undefined) assert.equal(wrong(schema, example), '', `${operationId}: ${name}`);
      }
    }
  });

  test('a success shows every field that its structure has', () => {
    for (const each of operations) {
      const medias = successesOf(each).flatMap(({ response: { content } }) =>
        content === undefined ? [] : [jsonOf(content)],
      );
      const strict = JSON.parse(JSON.stringify(document), (_key, value) =>
        value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
      );
      for (const media of medias)
        for (const { value } of bodiesOf(media)) assert.equal(validatorOf(strict)(media.schema, value), '');
    }
  });
});

describe('tried on the demo', () => {
  /** Sends one example unchanged, and checks the response against the document. */
  async function tryOut(
    id: string,
    value?: unknown,
    changes: { path?: string; token?: string } = {},
  ): Promise<Answer> {
    const { method, path, parameters = [], security, ...rest } = operation(id);
    const named = new Map(parameters.map(({ name, example }) => [name, String(example)]));
    const asks = (scheme: string) => security.some((schemes) => scheme in schemes);
    const url = changes.path ?? path.replaceAll(/\{(\w+)\}/g, (_all, name) => named.get(name) ?? '');
    const answer = await app.request(method.toUpperCase(), url, {
      headers: {
        ...(asks('partnerId') && { 'x-partner-id': demoPartner.id }),
        ...(asks('accessToken') && { authorization: `Bearer ${changes.token}` }),
      },
      ...(value === undefined ? {} : { body: value }),
    });
    const { response } =
      successesOf({ ...rest, security, operationId: id }).find(({ status }) => status === answer.status) ??
      {};
    assert.ok(response, `${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    assert.equal(wrong(jsonOf(response.content).schema, answer.body), '', id);
    // The examples are first calls, and have no field that is not known.
    const absent = ['Idempotent-Replayed', 'Pitlane-Ignored-Fields'];
    for (const header of Object.keys(response.headers)) {
      assert.equal(answer.headers.has(header), !absent.includes(header), `${id}: ${header}`);
    }
    return answer;
  }

  const requestsOf = (id: string) => {
    const { requestBody } = operation(id);
    return requestBody ? bodiesOf(jsonOf(requestBody.content)).map(({ value }) => value) : [];
  };

  test('signing in, bookings, messages, clock and health work with the examples alone', async () => {
    const [credentials] = requestsOf('signIn');
    const { token, refreshToken } = (await tryOut('signIn', credentials)).body;
    await tryOut('refreshToken', { token, refreshToken });
    await tryOut('listWorkshops', undefined, { token });
    let booking = '';
    for (const body of requestsOf('createBooking')) {
      booking = (await tryOut('createBooking', body, { token })).body.booking.id;
    }
    const path = `/bookings/${booking}`;
    for (const body of requestsOf('updateBooking')) await tryOut('updateBooking', body, { token, path });
    await tryOut('getBooking', undefined, { token, path });
    await tryOut('listTemplates', undefined, { token });
    const workshop = `/workshops/${demoWorkshops[0].id}`;
    for (const body of requestsOf('sendMessage')) {
      const { sms } = (await tryOut('sendMessage', body, { token })).body;
      assert.equal(sms.sent, true, sms.message);
      await tryOut('getMessage', undefined, { token, path: `${workshop}/messages/${sms.messageId}` });
    }
    for (const body of requestsOf('answerAsCustomer')) {
      assert.equal((await tryOut('answerAsCustomer', body)).body.placed, true);
    }
    for (const body of requestsOf('advanceClock')) await tryOut('advanceClock', body);
    for (const id of [
      'resetClock',
      'getClock',
      'listSandboxMessages',
      'listSandboxRequests',
      'isLive',
      'isReady',
    ])
      await tryOut(id);
  });

  test('the ids and credentials of the examples are those of the demo', () => {
    const text = JSON.stringify(document);
    const person = demoPeople[0];
    for (const part of [demoPartner.id, demoPartner.appKey, demoPartner.secret, demoWorkshops[0].id]) {
      assert.ok(text.includes(part), part);
    }
    for (const part of [demoTemplateId('b', 0), person.customer.id, person.customer.email, person.car.rego]) {
      assert.ok(text.includes(part), part);
    }
  });
});
