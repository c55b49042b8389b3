/** Addresses with their type of number (TON) and numbering plan (NPI): SMPP 3.4, sections 5.2.5 and 5.2.6. */

export interface Address {
  readonly ton: number;
  readonly npi: number;
  readonly text: string;
}

export type NumberType = Pick<Address, 'ton' | 'npi'>;

const international: NumberType = { ton: 1, npi: 1 };
/** Type and plan of no address: the carrier puts in its own sender. */
const none: Address = { ton: 0, npi: 0, text: '' };

/** An E.164 number of the product, with its plus. */
export const recipient = (phone: string): Address => ({ ...international, text: phone.replace(/^\+/, '') });

/** The shown sender: an E.164 number with its plus, a short code, or a name. */
export function sender(text: string | null): Address {
  if (text === null || text === '') return none;
  if (text.startsWith('+')) return recipient(text);
  return /^\d+$/.test(text) ? { ton: 3, npi: 0, text } : { ton: 5, npi: 0, text };
}

/** Writes a number as the product does: with a plus when the carrier says that it is international. */
export const written = ({ ton, text }: Address): string =>
  ton === international.ton && /^\d+$/.test(text) ? `+${text}` : text;

/** The number of the product that an address which `recipient` made, and a carrier gives back, stands for; of whatever type it says. */
export const asSubmitted = ({ text }: Address): string => `+${text.replace(/^\+/, '')}`;
