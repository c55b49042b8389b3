/** Seals values again under the present key of the installation, so that former keys can be dropped. */
import type { SealingPurpose } from '#base/sealing.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { alone, type Job } from './failed/alone.ts';

/** Those of one owner; or of up to `limit` owners, by id, after this one, that have not failed in this job. */
export type WhichSealed =
  | { readonly of: string }
  | { readonly after: string | null; readonly limit: number; readonly job: string };

export interface Resealing<Text extends { readonly sealed: string }> extends Job {
  readonly purpose: SealingPurpose;
  /** Each owner has one at least. */
  list(db: Queryable, which: WhichSealed): Promise<Text[]>;
  /** The id that the value was sealed for. */
  ownerOf(text: Text): string;
  /** False: the value has changed meanwhile. */
  replace(db: Queryable, text: Text, to: string): Promise<boolean>;
}

const atOnce = 500;

/** Two processes may run it at once. Returns how many it sealed again. */
export async function resealAll<Text extends { readonly sealed: string }>(
  ctx: Context,
  what: Resealing<Text>,
): Promise<number> {
  let done = 0;
  for (let after: string | null = null; ; ) {
    const texts: Text[] = await what.list(ctx.db, { after, limit: atOnce, job: what.job });
    for (const [owner, its] of Map.groupBy(texts, what.ownerOf)) {
      await alone(ctx, what, owner, async () => {
        for (const text of its) if (await reseal(ctx, what, text)) done++;
      });
    }
    const last = texts.at(-1);
    if (last === undefined || texts.length < atOnce) return done;
    after = what.ownerOf(last);
  }
}

/** Those of one owner, where that has failed. */
export async function resealOf<Text extends { readonly sealed: string }>(
  ctx: Context,
  what: Resealing<Text>,
  owner: string,
): Promise<void> {
  for (const text of await what.list(ctx.db, { of: owner })) await reseal(ctx, what, text);
}

async function reseal<Text extends { readonly sealed: string }>(
  { db, sealing }: Context,
  { purpose, ownerOf, replace }: Resealing<Text>,
  text: Text,
): Promise<boolean> {
  if (sealing.isCurrent(text.sealed)) return false;
  const content = sealing.open(purpose, text.sealed, ownerOf(text));
  // A value that no known key opens stays as it is: its owner has to make another.
  if (content === null) return false;
  return replace(db, text, sealing.seal(purpose, content, ownerOf(text)));
}
