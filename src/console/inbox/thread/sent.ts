/** A form of a conversation's page as it was sent, for the page that shows it again. */
import type { Form } from '#platform/pages/form.ts';
import type { Refused } from '../../frame/form-key/submit.ts';

export interface SentForm {
  /** As it was typed. */
  readonly form: Form;
  /** Why nothing was done; null: nothing was to be done. */
  readonly refused: Refused | null;
  /** Said above the form. */
  readonly notes?: readonly string[];
  /** Which one: `note`, `done`. Absent: that of an answer. */
  readonly of?: string;
}

/** What was sent by the form of an answer; null: nothing was. */
export const answerOf = (sent: SentForm | null): SentForm | null =>
  sent === null || sent.of !== undefined ? null : sent;
