/** The operation of the partner report (specification: Partner report). */
import { operation } from '#platform/http/operation.ts';
import { getPartnerReportDetails } from './details.ts';
import { csvExample, partnerReportExamples } from './examples.ts';
import { PartnerReport, PartnerReportQuery } from './schema.ts';

export const getPartnerReport = operation({
  id: 'getPartnerReport',
  method: 'GET',
  path: '/reports/partner',
  tag: 'Reports',
  access: 'partner',
  summary: 'Read what you did, counted',
  description:
    'Your own bookings, call leads, quotes, reminders and SMS between two local dates, counted at this moment. Things are counted in the ' +
    'group in which they were made, with the state that they have now. With `Accept: text/csv` the groups come as CSV.',
  details: getPartnerReportDetails,
  query: PartnerReportQuery,
  success: [
    { status: 200, contentType: 'application/json', schema: PartnerReport },
    {
      status: 200,
      contentType: 'text/csv',
      description: 'The groups, with a header line.',
      example: csvExample,
    },
  ],
  refusals: { 404: ['030001'] },
  examples: partnerReportExamples,
});
