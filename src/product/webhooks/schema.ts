/** Wire shapes of webhook endpoints and of the feed. */
import { type Static, type TUnsafe, Type } from 'typebox';
import {
  anyText,
  instant,
  integer,
  list,
  nullable,
  optional,
  out,
  ref,
  text,
  times,
  word,
} from '#platform/http/fields.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { type ActionName, actionNames, actions, testAction } from './actions.ts';

export const methods = ['POST', 'PUT', 'PATCH'] as const;
export type Method = (typeof methods)[number];

const mostConcurrent = 50;

/** The causes of a disabled endpoint: its partner, the operator, or its receiver by 410 or by failing. */
export const disabledReasons = ['partner', 'operator', 'gone', 'failing'] as const;

const webhookStatuses = ['enabled', 'disabled'] as const;

const url = (description: string) =>
  text({ max: 2_048, description, examples: ['https://partner.example/pitlane'] });
const method = optional(
  word(methods, { description: 'The HTTP method of its deliveries; POST unless given.' }),
);
const actionList: TUnsafe<ActionName[]> = Type.Unsafe({
  ...list(word(actionNames), {
    max: actionNames.length,
    description: 'What it is notified of.',
  }),
  minItems: 1,
  uniqueItems: true,
});
const workshopId = optional(
  anyText({ description: 'Of one workshop only; of all that you are linked to when absent.' }),
);
const description = optional(anyText({ description: 'For you.', examples: ['Production'] }));

export const CreateWebhookBody = Type.Object({
  url: url('An https URL that leads to a public address.'),
  method,
  actions: actionList,
  workshopId,
  description,
});
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

export const UpdateWebhookBody = Type.Object({
  url: Type.Optional(url('An https URL that leads to a public address.')),
  method,
  actions: Type.Optional(actionList),
  workshopId,
  description,
  status: Type.Optional(
    word(webhookStatuses, {
      description: 'A disabled endpoint gets nothing; what waits for it is delivered once it is enabled.',
    }),
  ),
  maxConcurrent: Type.Optional(
    integer({ min: 1, max: mostConcurrent, description: 'The most deliveries at the same time.' }),
  ),
});
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>;

const Webhook = Type.Object(
  {
    id: out.uuid("The endpoint's reference for every later call."),
    url: out.string('Where deliveries go.'),
    method: word(methods, { description: 'The HTTP method of its deliveries.' }),
    actions: out.list(word(actionNames), 'What it is notified of.'),
    workshopId: nullable(out.uuid({ description: 'Null: all workshops that you are linked to.' })),
    description: nullable(out.string('For you.')),
    status: word(webhookStatuses, { description: 'A disabled endpoint gets nothing.' }),
    disabledReason: nullable(
      word(disabledReasons, {
        description:
          'Who or what disabled it: `partner` (you), `operator`, `gone` (the receiver answered 410), `failing` (nothing but failures for five days).',
      }),
    ),
    maxConcurrent: out.integer({ description: 'The most deliveries at the same time.' }),
    ...times,
  },
  { $id: 'Webhook', description: 'An endpoint of yours, to which events are delivered.' },
);
export type Webhook = Static<typeof Webhook>;
export const WebhookRef = ref(Webhook);

const secret = out.string({
  description: 'Signs the deliveries. Shown here only: keep it now.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
});
export const WebhookAnswer = Type.Object(
  { success: out.success(true), webhook: WebhookRef },
  { description: 'The endpoint as it is now.' },
);
export const CreatedWebhook = Type.Object(
  { success: out.success(true), webhook: WebhookRef, secret: Type.Optional(secret) },
  { description: 'The new endpoint. An idempotent replay has no `secret`.' },
);
export const RotatedSecret = Type.Object(
  { success: out.success(true), webhook: WebhookRef, secret },
  { description: 'The endpoint with its new secret; the one before signs too for 24 hours.' },
);

const keys = [...new Set(actionNames.map((name) => actions[name].key))];
/** The body of a delivery, and an item of the feed. */
const WebhookEvent = Type.Object(
  {
    id: out.uuid({ description: "The event's id, the same in every delivery of it." }),
    action: word<string>([...actionNames, testAction], {
      description: 'What happened.',
      examples: ['bookingCreate'],
    }),
    timestamp: out.integer({
      description: 'Seconds since 1970: of the attempt in a delivery, of the event in the feed.',
    }),
    version: out.integer({ description: 'Of the form of this body: 3.' }),
    omittedFields: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Fields of the object that were left out, as null or [], to keep the body under 64 KB.',
      }),
    ),
    ...Object.fromEntries(
      keys.map((key) => [
        key,
        Type.Optional(
          Type.Unsafe<object>({
            type: 'object',
            additionalProperties: true,
            description: `In actions about one: the ${key} as it was then, with its \`version\`, which rises with each change.`,
          }),
        ),
      ]),
    ),
  },
  { $id: 'WebhookEvent', description: 'Something that happened.', additionalProperties: true },
);
export const WebhookEventRef = ref(WebhookEvent);

export const ListEventsQuery = Type.Object({
  action: Type.Optional(word(actionNames, { description: 'Of this action only.' })),
  since: Type.Optional(instant({ description: 'Those of this instant or later; 30 days ago at most.' })),
  ...pageQuery,
});
export type ListEventsQuery = Static<typeof ListEventsQuery>;

export const webhookComponents = [Webhook, WebhookEvent];
