/**
 * Whether a partner may act at a workshop now, declared once. Derived from it: the columns of `gate` and the condition for work
 * without a request (`store.ts`), and the refusals of requests (`gate.ts`). The existence of a link is checked by the join of each
 * statement.
 */
import type { ErrorCode } from '#errors.ts';

/** The rows that are checked, by their aliases in the statement. */
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

/** The conditions of each kind of work, in the order in which a request is refused. */
export const needs = {
  /** Bookings, quotes, calls, their pages. */
  dealing: ['linkActive'],
  messaging: ['messagingFeature', 'linkActive', 'inboxMessaging'],
  /** Triggers of automations and blasts. */
  campaigns: ['campaignsFeature', 'linkActive', 'inboxMessaging'],
} as const satisfies Record<string, readonly (keyof typeof conditions)[]>;

export type Work = keyof typeof needs;
/** The states of the conditions that a kind of work needs. */
export type Flags<W extends Work> = Readonly<Record<(typeof needs)[W][number], boolean>>;

/** No token of a suspended partner is accepted, so only work without a request has to check this. */
const partnerActive = ({ partner }: Pick<AccessRows, 'partner'>) => `${partner}.status = 'active'`;

/** The usual aliases. */
export const usualRows: AccessRows = { link: 'l', partner: 'p', workshop: 'w' };

/**
 * A condition on joined rows (`dealing` needs no workshop row): work that a partner began, or that customers do on its pages, may
 * continue.
 */
export function isOpen(work: Work, rows = usualRows): string {
  const all = [partnerActive(rows), ...needs[work].map((name) => conditions[name].sql(rows))];
  return `(${all.join(' AND ')})`;
}
