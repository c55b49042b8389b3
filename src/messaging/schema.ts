/** Wire shapes of messaging (document, 2.6 and 4.4; decisions, section 5). */
import { type Static, Type } from 'typebox';
import { anyText, nullable, optional, out, ref, text } from '#http/fields.ts';

const id = (description: string) => optional(anyText({ max: 255, description }));

export const SendMessageBody = Type.Object({
  customerId: id('The customer; when it is omitted, `phone` is used.'),
  phone: optional(
    anyText({
      max: 64,
      description: 'Used when customerId is omitted; the customer is found or made.',
      examples: ['0400000001'],
    }),
  ),
  bookingId: id('Required when a template uses booking fields. It must be a booking of the same customer.'),
  channels: Type.Object(
    {
      sms: Type.Object({
        message: optional(
          text({
            // What counts is the number of segments, which the refusal names; no body is longer than this.
            max: 256 * 1024,
            of: 'lines',
            description:
              'Free text, at most 10 SMS segments: 1,530 characters of the GSM alphabet, 670 of others.',
            examples: ['Your car is ready to collect.'],
          }),
        ),
        templateId: id('A published inbox template, from the list of templates. Either this or `message`.'),
      }),
    },
    { additionalProperties: false, description: 'SMS is the only channel.' },
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
    messageId: out.uuid(),
    conversationId: out.uuid(),
    reason: nullable(
      out.string({
        description:
          'When it was not sent, why: optedOut, refused, temporarilyRefused, invalidNumber, gatewayUnavailable, unknownOutcome, countryNotAllowed, premiumRate or dailyCeiling.',
      }),
    ),
  },
  { $id: 'SmsOutcome' },
);

const SmsResult = Type.Object(
  {
    success: out.boolean({ description: 'True only when the SMS was sent.' }),
    referenceId: nullable(out.string({ description: 'The referenceId of the request.' })),
    sms: ref(SmsOutcome),
  },
  { $id: 'SmsResult', description: 'What became of the SMS.' },
);
export type SmsResult = Static<typeof SmsResult>;
export const SmsResultRef = ref(SmsResult);

const MessageAttempt = Type.Object({
  number: out.integer({ description: 'From 1.' }),
  state: out.string({ description: "As the message's." }),
  reason: nullable(out.string({ description: "As the message's." })),
  detail: nullable(out.string({ description: "As the message's." })),
  repeatsUnknown: out.boolean({ description: 'True: sent although the attempt before it may have arrived.' }),
  startedAt: out.instant(),
  finishedAt: nullable(out.instant()),
});

const Message = Type.Object(
  {
    id: out.uuid(),
    workshopId: out.uuid(),
    conversationId: out.uuid(),
    customerId: out.uuid(),
    bookingId: nullable(out.uuid()),
    templateId: nullable(out.uuid()),
    templateVersion: nullable(
      out.integer({
        description: 'Which version of the template was rendered: each change of a template makes one.',
      }),
    ),
    referenceId: nullable(out.string()),
    direction: out.string({ description: 'outbound or inbound' }),
    phone: out.string({ description: 'E.164' }),
    body: out.string(),
    encoding: out.string({ description: 'gsm7 or ucs2' }),
    segments: out.integer({ description: 'SMS segments, as carriers count and bill them.' }),
    state: out.string({
      description:
        'sending, accepted, failed or unknown; after a delivery report delivered, undelivered or expired, which are final; received for an inbound one.',
    }),
    reason: nullable(
      out.string({ description: 'Why it is failed or unknown, in the words of `sms.reason`; else null.' }),
    ),
    detail: nullable(
      out.string({
        description:
          "The carrier's reason, for people: why it was not sent or did not arrive; null when the gateway could not be used.",
      }),
    ),
    attempts: Type.Array(MessageAttempt),
    createdAt: out.instant(),
    updatedAt: out.instant(),
  },
  { $id: 'Message' },
);
export type Message = Static<typeof Message>;
export const MessageAnswer = Type.Object(
  { success: out.literal(true), message: ref(Message) },
  { description: 'The message.' },
);

export const InboxTemplate = Type.Object(
  {
    id: out.uuid({ description: 'The templateId of a message.' }),
    name: out.string(),
    body: out.string({ examples: ['Hi {{ customer.firstName }}, your {{ car.make }} is ready.'] }),
    placeholders: Type.Array(Type.String()),
    requiresBooking: out.boolean({ description: 'True: send bookingId with it.' }),
    status: out.string(),
    updatedAt: out.instant(),
  },
  { $id: 'InboxTemplate' },
);

export const messagingComponents = [SmsOutcome, SmsResult, Message, InboxTemplate];
