/** Wire shapes of the sandbox (decisions, section 6). */
import { Type } from 'typebox';
import { anyText, instant, integer, nullable, optional, out, phone, ref, text } from '#http/fields.ts';
import { pageQuery } from '#http/paging.ts';

/** Ten years: far enough for every reminder, and near enough to keep every date valid. */
export const advanceAtMostSeconds = 10 * 365 * 86_400;

const choice = <const T extends string>(
  values: readonly T[],
  options: { description: string; default?: T },
) => Type.Optional(Type.Unsafe<T>({ type: 'string', enum: [...values], ...options }));

export const MessagesQuery = Type.Object({
  to: Type.Optional(
    text({
      description:
        'One recipient: an Australian phone number in any form, another one with its country code, or an e-mail address.',
    }),
  ),
  channel: choice(['sms', 'email'], { description: 'SMS or e-mails only.' }),
  outcome: choice(['accepted', 'refused'], {
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
  encoding: nullable(out.string({ description: 'Of an SMS: gsm7 or ucs2.' })),
  segments: nullable(out.integer({ description: 'The parts that an SMS is sent and paid in.' })),
  cost: nullable(
    Type.Unsafe<{ amount: number; currency: string }>({
      type: 'object',
      description: 'Of an SMS, where `SANDBOX_SMS_SEGMENT_PRICE` gives the price of a segment.',
      properties: {
        amount: { type: 'number', description: 'In units of the currency, at most four decimals.' },
        currency: { type: 'string', description: 'ISO 4217' },
      },
      required: ['amount', 'currency'],
    }),
  ),
};

const SandboxMessage = Type.Object(
  {
    id: out.uuid(),
    channel: out.string({ description: 'sms or email' }),
    outcome: out.string({ description: 'accepted or refused' }),
    to: out.string({ description: 'E.164, or an e-mail address.' }),
    from: out.string(),
    subject: nullable(out.string()),
    body: out.string({ description: 'The text.' }),
    ...size,
    html: nullable(out.string({ description: 'The HTML of an e-mail.' })),
    calendar: nullable(out.string({ description: 'The invitation of an e-mail (iCalendar).' })),
    reference: out.string({ description: 'The id of the attempt.' }),
    at: out.instant({ description: 'The business time.' }),
  },
  { $id: 'SandboxMessage' },
);

export const MessagesAnswer = Type.Object(
  {
    messages: out.list(ref(SandboxMessage)),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  },
  { description: 'A page of messages, newest first.' },
);

export const ConversationQuery = Type.Object({
  phone: text({
    description:
      'The phone of a customer: an Australian number in any form, another one with its country code.',
  }),
});

export const ConversationAnswer = Type.Object(
  {
    messages: out.list(
      Type.Object({
        id: out.uuid(),
        direction: out.string({ description: 'outbound: sent to the phone; inbound: an answer' }),
        outcome: out.string({ description: 'accepted or refused' }),
        from: out.string(),
        to: out.string({ description: "E.164; of an answer the workshop's name." }),
        body: out.string({ description: 'The text.' }),
        ...size,
        at: out.instant({ description: 'The business time.' }),
      }),
    ),
  },
  { description: 'The newest hundred of each direction, oldest first.' },
);

const Clock = Type.Object(
  {
    now: out.instant({ description: 'The business time.' }),
    advanceSeconds: out.integer({ description: 'How far it was moved forward, all in all.' }),
  },
  { $id: 'Clock', description: 'The business clock.' },
);
export const ClockRef = ref(Clock);

export const AdvanceBody = Type.Object({
  advanceSeconds: integer({
    min: 0,
    max: advanceAtMostSeconds,
    description: 'How far to move it; all in all at most ten years.',
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
    workshopId: nullable(out.uuid()),
    customerId: nullable(out.uuid()),
    conversationId: nullable(out.uuid()),
    messageId: nullable(out.uuid()),
  },
  { description: 'Where the answer was put.' },
);

export const sandboxComponents = [SandboxMessage, Clock];
