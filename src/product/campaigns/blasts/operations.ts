/** The operations of blasts (specification: Blasts). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems, pageQuery } from '#platform/http/paging.ts';
import { workshopPath } from '#product/workshops/access/path.ts';
import { getBlastDetails, triggerBlastDetails } from './details.ts';
import { getBlastExamples, listBlastsExamples, triggerBlastExamples } from './examples.ts';
import { Blast, BlastAnswer, TriggerBlastBody } from './schema.ts';

const BlastPath = Type.Object({
  ...workshopPath,
  blastId: out.string({ description: "The blast's id.", examples: [exampleIds.blast] }),
});

export const listBlasts = operation({
  id: 'listBlasts',
  method: 'GET',
  path: '/workshops/{id}/blasts',
  tag: 'Campaigns',
  access: 'partner',
  summary: 'List the blasts of a workshop',
  description: 'Oldest first, with how far each has come; also where the link is switched off.',
  params: Type.Object(workshopPath),
  query: Type.Object(pageQuery),
  success: { status: 200, schema: pageOfItems('blasts', ref(Blast), 'A page of blasts.') },
  refusals: { 404: ['030001'] },
  examples: listBlastsExamples,
});

export const getBlast = operation({
  id: 'getBlast',
  method: 'GET',
  path: '/workshops/{id}/blasts/{blastId}',
  tag: 'Campaigns',
  access: 'partner',
  summary: 'Read a blast',
  description: 'Its status and how far it has come.',
  details: getBlastDetails,
  params: BlastPath,
  success: { status: 200, schema: ref(BlastAnswer) },
  refusals: { 404: ['030001', '090001'] },
  examples: getBlastExamples,
});

export const triggerBlast = operation({
  id: 'triggerBlast',
  method: 'POST',
  path: '/workshops/{id}/blasts/{blastId}/trigger',
  tag: 'Campaigns',
  access: 'partner',
  summary: 'Trigger a blast',
  description:
    'Sends the draft to its audience, now or at `scheduledAt`: to each customer once, not to those who opted out, and not ' +
    'between 20:00 and 08:00 of the workshop. Audience and text are fixed when sending begins. The same `referenceId` ' +
    'answers the same blast again; otherwise a blast that is no draft any more is 409.',
  details: triggerBlastDetails,
  idempotent: true,
  emptyBody: true,
  params: BlastPath,
  body: TriggerBlastBody,
  success: { status: 202, schema: ref(BlastAnswer) },
  refusals: { 403: ['000003', '000004'], 404: ['030001', '090001'], 409: ['090002'] },
  examples: triggerBlastExamples,
});
