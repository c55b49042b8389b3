/** Wire shapes of the partner report. */
import { type Static, type TUnsafe, Type } from 'typebox';
import { localDate, out, ref, word } from '#platform/http/fields.ts';
import { type CountName, type Counts, counts } from './counts.ts';

export const groupings = ['day', 'week', 'month', 'workshop'] as const;

export const PartnerReportQuery = Type.Object({
  from: localDate({ description: 'A local date.' }),
  to: localDate({ description: 'A local date, included; at most 365 days after `from`.' }),
  workshopId: Type.Optional(
    Type.String({ maxLength: 255, description: 'What you did at this workshop alone.' }),
  ),
  groupBy: Type.Optional(
    word(groupings, {
      description: 'A group for each, `week` by ISO 8601; absent: one group, `total`.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "An IANA name, which says when days begin. The workshop's when one is named, else UTC. It is one that " +
        "Temporal and PostgreSQL both take, written as in IANA's list, so that it means the same everywhere: 400 " +
        'with the nearest name for others, such as `AET`. Not taken are `CET`, `EET`, `MET` and `WET` either, ' +
        'which PostgreSQL reads as one offset all the year.',
      examples: ['Australia/Melbourne'],
    }),
  ),
});
export type PartnerReportQuery = Static<typeof PartnerReportQuery>;

const countFields = Object.fromEntries(
  Object.entries(counts).map(([name, description]) => [name, out.integer({ description })]),
) as Record<CountName, TUnsafe<number>>;

const ReportCounts = Type.Object(countFields, {
  $id: 'ReportCounts',
  description: 'What happened, counted.',
});

const ReportGroup = Type.Object(
  {
    key: out.string({
      description: '`2027-03-28`, `2027-W12`, `2027-03`, the id of a workshop, or `total`.',
      examples: ['2027-03-28'],
    }),
    ...countFields,
  },
  { $id: 'ReportGroup', description: 'What happened in one period or at one workshop.' },
);
export type ReportGroup = { readonly key: string } & Counts;

export const PartnerReport = Type.Object(
  {
    success: out.success(true),
    from: out.date('The first local date.'),
    to: out.date('The last local date.'),
    timezone: out.string({
      description: 'What says when days begin: an IANA name.',
      examples: ['Australia/Melbourne'],
    }),
    groups: out.list(ref(ReportGroup), 'In the order of their keys, also where nothing happened.'),
    totals: ref(ReportCounts),
  },
  {
    description:
      'A group for each period or workshop, also where nothing happened; and all of them together.',
  },
);
export type PartnerReport = Static<typeof PartnerReport>;

export const reportComponents = [ReportCounts, ReportGroup];
