/** The meaning of a response's status (SMPP 3.4, section 5.1.3; SMPP 5.0, section 4.7.6) in the terms of the product. */
import type { Refusal, RefusalReason } from './host.ts';

/** The classes that a carrier's own status may have. */
export type VendorClass = RefusalReason;

/** By the status of a response. */
export type VendorCodes = ReadonlyMap<number, VendorClass>;

export const status = {
  ok: 0x00,
  invalidCommand: 0x03,
  malformed: 0x02,
  throttled: 0x58,
  queueFull: 0x14,
  tryAgain: 0x64,
} as const;

interface Meaning {
  readonly name: string;
  readonly words: string;
  readonly reason: RefusalReason;
  readonly permanent: boolean;
  readonly elsewhere: boolean;
  /** True when it may be about the message as well as about the carrier or the account. */
  readonly unclear?: boolean;
}

const refused = (name: string, words: string): Meaning => ({
  name,
  words,
  reason: 'refused',
  permanent: true,
  elsewhere: false,
});
/** A refusal about the senders of this gateway: final here, but another gateway has other senders. */
const ours = (name: string, words: string): Meaning => ({ ...refused(name, words), elsewhere: true });
const later = (name: string, words: string): Meaning => ({
  name,
  words,
  reason: 'temporarilyRefused',
  permanent: false,
  elsewhere: true,
});
const notUs = (name: string, words: string): Meaning => ({
  name,
  words,
  reason: 'gatewayUnavailable',
  permanent: false,
  elsewhere: true,
});

const meanings: ReadonlyMap<number, Meaning> = new Map([
  [0x01, refused('ESME_RINVMSGLEN', 'takes no message of this length')],
  [0x02, refused('ESME_RINVCMDLEN', 'could not read the message')],
  [0x03, refused('ESME_RINVCMDID', 'knows no such command')],
  [0x04, notUs('ESME_RINVBNDSTS', 'allows this account no sending')],
  [0x05, notUs('ESME_RALYBND', 'allows this account no further connection')],
  [0x06, notUs('ESME_RINVPRTFLG', 'does not take the priority')],
  [0x07, notUs('ESME_RINVREGDLVFLG', 'gives no receipts to this account')],
  [0x08, later('ESME_RSYSERR', 'has a fault of its own')],
  [0x0a, refused('ESME_RINVSRCADR', 'does not allow this sender')],
  [0x0b, { ...refused('ESME_RINVDSTADR', 'does not know this number'), reason: 'invalidNumber' }],
  [0x0c, notUs('ESME_RINVMSGID', 'wants another message id')],
  [0x0d, notUs('ESME_RBINDFAIL', 'refuses the connection')],
  [0x0e, notUs('ESME_RINVPASWD', 'does not take the password')],
  [0x0f, notUs('ESME_RINVSYSID', 'does not know the system id')],
  [0x14, later('ESME_RMSGQFUL', 'has too many messages waiting')],
  [0x15, notUs('ESME_RINVSERTYP', 'does not know the service type')],
  [0x33, notUs('ESME_RINVNUMDESTS', 'wants another number of recipients')],
  [0x34, notUs('ESME_RINVDLNAME', 'does not know the distribution list')],
  [0x40, notUs('ESME_RINVDESTFLAG', 'does not take this kind of recipient')],
  [0x42, notUs('ESME_RINVSUBREP', 'does not replace messages')],
  [0x43, notUs('ESME_RINVESMCLASS', 'does not take this esm_class')],
  [0x44, notUs('ESME_RCNTSUBDL', 'does not take distribution lists')],
  [0x45, refused('ESME_RSUBMITFAIL', 'did not take the message')],
  [0x48, ours('ESME_RINVSRCTON', 'does not allow senders of this type')],
  [0x49, ours('ESME_RINVSRCNPI', 'does not allow senders of this type')],
  [0x50, refused('ESME_RINVDSTTON', 'does not allow numbers of this type')],
  [0x51, refused('ESME_RINVDSTNPI', 'does not allow numbers of this type')],
  [0x53, notUs('ESME_RINVSYSTYP', 'does not take the system type')],
  [0x54, notUs('ESME_RINVREPFLAG', 'does not take the replace flag')],
  [0x55, notUs('ESME_RINVNUMMSGS', 'does not take this number of messages')],
  [0x58, later('ESME_RTHROTTLED', 'wants fewer messages a second')],
  [0x61, notUs('ESME_RINVSCHED', 'does not take the delivery time')],
  [0x62, notUs('ESME_RINVEXPIRY', 'does not take the validity period')],
  [0x63, notUs('ESME_RINVDFTMSGID', 'does not know the predefined message')],
  [0x64, later('ESME_RX_T_APPN', 'can not take the message now')],
  [0x65, refused('ESME_RX_P_APPN', 'did not take the message')],
  [0x66, refused('ESME_RX_R_APPN', 'rejected the message')],
  [0xc0, notUs('ESME_RINVOPTPARSTREAM', 'can not read the optional parameters')],
  [0xc1, notUs('ESME_ROPTPARNOTALLWD', 'does not allow an optional parameter')],
  [0xc2, notUs('ESME_RINVPARLEN', 'does not take the length of a parameter')],
  [0xc3, notUs('ESME_RMISSINGOPTPARAM', 'wants an optional parameter more')],
  [0xc4, notUs('ESME_RINVOPTPARAMVAL', 'does not take the value of an optional parameter')],
  [0xfe, notUs('ESME_RDELIVERYFAILURE', 'reports a delivery that was not asked for')],
  [0xff, later('ESME_RUNKNOWNERR', 'has a fault that it can not name')],
  [0x100, notUs('ESME_RSERTYPUNAUTH', 'allows this account no messages of the service type')],
  [0x101, notUs('ESME_RPROHIBITED', 'allows this account no sending')],
  [0x102, notUs('ESME_RSERTYPUNAVAIL', 'has no such service type for now')],
  [0x103, notUs('ESME_RSERTYPDENIED', 'denies the service type')],
  [0x104, notUs('ESME_RINVDCS', 'does not take the data_coding')],
]);

/** The meaning of a carrier's own code, by the class that the settings give it. */
const byClass: Readonly<Record<VendorClass, (name: string) => Meaning>> = {
  refused: (name) => refused(name, 'did not take the message'),
  invalidNumber: (name) => ({ ...refused(name, 'does not know this number'), reason: 'invalidNumber' }),
  optedOut: (name) => ({ ...refused(name, 'says that the customer wants no messages'), reason: 'optedOut' }),
  temporarilyRefused: (name) => later(name, 'can not take the message now'),
  gatewayUnavailable: (name) => notUs(name, 'takes nothing from this account'),
};

const noCodes: VendorCodes = new Map();

/** A code that neither the settings nor SMPP define: no credit, or a bad number, or a busy carrier. */
function meaningOf(code: number, vendorCodes: VendorCodes): Meaning {
  const name = `status 0x${code.toString(16).padStart(8, '0')}`;
  const vendorClass = vendorCodes.get(code);
  if (vendorClass !== undefined) return byClass[vendorClass](name);
  return meanings.get(code) ?? { ...later(name, 'refused, with a status of its own'), unclear: true };
}

/** True when the carrier may accept the part on a retry soon. */
export const isTemporary = (code: number) => meanings.get(code)?.reason === 'temporarilyRefused';

const busyCodes: readonly number[] = [status.throttled, status.queueFull];

/** True when the carrier may accept the part in a moment. */
export function isBusy(code: number, vendorCodes: VendorCodes): boolean {
  const vendorClass = vendorCodes.get(code);
  return vendorClass === undefined ? busyCodes.includes(code) : vendorClass === 'temporarilyRefused';
}

/** The carrier's status, as text for people. */
export function wordsOf(code: number, vendorCodes = noCodes): string {
  const { name, words } = meaningOf(code, vendorCodes);
  return `The carrier ${words} (${name}).`;
}

const invalidSource = 0x0a;

/**
 * The refusal that a status other than 0 means: the message was certainly not accepted. `isOwnSender` is true when the sender is
 * the workshop's, not the installation's; `vendorCodes` says what codes of the carrier's own mean.
 */
export function refusalOf(code: number, isOwnSender = true, vendorCodes = noCodes): Refusal {
  const { reason, permanent, elsewhere: isElsewhere, unclear } = meaningOf(code, vendorCodes);
  const isOurSender = code === invalidSource && !isOwnSender && !vendorCodes.has(code);
  const detail = wordsOf(code, vendorCodes);
  return {
    ...{ state: 'refused', permanent, reason, detail },
    ...(isElsewhere || isOurSender ? { elsewhere: true } : {}),
    ...(unclear ? { unclear } : {}),
  };
}

/** A refusal because of the connection: nothing was handed over. */
export function notHandedOver(detail: string): Refusal {
  return {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail,
    elsewhere: true,
    notAsked: true,
  };
}
