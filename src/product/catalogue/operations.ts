/** The operations of the service catalogue (specification: Services). */
import { Type } from 'typebox';
import { operation } from '#platform/http/operation.ts';
import { workshopPath } from '#product/workshops/access/path.ts';
import { catalogueExamples } from './examples.ts';
import { CatalogueAnswer } from './schema.ts';

export const listServices = operation({
  id: 'listServices',
  method: 'GET',
  path: '/workshops/{id}/services',
  tag: 'Service catalogue',
  access: 'partner',
  summary: 'List the services of a workshop',
  description:
    'All that are on offer, and the four categories with their daily limits; also where the link is switched off.',
  params: Type.Object(workshopPath),
  success: { status: 200, schema: CatalogueAnswer },
  refusals: { 404: ['030001'] },
  examples: catalogueExamples,
});
