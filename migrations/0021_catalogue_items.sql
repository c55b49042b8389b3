-- Services of a booking come from the workshop's catalogue, or are the partner's own.
--
-- Locks: bookings are read and not written while this runs, which writes each booking with services once and makes an index; at
-- the end, for an instant, they are not read either. What can't have its lock within ten seconds gives up and changes nothing.
SET LOCAL lock_timeout = '10s';
LOCK TABLE booking IN EXCLUSIVE MODE;

-- Earlier ones are the partner's own, and keep what they say. They show more fields now, so they get another version:
-- no ETag may stand for two bodies.
UPDATE booking
   SET services = (SELECT jsonb_agg('{"catalogId": null, "icon": null, "color": null, "source": "custom"}'::jsonb || item ORDER BY n)
                     FROM jsonb_array_elements(services) WITH ORDINALITY AS each (item, n)),
       version = version + 1, updated_at = updated_at + interval '1 millisecond'
 WHERE services <> '[]';

-- What bookings occupy and count for on some days is read from the index alone, and grouped in its order.
CREATE INDEX booking_occupied_counted ON booking (workshop_id, occupied_from, occupied_until) INCLUDE (counted_services, counted_categories)
  WHERE occupied_until - occupied_from <= interval '24 hours';

ALTER TABLE booking
  -- The minutes of each of its services, in their order, as the catalogue had them; 0: none. Empty: none has any.
  ADD COLUMN service_minutes integer[] NOT NULL DEFAULT '{}',
  -- Its category follows its services, since no request has named one.
  ADD COLUMN service_category_derived boolean NOT NULL DEFAULT false;
DROP INDEX booking_occupied;
ALTER INDEX booking_occupied_counted RENAME TO booking_occupied;
