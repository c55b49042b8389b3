/**
 * The senders of an SMS that networks accept, by country. From the regulators (ACMA's SMS Sender ID Register, ComReg's and IMDA's
 * registries, TRAI's DLT) and from the gateways' documentation of each country (Twilio, Telnyx, AWS, TNZ), as of 2026. For a
 * country that is not listed, no rule is known.
 */

export interface SenderRule {
  /** Names such as `Carlton`: accepted, accepted when they are registered, or refused. */
  readonly names: 'allowed' | 'registered' | 'refused';
  /** The reason when names are not simply allowed; a clause for use after a colon. */
  readonly why?: string;
  /** The possible lengths of a short code, in digits. */
  readonly shortCodes?: readonly number[];
  /** A note about an ordinary number as sender. */
  readonly numbers?: string;
}

const northAmerica: SenderRule = {
  names: 'refused',
  why: 'networks of the United States and Canada show no names as senders',
  shortCodes: [5, 6],
  numbers: 'networks of the United States and Canada want it registered for business SMS, or filter them',
};

export const senderRules: Readonly<Record<string, SenderRule>> = {
  AU: {
    names: 'registered',
    why: "Australia's networks show a name as “Unverified” unless it is on the ACMA's SMS Sender ID Register (since 1 July 2026)",
    shortCodes: [6, 8],
  },
  NZ: {
    names: 'refused',
    why: "New Zealand's networks show no names as senders",
    shortCodes: [3, 4, 5, 6],
    numbers:
      "New Zealand's networks want business SMS to come from short codes, and may block ordinary numbers",
  },
  US: northAmerica,
  CA: northAmerica,
  PR: northAmerica,
  GB: { names: 'allowed', shortCodes: [5, 6, 7, 8] },
  IE: {
    names: 'registered',
    why: "Ireland's networks show a name as “Likely Scam” unless it is in ComReg's Sender ID Registry (since July 2025)",
    shortCodes: [5],
  },
  SG: {
    names: 'registered',
    why: "Singapore's networks show a name as “Likely-SCAM” or block it unless it is in the SMS Sender ID Registry (since 2023)",
  },
  IN: {
    names: 'registered',
    why: "India's networks refuse or replace a name that is not registered with them (DLT)",
  },
};
