/** The wire form of a message, built by the database: the same in responses and events. */
import { instantJson } from '#platform/db/json.ts';

/** Details of these reasons are only for the operator: the gateway's text names settings. */
function detailOf(row: string): string {
  return `CASE WHEN ${row}.reason IS DISTINCT FROM 'gatewayUnavailable' THEN ${row}.detail END`;
}

/** The version of the template that was rendered; a row from a release without versions has the first. */
export function templateVersionOf(row: string): string {
  return `CASE WHEN ${row}.template_id IS NOT NULL THEN coalesce(${row}.template_version, 1) END`;
}

/** A jsonb expression over a message row `m`, without its attempts. */
export function messageJson(m: string): string {
  return `jsonb_build_object('id', ${m}.id, 'workshopId', ${m}.workshop_id, 'conversationId', ${m}.conversation_id,
    'customerId', ${m}.customer_id, 'bookingId', ${m}.booking_id, 'templateId', ${m}.template_id,
    'templateVersion', ${templateVersionOf(m)},
    'referenceId', ${m}.reference_id, 'direction', ${m}.direction, 'phone', ${m}.recipient, 'body', ${m}.body,
    'encoding', ${m}.encoding, 'segments', ${m}.segments, 'state', ${m}.state, 'reason', ${m}.reason, 'detail', ${detailOf(m)},
    'createdAt', ${instantJson(`${m}.created_at`)}, 'updatedAt', ${instantJson(`${m}.updated_at`)})`;
}

/** A jsonb expression over an attempt row `a`, with instants in business time. */
export function attemptJson(a: string): string {
  return `jsonb_build_object('number', ${a}.number, 'state', ${a}.state, 'reason', ${a}.reason, 'detail', ${detailOf(a)},
    'repeatsUnknown', ${a}.repeats_unknown, 'startedAt', ${instantJson(`${a}.business_started_at`)},
    'finishedAt', ${instantJson(`${a}.business_finished_at`)})`;
}
