/** The senders that a workshop's SMS may really come from: its own, else those of the gateways of its route. */
import { ownSenderOf, type SmsConfig } from '#base/config/sms-gateways.ts';
import type { SmsSenderRules } from '#base/config/sms-senders.ts';
import { isSenderName } from '#base/values/sms-sender-form.ts';

/** The senders in a workshop's row; `senderPairs` reads them. */
export interface WorkshopSenders {
  /** Null: each gateway's own. */
  readonly smsSender: string | null;
  /** The gateways that it has chosen, in the order of tries; null: the installation's. */
  readonly smsGateways: readonly string[] | null;
  /** The gateways at which it has an account of its own, whose sender is not known here. */
  readonly smsAccounts: readonly string[];
}

export interface UsedSender {
  /** Null: no gateway is configured. */
  readonly gateway: string | null;
  /** Null: the gateway or its provider decides. */
  readonly sender: string | null;
  /** Whether it is the workshop's own, in place of the gateway's. */
  readonly isWorkshops: boolean;
}

type Gateways = Pick<SmsConfig, 'smsGateways' | 'smsGatewayOrder'>;

/** One for each gateway that may send, the second ones too; one without a gateway where none is configured. */
export function usedSenders(
  { smsSender, smsGateways, smsAccounts }: WorkshopSenders,
  { smsGateways: configured, smsGatewayOrder }: Gateways,
): readonly UsedSender[] {
  const isWorkshops = smsSender !== null;
  const route = (smsGateways ?? smsGatewayOrder).flatMap(
    (name) => configured.find((settings) => settings.name === name) ?? [],
  );
  if (route.length === 0) return [{ gateway: null, sender: smsSender, isWorkshops }];
  return route.map((settings) => ({
    gateway: settings.name,
    sender: smsSender ?? (smsAccounts.includes(settings.name) ? null : ownSenderOf(settings)),
    isWorkshops,
  }));
}

/** Whether an answer to the sender comes here. Of a sender that is not known, the operator says when it does not. */
export function hearsAnswers(
  { gateway, sender, isWorkshops }: UsedSender,
  { smsOneWay }: Pick<SmsSenderRules, 'smsOneWay'>,
): boolean {
  if (sender !== null && (isSenderName(sender) || smsOneWay.includes(sender))) return false;
  return isWorkshops || gateway === null || !smsOneWay.includes(gateway);
}
