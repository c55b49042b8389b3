/** The operations of webhooks (specification: Webhooks). */

import { Type } from 'typebox';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems, pageQuery } from '#platform/http/paging.ts';
import {
  DeliveriesAnswer,
  DeliveryAnswer,
  DeliveryPath,
  ListDeliveriesQuery,
  ReplayBody,
  WebhookDeliveryRef,
  WebhookPath,
} from './deliveries/log/schema.ts';
import {
  createWebhookDetails,
  listEventsDetails,
  listWebhookDeliveriesDetails,
  replayWebhookDeliveriesDetails,
  testWebhookDetails,
  updateWebhookDetails,
} from './details.ts';
import * as examples from './examples.ts';
import {
  CreatedWebhook,
  CreateWebhookBody,
  ListEventsQuery,
  RotatedSecret,
  UpdateWebhookBody,
  WebhookAnswer,
  WebhookEventRef,
  WebhookRef,
} from './schema.ts';

const shared = { tag: 'Webhooks', access: 'partner' } as const;
/** An empty object. */
const NoBody = Type.Object({});
const notFound = { 404: ['110001'] } as const;

export const createWebhook = operation({
  ...shared,
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Register an endpoint',
  description:
    'From now on each event with one of these actions is delivered to the URL, at least once, signed by the rules of Standard ' +
    'Webhooks. The `secret` is shown in this answer only. You may have 20 endpoints.',
  details: createWebhookDetails,
  idempotent: true,
  checksBody: true,
  body: CreateWebhookBody,
  success: { status: 201, schema: CreatedWebhook },
  refusals: { 404: ['030001'], 409: ['110002'] },
  examples: examples.createWebhookExamples,
});

export const listWebhooks = operation({
  ...shared,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List your endpoints',
  description: 'Newest first.',
  query: Type.Object(pageQuery),
  success: { status: 200, schema: pageOfItems('webhooks', WebhookRef, 'A page of endpoints.') },
  refusals: {},
  examples: examples.listWebhooksExamples,
});

export const getWebhook = operation({
  ...shared,
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'Read an endpoint',
  description: 'One of yours.',
  params: WebhookPath,
  success: { status: 200, schema: WebhookAnswer },
  refusals: notFound,
  examples: examples.webhookExamples,
});

export const updateWebhook = operation({
  ...shared,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{id}',
  summary: 'Change an endpoint',
  description:
    'Only the fields that are sent change; `null` clears `workshopId` and `description`. What waited while it was disabled is ' +
    'delivered once it is enabled; what happened meanwhile is in the feed of events.',
  details: updateWebhookDetails,
  checksBody: true,
  params: WebhookPath,
  body: UpdateWebhookBody,
  success: { status: 200, schema: WebhookAnswer },
  refusals: { 403: ['000003'], 404: ['030001', '110001'] },
  examples: examples.updateWebhookExamples,
});

export const deleteWebhook = operation({
  ...shared,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Delete an endpoint',
  description: 'With its log; what waits for it is not delivered.',
  // For clients that always send a content type.
  emptyBody: true,
  params: WebhookPath,
  success: { status: 204, description: 'It is deleted.' },
  refusals: notFound,
  examples: {},
});

export const testWebhook = operation({
  ...shared,
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Call an endpoint now',
  description:
    'One signed delivery with the action `test`, while you wait: 10 seconds at most, from when one of your places for calls ' +
    'is free. It is not repeated; the log has it. A ' +
    'disabled endpoint can be tested too. At most twenty test calls a minute, of all your endpoints together.',
  details: testWebhookDetails,
  emptyBody: true,
  params: WebhookPath,
  body: NoBody,
  success: { status: 200, schema: DeliveryAnswer },
  refusals: { ...notFound, 429: [] },
  examples: { ...examples.testWebhookExamples, body: examples.noBody },
});

export const rotateSecret = operation({
  ...shared,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  summary: 'Give an endpoint another secret',
  description:
    'The new `secret` is shown in this answer only. For 24 hours deliveries are signed with the one before too, so that a ' +
    'receiver can change over without losing any.',
  emptyBody: true,
  params: WebhookPath,
  body: NoBody,
  success: { status: 200, schema: RotatedSecret },
  refusals: notFound,
  examples: { ...examples.rotateSecretExamples, body: examples.noBody },
});

export const listDeliveries = operation({
  ...shared,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: "Read an endpoint's log",
  description: 'Its deliveries of the last 30 days with their attempts, newest first.',
  details: listWebhookDeliveriesDetails,
  params: WebhookPath,
  query: ListDeliveriesQuery,
  success: { status: 200, schema: pageOfItems('deliveries', WebhookDeliveryRef, 'A page of deliveries.') },
  refusals: notFound,
  examples: examples.listDeliveriesExamples,
});

export const replayDelivery = operation({
  ...shared,
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
  summary: 'Deliver one again',
  description:
    'Whatever became of it, with all its retries, under the same `webhook-id`. One that is just being delivered, or was replayed ' +
    'within the last minute, is left as it is: `deliveries` is 0. At most twenty replays a minute, of all your endpoints together.',
  emptyBody: true,
  params: DeliveryPath,
  body: NoBody,
  success: { status: 202, schema: DeliveriesAnswer },
  refusals: { ...notFound, 429: [] },
  examples: { ...examples.replayExamples, body: examples.noBody },
});

export const replayDeliveries = operation({
  ...shared,
  id: 'replayWebhookDeliveries',
  method: 'POST',
  path: '/webhooks/{id}/replay',
  summary: 'Deliver all since a time again',
  description:
    'Those in one status, or all. Left out are test calls, what is being delivered or due, and what was replayed within the last ' +
    'minute. At most twenty replays a minute, of one delivery or of many, of all your endpoints together.',
  details: replayWebhookDeliveriesDetails,
  params: WebhookPath,
  body: ReplayBody,
  success: { status: 202, schema: DeliveriesAnswer },
  refusals: { ...notFound, 429: [] },
  examples: { ...examples.replayExamples, body: examples.replayBody },
});

export const listEvents = operation({
  ...shared,
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  summary: 'Read the feed of events',
  description:
    'What webhooks deliver, of the last 30 days, whether you have endpoints or not, oldest first. `nextCursor` is never null: ' +
    'keep it, and ask with it again to get what has happened since, each event at least once. `timestamp` is when it happened.',
  details: listEventsDetails,
  query: ListEventsQuery,
  success: { status: 200, schema: pageOfItems('events', WebhookEventRef, 'A page of events.') },
  refusals: {},
  examples: examples.listEventsExamples,
});
