/** Addresses with their type of number (TON) and numbering plan (NPI): SMPP 3.4, sections 5.2.5 and 5.2.6. */

export interface Address {
  readonly ton: number;
  readonly npi: number;
  readonly text: string;
}

export type NumberType = Pick<Address, 'ton' | 'npi'>;

const international: NumberType = { ton: 1, npi: 1 };
/** No one's type: the carrier puts in its own sender. */
const none: Address = { ton: 0, npi: 0, text: '' };

/** A number in E.164 as it stands in the product, with its plus. */
export const recipient = (phone: string): Address => ({ ...international, text: phone.replace(/^\+/, '') });

/** The sender that is shown: a number in E.164 with its plus, a short code, or a name. */
export function sender(text: string | null): Address {
  if (text === null || text === '') return none;
  if (text.startsWith('+')) return recipient(text);
  return /^\d+$/.test(text) ? { ton: 3, npi: 0, text } : { ton: 5, npi: 0, text };
}

/** As the product writes numbers: with a plus where the carrier says that it is an international one. */
export const written = ({ ton, text }: Address): string =>
  ton === international.ton && /^\d+$/.test(text) ? `+${text}` : text;
