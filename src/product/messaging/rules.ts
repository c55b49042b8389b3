/** The rules of messages: the length of a text, the rate limit, and checks of a body that the schema can't express. */

import { measureSms } from '#base/values/sms-text.ts';
import type { FieldError } from '#errors.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';

/** 5 requests a second for one workshop and customer (specification: Limits 1). */
export const messageLimit: RateLimit = { policy: 'messages', quota: 5, windowSeconds: 1 };

/** A text may be as long as 10 SMS segments (specification: Messages 2). */
export const segmentsAtMost = 10;

export function tooLong(field: string, segments: number): FieldError {
  return { field, message: `is ${segments} SMS segments long; at most ${segmentsAtMost} are sent` };
}

type Loose = Readonly<Record<string, unknown>>;

function inside(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Loose)[name] : undefined;
}

const absent = (value: unknown) => value === undefined || value === null;

/** Accepts any body, also one that the schema refuses, so that one response names all faults. */
export function contentErrors(body: unknown): FieldError[] {
  const errors: FieldError[] = [];
  if (absent(inside(body, 'customerId'))) {
    const phone = inside(body, 'phone');
    if (absent(phone)) errors.push({ field: 'phone', message: 'is required when customerId is omitted' });
  }
  const sms = inside(inside(body, 'channels'), 'sms');
  if (absent(sms)) return errors;
  const message = inside(sms, 'message');
  const templateId = inside(sms, 'templateId');
  if (absent(message) && absent(templateId)) {
    errors.push({ field: 'channels.sms', message: 'must have a message or a templateId' });
  }
  if (!absent(message) && !absent(templateId)) {
    errors.push({ field: 'channels.sms', message: 'must have a message or a templateId, not both' });
  }
  if (typeof message === 'string') {
    const { segments } = measureSms(message);
    if (segments > segmentsAtMost) errors.push(tooLong('channels.sms.message', segments));
  }
  return errors;
}
