/** Examples of the partner report, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';
import { countNames, countsBy, none } from './counts.ts';

const some = {
  ...{
    bookingsCreated: 12,
    bookingsPending: 2,
    bookingsConfirmed: 4,
    bookingsCompleted: 5,
    bookingsCancelled: 1,
  },
  ...{
    callLeads: 7,
    callLeadsBooked: 3,
    quotesRequested: 4,
    quotesAccepted: 2,
    remindersSent: 9,
    remindersBooked: 3,
  },
  ...{ messagesSent: 21, messagesDelivered: 20, messagesFailed: 1, messagesReceived: 6, smsSegments: 27 },
};
const frame = { success: true, from: '2027-03-27', to: '2027-03-28', timezone: 'Australia/Melbourne' };

export const partnerReportExamples: { answer: Examples } = {
  answer: {
    byDay: {
      summary: 'By day',
      value: {
        ...frame,
        groups: [
          { key: '2027-03-27', ...some },
          { key: '2027-03-28', ...none },
        ],
        totals: some,
      },
    },
    byWorkshop: {
      summary: 'By workshop',
      value: { ...frame, groups: [{ key: exampleIds.workshop, ...some }], totals: some },
    },
  },
};

const values = countsBy((name) => some[name]);
export const csvExample = `key,${countNames.join(',')}\r\n2027-03-27,${countNames.map((name) => values[name]).join(',')}\r\n`;
