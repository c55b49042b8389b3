/** The preview of a blast that would begin now: how many customers it would reach, how many not, and five of the texts. Nothing is written. */
import type { Context } from '#platform/context.ts';
import { findTemplate } from '#product/templates/store.ts';
import { sampleCode, wayOutFor } from '#product/way-out/way-out.ts';
import { findSenders } from '#product/workshops/senders/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { renderCampaign } from '../text.ts';
import { leftOutAbroad } from './abroad.ts';
import { conditionsOf } from './audience.ts';
import { findAsked, readAudienceParts, readDetails } from './recipients/store.ts';
import { requireBlast } from './store.ts';
import { variablesOf } from './variables.ts';

export interface BlastPreview {
  readonly blastId: string;
  /** As its counts will have them, those who are left out included. */
  readonly recipients: number;
  /** The number of them who are left out because their number is of another country. */
  readonly otherCountry: number;
  /** The number of the others who are left out because they may have asked for no more texts. */
  readonly mayHaveOptedOut: number;
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
export async function previewBlast(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  id: string,
): Promise<BlastPreview> {
  const blast = await requireBlast(db, id);
  const workshop = await requireWorkshop(db, blast.workshopId);
  const conditions = conditionsOf(blast.audience, workshop.timezone);
  const { workshopId, otherCountries } = blast;
  const { country } = workshop;
  const first: string[] = [];
  let [recipients, otherCountry, mayHaveOptedOut] = [0, 0, 0];
  const asked = await findAsked(db, workshopId);
  for await (const part of readAudienceParts(db, workshopId, clock.now(), conditions)) {
    const leftOut = await leftOutAbroad(db, { workshopId, country, otherCountries }, part);
    recipients += part.length;
    otherCountry += leftOut.size;
    const allowed = part.filter(({ customerId }) => !leftOut.has(customerId));
    const reached = allowed.filter(({ customerId }) => !asked.has(customerId));
    mayHaveOptedOut += allowed.length - reached.length;
    first.push(...reached.slice(0, examplesAtMost - first.length).map(({ customerId }) => customerId));
  }
  const body = (await findTemplate(db, blast.templateId))?.body ?? '';
  const senders = await findSenders(db, workshopId);
  const wayOut = wayOutFor({ ...workshop, ...senders }, config, sampleCode);
  const details = await readDetails(db, workshopId, first);
  const examples = details.map(({ customerId, phone, customer }) => {
    const rendered = renderCampaign(body, variablesOf(customer, workshop), workshop, wayOut);
    const shown =
      'fault' in rendered ? { text: null, segments: null, ...rendered } : { fault: null, ...rendered };
    return { customerId, name: customer.name, phone, ...shown };
  });
  return { blastId: blast.id, recipients, otherCountry, mayHaveOptedOut, country, examples };
}
