/**
 * Whether a partner may act at a workshop now, declared once. Made from it: the columns of `gate` and the condition of work that goes on
 * without a request (`store.ts`), and the refusals of requests (`gate.ts`). That there is a link at all is each statement's join.
 */
import type { ErrorCode } from '#errors.ts';

/** The rows that are asked, by their names in the statement. */
export interface AccessRows {
  readonly link: string;
  readonly partner: string;
  readonly workshop: string;
}

interface Condition {
  /** An SQL condition. */
  readonly sql: (rows: AccessRows) => string;
  readonly code: ErrorCode;
  readonly message: string;
}

export const conditions = {
  linkActive: {
    sql: ({ link }) => `${link}.active`,
    code: '000004',
    message: 'Partner integration is disabled for this workshop',
  },
  messagingFeature: {
    sql: ({ partner }) => `${partner}.messaging_enabled`,
    code: '000003',
    message: 'Messaging is switched off for this partner',
  },
  campaignsFeature: {
    sql: ({ partner }) => `${partner}.campaigns_enabled`,
    code: '000003',
    message: 'Campaigns are switched off for this partner',
  },
  inboxMessaging: {
    sql: ({ workshop }) => `${workshop}.inbox_messaging_enabled`,
    code: '000004',
    message: 'Inbox messaging is disabled for this workshop',
  },
} as const satisfies Record<string, Condition>;

/** What each kind of work needs, in the order in which a request is refused. */
export const needs = {
  /** Bookings, quotes, calls, their pages. */
  dealing: ['linkActive'],
  messaging: ['messagingFeature', 'linkActive', 'inboxMessaging'],
  /** Triggers of automations and blasts. */
  campaigns: ['campaignsFeature', 'linkActive', 'inboxMessaging'],
} as const satisfies Record<string, readonly (keyof typeof conditions)[]>;

export type Work = keyof typeof needs;
/** Those of the conditions that a kind of work needs, as they are. */
export type Flags<W extends Work> = Readonly<Record<(typeof needs)[W][number], boolean>>;

/** Of a partner who is suspended no token is accepted: a request need not ask, what goes on without one has to. */
const partnerActive = ({ partner }: Pick<AccessRows, 'partner'>) => `${partner}.status = 'active'`;

/** As most statements name them. */
export const usualRows: AccessRows = { link: 'l', partner: 'p', workshop: 'w' };

/** A condition on joined rows (a dealing needs no workshop's): what a partner has begun, or has customers do on pages, may go on. */
export function isOpen(work: Work, rows = usualRows): string {
  const all = [partnerActive(rows), ...needs[work].map((name) => conditions[name].sql(rows))];
  return `(${all.join(' AND ')})`;
}
