/**
 * Tells the providers of a workshop that a customer who had opted out gets SMS again, where they have a call for it (specification:
 * Opting out 10).
 */
import { jitteredPauseMs } from '#base/values/backoff.ts';
import type { Context } from '#platform/context.ts';
import { allEnded } from '#platform/db/run-all.ts';
import type { SmsGateway } from '#platform/gateways/sms/gateway.ts';
import { membersOf } from '#platform/gateways/sms/members.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { smsAccountsOf } from '#product/workshops/sms-accounts/remembered.ts';
import {
  type ClaimedOptIn,
  type ClaimOptIns,
  claimOptIns,
  deferOptIn,
  type EndedOptIn,
  endOptIn,
  purgeOptIns,
} from './store.ts';

const atOnce = 10;
const withinMs = 10_000;
/** Longer than all its calls take. */
const leaseSeconds = 60;
/** After each failed attempt but the last; then it counts as refused. */
const pausesMs = [5_000, 30_000, 120_000, 600_000];

export const optInJob: Job = { job: 'tellOptIn', subject: 'optInId' };

/** The gateways of a workshop that have such a call. `chosen` are those of the workshop; null: the installation's. */
export function tellable(sms: SmsGateway, chosen: readonly string[] | null): readonly SmsGateway[] {
  const names = chosen ?? sms.usual ?? [sms.name];
  return membersOf(sms).filter(({ name, optIn }) => optIn !== undefined && names.includes(name));
}

/** Tells some that are due; two processes may run it at the same time. Returns how many it tried. */
export async function tellOptIns(ctx: Context): Promise<number> {
  const claimed = await claim(ctx, { limit: atOnce, job: optInJob.job });
  await allEnded(claimed.map((optIn) => alone(ctx, optInJob, optIn.id, () => tell(ctx, optIn))));
  return claimed.length;
}

/** Again one that failed here. */
export async function tellAgain(ctx: Context, id: string): Promise<void> {
  for (const optIn of await claim(ctx, { id })) await tell(ctx, optIn);
}

/** The operator gives it up. */
export const giveUpOptIn = (tx: Parameters<typeof endOptIn>[0], id: string): Promise<void> =>
  endOptIn(tx, id, { state: 'refused', detail: 'It was given up.' });

/** Those that ended are kept as long as notices. */
export const purgeToldOptIns = ({ db, clock, config }: Context): Promise<void> =>
  purgeOptIns(db, new Date(clock.now().getTime() - config.noticesKeptDays * 24 * 3_600_000));

const claim = ({ db }: Context, which: ClaimOptIns['which']) => claimOptIns(db, { leaseSeconds, which });

async function tell(ctx: Context, optIn: ClaimedOptIn): Promise<void> {
  const { db, log } = ctx;
  const { id, attempts } = optIn;
  let ended: EndedOptIn;
  try {
    ended = await askAll(ctx, optIn);
  } catch (err) {
    log.warn({ err, optInId: id, attempts }, 'an opt-in could not be told to the provider');
    if (attempts <= pausesMs.length) return deferOptIn(db, id, jitteredPauseMs(pausesMs, attempts));
    ended = { state: 'refused', detail: 'The provider did not answer, however often it was asked.' };
  }
  await endOptIn(db, id, ended);
}

/** Rejects while one of them can't be asked. */
async function askAll({ db, sms }: Context, optIn: ClaimedOptIn): Promise<EndedOptIn> {
  const { id, workshopId, phone, optedOut, agreedAt, smsSender, smsGateways } = optIn;
  if (phone === null || optedOut) return { state: 'overtaken', detail: null };
  const gateways = tellable(sms, smsGateways);
  if (gateways.length === 0) return { state: 'noCall', detail: null };
  const accounts = await smsAccountsOf(db, workshopId);
  for (const gateway of gateways) {
    const at = { account: accounts?.[gateway.name] ?? null, from: smsSender, reference: id, agreedAt };
    const told = await gateway.optIn?.(phone, at, AbortSignal.timeout(withinMs));
    if (told?.state === 'refused') return told;
  }
  return { state: 'told', detail: null };
}
