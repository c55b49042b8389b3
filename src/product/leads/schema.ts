/** Wire shapes of call leads. */
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
  times,
  webAddress,
  word,
} from '#platform/http/fields.ts';
import { pageQuery } from '#platform/http/paging.ts';

export const callOutcomes = ['answered', 'missed', 'voicemail'] as const;

const outcomeOf = (description: string) => word(callOutcomes, { description, examples: ['missed'] });

/** Optional fields: in an update, an absent field stays, and null clears it. */
const optionalFields = {
  durationSeconds: optional(
    integer({ min: 0, max: 86_400, description: 'Seconds of talk, at most a day.', examples: [184] }),
  ),
  source: optional(anyText({ description: 'Where the caller found the number.', examples: ['google-ads'] })),
  recordingUrl: optional(
    webAddress({
      description: 'Where the recording can be heard.',
      examples: ['https://calls.example/recordings/8f2a.mp3'],
    }),
  ),
  customerName: optional(anyText({ description: "The caller's name.", examples: ['Ava Nguyen'] })),
  notes: optional(
    anyText({
      max: 10_000,
      of: 'lines',
      minLength: 0,
      description: 'Notes about what the caller and the workshop talked about.',
      examples: ['Asked for brake pads'],
    }),
  ),
};
export type OptionalField = keyof typeof optionalFields;
export const optionalNames = Object.keys(optionalFields) as OptionalField[];

export const RecordCallBody = Type.Object({
  workshopId: text({ description: 'The workshop that was called.' }),
  callerPhone: phone({ description: "Any form that is valid in the workshop's country." }),
  calledAt: instant({ description: 'When the call began.' }),
  outcome: outcomeOf('The outcome of the call.'),
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
    id: out.uuid("The call's reference for every later call."),
    workshopId: out.uuid('The workshop that was called.'),
    customerId: nullable(
      out.uuid({
        description:
          'The customer of the workshop with this phone. It is shown to a partner that has a booking, a quote, a ' +
          'service reminder or a message of its own with the customer, and is null to others, in answers, lists and ' +
          'webhooks alike: a call may be registered for any phone, and costs nothing, so it would tell whose ' +
          'customers the other partners have. Staff see it always.',
      }),
    ),
    bookingId: nullable(
      out.uuid({
        description:
          'The first booking that you made for the customer whose `createdAt` lies from `calledAt` to 30 days after ' +
          "it, whatever its status is by now: bookings of other partners, and the workshop's own, are not " +
          'disclosed.',
      }),
    ),
    externalId: nullable(out.string('Your own reference.')),
    callerPhone: nullable(out.string({ description: 'E.164; null once the person was erased.' })),
    calledAt: out.instant('When the call began.'),
    durationSeconds: nullable(out.integer('Seconds of talk.')),
    outcome: outcomeOf('The outcome of the call.'),
    source: nullable(out.string('Where the caller found the number.')),
    recordingUrl: nullable(out.string('Where the recording can be heard.')),
    customerName: nullable(out.string("The caller's name.")),
    notes: nullable(out.string('Notes about what the caller and the workshop talked about.')),
    ...times,
  },
  { $id: 'CallLead', description: 'A call to a workshop.' },
);
export type CallLead = Static<typeof CallLead>;

const CallLeadAnswer = Type.Object(
  { success: out.success(true), callLead: ref(CallLead) },
  { $id: 'CallLeadAnswer', description: 'The call as it is now.' },
);
export const CallLeadAnswerRef = ref(CallLeadAnswer);

export const callLeadComponents = [CallLead, CallLeadAnswer];
