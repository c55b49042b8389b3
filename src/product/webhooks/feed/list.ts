/** GET /events: a partner's events of the last 30 days, as a feed. */

import { parseInstant } from '#base/values/instant.ts';
import type { Context } from '#platform/context.ts';
import { eventsKeptDays } from '#platform/events/purge.ts';
import { feedCursorAt, readFeedCursor } from '#platform/http/feed-cursor.ts';
import type { Listed } from '#platform/http/paging.ts';
import { bodyOf, type WebhookBody } from '../body.ts';
import type { ListEventsQuery } from '../schema.ts';
import { readEventFeed } from './store.ts';

export interface EventPage {
  readonly events: WebhookBody[];
  /** Never null. */
  readonly nextCursor: string;
}

/** Throws 400 000001 for a cursor of another list. */
export async function listOwnEvents(
  { db, clock, sealing }: Pick<Context, 'db' | 'clock' | 'sealing'>,
  partnerId: string,
  query: ListEventsQuery,
): Promise<EventPage> {
  const { limit = 50, cursor, action } = query;
  const from = query.since === undefined ? null : parseInstant(query.since);
  const listed: Listed = { list: 'events', filters: { action, since: from?.toISOString() } };
  const position = cursor === undefined ? null : readFeedCursor(sealing, cursor, listed);
  const since = from ?? new Date(clock.now().getTime() - eventsKeptDays * 86_400_000);
  const page = await readEventFeed(db, partnerId, action ?? null, { since, position, limit });
  const events = page.items.flatMap(({ at, ...event }) => bodyOf(event, at) ?? []);
  return { events, nextCursor: feedCursorAt(sealing, page, listed, cursor) };
}
