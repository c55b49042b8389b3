/** Secrets of endpoints, and signatures according to Standard Webhooks. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** `whsec_` and 256 random bits in base64, the format of the Standard Webhooks libraries. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** The signed content: `id` is that of the event, or that of the attempt. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** One signature for each secret, separated by spaces: a receiver accepts any that it knows. */
export function signatureOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}

/** The headers of one attempt (specification: Webhooks 3). */
export function signedHeaders(
  secrets: readonly string[],
  ids: { readonly eventId: string; readonly deliveryId: string; readonly attemptId: string },
  { timestamp, body }: Omit<Signed, 'id'>,
): Record<string, string> {
  const { eventId, deliveryId, attemptId } = ids;
  return {
    'content-type': 'application/json',
    'user-agent': 'Pitlane',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets, { id: eventId, timestamp, body }),
    'x-request-id': deliveryId,
    'x-webhook-id': attemptId,
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': signatureOf(secrets, { id: attemptId, timestamp, body }),
    'x-webhook-version': '3',
  };
}
