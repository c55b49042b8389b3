/** Records of a workshop as plain lists, from their declarations: calls, reminders. */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import type { RecordType, StaffRow } from '#platform/records/record.ts';
import { listRecords } from '#platform/records/staff/store.ts';
import { callRecord } from '#product/leads/record.ts';
import type { Permission } from '#product/people/permissions.ts';
import { reminderRecord } from '#product/reminders/record.ts';
import { phoneLink } from '../frame/masked.ts';
import { type Live, type NavigationName, page, type WorkshopRoute } from '../frame/place.ts';
import { listedAtMost, table } from './table.ts';

interface RecordList<Item extends StaffRow & { readonly id: string }> {
  readonly record: RecordType<unknown, Item>;
  readonly path: string;
  readonly title: string;
  readonly current: NavigationName;
  readonly permission: Permission;
  /** What the list shows. */
  readonly live: readonly Live[];
  /** What waits. */
  readonly states: readonly string[];
  readonly empty: string;
  /** What can be done about it, by the path of the workshop's places. */
  readonly way?: (item: Item, base: string) => readonly [label: string, href: string];
}

function recordList<Item extends StaffRow & { readonly id: string }>(list: RecordList<Item>): WorkshopRoute {
  const { record, path, title, current, permission, live, states, empty, way } = list;
  const columns = Object.entries(record.people.columns).filter(([name]) => name !== 'LEAD');
  return page(path, permission, async (visit) => {
    const { context, workshop, base, query } = visit;
    const before = query['before'] ?? '';
    const items = await listRecords(context.db, record, {
      ...{ workshopId: workshop.workshopId, states, filters: {}, limit: listedAtMost },
      before: isId(before) ? before : null,
    });
    const shown = {
      time: (at: string | null) => at && localDateTime(new Date(at), workshop.timezone),
      phone: (phone: string | null) => phone,
    };
    const cells = (item: Item) =>
      columns.map(([name, of]) => {
        const value = of(item, shown);
        return name === 'PHONE' ? phoneLink(value === null ? null : String(value), workshop) : textOf(value);
      });
    const ways = (item: Item) => {
      if (way === undefined || !visit.may('changeBookings')) return [];
      const [label, href] = way(item, base);
      return [html`<a href="${href}">${label}</a>`];
    };
    const last = items.at(-1);
    return {
      ...{ title, current, live },
      isWide: true,
      main: html`<h1>${title}</h1>${table({
        head: [
          ...columns.map(([name]) => inWords(name)),
          ...(way && visit.may('changeBookings') ? [''] : []),
        ],
        rows: items.map((item) => [...cells(item), ...ways(item)]),
        next: items.length < listedAtMost || !last ? null : `${base}/${path}?before=${last.id}`,
        empty,
      })}`,
    };
  });
}

const inWords = (name: string) => name.charAt(0) + name.slice(1).toLowerCase();

function textOf(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

export const recordLists: readonly WorkshopRoute[] = [
  recordList({
    ...{ record: callRecord, path: 'calls', title: 'Calls', current: 'Calls', permission: 'seeQuotes' },
    live: ['call'],
    states: ['missed', 'voicemail'],
    empty: 'No call was missed.',
    way: ({ id }, base) => ['New booking', `${base}/bookings/new?call=${id}`],
  }),
  recordList({
    ...{ record: reminderRecord, path: 'reminders', title: 'Reminders', current: 'More' },
    permission: 'seeReminders',
    live: ['reminder', 'customer'],
    states: ['scheduled'],
    empty: 'No reminder is scheduled.',
  }),
];
