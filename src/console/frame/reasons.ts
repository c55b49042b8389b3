/** Why a text was not sent, or did not arrive, in words for staff: of messages, of runs of automations and of recipients of blasts. */
import { ownValue } from '#base/values/own-value.ts';
import type { runReasons } from '#product/campaigns/automations/schema.ts';

/** The reasons of the wire, of which each has its words. */
type WireReason = (typeof runReasons)[number];

const ofWire: Readonly<Record<WireReason, string>> = {
  optedOut: 'the customer has opted out of SMS',
  mayHaveOptedOut: 'the customer may have asked for no more texts',
  refused: 'the carrier refused it',
  temporarilyRefused: 'the carrier refused it for now',
  invalidNumber: 'the carrier does not know this number',
  gatewayUnavailable: 'it could not be handed over for sending',
  unknownOutcome: 'it is not known whether it was sent',
  countryNotAllowed: 'numbers of this country get no SMS from here',
  premiumRate: 'premium-rate numbers get no SMS',
  noWayOut:
    'the customer could not have stopped such texts: it comes from a name, and this service has no public address',
  dailyCeiling: 'the number of SMS for that day was used up',
  pageCeiling: 'the number of messages for that hour was used up',
  expired: 'it waited for too long',
  cancelled: 'it was taken back',
  erased: 'the data of the customer were erased',
  superseded: 'a newer one took its place',
  error: 'something went wrong here',
  paused: 'the automation was paused',
  conditions: 'the conditions were not met',
  tooLate: 'it was too late for it',
  bookingCancelled: 'the booking was cancelled',
  bookingMoved: 'the booking was moved',
  bookingCompleted: 'the booking was completed before',
  templateUnpublished: 'the template of its text is not published',
  notPermitted: 'the partner that asked for it may not any more',
  restored: 'it was due before a backup was restored',
};

const others: Readonly<Record<string, string>> = {
  invalidAddress: 'there is no such e-mail address',
  heldBack: 'held back',
  noPhone: 'there is no phone number',
  duplicate: 'the customer had it already',
  otherCountry: 'the number is of another country',
  template: 'the text could not be filled in',
  emptyText: 'nothing was left of the text',
  tooLong: 'the text was too long',
  undelivered: 'it did not arrive',
  stopped: 'it was stopped before their turn',
};

/** `carrierBarred` → `carrier barred`: a gateway's own reason. */
export const reasonInWords = (reason: string): string =>
  ownValue<string>(ofWire, reason) ??
  ownValue(others, reason) ??
  reason.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
