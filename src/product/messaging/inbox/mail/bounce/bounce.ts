/** The content of a bounce: fields of a delivery report (RFC 3464), or the words of an old mail server. */

export type Bounce =
  | {
      readonly kind: 'failed';
      /** Status code and diagnostic, as received. */
      readonly why: string;
      /** The mailbox does not exist, permanently. */
      readonly isAddressInvalid: boolean;
      /** The addresses that it names, in lower case, of an invalid address those alone that it says are gone; may be empty. */
      readonly recipients: readonly string[];
    }
  /** The mail server keeps trying. */
  | { readonly kind: 'delayed' }
  /** Not about our e-mail: an out-of-office reply, or a person. */
  | { readonly kind: 'other' };

export const other: Bounce = { kind: 'other' };
export const delayed: Bounce = { kind: 'delayed' };

/** The address alone, in lower case, for example of `<sam@x.example>`. */
export const bareAddress = (text: string) => text.replace(/[<>\s]/g, '').toLowerCase();
