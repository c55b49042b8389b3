/** The meaning of a response's status (SMPP 3.4, section 5.1.3) in the terms of the product. */
import type { SmsOutcome, SmsReason } from '../gateway.ts';

export type Refusal = SmsOutcome & { readonly state: 'refused' };

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
  readonly reason: SmsReason;
  readonly permanent: boolean;
  readonly elsewhere: boolean;
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
  [0x08, later('ESME_RSYSERR', 'has a fault of its own')],
  [0x0a, refused('ESME_RINVSRCADR', 'does not allow this sender')],
  [0x0b, { ...refused('ESME_RINVDSTADR', 'does not know this number'), reason: 'invalidNumber' }],
  [0x0d, notUs('ESME_RBINDFAIL', 'refuses the connection')],
  [0x0e, notUs('ESME_RINVPASWD', 'does not take the password')],
  [0x0f, notUs('ESME_RINVSYSID', 'does not know the system id')],
  [0x15, notUs('ESME_RINVSERTYP', 'does not know the service type')],
  [0x14, later('ESME_RMSGQFUL', 'has too many messages waiting')],
  [0x45, refused('ESME_RSUBMITFAIL', 'did not take the message')],
  [0x48, ours('ESME_RINVSRCTON', 'does not allow senders of this type')],
  [0x49, ours('ESME_RINVSRCNPI', 'does not allow senders of this type')],
  [0x50, refused('ESME_RINVDSTTON', 'does not allow numbers of this type')],
  [0x51, refused('ESME_RINVDSTNPI', 'does not allow numbers of this type')],
  [0x53, notUs('ESME_RINVSYSTYP', 'does not take the system type')],
  [0x58, later('ESME_RTHROTTLED', 'wants fewer messages a second')],
  [0x64, later('ESME_RX_T_APPN', 'can not take the message now')],
  [0x65, refused('ESME_RX_P_APPN', 'did not take the message')],
  [0x66, refused('ESME_RX_R_APPN', 'rejected the message')],
  [0xff, later('ESME_RUNKNOWNERR', 'has a fault that it can not name')],
]);

/** A code that SMPP does not define is the vendor's own, often "no credit". */
function meaningOf(code: number): Meaning {
  const name = `status 0x${code.toString(16).padStart(8, '0')}`;
  return meanings.get(code) ?? later(name, 'refused, with a status of its own');
}

/** True when the carrier may accept the part on a retry soon. */
export const isTemporary = (code: number) => meanings.get(code)?.reason === 'temporarilyRefused';

/** The carrier's status, as text for people. */
export function wordsOf(code: number): string {
  const { name, words } = meaningOf(code);
  return `The carrier ${words} (${name}).`;
}

const invalidSource = 0x0a;

/**
 * The refusal that a status other than 0 means: the message was certainly not accepted. `isOwnSender` is true when the sender is
 * the workshop's, not the installation's.
 */
export function refusalOf(code: number, isOwnSender = true): Refusal {
  const { reason, permanent, elsewhere: isElsewhere } = meaningOf(code);
  const elsewhere = isElsewhere || (code === invalidSource && !isOwnSender);
  const detail = wordsOf(code);
  return { state: 'refused', permanent, reason, detail, ...(elsewhere ? { elsewhere } : {}) };
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
