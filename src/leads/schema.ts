/** Wire shapes of call leads (areas, section 8). */
import { type Static, Type } from 'typebox';
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
  webAddress,
} from '#http/fields.ts';
import { pageQuery } from '#http/paging.ts';

export const callOutcomes = ['answered', 'missed', 'voicemail'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

const outcomeOf = (description: string) =>
  Type.Unsafe<CallOutcome>({
    type: 'string',
    enum: [...callOutcomes],
    description,
    examples: ['missed'],
  });

/** What may be left out: in the update of a lead, what is not sent stays, and null clears. */
const optionalFields = {
  durationSeconds: optional(
    integer({ min: 0, max: 86_400, description: 'Of the talk, at most a day.', examples: [184] }),
  ),
  source: optional(anyText({ description: 'Where the caller found the number.', examples: ['google-ads'] })),
  recordingUrl: optional(webAddress({ examples: ['https://calls.example/recordings/8f2a.mp3'] })),
  customerName: optional(anyText({ examples: ['Ava Nguyen'] })),
  notes: optional(anyText({ max: 10_000, of: 'lines', minLength: 0, examples: ['Asked for brake pads'] })),
};
export type OptionalField = keyof typeof optionalFields;
export const optionalNames = Object.keys(optionalFields) as OptionalField[];

export const RecordCallBody = Type.Object({
  workshopId: text({ description: 'The workshop that was called.' }),
  callerPhone: phone({ description: "Any form that is valid in the workshop's country." }),
  calledAt: instant({ description: 'When the call began.' }),
  outcome: outcomeOf('What became of the call.'),
  ...optionalFields,
  externalId: optional(
    anyText({
      description: 'Your own reference. The same one again for the workshop updates its call.',
      examples: ['CALL-1001'],
    }),
  ),
});
export type RecordCallBody = Static<typeof RecordCallBody>;

export const ListCallLeadsQuery = Type.Object({
  workshopId: Type.Optional(anyText({ description: 'Of one workshop only.' })),
  from: Type.Optional(instant({ description: 'Called at this instant or later.' })),
  to: Type.Optional(instant({ description: 'Called before this instant.' })),
  outcome: Type.Optional(outcomeOf('With this outcome only.')),
  externalId: Type.Optional(anyText({ description: 'With this reference of yours only.' })),
  ...pageQuery,
});

export const CallLead = Type.Object(
  {
    id: out.uuid(),
    workshopId: out.uuid(),
    customerId: nullable(
      out.uuid({ description: 'The customer of the workshop with this phone; null while there is none.' }),
    ),
    bookingId: nullable(
      out.uuid({ description: "The customer's first booking that you made within 30 days after the call." }),
    ),
    externalId: nullable(out.string()),
    callerPhone: nullable(out.string({ description: 'E.164; null once the person was erased.' })),
    calledAt: out.instant(),
    durationSeconds: nullable(out.integer()),
    outcome: outcomeOf('What became of the call.'),
    source: nullable(out.string()),
    recordingUrl: nullable(out.string()),
    customerName: nullable(out.string()),
    notes: nullable(out.string()),
    createdAt: out.instant(),
    updatedAt: out.instant(),
  },
  { $id: 'CallLead' },
);
export type CallLead = Static<typeof CallLead>;

const CallLeadAnswer = Type.Object(
  { success: out.literal(true), callLead: ref(CallLead) },
  { $id: 'CallLeadAnswer', description: 'The call as it is now.' },
);
export const CallLeadAnswerRef = ref(CallLeadAnswer);

export const callLeadComponents = [CallLead, CallLeadAnswer];
