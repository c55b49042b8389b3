/** Publishes events to partners: to the feed of each, and to subscribed endpoints. */
import type { Planner, Reactions } from '#platform/events/reaction.ts';
import type { EventKind } from '#platform/events/record.ts';
import { actionOf, actions } from './actions.ts';
import { publishEvents } from './feed/store.ts';

/** Adds to the reactions the publication of every event that has an action (`actions.ts`), after its other reactions. */
export function withPublication(reactions: Reactions): Reactions {
  const all = Object.entries(reactions).map(([kind, planners]) =>
    actionOf(kind) === null ? [kind, planners] : [kind, [...planners, publish]],
  );
  return Object.fromEntries(all) as Record<EventKind, readonly Planner[]>;
}

const publish: Planner = async (tx, events, { clock }) => {
  const action = actionOf(events[0]?.kind ?? '');
  if (action === null) return;
  const { key } = actions[action];
  const eventIds = events.map(({ id }) => id);
  await publishEvents(tx, { eventIds, action, key, now: clock.now() });
};
