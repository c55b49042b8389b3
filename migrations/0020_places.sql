-- No overbooking: bookings are held to slots and daily limits here, and staff may block bays.
--
-- Locks: booking is neither read nor written while this runs, which reads each booking once and writes those ahead that have no
-- place yet. What can't have its lock within ten seconds gives up and changes nothing.
SET LOCAL lock_timeout = '10s';

-- A booking's place is what it occupies and what it counts for.
ALTER TABLE booking
  -- The set-up (workshop.setup_version) that its place follows from; null: from before there was any.
  ADD COLUMN place_version integer,
  -- What its place was held to when it was written: free slots and limits, or limits alone. Null: nothing.
  ADD COLUMN held_to text CHECK (held_to IN ('slots', 'limits'));

-- A local day of a workshop as one set-up has it. Whoever takes a place on it locks the row first. The slots are of one length.
CREATE TABLE workshop_day (
  workshop_id   uuid NOT NULL REFERENCES workshop (id),
  starts_at     timestamptz NOT NULL,
  ends_at       timestamptz NOT NULL CHECK (ends_at > starts_at),
  setup_version integer NOT NULL,
  bays          integer NOT NULL,
  slot_minutes  integer NOT NULL,
  slots         timestamptz[] NOT NULL,
  PRIMARY KEY (workshop_id, starts_at)
);
CREATE INDEX workshop_day_end ON workshop_day (ends_at);

-- Bays that are not to be had for a time. Null bays are all of them.
CREATE TABLE bay_block (
  id            uuid PRIMARY KEY,
  workshop_id   uuid NOT NULL REFERENCES workshop (id),
  blocked_from  timestamptz NOT NULL,
  blocked_until timestamptz NOT NULL CHECK (blocked_until > blocked_from),
  bays          integer CHECK (bays > 0),
  reason        text NOT NULL,
  created_at    timestamptz NOT NULL
);
CREATE INDEX bay_block_time ON bay_block (workshop_id, blocked_until);
CREATE INDEX bay_block_end ON bay_block (blocked_until);

-- What items count under: a service with a limit of its own (`limited`) under that, others under their categories.
CREATE FUNCTION limit_keys(services uuid[], categories text[], limited uuid[]) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT CASE WHEN service = ANY (limited) THEN service::text ELSE category END), '{}')
    FROM unnest(services, categories) AS item (service, category)
$$;

-- Refuses a place that does not fit (constraint booking_place), and one that follows from an older set-up, or whose day has no row
-- of the present one (booking_place_version). The day's row is locked until the transaction ends, and each query of a volatile
-- function reads what was committed before it began: what is counted below includes all who held the lock before.
-- What a booking had before an update is never refused: only slots and limits that are new to it are counted.
CREATE FUNCTION hold_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  the_day workshop_day;
  slot    interval;
  limited uuid[];
  had     text[] := '{}';
BEGIN
  SELECT * INTO the_day FROM workshop_day
   WHERE workshop_id = NEW.workshop_id AND setup_version = NEW.place_version
     AND starts_at <= NEW.occupied_from AND starts_at > NEW.occupied_from - interval '2 days' AND ends_at > NEW.occupied_from
     FOR UPDATE;
  IF NOT FOUND OR NEW.place_version <> (SELECT setup_version FROM workshop WHERE id = NEW.workshop_id) THEN
    RAISE EXCEPTION 'the set-up of the workshop has changed'
      USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'booking_place_version', TABLE = 'booking';
  END IF;

  slot := make_interval(mins => the_day.slot_minutes);
  IF NEW.held_to = 'slots' AND EXISTS (
    WITH taken AS MATERIALIZED (
      SELECT occupied_from, occupied_until, 1 AS bays FROM booking
       WHERE workshop_id = NEW.workshop_id AND occupied_until - occupied_from <= interval '24 hours'
         AND occupied_from > NEW.occupied_from - slot - interval '24 hours' AND occupied_from < NEW.occupied_until + slot
      UNION ALL
      SELECT occupied_from, occupied_until, 1 FROM booking
       WHERE workshop_id = NEW.workshop_id AND occupied_until - occupied_from > interval '24 hours'
         AND occupied_until > NEW.occupied_from - slot
      UNION ALL
      SELECT blocked_from, blocked_until, coalesce(bays, the_day.bays) FROM bay_block
       WHERE workshop_id = NEW.workshop_id AND blocked_until > NEW.occupied_from - slot AND blocked_from < NEW.occupied_until + slot)
    SELECT FROM unnest(the_day.slots) AS s (starts)
     WHERE starts < NEW.occupied_until AND starts + slot > NEW.occupied_from
       AND (starts < OLD.occupied_until AND starts + slot > OLD.occupied_from) IS NOT TRUE
       AND the_day.bays < (SELECT sum(bays) FROM taken WHERE occupied_from < starts + slot AND occupied_until > starts))
  THEN
    RAISE EXCEPTION 'no bay is free' USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'booking_place', TABLE = 'booking';
  END IF;

  limited := ARRAY(SELECT id FROM catalogue_service WHERE workshop_id = NEW.workshop_id AND daily_limit IS NOT NULL);
  IF OLD.occupied_from >= the_day.starts_at AND OLD.occupied_from < the_day.ends_at THEN
    had := limit_keys(OLD.counted_services, OLD.counted_categories, limited);
  END IF;
  IF EXISTS (
    WITH held AS (
      SELECT key, daily_limit FROM unnest(limit_keys(NEW.counted_services, NEW.counted_categories, limited)) AS key
        JOIN (SELECT id::text AS key, daily_limit FROM catalogue_service WHERE workshop_id = NEW.workshop_id AND daily_limit IS NOT NULL
              UNION ALL SELECT category, daily_limit FROM category_limit WHERE workshop_id = NEW.workshop_id) AS known USING (key)
       WHERE key <> ALL (had)),
    counted AS MATERIALIZED (
      SELECT limit_keys(counted_services, counted_categories, limited) AS keys FROM booking
       WHERE workshop_id = NEW.workshop_id AND occupied_until - occupied_from <= interval '24 hours'
         AND occupied_from >= the_day.starts_at AND occupied_from < the_day.ends_at AND EXISTS (SELECT FROM held)
      UNION ALL
      SELECT limit_keys(counted_services, counted_categories, limited) FROM booking
       WHERE workshop_id = NEW.workshop_id AND occupied_until - occupied_from > interval '24 hours' AND occupied_until > the_day.starts_at
         AND occupied_from >= the_day.starts_at AND occupied_from < the_day.ends_at AND EXISTS (SELECT FROM held))
    SELECT FROM held WHERE daily_limit < (SELECT count(*) FROM counted WHERE held.key = ANY (keys)))
  THEN
    RAISE EXCEPTION 'a daily limit is reached' USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'booking_place', TABLE = 'booking';
  END IF;
  RETURN NULL;
END $$;

-- They cost nothing where a workshop neither enforces nor limits anything. Their names come after those of foreign keys.
CREATE TRIGGER booking_place_made AFTER INSERT ON booking FOR EACH ROW
  WHEN (NEW.held_to IS NOT NULL AND NEW.occupied_from IS NOT NULL) EXECUTE FUNCTION hold_place();
CREATE TRIGGER booking_place_changed AFTER UPDATE OF occupied_from, occupied_until, counted_services, counted_categories ON booking
  FOR EACH ROW WHEN (NEW.held_to IS NOT NULL AND NEW.occupied_from IS NOT NULL AND (OLD.occupied_from, OLD.occupied_until, OLD.counted_services, OLD.counted_categories)
    IS DISTINCT FROM (NEW.occupied_from, NEW.occupied_until, NEW.counted_services, NEW.counted_categories))
  EXECUTE FUNCTION hold_place();

-- Bookings that were made since 0015 have no place: half an hour from their date, as those before. `pitlane doctor --repair` gives
-- one to those that processes of the release before still write. Nothing changes for partners, so the feed does not have them anew.
ALTER TABLE booking DISABLE TRIGGER booking_change;
UPDATE booking
   SET occupied_from = date, occupied_until = date + interval '30 minutes',
       counted_services = CASE WHEN services <> '[]' THEN array_fill(NULL::uuid, ARRAY[jsonb_array_length(services)])
                               WHEN service_category IS NOT NULL THEN ARRAY[NULL::uuid] ELSE '{}' END,
       counted_categories = CASE WHEN services <> '[]'
         THEN ARRAY(SELECT coalesce(nullif(item ->> 'category', ''), 'others') FROM jsonb_array_elements(services) AS item)
         WHEN service_category IS NOT NULL THEN ARRAY[service_category] ELSE '{}' END
 WHERE occupied_from IS NULL AND status <> 'cancelled' AND date >= created_at AND date > clock_timestamp() - interval '2 days';
ALTER TABLE booking ENABLE TRIGGER booking_change;
