/** The operations of availabilities (specification: Availability). */
import { Type } from 'typebox';
import { operation } from '#platform/http/operation.ts';
import { workshopPath } from '#product/workshops/access/path.ts';
import { listAvailabilitiesDetails } from './details.ts';
import { availabilityExamples } from './examples.ts';
import { AvailabilityAnswer, AvailabilityQuerystring } from './schema.ts';

export const listAvailabilities = operation({
  id: 'listAvailabilities',
  method: 'GET',
  path: '/workshops/{id}/availabilities',
  tag: 'Availabilities',
  access: 'partner',
  summary: 'List the free times of a workshop',
  description:
    'At most seven days. `slots` holds what can be booked now, for the service or category that is named; with `explain` ' +
    'every other time comes with the reason why it is not free.',
  details: listAvailabilitiesDetails,
  params: Type.Object(workshopPath),
  query: AvailabilityQuerystring,
  success: { status: 200, schema: AvailabilityAnswer },
  refusals: { 403: ['000004'], 404: ['030001'] },
  examples: availabilityExamples,
});
