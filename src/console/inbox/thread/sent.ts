/** A form of a conversation's page as it was sent, for the page that shows it again. */
import type { Form } from '#platform/pages/form.ts';
import type { Refused } from '../../frame/form-key/submit.ts';

export interface SentForm {
  /** As it was typed. */
  readonly form: Form;
  /** The refusal; null: the form only asked for a preview. */
  readonly refused: Refused | null;
  /** Said above the form. */
  readonly notes?: readonly string[];
  /** The form: `note`, `done`. Absent: the form of an answer. */
  readonly of?: string;
}

/** The fields of the form of an answer; null: another form was sent. */
export const answerOf = (sent: SentForm | null): SentForm | null =>
  sent === null || sent.of !== undefined ? null : sent;
