/** Settings of how long messages are kept. */
import { integer } from './kinds.ts';
import { setting, type Values } from './setting.ts';

/** At least the retention of events, which are still read. */
const days = integer({ from: 30, to: 36_500, unit: 'days' });

export const retentionSettings = {
  noticesKeptDays: setting('PITLANE_NOTICES_KEPT_DAYS', days, {
    default: '90',
    help: 'How long notices of bookings and digests of answers are kept.',
  }),
  /** Null: for good. */
  messagesKeptDays: setting('PITLANE_MESSAGES_KEPT_DAYS', days, {
    unset: 'for good',
    help: 'How long the messages of conversations are kept. One with a `referenceId` stays without its text, since a repeat of its request is still answered.',
  }),
  remindersKeptDays: setting('PITLANE_REMINDERS_KEPT_DAYS', days, {
    default: '730',
    help: 'How long service reminders are kept after they were sent, booked, cancelled or failed; so long their codes work.',
  }),
  quotesKeptDays: setting('PITLANE_QUOTES_KEPT_DAYS', days, {
    default: '730',
    help: 'How long quotes without a booking are kept after they last changed: those that were declined, that ended, or that no workshop priced.',
  }),
  callLeadsKeptDays: setting('PITLANE_CALL_LEADS_KEPT_DAYS', days, {
    default: '730',
    help: 'How long calls that partners registered are kept. A partner report covers up to 366 days.',
  }),
  auditKeptDays: setting('PITLANE_AUDIT_KEPT_DAYS', days, {
    default: '400',
    help: 'How long the audit trail is kept: who changed what, and when.',
  }),
};

export type RetentionConfig = Values<typeof retentionSettings>;
