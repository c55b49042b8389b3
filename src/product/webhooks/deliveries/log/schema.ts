/** Wire shapes of the delivery log. */
import { type Static, Type } from 'typebox';
import { instant, nullable, optional, out, ref, times, word } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { actionNames, testAction } from '../../actions.ts';

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const Attempt = Type.Object({
  at: out.instant('When it began.'),
  responseStatus: nullable(out.integer({ description: 'The HTTP status; null when no response came.' })),
  durationMs: nullable(
    out.integer({ description: 'Milliseconds until the response; null when the endpoint was not called.' }),
  ),
  error: nullable(out.string({ description: 'Why it was no success, for people.' })),
});
export type DeliveryAttempt = Static<typeof Attempt>;

const action = (description: string) => word([...actionNames, testAction], { description });
const status = (description: string) => word(deliveryStatuses, { description });

const WebhookDelivery = Type.Object(
  {
    id: out.uuid({ description: 'The `x-request-id` of its attempts.' }),
    eventId: out.uuid({ description: "The `webhook-id` of its attempts, and the body's `id`." }),
    action: action('What it tells of.'),
    status: status('`waiting`: for its first attempt, or a retry.'),
    attempts: out.list(Attempt, 'Each call of the endpoint, in order; the last 50.'),
    nextAttemptAt: nullable(
      out.instant({
        description:
          'When it is tried next, at the earliest; null while it is tried, and when it is not waiting.',
      }),
    ),
    createdAt: times.createdAt,
  },
  { $id: 'WebhookDelivery', description: 'An event on its way to an endpoint.' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export const WebhookDeliveryRef = ref(WebhookDelivery);

const id = out.string({ description: "The endpoint's id.", examples: [exampleIds.webhook] });
export const WebhookPath = Type.Object({ id });
export const DeliveryPath = Type.Object({
  id,
  deliveryId: out.string({ description: "The delivery's id.", examples: [exampleIds.delivery] }),
});

export const ListDeliveriesQuery = Type.Object({
  status: Type.Optional(status('In this status only.')),
  action: Type.Optional(action('Of this action only.')),
  from: Type.Optional(instant({ description: 'Made at this instant or later.' })),
  to: Type.Optional(instant({ description: 'Made before this instant.' })),
  ...pageQuery,
});
export type ListDeliveriesQuery = Static<typeof ListDeliveriesQuery>;

export const ReplayBody = Type.Object({
  since: instant({ description: 'Deliveries that were made at this instant or later.' }),
  status: optional(word(deliveryStatuses, { description: 'Those in this status only; all when absent.' })),
});
export type ReplayBody = Static<typeof ReplayBody>;

export const DeliveriesAnswer = Type.Object(
  {
    success: out.success(true),
    deliveries: out.integer({ description: 'How many are delivered again.' }),
  },
  { description: 'They are queued.' },
);

export const DeliveryAnswer = Type.Object(
  { success: out.success(true), delivery: WebhookDeliveryRef },
  { description: 'The delivery, with what came back.' },
);

export const deliveryComponents = [WebhookDelivery];
