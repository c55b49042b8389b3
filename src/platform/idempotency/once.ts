/** Runs a request once per Idempotency-Key (specification: Idempotency). */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#base/values/id.ts';
import { invalidFields, Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { ClaimLost, claimKey, releaseKey } from './store.ts';

/** A claim: what a verb's statement needs to store its result under the key. */
export interface Claim {
  readonly idempotencyKey: string;
  readonly claimOwner: string;
}

export interface IdempotentRequest {
  /** The owner of the key: a partner, or a workshop for the forms of its plain page. */
  readonly partnerId: string;
  readonly key: string;
  /** Path below the version prefix. */
  readonly path: string;
  readonly body: unknown;
}

export type Once<T> =
  | { readonly replayed: false; readonly result: T }
  | { readonly replayed: true; readonly status: number; readonly body: unknown };

/** Longer than any statement runs: an older claim belongs to a request that has died. */
const leaseSeconds = 30;
const pollEveryMs = 100;

/** Reads the header; undefined when it is not sent. 400 000001 unless it has 1 to 255 characters. */
export function idempotencyKeyOf(headers: Record<string, unknown>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    throw invalidFields([{ field: 'Idempotency-Key', message: 'must have 1 to 255 characters' }]);
  }
  return key;
}

/**
 * Calls `work` with a claim that `work` finishes in the commit of its result, or replays the stored result of the
 * first call. `work` resolves to null, or throws ClaimLost, when its claim was lost. Throws 422 000008 for another body or path, 409 000009
 * when the first call is still running after 30 seconds. Waiting holds no connection.
 */
export async function once<T>(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  request: IdempotentRequest,
  work: (claim: Claim) => Promise<T | null>,
  { waitAtMostMs = 30_000 } = {},
): Promise<Once<T>> {
  const { partnerId, key } = request;
  const fingerprint = fingerprintOf(request);
  const owner = newId();
  const giveUpAt = clock.machineNow().getTime() + waitAtMostMs;

  do {
    const kept = await claimKey(db, { partnerId, key, fingerprint, owner, leaseSeconds, now: clock.now() });
    if (kept === true) {
      try {
        const result = await work({ idempotencyKey: key, claimOwner: owner });
        if (result !== null) return { replayed: false, result };
      } catch (error) {
        if (!(error instanceof ClaimLost)) {
          await releaseKey(db, partnerId, key, owner);
          throw error;
        }
      }
    } else if (kept !== null) {
      if (!kept.fingerprint.equals(fingerprint)) throw new Problem('000008');
      if (kept.status !== null) return { replayed: true, status: kept.status, body: kept.body };
      await sleep(pollEveryMs);
    }
  } while (clock.machineNow().getTime() < giveUpAt);
  throw new Problem('000009', { message: 'The first request with this Idempotency-Key is still running' });
}

/** A digest of path and body that does not depend on the order of an object's keys. */
function fingerprintOf({ path, body }: IdempotentRequest): Buffer {
  const inOrder = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash('sha256')
    .update(`${path}\n${JSON.stringify(body, inOrder)}`)
    .digest();
}
