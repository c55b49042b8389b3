/** What came of an e-mail, as its bounce says: fields of a delivery report (RFC 3464), or the words of an old mail server. */

export type Bounce =
  | {
      readonly kind: 'failed';
      /** Status code and diagnostic, as they came. */
      readonly why: string;
      /** There is no such mailbox, and never will be. */
      readonly isAddressInvalid: boolean;
      /** Whom it names, in lower case; may be empty. */
      readonly recipients: readonly string[];
    }
  /** The mail server goes on trying. */
  | { readonly kind: 'delayed' }
  /** Nothing about our e-mail: out of office, or a person. */
  | { readonly kind: 'other' };

export const other: Bounce = { kind: 'other' };
export const delayed: Bounce = { kind: 'delayed' };

/** The address alone, in lower case: of `<sam@x.example>`, say. */
export const bareAddress = (text: string) => text.replace(/[<>\s]/g, '').toLowerCase();
