/** The operations of call leads (specification: Call leads). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems } from '#platform/http/paging.ts';
import { getCallLeadDetails, listCallLeadsDetails, recordCallDetails } from './details.ts';
import { getCallLeadExamples, listCallLeadsExamples, recordCallExamples } from './examples.ts';
import { CallLead, CallLeadAnswerRef, ListCallLeadsQuery, RecordCallBody } from './schema.ts';

export const recordCall = operation({
  id: 'recordCall',
  method: 'POST',
  path: '/leads/calls',
  tag: 'Leads',
  access: 'partner',
  summary: 'Register a call',
  description:
    'A call to a workshop, with its outcome. The customer is the one who has the phone, from the moment on in which you have a ' +
    'booking, a quote, a reminder or a message with them; nobody is texted. The same `externalId` again for the workshop updates its call (200): what is not sent stays, `null` clears.',
  details: recordCallDetails,
  idempotent: true,
  checksBody: true,
  body: RecordCallBody,
  success: [
    { status: 201, schema: CallLeadAnswerRef, description: 'The call is registered.' },
    { status: 200, schema: CallLeadAnswerRef, description: 'The call with this `externalId`, updated.' },
  ],
  refusals: { 403: ['000004'], 404: ['030001'] },
  examples: recordCallExamples,
});

export const getCallLead = operation({
  id: 'getCallLead',
  method: 'GET',
  path: '/leads/calls/{id}',
  tag: 'Leads',
  access: 'partner',
  summary: 'Read a call',
  description: 'One that you registered; calls of other partners are not found.',
  details: getCallLeadDetails,
  params: Type.Object({
    id: out.string({ description: "The call's id.", examples: [exampleIds.callLead] }),
  }),
  success: { status: 200, schema: CallLeadAnswerRef },
  refusals: { 404: ['100001'] },
  examples: getCallLeadExamples,
});

export const listCallLeads = operation({
  id: 'listCallLeads',
  method: 'GET',
  path: '/leads/calls',
  tag: 'Leads',
  access: 'partner',
  summary: 'List your calls',
  description: 'The newest call first. A cursor goes with the filters of the request that gave it.',
  details: listCallLeadsDetails,
  query: ListCallLeadsQuery,
  success: { status: 200, schema: pageOfItems('callLeads', ref(CallLead), 'A page of calls.') },
  refusals: { 404: ['030001'] },
  examples: listCallLeadsExamples,
});
