/** What a blast would send if it began now: the number of customers, and five of the texts. Nothing is written. */
import type { Clock } from '#base/clock.ts';
import type { Queryable } from '#platform/db/database.ts';
import { findTemplate } from '#product/templates/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { renderCampaign } from '../text.ts';
import { conditionsOf } from './audience.ts';
import { countAudience, readDetails } from './recipients/store.ts';
import { requireBlast } from './store.ts';
import { variablesOf } from './variables.ts';

export interface BlastPreview {
  readonly blastId: string;
  readonly recipients: number;
  /** The workshop's, ISO 3166. */
  readonly country: string;
  readonly examples: readonly {
    readonly customerId: string;
    readonly name: string | null;
    readonly phone: string | null;
    /** Null when there is no text; `fault` says why. */
    readonly text: string | null;
    readonly segments: number | null;
    readonly fault: string | null;
  }[];
}

const examplesAtMost = 5;

/** Throws OperatorError when there is no such blast. */
export async function previewBlast(db: Queryable, clock: Clock, id: string): Promise<BlastPreview> {
  const blast = await requireBlast(db, id);
  const workshop = await requireWorkshop(db, blast.workshopId);
  const conditions = conditionsOf(blast.audience, workshop.timezone);
  const { workshopId } = blast;
  const { count, first } = await countAudience(db, workshopId, clock.now(), conditions, examplesAtMost);
  const body = (await findTemplate(db, blast.templateId))?.body ?? '';
  const details = await readDetails(db, workshopId, first);
  const examples = details.map(({ customerId, phone, customer }) => {
    const rendered = renderCampaign(body, variablesOf(customer, workshop), workshop);
    const shown =
      'fault' in rendered ? { text: null, segments: null, ...rendered } : { fault: null, ...rendered };
    return { customerId, name: customer.name, phone, ...shown };
  });
  return { blastId: blast.id, recipients: count, country: workshop.country, examples };
}
