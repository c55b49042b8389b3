-- Bookings are listed, followed by a feed of changes, made by the workshop itself, and shown in its calendar.
SET LOCAL lock_timeout = '10s';

-- A walk-in belongs to the workshop and to no partner. Without a partner the reference to the link is not checked; the one to the car is.
ALTER TABLE booking
  ALTER COLUMN partner_id DROP NOT NULL,
  -- The transaction of the row's last write: what the feed of changes goes by.
  ADD COLUMN changed_in xid8 NOT NULL DEFAULT pg_current_xact_id();

-- No statement can forget it, and none of the release before this one has to know it.
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER booking_change BEFORE UPDATE ON booking FOR EACH ROW EXECUTE FUNCTION note_change();

-- The feed; a partner's list, all of it or by status, newest first; the same at one workshop; by date; by the partner's reference.
CREATE INDEX booking_feed ON booking (partner_id, changed_in, id);
CREATE INDEX booking_status ON booking (partner_id, status, id) INCLUDE (date);
CREATE INDEX booking_workshop_status ON booking (workshop_id, partner_id, status, id) INCLUDE (date);
CREATE INDEX booking_date ON booking (workshop_id, date, id) INCLUDE (partner_id);
CREATE INDEX booking_external ON booking (partner_id, external_id, id) WHERE external_id IS NOT NULL;

-- Transaction numbers hold in one server only, on one line of its history: after a restore or a failover the next epoch
-- begins, and a cursor of an earlier one is read from the start again.
CREATE TABLE feed_epoch (
  only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  number            integer NOT NULL,
  system_identifier text NOT NULL,
  timeline          integer NOT NULL
);
INSERT INTO feed_epoch (number, system_identifier, timeline)
SELECT 1, system_identifier::text, timeline_id FROM pg_control_system(), pg_control_checkpoint();

-- At the business time `at`, every transaction before `before` had ended: where a feed of changes since a moment begins.
CREATE TABLE feed_mark (
  at       timestamptz NOT NULL,
  "before" xid8 NOT NULL,
  PRIMARY KEY (at, "before")
);

-- The secret address of a workshop's calendar; only its digest is kept.
CREATE TABLE workshop_calendar (
  workshop_id   uuid PRIMARY KEY REFERENCES workshop,
  secret_sha256 bytea NOT NULL UNIQUE,
  created_at    timestamptz NOT NULL
);
