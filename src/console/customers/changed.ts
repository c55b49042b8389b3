/** Names the changes of a customer since a form was shown, with their authors. */
import type { SafeHtml } from '@remix-run/html-template';
import type { Refused } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { changesSince } from '../trail/since.ts';
import { customerTrail } from './trail.ts';

/** Changes of parts without a version, such as tags, are read from the trail. Null: the refusal had another reason. */
export async function customerChangesSince(
  visit: WorkshopVisit,
  customerId: string,
  refused: Refused | null,
): Promise<SafeHtml | null> {
  const changes = await changesSince(visit, customerId, refused);
  return changes === null && refused?.isStale ? customerTrail(visit, customerId) : changes;
}
