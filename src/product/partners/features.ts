/** The feature switches of a partner. */

import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { type Feature, featureColumns, requirePartner, updatePartnerFeature } from './store.ts';
import { ofPartner } from './trail.ts';

export type { Feature } from './store.ts';

export const features = Object.keys(featureColumns) as readonly Feature[];

/** Throws OperatorError when there is no such partner. */
export async function setFeature(
  context: ChangeContext,
  {
    partnerId,
    feature,
    enabled,
  }: { readonly partnerId: string; readonly feature: Feature; readonly enabled: boolean },
  actor: Actor,
): Promise<void> {
  await change(context, async ({ tx, now: at }) => {
    const present = await requirePartner(tx, partnerId);
    await updatePartnerFeature(tx, present.partnerId, feature, enabled, at);
    const was = feature === 'messaging' ? present.messagingEnabled : present.campaignsEnabled;
    const entry = ofPartner(actor, present.partnerId, 'featureSet', at);
    await recordEntry(tx, { ...entry, before: { [feature]: was }, after: { [feature]: enabled } });
  });
}
