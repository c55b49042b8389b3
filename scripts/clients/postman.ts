/**
 * Makes `clients/postman/pitlane.postman_collection.json` (Postman collection 2.1) from the API document: a folder for each
 * area, a request for each operation with its first example, and scripts that sign in and keep the ids of what was made. Its variables are the demo's.
 */
import { exampleIds } from '#platform/http/openapi-examples.ts';
import {
  type ApiDocument,
  isSignedIn,
  jsonOf,
  type NamedOperation,
  operationsOf,
  type Parameter,
} from '../api-document.ts';
import {
  forgetTheToken,
  type KeptId,
  keepTheIds,
  keepTheTokens,
  signInBefore,
  skipWithoutDelivery,
} from './postman-scripts.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function dumpCollection(document: ApiDocument): string {
  const operations = operationsOf(document);
  const { title, version, description } = document.info;
  const folders = document.tags.map((tag) => ({
    name: tag.name,
    description: tag.description,
    // What deletes comes last, so that all can be run one after the other.
    item: operations
      .filter(({ tags }) => tags.includes(tag.name))
      .toSorted((one, two) => Number(isDeletion(one)) - Number(isDeletion(two)))
      .map(requestItem),
  }));
  const collection = {
    info: { name: title, description: `Version ${version}.\n\n${description}`, schema },
    item: folders,
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [script('prerequest', signInBefore), script('test', [...forgetTheToken, ...keepTheIds])],
    variable: Object.entries(variablesOf(operations)).map(([key, value]) => ({ key, value, type: 'string' })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

const isDeletion = ({ method }: NamedOperation) => method === 'DELETE';

const script = (listen: string, exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

/** The credentials are those of the example of signing in. */
function variablesOf(operations: readonly NamedOperation[]): Record<string, string> {
  const signIn = operations.find(({ operationId }) => operationId === 'signIn');
  const { appKey, secret } = exampleBody(signIn) as { appKey: string; secret: string };
  return {
    baseUrl: 'http://localhost:3000',
    partnerId: exampleIds.partner,
    ...{ appKey, secret, workshopId: exampleIds.workshop, token: '', refreshToken: '' },
    ...exampleIdsOf(operations),
    // An endpoint that was just registered has none.
    deliveryId: '',
  };
}

/** The ids of the examples, for what nothing was made of yet. */
function exampleIdsOf(operations: readonly NamedOperation[]): Record<string, string> {
  const ids = operations.flatMap(({ path, parameters = [] }) =>
    parameters.flatMap((parameter) => {
      const variable = parameter.in === 'path' ? variableOf(path, parameter.name) : null;
      return variable === null || variable === 'workshopId' ? [] : [[variable, String(parameter.example)]];
    }),
  );
  return { customerId: exampleIds.customer, ...Object.fromEntries(ids) };
}

/** What `id` stands for in a path that begins so. */
const idOf: Readonly<Record<string, KeptId | 'workshopId'>> = {
  workshops: 'workshopId',
  bookings: 'bookingId',
  quotes: 'quoteId',
  reminders: 'serviceReminderId',
  leads: 'callLeadId',
  webhooks: 'webhookId',
};

/** The variable for a parameter of a path; null: it is no id. */
function variableOf(path: string, parameter: string): string | null {
  if (parameter !== 'id') return /Id$/.test(parameter) ? parameter : null;
  const noun = path.split('/').find((part) => part in idOf) ?? '';
  return idOf[noun] ?? null;
}

/** Fields of a body that are variables of the collection. */
const variableFields = ['appKey', 'secret', 'token', 'refreshToken', 'workshopId', 'customerId', 'bookingId'];

/** Of some operations another example than the first, so that the next requests find what they need: here a reminder that waits. */
const chosenExamples: Readonly<Record<string, string>> = { createServiceReminder: 'later' };

/** The value of the example; undefined where the operation takes no body. */
function exampleBody(operation: NamedOperation | undefined): object | undefined {
  const examples = Object.entries(jsonOf(operation?.requestBody?.content)?.examples ?? {});
  const chosen = chosenExamples[operation?.operationId ?? ''];
  const [, example] = examples.find(([name]) => chosen === undefined || name === chosen) ?? [];
  return example?.value as object | undefined;
}

function requestItem(operation: NamedOperation) {
  const { operationId, method, summary, description } = operation;
  const makesTokens = ['signIn', 'refreshToken'].includes(operationId);
  return {
    name: summary,
    request: {
      method,
      description,
      header: headersOf(operation),
      url: urlOf(operation),
      ...bodyOf(operation),
      ...(!isSignedIn(operation) && { auth: { type: 'noauth' } }),
    },
    ...(makesTokens && { event: [script('test', keepTheTokens)] }),
    ...(operationId === 'replayWebhookDelivery' && { event: [script('prerequest', skipWithoutDelivery)] }),
    response: [],
  };
}

function headersOf({ parameters = [], requestBody, security }: NamedOperation) {
  const own = parameters.filter((parameter) => parameter.in === 'header');
  return [
    ...(security.length > 0 ? [{ key: 'X-Partner-ID', value: '{{partnerId}}' }] : []),
    ...(requestBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    ...own.map(({ name, description }) => ({
      key: name,
      value: name === 'Idempotency-Key' ? '{{$guid}}' : '',
      description,
      disabled: name !== 'Idempotency-Key',
    })),
  ];
}

function urlOf({ path, parameters = [] }: NamedOperation) {
  const parts = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'));
  const variable = valuesOf('path', parameters).map((value) => {
    const name = variableOf(path, value.key);
    return name === null ? value : { ...value, value: `{{${name}}}` };
  });
  const query = valuesOf('query', parameters);
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${parts.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: parts,
    ...(variable.length > 0 && { variable }),
    ...(query.length > 0 && { query }),
  };
}

/** Filled in where the document has an example. What may be left out is switched off. */
function valuesOf(place: Parameter['in'], parameters: readonly Parameter[]) {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, example = '', description, required }) => ({
      key: name,
      value: String(example),
      description,
      disabled: !required,
    }));
}

function bodyOf(operation: NamedOperation) {
  const example = exampleBody(operation);
  if (example === undefined) return {};
  const fields = Object.entries(example).map(([name, value]) => [
    name,
    variableFields.includes(name) ? `{{${name}}}` : value,
  ]);
  const raw = JSON.stringify(Object.fromEntries(fields), null, 2);
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}
