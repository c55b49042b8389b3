/** Examples of call leads, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const missedCall = {
  workshopId: exampleIds.workshop,
  callerPhone: '0491 570 313',
  calledAt: '2030-02-20T01:10:00Z',
  outcome: 'missed',
  source: 'google-ads',
  externalId: 'CALL-1001',
};

const callLead = {
  id: exampleIds.callLead,
  workshopId: exampleIds.workshop,
  customerId: null,
  bookingId: null,
  externalId: 'CALL-1001',
  callerPhone: '+61491570313',
  calledAt: '2030-02-20T01:10:00.000Z',
  durationSeconds: null,
  outcome: 'missed',
  source: 'google-ads',
  recordingUrl: null,
  customerName: null,
  notes: null,
  createdAt: '2030-02-20T01:15:30.125Z',
  updatedAt: '2030-02-20T01:15:30.125Z',
};

const booked = { ...callLead, customerId: exampleIds.customer, bookingId: exampleIds.booking };

export const recordCallExamples: { body: Examples; answer: Examples } = {
  body: {
    missed: { summary: 'A missed call', value: missedCall },
    answered: {
      summary: 'The same caller, called back',
      value: {
        ...missedCall,
        outcome: 'answered',
        durationSeconds: 184,
        recordingUrl: 'https://calls.example/recordings/8f2a.mp3',
        customerName: 'Ava Nguyen',
        notes: 'Asked for brake pads',
        externalId: 'CALL-1002',
      },
    },
  },
  answer: { unknown: { summary: 'Nobody has this phone yet', value: { success: true, callLead } } },
};

export const getCallLeadExamples: { answer: Examples } = {
  answer: { booked: { summary: 'The caller has booked since', value: { success: true, callLead: booked } } },
};

export const listCallLeadsExamples: { answer: Examples } = {
  answer: {
    last: { summary: 'The last page', value: { success: true, callLeads: [booked], nextCursor: null } },
  },
};
