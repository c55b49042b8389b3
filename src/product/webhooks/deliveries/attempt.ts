/** One attempt of a delivery: builds its body, signs it and calls the endpoint. */
import type { Context } from '#platform/context.ts';
import { bodyOf, type PublishedEvent } from '../body.ts';
import { signedHeaders } from '../sign.ts';
import type { DeliveryAttempt } from './log/schema.ts';

export interface Target {
  readonly partnerId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** All active secrets, sealed. */
  readonly sealedSecrets: readonly string[];
}

export interface Sending {
  readonly deliveryId: string;
  readonly attemptId: string;
  /** Null when the event is no longer stored. */
  readonly event: PublishedEvent | null;
}

export interface Attempted {
  readonly attempt: DeliveryAttempt;
  readonly delivered: boolean;
  /** 410: the receiver asks for no more deliveries. */
  readonly gone: boolean;
  /** False when the endpoint was not called. */
  readonly called: boolean;
  /** False when another attempt is pointless. */
  readonly mayRetry: boolean;
}

/** Any 2xx is a success. Never rejects. */
export async function attempt(
  { clock, sealing, outbound }: Pick<Context, 'clock' | 'sealing' | 'outbound'>,
  { partnerId, webhookId, url, method, sealedSecrets }: Target,
  { deliveryId, attemptId, event }: Sending,
): Promise<Attempted> {
  const at = clock.now().toISOString();
  const uncalled = (error: string, mayRetry: boolean): Attempted => ({
    attempt: { at, responseStatus: null, durationMs: null, error },
    ...{ delivered: false, gone: false, called: false, mayRetry },
  });
  const timestamp = Math.floor(clock.machineNow().getTime() / 1_000);
  const content = event === null ? null : bodyOf(event, timestamp);
  if (event === null || content === null) return uncalled('the event is no longer stored', false);
  const secrets = sealedSecrets.flatMap((sealed) => sealing.open('webhookSecret', sealed, webhookId) ?? []);
  if (secrets.length === 0) return uncalled('the secret can not be read any more: rotate it', true);

  const body = JSON.stringify(content);
  const ids = { eventId: event.id, deliveryId, attemptId };
  const headers = signedHeaders(secrets, ids, { timestamp, body });
  const answer = await outbound.call(url, { partnerId, method, headers, body });
  const { status, durationMs } = answer;
  const delivered = status !== null && status >= 200 && status < 300;
  const error = answer.error ?? (delivered ? null : textOf(answer.status));
  return {
    attempt: { at, responseStatus: status, durationMs, error },
    ...{ delivered, gone: status === 410, called: true, mayRetry: true },
  };
}

function textOf(status: number): string {
  if (status === 410) return 'the receiver answered 410: the endpoint is disabled';
  if (status >= 300 && status < 400) return `the receiver answered ${status}: redirects are not followed`;
  return `the receiver answered ${status}`;
}
