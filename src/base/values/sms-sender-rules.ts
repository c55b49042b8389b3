/**
 * The senders of an SMS that networks accept, by country: one rule for a workshop's own sender and those of gateways. Each row
 * says when it was looked up, and where; `docs/operations/messages.md` shows the same rows. For a country that is not listed, no
 * rule is known.
 */

/** Beyond what every name has to be: at most 11 characters, with a letter. */
export interface NameRule {
  /** The least number of characters; absent: 1. */
  readonly atLeast?: number;
  /** `ascii`: every character of ASCII that is seen, and the space. Absent: letters, digits, space, and `& - . _`. */
  readonly characters?: 'ascii';
  /** Characters that a name neither begins nor ends with. */
  readonly notAtEnds?: string;
  /** A name that consists of these words alone, in any case, is refused. */
  readonly generic?: readonly string[];
  /** A name that has one of these in it, in any case, is refused. */
  readonly never?: readonly string[];
}

export interface SenderRule {
  /** Names such as `Carlton`: accepted, accepted when they are registered, or refused. */
  readonly names: 'allowed' | 'registered' | 'refused';
  /** The reason when names are not simply allowed; a clause for use after a colon. */
  readonly why?: string;
  readonly name?: NameRule;
  /** The possible lengths of a short code, in digits. */
  readonly shortCodes?: readonly number[];
  /** The digits that a short code may begin with; absent: any. */
  readonly shortCodesBegin?: string;
  /** A note about a short code as sender. */
  readonly shortCodeNote?: string;
  /** The words about the answer's price in a text from a short code that can be answered; absent: none are needed. */
  readonly replyCost?: string;
  /** A note about an ordinary number as sender. */
  readonly numbers?: string;
  /** Numbers of other calling codes are refused as senders, and why; absent: they are not. */
  readonly noForeignNumbers?: { readonly own: string; readonly why: string };
  /** When it was looked up, `YYYY-MM-DD`. */
  readonly lookedUp: string;
  /** Where: regulators first, else gateways that say what networks do. */
  readonly sources: readonly string[];
}

/** The ACMA's restricted words. */
const restricted =
  `account alert anti-fraud assist assistance bank banking bill billing delivery help important info information
  message notice notify package password sale secure security service support tax urgent verify verified`.split(
    /\s+/,
  );

/** Names that the networks of the United Kingdom block, by the lists that gateways publish. */
const blocked =
  `1timepin 2fa accept access account active admin advise alert allow allowance app appointment approve approved auth
  authmsg authorise authsms aware bank banking bill billing call card caution certify check cloudotp code collect collection confirm
  contact control courier delay deliver delivery discount energy fraud help info infosms isa key loan login logistics logmein logon
  malware message mobile mortgage msg msgauth network noreply notify onetimepin order otp otpsms package parcel passcode pay payment
  pin pincode post protocol purchase ratify rebate receipt refund reminder repayment reply respond save saving savings scam schedule
  secure security service shipping sign signin signon sms smsauth smscode smsinfo smsotp support system text trace track tracking
  trust txt update updates validate verify verifyme verifysms virus warn warning winner`.split(/\s+/);

const northAmerica: SenderRule = {
  names: 'refused',
  why: 'networks of the United States and Canada show no names as senders',
  shortCodes: [5, 6],
  numbers:
    'networks of the United States and Canada want a number registered for business SMS, or filter its texts',
  lookedUp: '2026-11-29',
  sources: ['developers.telnyx.com, alphanumeric sender id', 'docs.aws.amazon.com/sms-voice, sender-id'],
};

export const senderRules: Readonly<Record<string, SenderRule>> = {
  AU: {
    names: 'registered',
    why: "Australia's networks show a name as “Unverified” unless it is on the ACMA's SMS Sender ID Register (since 1 July 2026)",
    name: { atLeast: 2, characters: 'ascii', notAtEnds: ' _', generic: restricted, never: ['unverified'] },
    shortCodes: [6, 8],
    lookedUp: '2026-11-29',
    sources: [
      'acma.gov.au, SMS Sender ID Register, 3.1',
      'Determination F2025L01304, s 10',
      'support.gofax.com.au (restricted words)',
    ],
  },
  NZ: {
    names: 'refused',
    why: "New Zealand's networks show no names as senders",
    shortCodes: [3, 4, 5, 6],
    shortCodeNote:
      "New Zealand's networks want a text from a short code at the standard rate to say that an answer costs, and marketing to come from a zero-rated one",
    replyCost: 'answers cost your standard rate',
    numbers:
      "New Zealand's networks want business SMS to come from short codes, and may block ordinary numbers",
    lookedUp: '2026-11-28',
    sources: ['twilio.com/en/guidelines/nz/sms', 'support.tallbob.com 17000134141'],
  },
  US: northAmerica,
  CA: northAmerica,
  PR: northAmerica,
  GB: {
    names: 'allowed',
    name: { generic: blocked },
    shortCodes: [5],
    shortCodesBegin: '678',
    noForeignNumbers: {
      own: '+44',
      why: 'networks of the United Kingdom block numbers of other countries (since 2023)',
    },
    lookedUp: '2026-11-29',
    sources: [
      'support.messagemedia.com 7060182992271',
      'help.whispir.com 33692483691161',
      'help.puzzel.com/node/3163',
    ],
  },
  IE: {
    names: 'registered',
    why: "Ireland's networks show a name as “Likely Scam” unless it is in ComReg's Sender ID Registry (since July 2025)",
    shortCodes: [5],
    lookedUp: '2026-11-28',
    sources: ['rte.ie, 16 September 2025', "commsrisk.com, of ComReg's report of 16 April 2026"],
  },
  ES: {
    names: 'registered',
    why: "Spain's networks block a name unless it is in the CNMC's register, tied to the provider that sends (since 7 June 2026; one source says 15 September)",
    lookedUp: '2026-11-28',
    sources: [
      'Orden TDF/149/2025',
      'CNMC, Circular 1/2026',
      'support.app.sinch.com 15859424533647 (15 September)',
    ],
  },
  SG: {
    names: 'registered',
    why: "Singapore's networks show a name as “Likely-SCAM” or block it unless it is in the SMS Sender ID Registry (since 2023)",
    lookedUp: '2026-11-29',
    sources: ['sgnic.sg, announcement of 10 April 2023', 'help.clicksend.com qkw610m30l'],
  },
  IN: {
    names: 'registered',
    why: "India's networks refuse or replace a name that is not registered with them (DLT)",
    lookedUp: '2026-11-29',
    sources: ['TRAI, TCCCPR 2018', 'alibabacloud.com/help/en/sms, India'],
  },
};

const dayMs = 24 * 3_600_000;

/** The rows that were looked up more than a year before `now`: `AU, looked up 2026-11-29 (acma.gov.au …)`. */
export function oldRows(now: Date, rules: Readonly<Record<string, SenderRule>> = senderRules): string[] {
  return Object.entries(rules).flatMap(([country, { lookedUp, sources }]) =>
    now.getTime() - Date.parse(lookedUp) > 365 * dayMs
      ? [`${country}, looked up ${lookedUp} (${sources.join('; ')})`]
      : [],
  );
}
