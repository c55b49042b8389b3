/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const createWebhookDetails = [
  '**`method`** is one of an endpoint; for an action by another method, register a second endpoint.',
  '**A replay of `POST /webhooks`** under its `Idempotency-Key` has no `secret`. The other POSTs of webhooks take no key: ' +
    'a repeat does no harm, and of repeated rotations the five last secrets sign.',
  "**A workshop that is not linked** can't be named (404 `030001`); one whose link is off can.",
] as const;

export const updateWebhookDetails = [
  '**Disabled.** Nothing is queued meanwhile; what waits stays, and is delivered after `PATCH` with `status: "enabled"`, ' +
    "or when the operator enables it. What the operator has disabled a partner can't enable: 403 `000003`. Another URL " +
    'begins afresh, too.',
] as const;

export const testWebhookDetails = [
  '**`success`** of a test call is true whatever came back: `delivery.status` says it.',
] as const;

export const listWebhookDeliveriesDetails = [
  '**A host without a public address** is one error, whether its name is not known or leads into a private network; it is ' +
    'told after whole seconds, which `durationMs` says.',
  '**A process that ends during an attempt** leaves one in the log without a status; the delivery is made again under the ' +
    'same `webhook-id` when its lease is over (20 seconds).',
] as const;

export const replayWebhookDeliveriesDetails = [
  '**Replays.** Twenty calls a minute of a partner, of one delivery and of all since a time together; then 429. One ' +
    'delivery is replayed once a minute: a call within it is 202 with `deliveries: 0`, as for one that is just being ' +
    'delivered, and a replay of all leaves it out. So a repeat after a lost answer does no harm. The log keeps the last 50 ' +
    'attempts of a delivery.',
  '**Replays** queue the same delivery again, with all its retries. `POST …/replay` without `status` is of all; what is ' +
    'under way, due already, or a test call is left out.',
] as const;

export const listEventsDetails = [
  "**`GET /events`** begins with the installation's first event after this was there; `since` counts by business time.",
] as const;
