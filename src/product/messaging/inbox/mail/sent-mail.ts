/** The e-mail that a workshop answers, as it is known: by this its quotation is found, in any language. */
export interface SentMail {
  /** The addresses that it was sent from, in lower case. */
  readonly senders: readonly string[];
  /** The names that it was sent in: the workshop's, and the installation's. */
  readonly names: readonly string[];
  /** The workshop's own addresses, to which it went, in lower case. */
  readonly recipients: readonly string[];
  /** The customer's words, which it quotes. */
  readonly answers: readonly string[];
}

export const nothingKnown: SentMail = { senders: [], names: [], recipients: [], answers: [] };

/** The line in the e-mail above which the reply stands. */
export const replyLine = 'Write your reply above this line.';
