/** The feature switches of a partner. */
import type { Clock } from '#base/clock.ts';
import { foundById } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type Feature, featureColumns, updatePartnerFeature } from './store.ts';

export type { Feature } from './store.ts';

export const features = Object.keys(featureColumns) as readonly Feature[];

/** Throws OperatorError when there is no such partner. */
export async function setFeature(
  db: Queryable,
  clock: Clock,
  change: { readonly partnerId: string; readonly feature: Feature; readonly enabled: boolean },
): Promise<void> {
  const { partnerId, feature, enabled } = change;
  await foundById('partner', partnerId, () =>
    updatePartnerFeature(db, partnerId, feature, enabled, clock.now()),
  );
}
