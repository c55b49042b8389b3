-- Whether the plain /book/{slug} makes the workshop's own bookings. Workshops that exist at this upgrade have it off; of a new one it is
-- null until it is decided: by its set-up, or by the first import of its hours, which switches it on.
ALTER TABLE workshop ADD COLUMN plain_page boolean DEFAULT false;
ALTER TABLE workshop ALTER COLUMN plain_page DROP DEFAULT;

-- A form of that page that is sent twice makes one booking: what is kept of it is the workshop's, which stands in place of a partner.
ALTER TABLE idempotency DROP CONSTRAINT idempotency_partner_id_fkey;
