/** Encodes a message as submissions, in the form that the carrier wants. */
import { type NumberType, recipient, sender } from './address.ts';
import type { Host, Sms } from './host.ts';
import type { Submission } from './messages.ts';
import { encodeParts, type TextForm, type TextFunctions, usualForm } from './parts.ts';
import { type UserReferences, userReferenceParameter } from './user-reference.ts';

export interface SubmissionForm extends TextForm {
  /** The service_type of submit_sm; empty: the carrier's default. */
  readonly serviceType: string;
  /** Replaces the types that follow from the addresses; null: those types. */
  readonly sourceType: NumberType | null;
  readonly destinationType: NumberType | null;
  /** Whether submissions have a user_message_reference. */
  readonly userReferences: UserReferences;
}

export const usualSubmission: SubmissionForm = {
  ...usualForm,
  serviceType: '',
  sourceType: null,
  destinationType: null,
  userReferences: 'auto',
};

export interface SubmissionOptions {
  readonly form: SubmissionForm;
  /** The sender of messages without one. */
  readonly source: string | null;
  /** As for `encodeParts`. */
  readonly series: number;
  /** The version of SMPP that the carrier named. */
  readonly version: number | null;
  readonly host: TextFunctions & Pick<Host, 'usualValidityMs'>;
}

/** One submission for each part. */
export function submissionsOf(
  sms: Sms,
  { form, source, series, version, host }: SubmissionOptions,
): Submission[] {
  const { serviceType, sourceType, destinationType, userReferences } = form;
  const from = { ...sender(sms.from ?? source), ...sourceType };
  const to = { ...recipient(sms.to), ...destinationType };
  const validForMs = sms.validForMs ?? host.usualValidityMs;
  const reference = userReferenceParameter(sms.reference, userReferences, version);
  return encodeParts(sms.body, series, form, host).map((part) => ({
    ...{ ...part, serviceType, from, to, validForMs },
    parameters: [...part.parameters, ...reference],
  }));
}
