/**
 * The body of a delivery, and of the same event in the feed: under 64 KB, whatever the size of its object (specification: Webhooks
 * 2).
 */
import { ownValue } from '#base/values/own-value.ts';
import { actions, testAction } from './actions.ts';

/** An event as partners get it. */
export interface PublishedEvent {
  readonly id: string;
  readonly action: string;
  /** The version of its object. */
  readonly version: number;
  /** The event's payload; the object is under the action's key. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface WebhookBody {
  readonly id: string;
  readonly action: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** The version of the body format. */
  readonly version: 3;
  /** The fields of the object that were left out, as null or an empty list, because the body would be too large. */
  readonly omittedFields?: string[];
  readonly [key: string]: unknown;
}

const belowBytes = 64 * 1024;

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Null when the payload lacks the object. */
export function bodyOf(event: PublishedEvent, timestamp: number): WebhookBody | null {
  const { id, action, version, payload } = event;
  const head = { id, action, timestamp, version: 3 } as const;
  if (action === testAction) return head;
  const key = ownValue(actions, action)?.key;
  const object = key && payload[key];
  if (key === undefined || typeof object !== 'object' || object === null) return null;
  const whole = { ...head, [key]: { ...object, version } };
  return sizeOf(whole) < belowBytes ? whole : shortened(head, key, { ...object, version });
}

/** Leaves out the largest fields until the body is small enough. */
function shortened(
  head: Pick<WebhookBody, 'id' | 'action' | 'timestamp' | 'version'>,
  key: string,
  object: Readonly<Record<string, unknown>>,
): WebhookBody {
  const largest = Object.keys(object).sort((one, other) => sizeOf(object[other]) - sizeOf(object[one]));
  const left: Record<string, unknown> = { ...object };
  const omittedFields: string[] = [];
  for (const name of largest) {
    left[name] = Array.isArray(object[name]) ? [] : null;
    omittedFields.push(name);
    const body = { ...head, omittedFields, [key]: left };
    if (sizeOf(body) < belowBytes) return body;
  }
  return { ...head, omittedFields, [key]: left };
}
