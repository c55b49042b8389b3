/** Encodes a message as submissions, in the form that the carrier wants. */
import { type OutboundSms, usualValidityMs } from '../gateway.ts';
import { type NumberType, recipient, sender } from './address.ts';
import type { Submission } from './messages.ts';
import { encodeParts, type TextForm, usualForm } from './parts.ts';

export interface SubmissionForm extends TextForm {
  /** The service_type of submit_sm; empty: the carrier's default. */
  readonly serviceType: string;
  /** Replaces the types that follow from the addresses; null: those types. */
  readonly sourceType: NumberType | null;
  readonly destinationType: NumberType | null;
}

export const usualSubmission: SubmissionForm = {
  ...usualForm,
  serviceType: '',
  sourceType: null,
  destinationType: null,
};

/** One submission for each part; `source` is the sender of messages without one, `series` as for `encodeParts`. */
export function submissionsOf(
  sms: OutboundSms,
  { form, source, series }: { form: SubmissionForm; source: string | null; series: number },
): Submission[] {
  const { serviceType, sourceType, destinationType } = form;
  const from = { ...sender(sms.from ?? source), ...sourceType };
  const to = { ...recipient(sms.to), ...destinationType };
  const validForMs = sms.validForMs ?? usualValidityMs;
  return encodeParts(sms.body, series, form).map((part) => ({ ...part, serviceType, from, to, validForMs }));
}
