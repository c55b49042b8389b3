-- The booking that a text to be sent later is about; null: none. No foreign key, which would lock bookings while it is added. Whoever still runs the release before writes none, and queues the text without it.
SET LOCAL lock_timeout = '10s';
ALTER TABLE scheduled_text ADD COLUMN booking_id uuid;
