/**
 * How a text that offers something says how to stop such texts: the one place where that is decided, for reminders, automations and
 * blasts (specification: Opting out 5).
 */
import { type PublicUrlSettings, publicUrl } from '#base/config/public-url.ts';
import type { SmsConfig } from '#base/config/sms-gateways.ts';
import type { SmsSenderRules } from '#base/config/sms-senders.ts';
import { newCode } from '#base/values/code.ts';
import { phoneIn } from '#base/values/phone.ts';
import { senderRuleOf } from '#base/values/sms-sender.ts';
import { isShortCode } from '#base/values/sms-sender-form.ts';
import {
  hearsAnswers,
  type UsedSender,
  usedSenders,
  type WorkshopSenders,
} from '#product/workshops/senders/used.ts';

/** `none`: there is none that the law of the workshop's country accepts, so the text is not sent. */
export type Way = 'reply' | 'link' | 'call' | 'none';

export interface WayOutWorkshop extends WorkshopSenders {
  /** E.164. */
  readonly phone: string;
  /** ISO 3166. */
  readonly country: string;
}

export type WayOutSettings = PublicUrlSettings & SmsConfig & SmsSenderRules;

export interface WayOut {
  readonly way: Way;
  /** The code of the link, to be kept with the text (`keepWayOuts`); null: no link. */
  readonly code: string | null;
  /** The sentence at the end of the text, without a full stop; empty: `none`. */
  readonly text: string;
  /** The price of an answer, in words; absent: it is free, or the text need not say so. */
  readonly cost?: string;
}

const codeLength = 10;
/** Stands in previews where each text gets a code of its own. */
export const sampleCode = 'X'.repeat(codeLength);

/** The path below the installation's public address. */
export const wayOutPath = (code: string) => `/u/${code}`;

/** Countries whose law wants an electronic way out, which a phone number is not (Australia's Spam Act, s 18). */
const electronicOnly = ['AU'];

/**
 * The way holds for every gateway that may send: where one of the senders can't be answered, it is the link. `linkCode`: a
 * new one for each text; of a preview `sampleCode`, which is as long.
 */
export function wayOutFor(
  workshop: WayOutWorkshop,
  settings: WayOutSettings,
  linkCode: string = newCode(codeLength),
): WayOut {
  const { country, phone } = workshop;
  const senders = usedSenders(workshop, settings);
  if (senders.every((sender) => hearsAnswers(sender, settings))) {
    const cost = costOf(senders, country, settings);
    const text = 'Reply STOP to end';
    return { way: 'reply', code: null, text: withCost(text, cost), ...(cost !== undefined && { cost }) };
  }
  const address = publicUrl(settings);
  if (address !== null) {
    return {
      way: 'link',
      code: linkCode,
      text: `Stop these texts: ${address}${wayOutPath(linkCode)}`,
    };
  }
  if (electronicOnly.includes(country)) return { way: 'none', code: null, text: '' };
  return { way: 'call', code: null, text: `To stop these texts call ${phoneIn(country, phone)}` };
}

/** The text says what an answer costs, where it has to. */
export const withCost = (text: string, cost: string | undefined): string =>
  cost === undefined || text.includes(cost) ? text : `${text} (${cost})`;

function costOf(
  senders: readonly UsedSender[],
  country: string,
  { smsFreeReplies }: SmsSenderRules,
): string | undefined {
  const isCharged = ({ sender }: UsedSender) =>
    sender !== null && isShortCode(sender) && !smsFreeReplies.includes(sender);
  return senders.some(isCharged) ? senderRuleOf(country)?.replyCost : undefined;
}
