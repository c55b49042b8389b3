-- One piece of work never stops the next: what has thrown is noted by itself, and a name that is no time zone fails nobody else's.
SET LOCAL lock_timeout = '10s';

-- Work of the schedule or the relay that has thrown: it is left out of the sets that are worked off together, and tried again by
-- itself. Due at infinity: it is given up and has a dead letter.
CREATE TABLE failed_work (
  job        text NOT NULL,
  subject_id uuid NOT NULL,
  tries      smallint NOT NULL, -- those that were its own fault
  deferrals  smallint NOT NULL, -- those that the database was in the way of
  due_at     timestamptz NOT NULL, -- machine clock
  PRIMARY KEY (job, subject_id)
);
CREATE INDEX failed_work_due ON failed_work (due_at);

-- What the hourly look at reminders whose SMS was taken goes by.
CREATE INDEX service_reminder_taken ON service_reminder (taken_at) WHERE status = 'scheduled' AND taken_at IS NOT NULL;

-- The zone, or UTC where the server does not know it. For statements about many workshops: the zone of one fails nobody else's.
CREATE FUNCTION known_zone(zone text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM timestamptz 'epoch' AT TIME ZONE zone;
  RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END $$;

-- Services and categories are counted apart: a partner's own word for a category may be the id of a service.
CREATE OR REPLACE FUNCTION limit_keys(services uuid[], categories text[], limited uuid[]) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT CASE WHEN service = ANY (limited) THEN 'service ' || service ELSE 'category ' || category END), '{}')
    FROM unnest(services, categories) AS item (service, category)
$$;

CREATE OR REPLACE FUNCTION hold_place() RETURNS trigger LANGUAGE plpgsql AS $$
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
        JOIN (SELECT 'service ' || id AS key, daily_limit FROM catalogue_service WHERE workshop_id = NEW.workshop_id AND daily_limit IS NOT NULL
              UNION ALL SELECT 'category ' || category, daily_limit FROM category_limit WHERE workshop_id = NEW.workshop_id) AS known USING (key)
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
