/** A form of a conversation's page that was sent and refused. */
import type { Refused } from '../../frame/form-key/submit.ts';

export interface SentForm {
  /** Which one: `answer`, `note`. */
  readonly form: string;
  readonly refused: Refused;
}

/** Why this form was refused; null: it was not sent. */
export const refusedOf = (sent: SentForm | null, form: string): Refused | null =>
  sent?.form === form ? sent.refused : null;
