-- Edition 1.
-- Refuses places that do not fit (constraint booking_place), and those that follow from an older set-up, or whose day has no row of the
-- present one (booking_place_version). Each query of a volatile function reads what was committed before it began, so what is counted after
-- the locks includes all who held them before. `was` is the booking before an update: what it had then is never refused, so only slots
-- and limits that are new to it are counted.
-- In TypeScript: src/product/availability/offer.ts.
CREATE OR REPLACE FUNCTION hold_places(places booking[], was booking) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  keys        bigint[];
  exclusive   boolean[];
  is_limited  boolean;
  is_outdated boolean;
  is_taken    boolean;
BEGIN
  -- Locks, until the transaction ends. Exclusive: each hour that a place and its slots touch, the same hours under any set-up, and the day of
  -- a place that counts under a limit. Shared: the day of any other place, and the workshop's places, which another time zone takes alone,
  -- since its days have other keys. All take them in the order of the keys: no deadlock.
  SELECT array_agg(key ORDER BY key), array_agg(is_exclusive ORDER BY key), bool_or(is_limit), bool_or(is_without_day)
    INTO keys, exclusive, is_limited, is_outdated
    FROM (
      SELECT lock.key, bool_or(lock.is_exclusive) AS is_exclusive, bool_or(lock.is_limit) AS is_limit,
             bool_or(the_day.starts_at IS NULL) AS is_without_day
        FROM unnest(places) AS place
        LEFT JOIN LATERAL (
          SELECT starts_at, ends_at, slots, make_interval(mins => slot_minutes) AS slot FROM workshop_day
           WHERE workshop_id = place.workshop_id AND setup_version = place.place_version
             AND starts_at <= place.occupied_from AND starts_at > place.occupied_from - interval '2 days' AND ends_at > place.occupied_from
           LIMIT 1) AS the_day ON true
       CROSS JOIN LATERAL (
          SELECT EXISTS (SELECT FROM category_limit
                          WHERE workshop_id = place.workshop_id AND category = ANY (place.counted_categories))
              OR EXISTS (SELECT FROM catalogue_service
                          WHERE id = ANY (place.counted_services) AND workshop_id = place.workshop_id AND daily_limit IS NOT NULL)
          -- Keeps it from being evaluated for each of the columns that name it.
          OFFSET 0) AS limits (are_held)
       CROSS JOIN LATERAL (
          SELECT hashtextextended('hour of ' || place.workshop_id, hour), true AS is_exclusive, false AS is_limit
            FROM (SELECT floor(extract(epoch FROM least(place.occupied_from, min(starts))))::bigint / 3600,
                         (ceil(extract(epoch FROM greatest(least(place.occupied_until, the_day.ends_at), max(starts) + the_day.slot)))::bigint - 1) / 3600
                    FROM unnest(the_day.slots) AS s (starts)
                   WHERE starts < place.occupied_until AND starts + the_day.slot > place.occupied_from) AS touched (first, last),
                 generate_series(touched.first, touched.last) AS hour
          UNION ALL
          SELECT hashtextextended('day of ' || place.workshop_id, floor(extract(epoch FROM the_day.starts_at))::bigint),
                 limits.are_held, limits.are_held
          UNION ALL
          SELECT hashtextextended('places of ' || place.workshop_id, 0), false, false) AS lock (key, is_exclusive, is_limit)
       GROUP BY lock.key) AS wanted;
  IF NOT is_outdated THEN
    PERFORM CASE WHEN lock.is_exclusive THEN pg_advisory_xact_lock(lock.key) ELSE pg_advisory_xact_lock_shared(lock.key) END
       FROM unnest(keys, exclusive) AS lock (key, is_exclusive);

    SELECT bool_or(the_day.starts_at IS NULL
             OR place.place_version IS DISTINCT FROM (SELECT setup_version FROM workshop WHERE id = place.workshop_id)),
           bool_or(place.held_to = 'slots' AND EXISTS (
             WITH taken AS MATERIALIZED (
               SELECT occupied_from, occupied_until, 1 AS bays FROM booking
                WHERE workshop_id = place.workshop_id AND occupied_until - occupied_from <= interval '24 hours'
                  AND occupied_from > place.occupied_from - the_day.slot - interval '24 hours'
                  AND occupied_from < place.occupied_until + the_day.slot
                  AND occupied_until > place.occupied_from - the_day.slot
               UNION ALL
               SELECT occupied_from, occupied_until, 1 FROM booking
                WHERE workshop_id = place.workshop_id AND occupied_until - occupied_from > interval '24 hours'
                  AND occupied_until > place.occupied_from - the_day.slot
               UNION ALL
               SELECT blocked_from, blocked_until, coalesce(bays, the_day.bays) FROM bay_block
                WHERE workshop_id = place.workshop_id AND blocked_until > place.occupied_from - the_day.slot
                  AND blocked_from < place.occupied_until + the_day.slot)
             SELECT FROM unnest(the_day.slots) AS s (starts)
              WHERE starts < place.occupied_until AND starts + the_day.slot > place.occupied_from
                AND (starts < was.occupied_until AND starts + the_day.slot > was.occupied_from) IS NOT TRUE
                AND the_day.bays < (SELECT sum(bays) FROM taken WHERE occupied_from < starts + the_day.slot AND occupied_until > starts)))
      INTO is_outdated, is_taken
      FROM unnest(places) AS place
      LEFT JOIN LATERAL (
        SELECT starts_at, bays, slots, make_interval(mins => slot_minutes) AS slot FROM workshop_day
         WHERE workshop_id = place.workshop_id AND setup_version = place.place_version
           AND starts_at <= place.occupied_from AND starts_at > place.occupied_from - interval '2 days' AND ends_at > place.occupied_from
         LIMIT 1) AS the_day ON true;
  END IF;

  IF is_outdated THEN
    RAISE EXCEPTION 'the set-up of the workshop has changed'
      USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'booking_place_version', TABLE = 'booking';
  END IF;
  IF is_taken THEN
    RAISE EXCEPTION 'no bay is free' USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'booking_place', TABLE = 'booking';
  END IF;
  -- The query below takes longer to prepare than all others together, so it is not prepared where no place counts under a limit.
  IF NOT is_limited THEN
    RETURN;
  END IF;

  IF EXISTS (
    SELECT FROM unnest(places) AS place
      JOIN LATERAL (
        SELECT starts_at, ends_at FROM workshop_day
         WHERE workshop_id = place.workshop_id AND setup_version = place.place_version
           AND starts_at <= place.occupied_from AND starts_at > place.occupied_from - interval '2 days' AND ends_at > place.occupied_from
         LIMIT 1) AS the_day ON true
     CROSS JOIN LATERAL (
        SELECT ARRAY(SELECT id FROM catalogue_service WHERE workshop_id = place.workshop_id AND daily_limit IS NOT NULL)) AS own (limited)
     WHERE EXISTS (
       WITH held AS (
         SELECT key, daily_limit FROM unnest(limit_keys(place.counted_services, place.counted_categories, own.limited)) AS key
           JOIN (SELECT 'service ' || id AS key, daily_limit FROM catalogue_service
                  WHERE workshop_id = place.workshop_id AND daily_limit IS NOT NULL
                 UNION ALL SELECT 'category ' || category, daily_limit FROM category_limit WHERE workshop_id = place.workshop_id) AS known USING (key)
          WHERE key <> ALL (CASE WHEN was.occupied_from >= the_day.starts_at AND was.occupied_from < the_day.ends_at
                                 THEN limit_keys(was.counted_services, was.counted_categories, own.limited) ELSE '{}' END)),
       counted AS MATERIALIZED (
         SELECT limit_keys(counted_services, counted_categories, own.limited) AS under FROM booking
          WHERE workshop_id = place.workshop_id AND occupied_until - occupied_from <= interval '24 hours'
            AND occupied_from >= the_day.starts_at AND occupied_from < the_day.ends_at AND EXISTS (SELECT FROM held)
         UNION ALL
         SELECT limit_keys(counted_services, counted_categories, own.limited) FROM booking
          WHERE workshop_id = place.workshop_id AND occupied_until - occupied_from > interval '24 hours'
            AND occupied_until > the_day.starts_at
            AND occupied_from >= the_day.starts_at AND occupied_from < the_day.ends_at AND EXISTS (SELECT FROM held))
       SELECT FROM held WHERE daily_limit < (SELECT count(*) FROM counted WHERE held.key = ANY (under))))
  THEN
    RAISE EXCEPTION 'a daily limit is reached' USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'booking_place', TABLE = 'booking';
  END IF;
END $$;
