/** Wire shapes of the sandbox. */
import { Type } from 'typebox';
import {
  anyText,
  instant,
  integer,
  nullable,
  optional,
  out,
  phone,
  ref,
  text,
  word,
} from '#platform/http/fields.ts';
import { nextCursor, pageQuery } from '#platform/http/paging.ts';

/** Ten years: far enough for every reminder, and near enough to keep every date valid. */
export const advanceAtMostSeconds = 10 * 365 * 86_400;

const channels = ['sms', 'email'] as const;
const outcomes = ['accepted', 'refused'] as const;

const choice = <const T extends string>(
  values: readonly T[],
  options: { description: string; default?: T },
) => Type.Optional(word(values, options));

export const MessagesQuery = Type.Object({
  to: Type.Optional(
    text({
      description:
        'One recipient: an Australian phone number in any form, another one with its country code, or an e-mail address.',
    }),
  ),
  channel: choice(channels, { description: 'SMS or e-mails only.' }),
  outcome: choice(outcomes, {
    default: 'accepted',
    description: 'What was "sent", or what a number refused.',
  }),
  since: Type.Optional(instant({ description: 'Messages of this business time and later.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 50,
      description: 'Items in one answer, at most 1,000.',
    }),
  ),
  cursor: pageQuery.cursor,
});

const size = {
  encoding: nullable(word(['gsm7', 'ucs2'], { description: 'The alphabet of an SMS.' })),
  segments: nullable(out.integer({ description: 'The parts that an SMS is sent and paid in.' })),
  cost: nullable(
    Type.Unsafe<{ amount: number; currency: string }>({
      type: 'object',
      description: 'Of an SMS, where `SANDBOX_SMS_SEGMENT_PRICE` gives the price of a segment.',
      properties: {
        amount: { type: 'number', description: 'In units of the currency, at most six decimals.' },
        currency: { type: 'string', description: 'ISO 4217' },
      },
      required: ['amount', 'currency'],
    }),
  ),
};

const SandboxMessage = Type.Object(
  {
    id: out.uuid("The message's reference."),
    channel: word(channels, { description: 'What it is.' }),
    outcome: word(outcomes, { description: 'Whether it was "sent", or refused by the number.' }),
    to: out.string({ description: 'E.164, or an e-mail address.' }),
    from: out.string('The sender: a number, a name or an e-mail address.'),
    subject: nullable(out.string('The subject of an e-mail.')),
    body: out.string({ description: 'The text.' }),
    ...size,
    html: nullable(
      out.string({ description: 'The HTML of an e-mail; a logo that goes along with it has its path here.' }),
    ),
    calendar: nullable(out.string({ description: 'The invitation of an e-mail (iCalendar).' })),
    reference: out.string({ description: 'The id of the attempt.' }),
    at: out.instant({ description: 'The business time.' }),
  },
  { $id: 'SandboxMessage', description: 'What would have left the machine.' },
);

export const MessagesAnswer = Type.Object(
  {
    messages: out.list(ref(SandboxMessage), 'The items of this page.'),
    nextCursor,
  },
  { description: 'A page of messages, newest first.' },
);

export const ConversationQuery = Type.Object({
  phone: phone({
    description: 'The customer: an Australian number in any form, another one with its country code.',
  }),
});

export const ConversationAnswer = Type.Object(
  {
    messages: out.list(
      Type.Object({
        id: out.uuid('The id of what was sent, or of the answer.'),
        direction: word(['outbound', 'inbound'], { description: 'Sent to the phone, or an answer.' }),
        outcome: word(outcomes, { description: 'Whether it was "sent", or refused by the number.' }),
        from: out.string("The sender: a number or a name; of an answer the customer's phone."),
        to: out.string({ description: "E.164; of an answer the workshop's name." }),
        body: out.string({ description: 'The text.' }),
        ...size,
        at: out.instant({ description: 'The business time.' }),
      }),
      'The newest hundred of each direction, oldest first.',
    ),
  },
  { description: 'A conversation.' },
);

const Clock = Type.Object(
  {
    now: out.instant({ description: 'The business time.' }),
    advanceSeconds: out.integer('Seconds by which it was moved forward, all in all.'),
  },
  { $id: 'Clock', description: 'The business clock.' },
);
export const ClockRef = ref(Clock);

export const AdvanceBody = Type.Object({
  advanceSeconds: integer({
    min: 0,
    max: advanceAtMostSeconds,
    description: 'Seconds to move it forward; all in all at most ten years.',
  }),
});

export const InboundBody = Type.Object({
  from: phone({
    description: 'The customer: an Australian number in any form, another one with its country code.',
  }),
  to: optional(
    anyText({
      description:
        'The number that the workshop sends from. Without it, or when no workshop has it, the answer goes to the workshop that was last in touch with `from`.',
      examples: ['+61491570313'],
    }),
  ),
  body: anyText({ max: 10_000, of: 'lines', description: 'The text, such as `Yes please` or `STOP`.' }),
});

export const InboundAnswer = Type.Object(
  {
    placed: out.boolean({
      description: 'False: from nobody known, to a number that no workshop has. It is kept as a dead letter.',
    }),
    workshopId: nullable(out.uuid('Whose inbox it is in.')),
    customerId: nullable(out.uuid('Who wrote it.')),
    conversationId: nullable(out.uuid('The conversation that it is part of.')),
    messageId: nullable(out.uuid('The message that it became.')),
  },
  { description: 'Where the answer was put.' },
);

export const sandboxComponents = [SandboxMessage, Clock];
