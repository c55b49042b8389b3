/** Hands every SMS to its gateway: messages, replies, confirmations, notices. The limits are checked only here. */
import type { Context } from '#platform/context.ts';
import type { OutboundSms, SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { sendSms, tooLate } from '#platform/gateways/sms/send.ts';
import { type SmsAccounts, smsAccountsOf } from '#product/workshops/sms-accounts/remembered.ts';
import { gatewaysWithAccounts } from '#product/workshops/sms-accounts/set.ts';
import { recordGatewayOptOut } from '../gateway-opt-out/record.ts';
import { type LimitReason, limitTexts, numberRefusal } from './rules.ts';
import { type Quota, returnQuota, type SmsAccount, takeQuota } from './store.ts';

type Needed = Pick<Context, 'db' | 'sms' | 'config' | 'clock' | 'log'>;

/** The outcome of an SMS that a limit holds back. */
export const refusedBy = (reason: LimitReason): SmsOutcome => ({
  state: 'refused',
  permanent: true,
  reason,
  detail: limitTexts[reason],
});

const notCounted: SmsOutcome = {
  state: 'refused',
  permanent: false,
  reason: 'gatewayUnavailable',
  detail: 'It could not be counted under the daily ceiling; nothing was handed over.',
};

/**
 * Hands an SMS over, unless a limit of the operator forbids it. `begunAt` is when its attempt was recorded as begun, machine time.
 * Never rejects. Without a ceiling it makes no query, except a cached look-up of the workshop's gateway accounts. An SMS that a
 * gateway certainly did not accept does not count under a ceiling.
 */
export async function sendWithinLimits(
  context: Needed,
  sms: OutboundSms,
  account: SmsAccount,
  begunAt: Date,
): Promise<SmsOutcome> {
  const { config, clock } = context;
  const refusal = numberRefusal(sms.to, config.smsCountries);
  if (refusal !== null) return refusedBy(refusal);
  const ceilings = { partner: config.smsDailyPerPartner, workshop: config.smsDailyPerWorkshop };
  if (ceilings.partner === null && ceilings.workshop === null) return handOver();

  let quota: Quota | null;
  try {
    quota = await takeQuota(context.db, account, ceilings);
  } catch (err) {
    context.log.warn({ err }, 'an SMS could not be counted under the daily ceiling');
    return notCounted;
  }
  if (quota === null) return refusedBy('dailyCeiling');
  const outcome = await handOver();
  if (outcome.state === 'refused') await giveBack(context, account, quota);
  return outcome;

  async function handOver(): Promise<SmsOutcome> {
    const accounts = await accountsOf(context, account.workshopId);
    if (accounts === 'unread') return notRead;
    const handedOver =
      tooLate(begunAt, clock.machineNow()) ??
      (await sendSms(context.sms, accounts === undefined ? sms : { ...sms, accounts }));
    if (handedOver.state === 'refused' && handedOver.reason === 'optedOut')
      await optOut(context, sms, handedOver.gateway ?? context.sms.name);
    return handedOver;
  }
}

const notRead: SmsOutcome = {
  ...notCounted,
  detail: "The workshop's account at the gateway could not be read; nothing was handed over.",
};

/** Makes no query when no gateway has accounts of workshops. */
async function accountsOf(
  { db, config, log }: Needed,
  workshopId: string,
): Promise<SmsAccounts | undefined | 'unread'> {
  if (!config.smsGateways.some(({ name }) => gatewaysWithAccounts.includes(name))) return undefined;
  try {
    return await smsAccountsOf(db, workshopId);
  } catch (err) {
    log.warn({ err }, "a workshop's account at a gateway could not be read");
    return 'unread';
  }
}

/**
 * Runs before the outcome is recorded. After a crash in between, the next attempt is refused for the same reason and records the
 * opt-out.
 */
async function optOut(context: Needed, { reference }: OutboundSms, gateway: string): Promise<void> {
  try {
    await recordGatewayOptOut(context, reference, gateway);
  } catch (err) {
    context.log.warn(
      { err },
      'an opt-out that the provider reported could not be recorded; the next refused SMS tries again',
    );
  }
}

/** When this fails, the day has one SMS less. */
async function giveBack({ db, log }: Needed, account: SmsAccount, quota: Quota): Promise<void> {
  try {
    await returnQuota(db, account, quota);
  } catch (err) {
    log.warn({ err }, 'quota of the daily ceiling could not be given back');
  }
}
