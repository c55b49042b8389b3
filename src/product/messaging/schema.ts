/** Wire shapes of messaging. */
import { type Static, Type } from 'typebox';
import { smsReasons } from '#platform/gateways/sms/gateway.ts';
import {
  anyText,
  nullable,
  optional,
  optionalPhone,
  out,
  ref,
  text,
  times,
  word,
} from '#platform/http/fields.ts';
import type { TemplateStatus } from '#product/templates/store.ts';

const id = (description: string) => optional(anyText({ max: 255, description }));

export const SendMessageBody = Type.Object({
  customerId: id('The customer; when it is omitted, `phone` is used.'),
  phone: optionalPhone({ description: 'Used when customerId is omitted; the customer is found or made.' }),
  bookingId: id('Required when a template uses booking fields. It must be a booking of the same customer.'),
  channels: Type.Object(
    {
      sms: Type.Object(
        {
          message: optional(
            text({
              // The real limit is the number of segments, which the refusal names; no body is longer than this.
              max: 256 * 1024,
              of: 'lines',
              description:
                'Free text, at most 10 SMS segments: 1,530 characters of the GSM alphabet, 670 of others.',
              examples: ['Your car is ready to collect.'],
            }),
          ),
          templateId: id('A published inbox template, from the list of templates. Either this or `message`.'),
        },
        { description: 'The SMS: its text, or a template.' },
      ),
    },
    {
      additionalProperties: false,
      description:
        'SMS is the only channel: another one is refused. Unknown fields of `sms` are ignored and named.',
    },
  ),
  referenceId: optional(
    anyText({
      description: 'Your idempotency key, unique per workshop and customer.',
      examples: ['REMINDER-1001'],
    }),
  ),
});
export type SendMessageBody = Static<typeof SendMessageBody>;

export const SmsOutcome = Type.Object(
  {
    sent: out.boolean({ description: 'True when the gateway accepted the SMS. Always check it.' }),
    message: out.string({ description: 'What happened, for a person.', examples: ['The SMS was sent.'] }),
    messageId: out.uuid('The message, to read it later.'),
    conversationId: out.uuid("The customer's conversation in the workshop's inbox."),
    reason: nullable(word(smsReasons, { description: 'Why it was not sent; null when it was.' })),
  },
  { $id: 'SmsOutcome', description: 'The outcome of an SMS.' },
);

const SmsResult = Type.Object(
  {
    success: out.boolean({ description: 'True only when the SMS was sent.' }),
    referenceId: nullable(out.string({ description: 'The referenceId of the request.' })),
    sms: ref(SmsOutcome),
  },
  { $id: 'SmsResult', description: 'The outcome of the SMS.' },
);
export type SmsResult = Static<typeof SmsResult>;
export const SmsResultRef = ref(SmsResult);

/** All states of a message. Those of a delivery report are final. */
const messageStates = [
  ...(['sending', 'accepted', 'failed', 'unknown', 'delivered', 'undelivered', 'expired'] as const),
  ...(['superseded', 'received'] as const),
] as const;

/** The values of `sms.reason`, and the reasons why a queued message was not handed over. */
export const messageReasons = [
  ...smsReasons,
  ...(['erased', 'cancelled', 'expired', 'superseded', 'pageCeiling', 'error'] as const),
] as const;

const stateOf = (description: string) => word(messageStates, { description });
const reasonOf = (description: string) => nullable(word(messageReasons, { description }));

const MessageAttempt = Type.Object({
  number: out.integer('From 1.'),
  state: stateOf("As the message's."),
  reason: reasonOf("As the message's."),
  detail: nullable(out.string("As the message's.")),
  repeatsUnknown: out.boolean('True: sent although the attempt before it may have arrived.'),
  startedAt: out.instant('When it began.'),
  finishedAt: nullable(out.instant('When its outcome was known; null until then.')),
});

const Message = Type.Object(
  {
    id: out.uuid('The `messageId` of the SMS result.'),
    workshopId: out.uuid('The workshop in whose name it was sent.'),
    conversationId: out.uuid("The customer's conversation in the workshop's inbox."),
    customerId: out.uuid('Who gets it.'),
    bookingId: nullable(out.uuid('The booking that it is about.')),
    templateId: nullable(out.uuid('The template that it was rendered from; null: free text.')),
    templateVersion: nullable(
      out.integer({
        description: 'Which version of the template was rendered: each change of a template makes one.',
      }),
    ),
    referenceId: nullable(out.string('The referenceId of the request.')),
    direction: word(['outbound', 'inbound'], {
      description: '`outbound` from the workshop, `inbound` to it.',
    }),
    phone: out.string("The customer's, as E.164."),
    body: out.string('The text.'),
    encoding: word(['gsm7', 'ucs2'], {
      description: '`ucs2` as soon as one character is not of the GSM alphabet.',
    }),
    segments: out.integer({ description: 'SMS segments, as carriers count and bill them.' }),
    state: stateOf(
      '`delivered`, `undelivered` and `expired` come of a delivery report, and are final. `received`: an inbound one.',
    ),
    reason: reasonOf('Why it is failed or unknown; else null.'),
    detail: nullable(
      out.string({
        description:
          "The carrier's reason, for people: why it was not sent or did not arrive; null when the gateway could not be used.",
      }),
    ),
    attempts: out.list(MessageAttempt, 'Each hand-over to a gateway, in order.'),
    ...times,
  },
  { $id: 'Message', description: 'An SMS.' },
);
export type Message = Static<typeof Message>;
export const MessageAnswer = Type.Object(
  { success: out.success(true), message: ref(Message) },
  { description: 'The message.' },
);

export const InboxTemplate = Type.Object(
  {
    id: out.uuid({ description: 'The templateId of a message.' }),
    name: out.string('What the workshop calls it.'),
    body: out.string({
      description: 'The text, with placeholders.',
      examples: ['Hi {{ customer.firstName }}, your {{ car.make }} is ready.'],
    }),
    placeholders: out.list(Type.String(), 'The variables that it uses.'),
    requiresBooking: out.boolean({ description: 'True: send bookingId with it.' }),
    status: word<TemplateStatus>(['published'], { description: 'Only published ones are listed.' }),
    updatedAt: times.updatedAt,
  },
  { $id: 'InboxTemplate', description: 'A text of the workshop that you may send.' },
);

export const messagingComponents = [SmsOutcome, SmsResult, Message, InboxTemplate];
