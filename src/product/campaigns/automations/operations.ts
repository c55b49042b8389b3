/** The operations of automations (specification: Automations). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems, pageQuery } from '#platform/http/paging.ts';
import { workshopPath } from '#product/workshops/access/path.ts';
import { triggerAutomationDetails } from './details.ts';
import { listAutomationsExamples, triggerAutomationExamples } from './examples.ts';
import { Automation, RunAnswer, TriggerAutomationBody } from './schema.ts';

export const listAutomations = operation({
  id: 'listAutomations',
  method: 'GET',
  path: '/workshops/{id}/automations',
  tag: 'Campaigns',
  access: 'partner',
  summary: 'List the automations of a workshop',
  description: 'Oldest first, paused ones too; also where the link is switched off.',
  params: Type.Object(workshopPath),
  query: Type.Object(pageQuery),
  success: { status: 200, schema: pageOfItems('automations', ref(Automation), 'A page of automations.') },
  refusals: { 404: ['030001'] },
  examples: listAutomationsExamples,
});

export const triggerAutomation = operation({
  id: 'triggerAutomation',
  method: 'POST',
  path: '/workshops/{id}/automations/{automationId}/trigger',
  tag: 'Campaigns',
  access: 'partner',
  summary: 'Trigger an automation for one customer',
  description:
    "Any automation can be triggered. The text is due `offsetMinutes` from now, or before the named booking where the automation's " +
    'trigger is `beforeBooking`, and waits for the end of quiet hours. Conditions are looked at when it is due. Repeats of a ' +
    '`referenceId` for one customer answer the same run, as it is then. At most ten runs an hour of one automation for one customer: repeats do not count.',
  details: triggerAutomationDetails,
  idempotent: true,
  checksBody: true,
  params: Type.Object({
    ...workshopPath,
    automationId: out.string({ description: "The automation's id.", examples: [exampleIds.automation] }),
  }),
  body: TriggerAutomationBody,
  success: { status: 202, schema: ref(RunAnswer) },
  refusals: {
    400: ['060001'],
    403: ['000003', '000004'],
    404: ['030001', '040001', '060001', '090001'],
    429: [],
  },
  examples: triggerAutomationExamples,
});
