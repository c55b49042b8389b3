/**
 * ALL FUNCTIONS AND TRIGGERS OF THE DATABASE ON ONE PAGE. Each file is beside its domain, with one function and its triggers, or with a trigger
 * whose function has a file of its own. A function that calls another in SQL stands after it (docs/design/functions.md).
 */

/** Below src/. */
export const functionFiles = [
  'platform/db/first_id.sql',
  'platform/db/made_at.sql',
  'platform/records/note_change.sql',
  'product/bookings/booking_change.sql',
  'product/bookings/hold_made_places.sql',
  'product/bookings/hold_place.sql',
  'product/bookings/hold_places.sql',
  'product/bookings/limit_keys.sql',
  'product/campaigns/blasts/recipients/blast_recipient_counted.sql',
  'product/campaigns/blasts/recipients/count_recipients.sql',
  'product/campaigns/campaign_message_changed.sql',
  'product/campaigns/message_campaign.sql',
  'product/customers/count_customer_change.sql',
  'product/customers/search/search_parts.sql',
  'product/customers/share_opt_out.sql',
  'product/messaging/inbox/desk/customer_opt_out_decides.sql',
  'product/messaging/inbox/desk/customer_talk_changed.sql',
  'product/messaging/inbox/desk/customer_talk.sql',
  'product/messaging/inbox/desk/hold_talks.sql',
  'product/messaging/inbox/desk/read_changed_talks.sql',
  'product/messaging/inbox/desk/read_talks.sql',
  'product/messaging/inbox/desk/talk_forgotten.sql',
  'product/messaging/inbox/desk/talk_said.sql',
  'product/messaging/inbox/desk/talk_text_changed.sql',
  'product/messaging/inbox/desk/text_fate.sql',
  'product/people/shown/count_shown.sql',
  'product/quotes/quote_change.sql',
  'product/reminders/service_reminder_change.sql',
  'product/sending/known_zone.sql',
  'product/templates/keep_template_version.sql',
] as const;
