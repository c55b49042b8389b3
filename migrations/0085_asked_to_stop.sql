-- What a customer wrote may be a wish to stop that no opt-out word says, or an opt-out word that was about a booking: the talk says so until
-- staff have decided. A tapback is no answer, and HELP has one by itself. Nothing is written while two kinds of messages are added.
SET LOCAL lock_timeout = '10s';

ALTER TABLE talk
  -- The newest text by which the customer may have asked for no more texts; null: none, or somebody has decided. Until then campaigns and
  -- reminders are skipped.
  ADD COLUMN asked_id uuid,
  -- An opt-out word that may have been about a booking of that day: it waits for an answer, although it was confirmed.
  ADD COLUMN meant_id uuid,
  ADD COLUMN meant_booking_id uuid;

CREATE INDEX talk_asked ON talk (workshop_id) WHERE asked_id IS NOT NULL;

ALTER TABLE message DROP CONSTRAINT message_kind_check;
ALTER TABLE message ADD CONSTRAINT message_kind_check CHECK (kind IN (
  'partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'bookingNotice', 'quoteNotice', 'carReady', 'serviceReminder', 'inboxDigest',
  'inbound', 'reaction', 'automation', 'blast')) NOT VALID;
