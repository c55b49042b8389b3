/** The path parameter of operations below a workshop. */
import { out } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';

export const workshopPath = {
  id: out.string({ description: "The workshop's id.", examples: [exampleIds.workshop] }),
};
