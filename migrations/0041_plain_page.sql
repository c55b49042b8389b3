-- A form of the plain page that is sent twice makes one booking: what is kept of it is the workshop's, which stands in place of a
-- partner. First, since the statements of the old processes lock this table before those of workshops: in the other order the two would meet
-- in a deadlock.
ALTER TABLE idempotency DROP CONSTRAINT idempotency_partner_id_fkey;

-- Whether the plain /book/{slug} makes the workshop's own bookings. Workshops that exist at this upgrade have it off; of a new one it is
-- null until it is decided: by its set-up, or by the first import of its hours, which switches it on.
ALTER TABLE workshop ADD COLUMN plain_page boolean DEFAULT false;
ALTER TABLE workshop ALTER COLUMN plain_page DROP DEFAULT;
