-- The database after all migrations, made by `npm run mirrors`. Never edited by hand.

CREATE OR REPLACE FUNCTION public.blast_recipient_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM count_recipients((blast_id, 0, count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'queued'),
              count(*) FILTER (WHERE state = 'sent'), count(*) FILTER (WHERE state = 'delivered'), count(*) FILTER (WHERE state = 'failed'),
              count(*) FILTER (WHERE state = 'unknown'), count(*) FILTER (WHERE state = 'skipped'))::blast_count)
       FROM now_there GROUP BY blast_id;
  ELSE
    PERFORM count_recipients((blast_id, 0, coalesce(sum(n) FILTER (WHERE state = 'waiting'), 0), coalesce(sum(n) FILTER (WHERE state = 'queued'), 0),
              coalesce(sum(n) FILTER (WHERE state = 'sent'), 0), coalesce(sum(n) FILTER (WHERE state = 'delivered'), 0),
              coalesce(sum(n) FILTER (WHERE state = 'failed'), 0), coalesce(sum(n) FILTER (WHERE state = 'unknown'), 0),
              coalesce(sum(n) FILTER (WHERE state = 'skipped'), 0))::blast_count)
       FROM (SELECT blast_id, state, 1 AS n FROM now_there UNION ALL SELECT blast_id, state, -1 FROM was_there) AS change GROUP BY blast_id;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.campaign_message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  became text := CASE
    WHEN NEW.state = 'accepted' THEN 'sent'
    WHEN NEW.state IN ('delivered', 'unknown') THEN NEW.state
    WHEN NEW.state = 'sending' OR NEW.state = 'failed' AND EXISTS (SELECT FROM queued_message WHERE message_id = NEW.id) THEN 'queued'
    WHEN NEW.reason IN ('optedOut', 'mayHaveOptedOut', 'erased', 'cancelled') THEN 'skipped'
    ELSE 'failed' END;
  why text := CASE became WHEN 'failed' THEN coalesce(NEW.reason, NEW.state) WHEN 'unknown' THEN NEW.reason WHEN 'skipped' THEN NEW.reason END;
BEGIN
  IF NEW.kind = 'blast' THEN
    UPDATE blast_recipient SET state = became, reason = why
     WHERE blast_id = NEW.cause_id AND customer_id = NEW.customer_id AND (state, reason) IS DISTINCT FROM (became, why);
  ELSE
    UPDATE automation_run
       SET status = CASE became WHEN 'delivered' THEN 'sent' WHEN 'unknown' THEN 'failed' ELSE became END, reason = why,
           sent_at = CASE WHEN became IN ('sent', 'delivered') THEN coalesce(sent_at, NEW.updated_at) ELSE sent_at END,
           ended_at = CASE WHEN became <> 'queued' THEN coalesce(ended_at, NEW.updated_at) END
     WHERE id = NEW.cause_id;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_customer_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.count_recipients(delta blast_count)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  parts CONSTANT integer := 32;
  its      integer := pg_backend_pid();
  made     integer;
  is_taken boolean;
BEGIN
  PERFORM FROM blast_count WHERE blast_id = delta.blast_id AND part = its FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT count(*), coalesce(bool_or(part = its), false) INTO made, is_taken FROM blast_count WHERE blast_id = delta.blast_id;
    IF is_taken OR made >= parts THEN
      SELECT part INTO its FROM blast_count WHERE blast_id = delta.blast_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        its := CASE WHEN is_taken THEN -(1 + random() * 2000000000)::integer ELSE pg_backend_pid() END;
      END IF;
    END IF;
  END IF;
  INSERT INTO blast_count AS c
  VALUES (delta.blast_id, its, delta.waiting, delta.queued, delta.sent, delta.delivered, delta.failed, delta.unknown, delta.skipped)
  ON CONFLICT (blast_id, part) DO UPDATE
    SET waiting = c.waiting + excluded.waiting, queued = c.queued + excluded.queued, sent = c.sent + excluded.sent,
        delivered = c.delivered + excluded.delivered, failed = c.failed + excluded.failed, unknown = c.unknown + excluded.unknown,
        skipped = c.skipped + excluded.skipped;
END $function$;

CREATE OR REPLACE FUNCTION public.count_shown(to_person uuid, at_workshop uuid, customers uuid[], at_most integer, OUT is_let_in boolean, OUT reset_ms double precision)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  moment timestamptz := clock_timestamp();
  since timestamptz := moment - interval '1 hour';
  fresh uuid[] := ARRAY(
    SELECT DISTINCT its FROM unnest(customers) AS its WHERE NOT EXISTS (
      SELECT FROM shown_customer WHERE person_id = to_person AND workshop_id = at_workshop AND customer_id = its AND at > since));
  known integer;
  too_many integer;
BEGIN
  is_let_in := true;
  reset_ms := 0;
  IF cardinality(fresh) = 0 THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('shown customers ' || to_person || ' ' || at_workshop, 0));
  known := (SELECT count(*) FROM shown_customer
             WHERE person_id = to_person AND workshop_id = at_workshop AND at > since AND customer_id <> ALL (fresh));
  too_many := known + cardinality(fresh) - at_most;
  IF too_many > 0 THEN
    is_let_in := false;
    reset_ms := coalesce((
      SELECT extract(epoch FROM at - since) * 1000 FROM shown_customer
       WHERE person_id = to_person AND workshop_id = at_workshop AND at > since AND customer_id <> ALL (fresh)
       ORDER BY at OFFSET least(too_many, known) - 1 LIMIT 1), 3600000);
    RETURN;
  END IF;
  INSERT INTO shown_customer (person_id, workshop_id, customer_id, at)
  SELECT to_person, at_workshop, its, moment FROM unnest(fresh) AS its ORDER BY its
  ON CONFLICT (person_id, workshop_id, customer_id) DO UPDATE SET at = excluded.at;
END $function$;

CREATE OR REPLACE FUNCTION public.customer_opt_out_decides()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  UPDATE talk SET asked_id = NULL, version = version + 1
   WHERE customer_id = coalesce(NEW.merged_into, NEW.id) AND asked_id IS NOT NULL;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.customer_talk_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  gone talk;
  kept talk;
  waited boolean;
  answered boolean;
BEGIN
  IF NEW.merged_into IS DISTINCT FROM OLD.merged_into AND NEW.merged_into IS NOT NULL THEN
    -- A message that is written meanwhile waits for these rows, or they for it.
    INSERT INTO talk (customer_id, workshop_id) VALUES (NEW.id, NEW.workshop_id), (NEW.merged_into, NEW.workshop_id)
    ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id;
    SELECT * INTO gone FROM talk WHERE customer_id = NEW.id;
    SELECT * INTO kept FROM talk WHERE customer_id = NEW.merged_into;
    UPDATE talk SET merged_into = NEW.merged_into, conversation_id = NULL, last_message_id = NULL, heard_id = NULL, answer_id = NULL,
           failed_id = NULL, reopened_id = NULL, done_at = NULL, assigned_to = NULL, asked_id = NULL, meant_id = NULL,
           meant_booking_id = NULL WHERE customer_id = NEW.id;
    waited := gone.done_at IS NULL AND gone.reopened_id >= coalesce(gone.answer_id, '00000000-0000-0000-0000-000000000000')
      OR kept.done_at IS NULL AND kept.reopened_id >= coalesce(kept.answer_id, '00000000-0000-0000-0000-000000000000');
    -- An opt-out of either answers what either has asked.
    answered := EXISTS (SELECT FROM customer WHERE id IN (NEW.id, NEW.merged_into) AND opted_out_at IS NOT NULL);
    UPDATE talk SET version = greatest(gone.version, kept.version) + 1,
           asked_id = CASE WHEN NOT answered THEN greatest(gone.asked_id, kept.asked_id) END,
           meant_id = greatest(gone.meant_id, kept.meant_id),
           meant_booking_id = CASE WHEN kept.meant_id >= gone.meant_id OR gone.meant_id IS NULL
             THEN kept.meant_booking_id ELSE gone.meant_booking_id END,
           assigned_to = coalesce(kept.assigned_to, gone.assigned_to),
           -- Done is what is done of both; of one with whom nobody has talked there is nothing to do.
           done_at = CASE WHEN (gone.done_at IS NOT NULL OR gone.last_message_id IS NULL)
                           AND (kept.done_at IS NOT NULL OR kept.last_message_id IS NULL) THEN greatest(gone.done_at, kept.done_at) END,
           reopened_id = CASE WHEN waited
             THEN greatest(gone.answer_id, kept.answer_id, '00000000-0000-0000-0000-000000000000') END
     WHERE customer_id = NEW.merged_into;
  END IF;
  PERFORM read_talks(ARRAY[NEW.id], false) WHERE EXISTS (SELECT FROM talk WHERE customer_id = NEW.id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.first_id(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$function$;

CREATE OR REPLACE FUNCTION public.hold_made_places()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  places booking[] := (SELECT array_agg(made::booking) FROM made WHERE held_to IS NOT NULL AND occupied_from IS NOT NULL);
BEGIN
  IF places IS NOT NULL THEN
    PERFORM hold_places(places, NULL);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.hold_place()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM hold_places(ARRAY[NEW], OLD);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.hold_places(places booking[], was booking)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION public.hold_talks(of_customers uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  INSERT INTO talk (customer_id, workshop_id, merged_into)
  SELECT id, workshop_id, merged_into FROM customer WHERE id = ANY (of_customers) ORDER BY id DESC
  ON CONFLICT (customer_id) DO NOTHING;
  PERFORM FROM talk WHERE customer_id = ANY (of_customers) ORDER BY customer_id DESC FOR NO KEY UPDATE;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_template_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO template_version (template_id, number, name, subject, body, placeholders, requires_booking, created_at)
  VALUES (NEW.id, NEW.version, NEW.name, NEW.subject, NEW.body, NEW.placeholders, NEW.requires_booking, NEW.updated_at);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.known_zone(zone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  PERFORM timestamptz 'epoch' AT TIME ZONE zone;
  RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END $function$;

CREATE OR REPLACE FUNCTION public.limit_keys(services uuid[], categories text[], limited uuid[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT coalesce(array_agg(DISTINCT CASE WHEN service = ANY (limited) THEN 'service ' || service ELSE 'category ' || category END), '{}')
    FROM unnest(services, categories) AS item (service, category)
$function$;

CREATE OR REPLACE FUNCTION public.made_at(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT to_timestamp(('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$function$;

CREATE OR REPLACE FUNCTION public.note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.read_changed_talks(failing uuid[], others uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF failing IS NOT NULL AND others IS NOT NULL THEN
    -- All at once: each part holds its own in order, but the second may have one that comes before those of the first.
    PERFORM hold_talks(ARRAY(SELECT id FROM customer WHERE id = ANY (failing || others)
      UNION SELECT merged_into FROM customer WHERE id = ANY (failing || others) AND merged_into IS NOT NULL));
  END IF;
  IF failing IS NOT NULL THEN
    PERFORM read_talks(failing, true);
  END IF;
  IF others IS NOT NULL THEN
    PERFORM read_talks(others, false);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.read_talks(of_customers uuid[], reopens boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  named uuid[];
  kept uuid[];
BEGIN
  -- All of them in one order, so that two who read some of the same talks meet in no deadlock.
  named := ARRAY(SELECT id FROM customer WHERE id = ANY (of_customers)
    UNION SELECT merged_into FROM customer WHERE id = ANY (of_customers) AND merged_into IS NOT NULL);
  PERFORM hold_talks(named);
  kept := ARRAY(SELECT DISTINCT coalesce(merged_into, customer_id) FROM talk WHERE customer_id = ANY (of_customers));
  IF NOT kept <@ named THEN
    -- Merged meanwhile.
    PERFORM hold_talks(kept);
  END IF;
  UPDATE talk SET
    conversation_id = newest.conversation_id, last_message_id = newest.id, answer_id = answer.id,
    heard_id = CASE WHEN NOT k.is_erased THEN heard.id END,
    failed_id = CASE WHEN NOT k.is_erased THEN failed.id END,
    reopened_id = CASE WHEN NOT k.is_erased THEN reopened_id END,
    assigned_to = CASE WHEN NOT k.is_erased THEN assigned_to END,
    done_at = CASE WHEN NOT k.is_erased AND NOT reopens THEN done_at END,
    asked_id = CASE WHEN NOT k.is_erased THEN asked_id END,
    meant_id = CASE WHEN NOT k.is_erased THEN meant_id END,
    meant_booking_id = CASE WHEN NOT k.is_erased THEN meant_booking_id END,
    version = version + CASE WHEN reopens THEN 1 ELSE 0 END
    FROM (SELECT customer.id, erased_at IS NOT NULL AS is_erased, its.meant_id AS meant,
                 num_nonnulls(its.reopened_id, its.assigned_to, its.done_at) > 0 AS is_marked, ARRAY(
            SELECT v.id FROM customer one JOIN conversation v ON v.customer_id = one.id AND v.workshop_id = one.workshop_id
             WHERE one.id = customer.id OR one.merged_into = customer.id) AS conversations
            FROM customer JOIN talk its ON its.customer_id = customer.id WHERE customer.id = ANY (kept)) AS k
    LEFT JOIN LATERAL (
      SELECT m.id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        SELECT id FROM message WHERE conversation_id = its.id AND kind IN ('partnerMessage', 'reply', 'inbound')
           AND direction = 'outbound' AND text_fate(state, reason) IN ('fine', 'unknown') ORDER BY id DESC LIMIT 1) AS m
       ORDER BY m.id DESC LIMIT 1) AS answer ON true
    LEFT JOIN LATERAL (
      SELECT m.id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        SELECT id FROM message said WHERE conversation_id = its.id AND kind IN ('partnerMessage', 'reply', 'inbound')
           AND direction = 'inbound' AND id > coalesce(answer.id, '00000000-0000-0000-0000-000000000000')
           AND (id = k.meant OR NOT EXISTS (SELECT FROM message WHERE cause_id = said.id AND kind = 'confirmation'))
         ORDER BY id DESC LIMIT 1) AS m
       ORDER BY m.id DESC LIMIT 1) AS heard ON true
    LEFT JOIN LATERAL (
      SELECT m.id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        SELECT id FROM message WHERE conversation_id = its.id AND id >= coalesce(answer.id, '00000000-0000-0000-0000-000000000000')
           AND direction = 'outbound' AND text_fate(state, reason) IN ('failed', 'unknown') ORDER BY id DESC LIMIT 1) AS m
       ORDER BY m.id DESC LIMIT 1) AS failed ON true
    LEFT JOIN LATERAL (
      SELECT m.id, m.conversation_id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        (SELECT id, conversation_id, true AS moves FROM message
          WHERE conversation_id = its.id AND kind IN ('partnerMessage', 'reply', 'inbound') ORDER BY id DESC LIMIT 1)
        UNION ALL SELECT id, conversation_id, true FROM message WHERE id = failed.id AND conversation_id = its.id
        UNION ALL (SELECT id, conversation_id, false FROM message
          WHERE conversation_id = its.id AND k.is_marked ORDER BY id DESC LIMIT 1)) AS m
       ORDER BY m.moves DESC, m.id DESC LIMIT 1) AS newest ON true
   WHERE talk.customer_id = k.id;
END $function$;

CREATE OR REPLACE FUNCTION public.search_parts(workshop uuid, term text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  seed bigint := uuid_hash_extended(workshop, 0);
  parts bigint[];
BEGIN
  FOR at IN 1 .. length(term) - 2 LOOP
    parts[at] := hashtextextended(substr(term, at, 3), seed);
  END LOOP;
  RETURN parts;
END $function$;

CREATE OR REPLACE FUNCTION public.share_opt_out()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  UPDATE customer SET opted_out_at = NEW.opted_out_at, updated_at = NEW.updated_at
   WHERE id = ANY (ARRAY(SELECT NEW.merged_into UNION ALL SELECT id FROM customer WHERE merged_into = coalesce(NEW.merged_into, NEW.id)
                         UNION ALL SELECT customer_id FROM customer_apart WHERE number_of = NEW.id))
     AND id <> NEW.id AND (opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.talk_forgotten()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  theirs uuid[];
BEGIN
  SELECT array_agg(DISTINCT gone.customer_id) INTO theirs
    FROM was_there gone JOIN talk own ON own.customer_id = gone.customer_id
    JOIN talk ON talk.customer_id = coalesce(own.merged_into, own.customer_id)
   WHERE gone.conversation_id IS NOT NULL
     AND gone.id IN (talk.last_message_id, talk.heard_id, talk.answer_id, talk.failed_id);
  IF theirs IS NOT NULL THEN
    PERFORM read_talks(theirs, false);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.talk_said()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  moved uuid[];
  reopened uuid[];
  confirmed uuid[];
  theirs uuid[];
  has_merged boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM now_there WHERE conversation_id IS NOT NULL
      AND (kind IN ('partnerMessage', 'reply', 'inbound', 'confirmation') OR text_fate(state, reason) = 'failed')) THEN
    RETURN NULL;
  END IF;
  -- Of a customer who was merged two rows are written, of which the second may come before one of another customer.
  IF (SELECT min(customer_id::text) <> max(customer_id::text) FROM now_there WHERE conversation_id IS NOT NULL) THEN
    SELECT array_agg(DISTINCT its.id), coalesce(bool_or(k.merged_into IS NOT NULL), false) INTO theirs, has_merged
      FROM now_there JOIN customer k ON k.id = now_there.customer_id CROSS JOIN LATERAL (VALUES (k.id), (k.merged_into)) AS its (id)
     WHERE conversation_id IS NOT NULL AND its.id IS NOT NULL;
    IF has_merged THEN
      PERFORM hold_talks(theirs);
    END IF;
  END IF;
  WITH said AS MATERIALIZED (
    SELECT customer_id, workshop_id, max(id::text)::uuid AS id, (array_agg(conversation_id ORDER BY id DESC))[1] AS conversation_id,
           (max(id::text) FILTER (WHERE direction = 'inbound'))::uuid AS heard_id,
           (max(id::text) FILTER (WHERE direction = 'outbound' AND text_fate(state, reason) IN ('fine', 'unknown')))::uuid AS answer_id,
           (max(id::text) FILTER (WHERE text_fate(state, reason) = 'failed'))::uuid AS failed_id
      FROM now_there
     WHERE conversation_id IS NOT NULL AND (kind IN ('partnerMessage', 'reply', 'inbound') OR text_fate(state, reason) = 'failed')
     GROUP BY customer_id, workshop_id),
  own AS (
    INSERT INTO talk (customer_id, workshop_id, merged_into, conversation_id, last_message_id, heard_id, answer_id, failed_id)
    SELECT said.customer_id, said.workshop_id, k.merged_into, here.conversation_id, here.id, here.heard_id, here.answer_id, here.failed_id
      FROM said JOIN customer k ON k.id = said.customer_id LEFT JOIN said here ON here.customer_id = k.id AND k.merged_into IS NULL
     ORDER BY said.customer_id DESC
    ON CONFLICT (customer_id) DO UPDATE SET
      conversation_id = CASE WHEN talk.last_message_id > excluded.last_message_id
        THEN talk.conversation_id ELSE excluded.conversation_id END,
      last_message_id = greatest(talk.last_message_id, excluded.last_message_id),
      heard_id = greatest(talk.heard_id, excluded.heard_id),
      answer_id = greatest(talk.answer_id, excluded.answer_id),
      failed_id = greatest(talk.failed_id, excluded.failed_id),
      -- Whenever it was written: staff who were done had not read it.
      done_at = CASE WHEN num_nonnulls(excluded.heard_id, excluded.failed_id) = 0 THEN talk.done_at END,
      version = talk.version + CASE WHEN num_nonnulls(excluded.heard_id, excluded.failed_id) = 0 THEN 0 ELSE 1 END
    WHERE talk.merged_into IS NULL AND excluded.merged_into IS NULL
    RETURNING customer_id, merged_into)
  SELECT array_agg(said.customer_id) FILTER (WHERE num_nonnulls(heard_id, failed_id) = 0),
         array_agg(said.customer_id) FILTER (WHERE num_nonnulls(heard_id, failed_id) > 0)
    INTO moved, reopened
    FROM said WHERE NOT EXISTS (SELECT FROM own WHERE own.customer_id = said.customer_id AND own.merged_into IS NULL);
  -- Of customers who were merged.
  IF moved IS NOT NULL THEN
    PERFORM read_talks(moved, false);
  END IF;
  IF reopened IS NOT NULL THEN
    PERFORM read_talks(reopened, true);
  END IF;
  -- An opt-out word that was confirmed needs no answer.
  SELECT array_agg(DISTINCT customer_id) INTO confirmed FROM now_there WHERE kind = 'confirmation' AND conversation_id IS NOT NULL;
  IF confirmed IS NOT NULL THEN
    PERFORM read_talks(confirmed, false);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.talk_text_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  failing uuid[];
  others uuid[];
BEGIN
  -- Of any other state the fate is fine, before and after.
  IF NOT EXISTS (SELECT FROM now_there WHERE state IN ('failed', 'undelivered', 'expired', 'unknown') AND conversation_id IS NOT NULL)
    AND NOT EXISTS (SELECT FROM was_there WHERE state IN ('failed', 'undelivered', 'expired', 'unknown') AND conversation_id IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  -- Grouped, not joined: a plan that is kept from when a statement changed one message would compare each with each.
  SELECT array_agg(DISTINCT customer_id) FILTER (WHERE became = 'failed'), array_agg(DISTINCT customer_id) FILTER (WHERE became <> 'failed')
    INTO failing, others
    FROM (SELECT (array_agg(customer_id) FILTER (WHERE is_new))[1] AS customer_id,
                 max(fate) FILTER (WHERE NOT is_new) AS was, max(fate) FILTER (WHERE is_new) AS became
            FROM (SELECT id, customer_id, text_fate(state, reason) AS fate, true AS is_new FROM now_there WHERE conversation_id IS NOT NULL
                  UNION ALL SELECT id, customer_id, text_fate(state, reason), false FROM was_there) AS text
           GROUP BY id) AS change
   WHERE was <> became;
  IF failing IS NOT NULL OR others IS NOT NULL THEN
    PERFORM read_changed_talks(failing, others);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.text_fate(state text, reason text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE
    WHEN state IN ('undelivered', 'expired') THEN 'failed'
    WHEN state = 'failed' AND reason IN ('erased', 'cancelled') THEN 'called off'
    WHEN state = 'failed' AND reason IN ('optedOut', 'mayHaveOptedOut') THEN 'fine'
    WHEN state = 'failed' THEN 'failed'
    WHEN state = 'unknown' THEN 'unknown'
    ELSE 'fine' END
$function$;

CREATE TABLE access_token (
  hash bytea NOT NULL,
  sign_in_id uuid NOT NULL,
  number integer NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  exchanged_at timestamp with time zone,
  CONSTRAINT access_token_pkey PRIMARY KEY (hash),
  CONSTRAINT access_token_sign_in_id_number_key UNIQUE (sign_in_id, number),
  CONSTRAINT access_token_sign_in_id_fkey FOREIGN KEY (sign_in_id) REFERENCES sign_in(id) ON DELETE CASCADE
);

CREATE TABLE account_email (
  id uuid NOT NULL,
  kind text NOT NULL,
  email text NOT NULL,
  code_id uuid,
  workshop_id uuid,
  partner_id uuid,
  due_at timestamp with time zone NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  what text,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT account_email_pkey PRIMARY KEY (id),
  CONSTRAINT account_email_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  CONSTRAINT account_email_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT account_email_kind_check CHECK ((kind = ANY (ARRAY['signInCode'::text, 'signInChange'::text, 'invitation'::text, 'emailChangeCode'::text, 'emailChanged'::text])))
);
CREATE INDEX account_email_due ON public.account_email USING btree (due_at);

CREATE TABLE app_key (
  id text NOT NULL,
  partner_id uuid NOT NULL,
  secret_hash text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT app_key_pkey PRIMARY KEY (id),
  CONSTRAINT app_key_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);
CREATE INDEX app_key_partner ON public.app_key USING btree (partner_id);

CREATE UNLOGGED TABLE attempt (
  source bytea NOT NULL,
  attempts timestamp with time zone[] NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT attempt_pkey PRIMARY KEY (source)
);
CREATE INDEX attempt_old ON public.attempt USING btree (expires_at);

CREATE TABLE attendance (
  booking_id uuid NOT NULL,
  state text NOT NULL,
  actor text NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT attendance_pkey PRIMARY KEY (booking_id),
  CONSTRAINT attendance_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  CONSTRAINT attendance_state_check CHECK ((state = ANY (ARRAY['expected'::text, 'here'::text, 'ready'::text, 'collected'::text, 'didNotCome'::text])))
);
CREATE INDEX attendance_not_come ON public.attendance USING btree (booking_id) WHERE (state = 'didNotCome'::text);

CREATE TABLE audit_entry (
  id uuid NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  workshop_id uuid,
  partner_id uuid,
  actor text NOT NULL,
  request_id text,
  subject_kind text NOT NULL,
  subject_id uuid,
  action text NOT NULL,
  before jsonb,
  after jsonb,
  version integer,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=5000);
CREATE INDEX audit_entry_person ON public.audit_entry USING btree (actor, id) WHERE (actor ~~ 'person %'::text);
CREATE INDEX audit_entry_subject ON public.audit_entry USING btree (subject_id, id);
CREATE INDEX audit_entry_workshop ON public.audit_entry USING btree (workshop_id, id);

CREATE TABLE automation (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  name text NOT NULL,
  trigger_type text NOT NULL,
  offset_minutes integer NOT NULL,
  conditions jsonb NOT NULL DEFAULT '{}'::jsonb,
  template_id uuid NOT NULL,
  quiet_from time without time zone,
  quiet_until time without time zone,
  status text NOT NULL DEFAULT 'active'::text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT automation_pkey PRIMARY KEY (id),
  CONSTRAINT automation_workshop_id_id_key UNIQUE (workshop_id, id),
  CONSTRAINT automation_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT automation_workshop_id_template_id_fkey FOREIGN KEY (workshop_id, template_id) REFERENCES template(workshop_id, id),
  CONSTRAINT automation_check CHECK (((quiet_from IS NULL) = (quiet_until IS NULL))),
  CONSTRAINT automation_offset_minutes_check CHECK ((offset_minutes >= 0)),
  CONSTRAINT automation_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text]))),
  CONSTRAINT automation_trigger_type_check CHECK ((trigger_type = ANY (ARRAY['manual'::text, 'bookingCreated'::text, 'bookingConfirmed'::text, 'bookingCompleted'::text, 'bookingCancelled'::text, 'beforeBooking'::text, 'callMissed'::text, 'reminderSent'::text])))
);

CREATE TABLE automation_run (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  automation_id uuid NOT NULL,
  cause text NOT NULL,
  partner_id uuid,
  customer_id uuid NOT NULL,
  booking_id uuid,
  booking_date timestamp with time zone,
  reference_id text,
  status text NOT NULL,
  reason text,
  due_at timestamp with time zone NOT NULL,
  sent_at timestamp with time zone,
  message_id uuid,
  created_at timestamp with time zone NOT NULL,
  by_page boolean NOT NULL DEFAULT false,
  ended_at timestamp with time zone,
  CONSTRAINT automation_run_pkey PRIMARY KEY (id),
  CONSTRAINT automation_run_automation_id_cause_key UNIQUE (automation_id, cause),
  CONSTRAINT automation_run_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  CONSTRAINT automation_run_workshop_id_automation_id_fkey FOREIGN KEY (workshop_id, automation_id) REFERENCES automation(workshop_id, id),
  CONSTRAINT automation_run_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'sent'::text, 'failed'::text, 'skipped'::text])))
);
CREATE INDEX automation_run_booking ON public.automation_run USING btree (booking_id) WHERE (status = ANY (ARRAY['scheduled'::text, 'queued'::text]));
CREATE INDEX automation_run_due ON public.automation_run USING btree (due_at) WHERE (status = 'scheduled'::text);
CREATE INDEX automation_run_list ON public.automation_run USING btree (automation_id, id) WHERE (due_at IS NOT NULL);
CREATE INDEX automation_run_old ON public.automation_run USING btree (COALESCE(ended_at, GREATEST(created_at, due_at, sent_at))) WHERE ((reference_id IS NULL) AND (status <> ALL (ARRAY['scheduled'::text, 'queued'::text])));

CREATE TABLE bay_block (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  blocked_from timestamp with time zone NOT NULL,
  blocked_until timestamp with time zone NOT NULL,
  bays integer,
  reason text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  series_id uuid,
  CONSTRAINT bay_block_pkey PRIMARY KEY (id),
  CONSTRAINT bay_block_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT bay_block_bays_check CHECK ((bays > 0)),
  CONSTRAINT bay_block_check CHECK ((blocked_until > blocked_from))
);
CREATE INDEX bay_block_end ON public.bay_block USING btree (blocked_until);
CREATE INDEX bay_block_time ON public.bay_block USING btree (workshop_id, blocked_until);

CREATE TABLE blast (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  name text NOT NULL,
  template_id uuid NOT NULL,
  audience jsonb NOT NULL,
  status text NOT NULL DEFAULT 'draft'::text,
  partner_id uuid,
  reference_id text,
  scheduled_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  template_version integer,
  queued_to uuid,
  counts jsonb,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  other_countries boolean NOT NULL DEFAULT false,
  CONSTRAINT blast_pkey PRIMARY KEY (id),
  CONSTRAINT blast_workshop_id_id_key UNIQUE (workshop_id, id),
  CONSTRAINT blast_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  CONSTRAINT blast_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT blast_workshop_id_template_id_fkey FOREIGN KEY (workshop_id, template_id) REFERENCES template(workshop_id, id),
  CONSTRAINT blast_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'paused'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX blast_active ON public.blast USING btree (id) WHERE (status = ANY (ARRAY['scheduled'::text, 'sending'::text]));
CREATE INDEX blast_ended ON public.blast USING btree (ended_at) WHERE (counts IS NULL);

CREATE TABLE blast_count (
  blast_id uuid NOT NULL,
  part integer NOT NULL,
  waiting integer NOT NULL,
  queued integer NOT NULL,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  failed integer NOT NULL,
  unknown integer NOT NULL,
  skipped integer NOT NULL,
  CONSTRAINT blast_count_pkey PRIMARY KEY (blast_id, part),
  CONSTRAINT blast_count_blast_id_fkey FOREIGN KEY (blast_id) REFERENCES blast(id) ON DELETE CASCADE
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);

CREATE TABLE blast_recipient (
  blast_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  reason text,
  CONSTRAINT blast_recipient_pkey PRIMARY KEY (blast_id, customer_id),
  CONSTRAINT blast_recipient_blast_id_fkey FOREIGN KEY (blast_id) REFERENCES blast(id) ON DELETE CASCADE,
  CONSTRAINT blast_recipient_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'queued'::text, 'sent'::text, 'delivered'::text, 'failed'::text, 'unknown'::text, 'skipped'::text])))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000);
CREATE INDEX blast_recipient_queued ON public.blast_recipient USING btree (blast_id) WHERE (state = 'queued'::text);
CREATE TRIGGER blast_recipient_added AFTER INSERT ON public.blast_recipient REFERENCING NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION blast_recipient_counted();
CREATE TRIGGER blast_recipient_changed AFTER UPDATE ON public.blast_recipient REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION blast_recipient_counted();

CREATE TABLE booking (
  id uuid NOT NULL,
  code text NOT NULL,
  partner_id uuid,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  car_id uuid NOT NULL,
  external_id text,
  status text NOT NULL DEFAULT 'pending'::text,
  date timestamp with time zone NOT NULL,
  pickup_time timestamp with time zone,
  service_category text,
  service_package_type text,
  services jsonb NOT NULL DEFAULT '[]'::jsonb,
  contact_name text,
  contact_first_name text,
  contact_last_name text,
  contact_email text,
  contact_phone text,
  contact_company text,
  notes text,
  "interval" integer,
  job_notes text[] NOT NULL DEFAULT '{}'::text[],
  product_notes text[] NOT NULL DEFAULT '{}'::text[],
  tyre_quantities integer,
  cancel_reason text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  car_year integer,
  car_make text,
  car_model text,
  car_badge text,
  car_vin text,
  occupied_from timestamp with time zone,
  occupied_until timestamp with time zone,
  counted_services uuid[],
  counted_categories text[],
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  place_version integer,
  held_to text,
  service_minutes integer[] NOT NULL DEFAULT '{}'::integer[],
  service_category_derived boolean NOT NULL DEFAULT false,
  anyway_reason text,
  CONSTRAINT booking_pkey PRIMARY KEY (id),
  CONSTRAINT booking_code UNIQUE (code),
  CONSTRAINT booking_partner_id_workshop_id_fkey FOREIGN KEY (partner_id, workshop_id) REFERENCES link(partner_id, workshop_id),
  CONSTRAINT booking_workshop_id_customer_id_car_id_fkey FOREIGN KEY (workshop_id, customer_id, car_id) REFERENCES car(workshop_id, customer_id, id),
  CONSTRAINT booking_anyway_reason_check CHECK (((char_length(anyway_reason) >= 3) AND (char_length(anyway_reason) <= 255))) NOT VALID,
  CONSTRAINT booking_contact CHECK (((partner_id IS NULL) OR (num_nulls(contact_name, contact_email, contact_phone) = 0))) NOT VALID,
  CONSTRAINT booking_held_to_check CHECK ((held_to = ANY (ARRAY['slots'::text, 'limits'::text]))),
  CONSTRAINT booking_occupied_whole CHECK (((num_nonnulls(occupied_from, occupied_until, counted_services, counted_categories) = ANY (ARRAY[0, 4])) AND (occupied_until > occupied_from) AND (cardinality(counted_services) = cardinality(counted_categories)))),
  CONSTRAINT booking_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX booking_anyway ON public.booking USING btree (workshop_id, occupied_until) WHERE ((anyway_reason IS NOT NULL) AND (occupied_until IS NOT NULL));
CREATE INDEX booking_car ON public.booking USING btree (car_id);
CREATE INDEX booking_car_details ON public.booking USING btree (car_id, partner_id, created_at, id) WHERE (num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0);
CREATE INDEX booking_customer ON public.booking USING btree (customer_id, date, id);
CREATE INDEX booking_date ON public.booking USING btree (workshop_id, date, id) INCLUDE (partner_id, status) WHERE (date IS NOT NULL);
CREATE INDEX booking_external ON public.booking USING btree (partner_id, external_id, id) WHERE (external_id IS NOT NULL);
CREATE INDEX booking_feed ON public.booking USING btree (partner_id, changed_in, id) WHERE (changed_in IS NOT NULL);
CREATE INDEX booking_occupied ON public.booking USING btree (workshop_id, occupied_from, occupied_until) INCLUDE (counted_services, counted_categories) WHERE ((occupied_until - occupied_from) <= '24:00:00'::interval);
CREATE INDEX booking_occupied_long ON public.booking USING btree (workshop_id, occupied_until) WHERE ((occupied_until - occupied_from) > '24:00:00'::interval);
CREATE INDEX booking_report ON public.booking USING btree (partner_id, created_at) INCLUDE (workshop_id, status) WHERE ((partner_id IS NOT NULL) AND (created_at IS NOT NULL));
CREATE INDEX booking_status ON public.booking USING btree (partner_id, status, id) INCLUDE (date) WHERE (status IS NOT NULL);
CREATE INDEX booking_workshop_status ON public.booking USING btree (workshop_id, partner_id, status, id) INCLUDE (date) WHERE (status IS NOT NULL);
CREATE TRIGGER booking_change BEFORE UPDATE ON public.booking FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER booking_place_changed AFTER UPDATE OF occupied_from, occupied_until, counted_services, counted_categories ON public.booking FOR EACH ROW WHEN (((new.held_to IS NOT NULL) AND (new.occupied_from IS NOT NULL) AND ((((old.occupied_from IS DISTINCT FROM new.occupied_from) OR (old.occupied_until IS DISTINCT FROM new.occupied_until)) OR (old.counted_services IS DISTINCT FROM new.counted_services)) OR (old.counted_categories IS DISTINCT FROM new.counted_categories)))) EXECUTE FUNCTION hold_place();
CREATE TRIGGER booking_place_made AFTER INSERT ON public.booking REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION hold_made_places();

CREATE TABLE bounce_count (
  outcome text NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT bounce_count_pkey PRIMARY KEY (outcome)
);

CREATE TABLE business_clock (
  single boolean NOT NULL DEFAULT true,
  advance_seconds bigint NOT NULL DEFAULT 0,
  CONSTRAINT business_clock_pkey PRIMARY KEY (single),
  CONSTRAINT business_clock_advance_seconds_check CHECK ((advance_seconds >= 0)),
  CONSTRAINT business_clock_single_check CHECK (single)
);

CREATE TABLE call_back (
  call_lead_id uuid NOT NULL,
  state text NOT NULL,
  version integer NOT NULL,
  note text,
  actor text NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT call_back_pkey PRIMARY KEY (call_lead_id),
  CONSTRAINT call_back_call_lead_id_fkey FOREIGN KEY (call_lead_id) REFERENCES call_lead(id) ON DELETE CASCADE,
  CONSTRAINT call_back_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'called'::text])))
);

CREATE TABLE call_lead (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid,
  external_id text,
  caller_phone text NOT NULL,
  called_at timestamp with time zone NOT NULL,
  duration_seconds integer,
  outcome text NOT NULL,
  was_missed boolean NOT NULL,
  source text,
  recording_url text,
  customer_name text,
  notes text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT call_lead_pkey PRIMARY KEY (id),
  CONSTRAINT call_lead_partner_id_workshop_id_fkey FOREIGN KEY (partner_id, workshop_id) REFERENCES link(partner_id, workshop_id),
  CONSTRAINT call_lead_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id),
  CONSTRAINT call_lead_duration_seconds_check CHECK ((duration_seconds >= 0)),
  CONSTRAINT call_lead_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'missed'::text, 'voicemail'::text])))
);
CREATE INDEX call_lead_called ON public.call_lead USING btree (partner_id, outcome, called_at, id) WHERE (called_at IS NOT NULL);
CREATE INDEX call_lead_caller_called ON public.call_lead USING btree (caller_phone, workshop_id, called_at, id);
CREATE INDEX call_lead_customer ON public.call_lead USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX call_lead_workshop_called ON public.call_lead USING btree (workshop_id, partner_id, outcome, called_at, id) WHERE (called_at IS NOT NULL);
CREATE UNIQUE INDEX call_lead_external ON public.call_lead USING btree (partner_id, external_id, workshop_id) WHERE (external_id IS NOT NULL);

CREATE TABLE car (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  rego text,
  year integer,
  make text,
  model text,
  badge text,
  vin text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  same_car boolean NOT NULL DEFAULT false,
  CONSTRAINT car_pkey PRIMARY KEY (id),
  CONSTRAINT car_customer_id_workshop_id_id_key UNIQUE (customer_id, workshop_id, id),
  CONSTRAINT car_rego_customer_id_key UNIQUE (rego, customer_id),
  CONSTRAINT car_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id)
);

CREATE TABLE catalogue_service (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  catalog_code text NOT NULL,
  "position" integer NOT NULL,
  active boolean NOT NULL,
  title text NOT NULL,
  category text NOT NULL,
  cost numeric(9,2),
  max_cost numeric(9,2),
  icon text,
  color text,
  daily_limit integer,
  duration_minutes integer,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  description text,
  CONSTRAINT catalogue_service_pkey PRIMARY KEY (id),
  CONSTRAINT catalogue_service_workshop_id_catalog_code_key UNIQUE (workshop_id, catalog_code),
  CONSTRAINT catalogue_service_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT catalogue_service_category_check CHECK ((category = ANY (ARRAY['service'::text, 'tyres'::text, 'repair'::text, 'others'::text]))),
  CONSTRAINT catalogue_service_cost_check CHECK ((cost >= (0)::numeric)),
  CONSTRAINT catalogue_service_daily_limit_check CHECK ((daily_limit >= 0)),
  CONSTRAINT catalogue_service_duration_minutes_check CHECK ((duration_minutes > 0)),
  CONSTRAINT catalogue_service_max_cost_check CHECK ((max_cost >= (0)::numeric))
);

CREATE TABLE category_limit (
  workshop_id uuid NOT NULL,
  category text NOT NULL,
  daily_limit integer NOT NULL,
  CONSTRAINT category_limit_pkey PRIMARY KEY (workshop_id, category),
  CONSTRAINT category_limit_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT category_limit_daily_limit_check CHECK ((daily_limit >= 0))
);

CREATE TABLE conversation (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_sent_at timestamp with time zone,
  CONSTRAINT conversation_pkey PRIMARY KEY (id),
  CONSTRAINT conversation_customer_id_workshop_id_key UNIQUE (customer_id, workshop_id),
  CONSTRAINT conversation_workshop_id_id_key UNIQUE (workshop_id, id),
  CONSTRAINT conversation_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id)
);

CREATE TABLE custom_day (
  workshop_id uuid NOT NULL,
  day date NOT NULL,
  hours jsonb NOT NULL,
  bays integer,
  pickup_times jsonb,
  note text,
  CONSTRAINT custom_day_pkey PRIMARY KEY (workshop_id, day),
  CONSTRAINT custom_day_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT custom_day_bays_check CHECK (((bays >= 0) AND (bays <= 1000)))
);

CREATE TABLE customer (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  name text,
  first_name text,
  last_name text,
  email text,
  phone text,
  company text,
  address text,
  postcode text,
  suburb text,
  opted_out_at timestamp with time zone,
  erased_at timestamp with time zone,
  details_from uuid[] NOT NULL DEFAULT '{}'::uuid[],
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  tags text[] NOT NULL DEFAULT '{}'::text[],
  bounced_email text,
  email_bounced_at timestamp with time zone,
  email_bounce text,
  version integer NOT NULL DEFAULT 1,
  merged_into uuid,
  CONSTRAINT customer_pkey PRIMARY KEY (id),
  CONSTRAINT customer_phone_workshop_id_key UNIQUE (phone, workshop_id),
  CONSTRAINT customer_workshop_id_id_key UNIQUE (workshop_id, id),
  CONSTRAINT customer_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT customer_workshop_id_merged_into_fkey FOREIGN KEY (workshop_id, merged_into) REFERENCES customer(workshop_id, id) NOT VALID,
  CONSTRAINT customer_called CHECK (((name IS NOT NULL) OR (phone IS NULL))) NOT VALID,
  CONSTRAINT customer_kept_is_older CHECK ((merged_into < id)) NOT VALID
);
CREATE INDEX customer_bounced ON public.customer USING btree (workshop_id) WHERE (bounced_email IS NOT NULL);
CREATE INDEX customer_merged ON public.customer USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE TRIGGER customer_changed BEFORE UPDATE ON public.customer FOR EACH ROW WHEN ((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.first_name IS DISTINCT FROM new.first_name)) OR (old.last_name IS DISTINCT FROM new.last_name)) OR (old.email IS DISTINCT FROM new.email)) OR (old.phone IS DISTINCT FROM new.phone)) OR (old.company IS DISTINCT FROM new.company)) OR (old.address IS DISTINCT FROM new.address)) OR (old.postcode IS DISTINCT FROM new.postcode)) OR (old.suburb IS DISTINCT FROM new.suburb)) OR (old.tags IS DISTINCT FROM new.tags)) OR (old.opted_out_at IS DISTINCT FROM new.opted_out_at)) OR (old.erased_at IS DISTINCT FROM new.erased_at)) OR (old.merged_into IS DISTINCT FROM new.merged_into))) EXECUTE FUNCTION count_customer_change();
CREATE TRIGGER customer_opt_out_decides AFTER UPDATE OF opted_out_at ON public.customer FOR EACH ROW WHEN (((old.opted_out_at IS NULL) <> (new.opted_out_at IS NULL))) EXECUTE FUNCTION customer_opt_out_decides();
CREATE TRIGGER customer_opt_out_shared AFTER UPDATE OF opted_out_at ON public.customer FOR EACH ROW WHEN (((old.opted_out_at IS NULL) <> (new.opted_out_at IS NULL))) EXECUTE FUNCTION share_opt_out();
CREATE TRIGGER customer_talk AFTER UPDATE OF merged_into, erased_at ON public.customer FOR EACH ROW WHEN (((old.merged_into IS DISTINCT FROM new.merged_into) OR (old.erased_at IS DISTINCT FROM new.erased_at))) EXECUTE FUNCTION customer_talk_changed();

CREATE TABLE customer_apart (
  customer_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  number_of uuid NOT NULL,
  CONSTRAINT customer_apart_pkey PRIMARY KEY (customer_id),
  CONSTRAINT customer_apart_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id) ON DELETE CASCADE,
  CONSTRAINT customer_apart_workshop_id_number_of_fkey FOREIGN KEY (workshop_id, number_of) REFERENCES customer(workshop_id, id) ON DELETE CASCADE
);
CREATE INDEX customer_apart_number ON public.customer_apart USING btree (number_of);

CREATE TABLE day_note (
  workshop_id uuid NOT NULL,
  date date NOT NULL,
  text text NOT NULL,
  version integer NOT NULL,
  actor text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT day_note_pkey PRIMARY KEY (workshop_id, date),
  CONSTRAINT day_note_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);
CREATE INDEX day_note_age ON public.day_note USING btree (date);

CREATE TABLE dead_letter (
  id uuid NOT NULL,
  job text NOT NULL,
  payload jsonb NOT NULL,
  reason text NOT NULL,
  detail text,
  attempts integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  flags text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT dead_letter_pkey PRIMARY KEY (id),
  CONSTRAINT dead_letter_job_payload_key UNIQUE (job, payload)
);

CREATE TABLE desk_rule (
  workshop_id uuid NOT NULL,
  ask_again_minutes smallint,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT desk_rule_pkey PRIMARY KEY (workshop_id),
  CONSTRAINT desk_rule_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT desk_rule_ask_again_minutes_check CHECK (((ask_again_minutes >= 1) AND (ask_again_minutes <= 240)))
);

CREATE TABLE developer (
  person_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT developer_pkey PRIMARY KEY (person_id, partner_id),
  CONSTRAINT developer_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  CONSTRAINT developer_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);
CREATE INDEX developer_partner ON public.developer USING btree (partner_id, person_id);

CREATE UNLOGGED TABLE email_change (
  person_id uuid NOT NULL,
  email text NOT NULL,
  present_code_id uuid NOT NULL,
  new_code_id uuid NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT email_change_pkey PRIMARY KEY (person_id),
  CONSTRAINT email_change_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);
CREATE INDEX email_change_old ON public.email_change USING btree (expires_at);

CREATE TABLE event (
  id uuid NOT NULL,
  kind text NOT NULL,
  partner_id uuid,
  workshop_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  version integer NOT NULL,
  payload jsonb NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  relayed_at timestamp with time zone,
  page_withholds text[],
  actor text,
  request_id text,
  before jsonb,
  after jsonb,
  withdrawn_at timestamp with time zone,
  CONSTRAINT event_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=5000);
CREATE INDEX event_relayed ON public.event USING btree (relayed_at) WHERE (relayed_at IS NOT NULL);
CREATE INDEX event_subject ON public.event USING btree (subject_id);
CREATE INDEX event_waiting ON public.event USING btree (id) WHERE (relayed_at IS NULL);

CREATE TABLE failed_work (
  job text NOT NULL,
  subject_id uuid NOT NULL,
  tries smallint NOT NULL,
  deferrals smallint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT failed_work_pkey PRIMARY KEY (job, subject_id)
);
CREATE INDEX failed_work_due ON public.failed_work USING btree (due_at);

CREATE TABLE feed_epoch (
  only_row boolean NOT NULL DEFAULT true,
  number integer NOT NULL,
  system_identifier text NOT NULL,
  timeline integer NOT NULL,
  plain_cursors_until timestamp with time zone,
  CONSTRAINT feed_epoch_pkey PRIMARY KEY (only_row),
  CONSTRAINT feed_epoch_only_row_check CHECK (only_row)
);

CREATE TABLE feed_mark (
  at timestamp with time zone NOT NULL,
  before xid8 NOT NULL,
  CONSTRAINT feed_mark_pkey PRIMARY KEY (at, before)
);

CREATE TABLE feed_start (
  number bigint NOT NULL,
  started_at timestamp with time zone NOT NULL,
  recorded_in xid8 NOT NULL,
  CONSTRAINT feed_start_pkey PRIMARY KEY (number),
  CONSTRAINT feed_start_recorded_in_key UNIQUE (recorded_in),
  CONSTRAINT feed_start_started_at_key UNIQUE (started_at)
);

CREATE TABLE form_key (
  person_id uuid NOT NULL,
  key text NOT NULL,
  location text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT form_key_pkey PRIMARY KEY (person_id, key),
  CONSTRAINT form_key_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);
CREATE INDEX form_key_old ON public.form_key USING btree (created_at);

CREATE UNLOGGED TABLE gateway_pace (
  gateway text NOT NULL,
  next_at timestamp with time zone NOT NULL,
  CONSTRAINT gateway_pace_pkey PRIMARY KEY (gateway)
);

CREATE UNLOGGED TABLE half_sign_in (
  browser_sha256 bytea NOT NULL,
  person_id uuid NOT NULL,
  vouched_by uuid,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT half_sign_in_pkey PRIMARY KEY (browser_sha256),
  CONSTRAINT half_sign_in_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT half_sign_in_vouched_by_fkey FOREIGN KEY (vouched_by) REFERENCES workshop(id)
);
CREATE INDEX half_sign_in_old ON public.half_sign_in USING btree (expires_at);
CREATE INDEX half_sign_in_person ON public.half_sign_in USING btree (person_id);

CREATE TABLE held_event (
  event_id uuid NOT NULL,
  record_id uuid NOT NULL,
  record_version integer NOT NULL,
  held_until timestamp with time zone NOT NULL,
  previous jsonb,
  CONSTRAINT held_event_pkey PRIMARY KEY (event_id)
);
CREATE INDEX held_event_record ON public.held_event USING btree (record_id);
CREATE INDEX held_event_until ON public.held_event USING btree (held_until);

CREATE TABLE idempotency (
  partner_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  owner uuid NOT NULL,
  leased_until timestamp with time zone NOT NULL,
  status integer,
  body jsonb,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_pkey PRIMARY KEY (partner_id, key)
);
CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);

CREATE TABLE import_change (
  import_id uuid NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  is_made boolean NOT NULL,
  mark text NOT NULL,
  mark_before text,
  fields jsonb,
  stays text,
  kept_from timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT import_change_pkey PRIMARY KEY (import_id, kind, record_id),
  CONSTRAINT import_change_kind_check CHECK ((kind = ANY (ARRAY['booking'::text, 'car'::text, 'customer'::text])))
);
CREATE INDEX import_change_age ON public.import_change USING btree (kept_from);

CREATE TABLE import_file (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  actor text NOT NULL,
  kind text NOT NULL,
  file_name text NOT NULL,
  date_order text,
  state text NOT NULL,
  content bytea,
  report jsonb NOT NULL,
  taken integer NOT NULL DEFAULT 0,
  counts jsonb,
  changed_at timestamp with time zone NOT NULL,
  matched jsonb,
  file_content bytea,
  CONSTRAINT import_file_pkey PRIMARY KEY (id),
  CONSTRAINT import_file_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT import_file_date_order_check CHECK ((date_order = ANY (ARRAY['dmy'::text, 'mdy'::text]))),
  CONSTRAINT import_file_kind_check CHECK ((kind = ANY (ARRAY['customers'::text, 'bookings'::text]))),
  CONSTRAINT import_file_state_check CHECK ((state = ANY (ARRAY['checked'::text, 'importing'::text, 'imported'::text, 'stopped'::text])))
);
CREATE INDEX import_file_age ON public.import_file USING btree (changed_at);
CREATE INDEX import_file_importing ON public.import_file USING btree (id) WHERE (state = 'importing'::text);
CREATE INDEX import_file_workshop ON public.import_file USING btree (workshop_id, id);

CREATE TABLE import_form (
  workshop_id uuid NOT NULL,
  kind text NOT NULL,
  heads_sha256 bytea NOT NULL,
  matched jsonb NOT NULL,
  used_at timestamp with time zone NOT NULL,
  CONSTRAINT import_form_pkey PRIMARY KEY (workshop_id, kind, heads_sha256),
  CONSTRAINT import_form_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT import_form_kind_check CHECK ((kind = ANY (ARRAY['customers'::text, 'bookings'::text])))
);

CREATE TABLE import_row (
  workshop_id uuid NOT NULL,
  row_sha256 bytea NOT NULL,
  record_id uuid NOT NULL,
  imported_at timestamp with time zone NOT NULL,
  import_id uuid,
  CONSTRAINT import_row_pkey PRIMARY KEY (workshop_id, row_sha256),
  CONSTRAINT import_row_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);
CREATE INDEX import_row_age ON public.import_row USING btree (imported_at);

CREATE TABLE import_run (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  rows integer NOT NULL,
  began_at timestamp with time zone NOT NULL,
  written_at timestamp with time zone NOT NULL,
  actor text,
  after_kind text NOT NULL DEFAULT ''::text,
  after_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  counts jsonb,
  changed_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT import_run_pkey PRIMARY KEY (id),
  CONSTRAINT import_run_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT import_run_kind_check CHECK ((kind = ANY (ARRAY['customers'::text, 'bookings'::text]))),
  CONSTRAINT import_run_state_check CHECK ((state = ANY (ARRAY['written'::text, 'takingBack'::text, 'takenBack'::text, 'stopped'::text])))
);
CREATE INDEX import_run_age ON public.import_run USING btree (changed_at);
CREATE INDEX import_run_taking_back ON public.import_run USING btree (id) WHERE (state = 'takingBack'::text);
CREATE INDEX import_run_workshop ON public.import_run USING btree (workshop_id, id);

CREATE UNLOGGED TABLE kept_form (
  session_id uuid NOT NULL,
  sealed text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT kept_form_pkey PRIMARY KEY (session_id),
  CONSTRAINT kept_form_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE
);
CREATE INDEX kept_form_old ON public.kept_form USING btree (expires_at);

CREATE TABLE known_browser (
  person_id uuid NOT NULL,
  browser_sha256 bytea NOT NULL,
  signed_in_at timestamp with time zone NOT NULL,
  CONSTRAINT known_browser_pkey PRIMARY KEY (person_id, browser_sha256),
  CONSTRAINT known_browser_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);
CREATE INDEX known_browser_old ON public.known_browser USING btree (signed_in_at);

CREATE TABLE link (
  partner_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  booking_page_version integer NOT NULL DEFAULT 0,
  CONSTRAINT link_pkey PRIMARY KEY (partner_id, workshop_id),
  CONSTRAINT link_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  CONSTRAINT link_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);
CREATE INDEX link_workshop ON public.link USING btree (workshop_id, partner_id);

CREATE TABLE long_sms (
  id uuid NOT NULL,
  gateway text NOT NULL,
  sender text NOT NULL,
  recipient text NOT NULL,
  series integer NOT NULL,
  total smallint NOT NULL,
  parts bytea[] NOT NULL,
  charsets text[] NOT NULL,
  state text NOT NULL DEFAULT 'open'::text,
  is_current boolean NOT NULL DEFAULT true,
  begun_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT long_sms_pkey PRIMARY KEY (id),
  CONSTRAINT long_sms_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text, 'recorded'::text])))
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX long_sms_due ON public.long_sms USING btree (due_at);
CREATE INDEX long_sms_sender ON public.long_sms USING btree (sender);
CREATE UNIQUE INDEX long_sms_current ON public.long_sms USING btree (gateway, sender, recipient, series, total) WHERE is_current;

CREATE TABLE mail_refusal (
  kind text NOT NULL,
  detail text NOT NULL,
  count integer NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  told_at timestamp with time zone NOT NULL,
  CONSTRAINT mail_refusal_pkey PRIMARY KEY (kind)
);

CREATE TABLE manage_link (
  code text NOT NULL,
  booking_id uuid NOT NULL,
  CONSTRAINT manage_link_pkey PRIMARY KEY (code),
  CONSTRAINT manage_link_booking_id_key UNIQUE (booking_id),
  CONSTRAINT manage_link_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE
);

CREATE TABLE membership (
  person_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  role text NOT NULL,
  may_text boolean NOT NULL,
  sees_phones boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT membership_pkey PRIMARY KEY (person_id, workshop_id),
  CONSTRAINT membership_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT membership_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT membership_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'adviser'::text, 'technician'::text, 'viewer'::text])))
);
CREATE INDEX membership_workshop ON public.membership USING btree (workshop_id, person_id);

CREATE TABLE message (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  conversation_id uuid,
  customer_id uuid,
  partner_id uuid,
  booking_id uuid,
  template_id uuid,
  direction text NOT NULL,
  recipient text NOT NULL,
  body text NOT NULL,
  encoding text,
  segments integer,
  reference_id text,
  state text NOT NULL,
  reason text,
  detail text,
  attempt_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  gateway text,
  gateway_message_id text,
  despite_opt_out boolean NOT NULL DEFAULT false,
  notice_due boolean NOT NULL DEFAULT false,
  told_in uuid,
  version integer NOT NULL DEFAULT 1,
  channel text NOT NULL DEFAULT 'sms'::text,
  kind text NOT NULL,
  audience text NOT NULL DEFAULT 'customer'::text,
  cause_id uuid,
  subject text,
  series_id uuid,
  series_number integer,
  handed_over_at timestamp with time zone,
  template_version integer,
  CONSTRAINT message_pkey PRIMARY KEY (id),
  CONSTRAINT message_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  CONSTRAINT message_workshop_id_conversation_id_fkey FOREIGN KEY (workshop_id, conversation_id) REFERENCES conversation(workshop_id, id),
  CONSTRAINT message_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id),
  CONSTRAINT message_workshop_id_template_id_fkey FOREIGN KEY (workshop_id, template_id) REFERENCES template(workshop_id, id),
  CONSTRAINT message_audience_check CHECK ((audience = ANY (ARRAY['customer'::text, 'workshop'::text]))),
  CONSTRAINT message_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'email'::text]))),
  CONSTRAINT message_customer_sms CHECK (((channel <> 'sms'::text) OR (audience <> 'customer'::text) OR ((conversation_id IS NOT NULL) AND (customer_id IS NOT NULL)))),
  CONSTRAINT message_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
  CONSTRAINT message_encoding_check CHECK ((encoding = ANY (ARRAY['gsm7'::text, 'ucs2'::text]))),
  CONSTRAINT message_kind_check CHECK ((kind = ANY (ARRAY['partnerMessage'::text, 'reply'::text, 'confirmation'::text, 'helpAnswer'::text, 'bookingNotice'::text, 'quoteNotice'::text, 'carReady'::text, 'serviceReminder'::text, 'inboxDigest'::text, 'inbound'::text, 'reaction'::text, 'automation'::text, 'blast'::text]))),
  CONSTRAINT message_series CHECK (((series_id IS NULL) = (series_number IS NULL))),
  CONSTRAINT message_sms CHECK (((channel <> 'sms'::text) OR ((encoding IS NOT NULL) AND (segments IS NOT NULL)))),
  CONSTRAINT message_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'accepted'::text, 'failed'::text, 'unknown'::text, 'delivered'::text, 'undelivered'::text, 'expired'::text, 'superseded'::text, 'received'::text])))
) WITH (fillfactor=50);
CREATE INDEX message_conversation ON public.message USING btree (conversation_id, id);
CREATE INDEX message_conversation_order ON public.message USING btree (conversation_id, id) WHERE (kind = ANY (ARRAY['partnerMessage'::text, 'reply'::text, 'inbound'::text]));
CREATE INDEX message_customer ON public.message USING btree (customer_id, id);
CREATE INDEX message_notice_due ON public.message USING btree (workshop_id) WHERE notice_due;
CREATE INDEX message_report ON public.message USING btree (partner_id, created_at) WHERE ((partner_id IS NOT NULL) AND (created_at IS NOT NULL));
CREATE INDEX message_series ON public.message USING btree (series_id) WHERE (series_id IS NOT NULL);
CREATE INDEX message_told_in ON public.message USING btree (told_in) WHERE (told_in IS NOT NULL);
CREATE INDEX message_workshop ON public.message USING btree (workshop_id, id) WHERE (kind = ANY (ARRAY['partnerMessage'::text, 'reply'::text, 'inbound'::text]));
CREATE INDEX message_workshop_created ON public.message USING btree (workshop_id, created_at) WHERE (created_at IS NOT NULL);
CREATE INDEX message_workshop_other ON public.message USING btree (workshop_id, id) WHERE (kind <> ALL (ARRAY['partnerMessage'::text, 'reply'::text, 'inbound'::text]));
CREATE UNIQUE INDEX message_cause ON public.message USING btree (cause_id, kind, audience, channel, recipient) WHERE (cause_id IS NOT NULL);
CREATE UNIQUE INDEX message_inbound ON public.message USING btree (gateway, gateway_message_id) WHERE (gateway_message_id IS NOT NULL);
CREATE UNIQUE INDEX message_reference ON public.message USING btree (partner_id, workshop_id, customer_id, reference_id) WHERE (reference_id IS NOT NULL);
CREATE TRIGGER message_campaign AFTER UPDATE OF state, reason ON public.message FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['automation'::text, 'blast'::text]))) EXECUTE FUNCTION campaign_message_changed();
CREATE TRIGGER message_talk_changed AFTER UPDATE ON public.message REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION talk_text_changed();
CREATE TRIGGER message_talk_forgotten AFTER DELETE ON public.message REFERENCING OLD TABLE AS was_there FOR EACH STATEMENT EXECUTE FUNCTION talk_forgotten();
CREATE TRIGGER message_talk_said AFTER INSERT ON public.message REFERENCING NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION talk_said();

CREATE TABLE message_attachment (
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  ordinal integer NOT NULL,
  gateway text NOT NULL,
  content_type text NOT NULL,
  size_bytes integer,
  content bytea,
  state text NOT NULL,
  reason text,
  source_url text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT message_attachment_pkey PRIMARY KEY (id),
  CONSTRAINT message_attachment_message_id_ordinal_key UNIQUE (message_id, ordinal),
  CONSTRAINT message_attachment_message_id_fkey FOREIGN KEY (message_id) REFERENCES message(id) ON DELETE CASCADE,
  CONSTRAINT message_attachment_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'stored'::text, 'refused'::text, 'failed'::text]))),
  CONSTRAINT message_attachment_stored CHECK (((state = 'stored'::text) = (content IS NOT NULL))),
  CONSTRAINT message_attachment_waiting CHECK ((((state = 'waiting'::text) = (due_at IS NOT NULL)) AND ((state <> 'waiting'::text) OR (source_url IS NOT NULL))))
);
CREATE INDEX message_attachment_due ON public.message_attachment USING btree (due_at) WHERE (state = 'waiting'::text);

CREATE TABLE message_attempt (
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  number integer NOT NULL,
  gateway text NOT NULL,
  gateway_id text,
  state text NOT NULL,
  reason text,
  detail text,
  repeats_unknown boolean NOT NULL DEFAULT false,
  started_at timestamp with time zone NOT NULL,
  asked_at timestamp with time zone,
  finished_at timestamp with time zone,
  business_started_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  business_finished_at timestamp with time zone,
  CONSTRAINT message_attempt_pkey PRIMARY KEY (id),
  CONSTRAINT message_attempt_message_id_number_key UNIQUE (message_id, number),
  CONSTRAINT message_attempt_message_id_fkey FOREIGN KEY (message_id) REFERENCES message(id) ON DELETE CASCADE,
  CONSTRAINT message_attempt_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'accepted'::text, 'failed'::text, 'unknown'::text, 'delivered'::text, 'undelivered'::text, 'expired'::text])))
) WITH (fillfactor=40);

CREATE UNLOGGED TABLE message_rate (
  workshop_id uuid NOT NULL,
  person text NOT NULL,
  passed timestamp with time zone[] NOT NULL,
  CONSTRAINT message_rate_pkey PRIMARY KEY (workshop_id, person)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);

CREATE TABLE migration (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT migration_pkey PRIMARY KEY (name)
);

CREATE TABLE page_use (
  kind text NOT NULL,
  subject text NOT NULL,
  uses timestamp with time zone[] NOT NULL,
  over_at timestamp with time zone,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT page_use_pkey PRIMARY KEY (kind, subject),
  CONSTRAINT page_use_kind_check CHECK ((kind = ANY (ARRAY['address'::text, 'addressAtWorkshop'::text, 'phone'::text, 'email'::text, 'workshop'::text])))
);
CREATE INDEX page_use_old ON public.page_use USING btree (expires_at);

CREATE TABLE partner (
  id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  messaging_enabled boolean NOT NULL DEFAULT true,
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  email text,
  campaigns_enabled boolean NOT NULL DEFAULT true,
  CONSTRAINT partner_pkey PRIMARY KEY (id),
  CONSTRAINT partner_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);

CREATE TABLE partner_event (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  action text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT partner_event_pkey PRIMARY KEY (id, partner_id)
);
CREATE INDEX partner_event_feed ON public.partner_event USING btree (partner_id, changed_in, id);

CREATE TABLE passkey (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  host text NOT NULL,
  name text NOT NULL,
  vouched_by uuid,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT passkey_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT passkey_vouched_by_fkey FOREIGN KEY (vouched_by) REFERENCES workshop(id)
);
CREATE INDEX passkey_person ON public.passkey USING btree (person_id, id);

CREATE UNLOGGED TABLE passkey_challenge (
  held_by text NOT NULL,
  challenge text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenge_pkey PRIMARY KEY (held_by)
);
CREATE INDEX passkey_challenge_old ON public.passkey_challenge USING btree (expires_at);

CREATE TABLE person (
  id uuid NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  is_operator boolean NOT NULL DEFAULT false,
  undo_seconds smallint NOT NULL DEFAULT 10,
  single_keys boolean NOT NULL DEFAULT true,
  last_workshop_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT person_pkey PRIMARY KEY (id),
  CONSTRAINT person_last_workshop_id_fkey FOREIGN KEY (last_workshop_id) REFERENCES workshop(id),
  CONSTRAINT person_undo_seconds_check CHECK ((undo_seconds = ANY (ARRAY[10, 60])))
);
CREATE UNIQUE INDEX person_email ON public.person USING btree (lower(email));

CREATE TABLE person_pin (
  person_id uuid NOT NULL,
  sealed text NOT NULL,
  vouched_by uuid,
  set_at timestamp with time zone NOT NULL,
  CONSTRAINT person_pin_pkey PRIMARY KEY (person_id),
  CONSTRAINT person_pin_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT person_pin_vouched_by_fkey FOREIGN KEY (vouched_by) REFERENCES workshop(id)
);

CREATE TABLE provider_opt_in (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  agreed_on date,
  state text NOT NULL,
  detail text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT provider_opt_in_pkey PRIMARY KEY (id),
  CONSTRAINT provider_opt_in_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id) ON DELETE CASCADE,
  CONSTRAINT provider_opt_in_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'told'::text, 'refused'::text, 'noCall'::text, 'overtaken'::text]))),
  CONSTRAINT provider_opt_in_waiting CHECK (((state = 'waiting'::text) = (due_at IS NOT NULL)))
);
CREATE INDEX provider_opt_in_customer ON public.provider_opt_in USING btree (customer_id, id);
CREATE INDEX provider_opt_in_due ON public.provider_opt_in USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE TABLE queued_message (
  message_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  channel text NOT NULL,
  class smallint,
  due_at timestamp with time zone NOT NULL,
  attempt_id uuid,
  in_flight boolean NOT NULL DEFAULT false,
  tries smallint NOT NULL DEFAULT 0,
  first_tried_at timestamp with time zone,
  repeats_unknown boolean NOT NULL DEFAULT false,
  series_id uuid,
  series_number integer,
  recipient text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  quiet_from time without time zone,
  quiet_until time without time zone,
  CONSTRAINT queued_message_pkey PRIMARY KEY (message_id)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX queued_message_due ON public.queued_message USING btree (workshop_id, channel, class, due_at, message_id) WHERE (class IS NOT NULL);
CREATE INDEX queued_message_expiry ON public.queued_message USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX queued_message_in_flight ON public.queued_message USING btree (due_at) WHERE in_flight;
CREATE INDEX queued_message_series ON public.queued_message USING btree (series_id) WHERE (series_id IS NOT NULL);

CREATE TABLE quote (
  id uuid NOT NULL,
  code text NOT NULL,
  partner_id uuid,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  car_id uuid NOT NULL,
  booking_id uuid,
  external_id text,
  status text NOT NULL,
  contact_name text NOT NULL,
  contact_first_name text,
  contact_last_name text,
  contact_email text NOT NULL,
  contact_phone text NOT NULL,
  contact_company text,
  car_year integer,
  car_make text,
  car_model text,
  car_badge text,
  car_vin text,
  services jsonb NOT NULL,
  service_minutes integer[] NOT NULL,
  notes text,
  lines jsonb NOT NULL DEFAULT '[]'::jsonb,
  total numeric(9,2),
  message text,
  valid_until timestamp with time zone,
  url text,
  version integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT quote_pkey PRIMARY KEY (id),
  CONSTRAINT quote_code UNIQUE (code),
  CONSTRAINT quote_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  CONSTRAINT quote_partner_id_workshop_id_fkey FOREIGN KEY (partner_id, workshop_id) REFERENCES link(partner_id, workshop_id),
  CONSTRAINT quote_workshop_id_customer_id_car_id_fkey FOREIGN KEY (workshop_id, customer_id, car_id) REFERENCES car(workshop_id, customer_id, id),
  CONSTRAINT quote_booked CHECK (((booking_id IS NOT NULL) = (status = 'accepted'::text))),
  CONSTRAINT quote_priced CHECK (((num_nonnulls(total, valid_until) = ANY (ARRAY[0, 2])) AND ((total IS NOT NULL) OR (status = ANY (ARRAY['requested'::text, 'declined'::text]))))),
  CONSTRAINT quote_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'quoted'::text, 'accepted'::text, 'declined'::text, 'expired'::text]))),
  CONSTRAINT quote_total_check CHECK ((total >= (0)::numeric))
);
CREATE INDEX quote_booking ON public.quote USING btree (booking_id) WHERE (booking_id IS NOT NULL);
CREATE INDEX quote_car ON public.quote USING btree (car_id);
CREATE INDEX quote_customer ON public.quote USING btree (customer_id);
CREATE INDEX quote_expiry ON public.quote USING btree (valid_until) WHERE (status = 'quoted'::text);
CREATE INDEX quote_external ON public.quote USING btree (partner_id, external_id, id) WHERE (external_id IS NOT NULL);
CREATE INDEX quote_feed ON public.quote USING btree (partner_id, changed_in, id) WHERE (changed_in IS NOT NULL);
CREATE INDEX quote_old ON public.quote USING btree (updated_at) WHERE (status = ANY (ARRAY['requested'::text, 'declined'::text, 'expired'::text]));
CREATE INDEX quote_report ON public.quote USING btree (partner_id, created_at) INCLUDE (workshop_id, status) WHERE (created_at IS NOT NULL);
CREATE INDEX quote_status ON public.quote USING btree (partner_id, status, id) WHERE (status IS NOT NULL);
CREATE INDEX quote_workshop ON public.quote USING btree (workshop_id, id);
CREATE INDEX quote_workshop_created ON public.quote USING btree (workshop_id, created_at) WHERE (created_at IS NOT NULL);
CREATE INDEX quote_workshop_status ON public.quote USING btree (workshop_id, partner_id, status, id) WHERE (status IS NOT NULL);
CREATE TRIGGER quote_change BEFORE UPDATE ON public.quote FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE TABLE recovery_code (
  person_id uuid NOT NULL,
  code_sha256 bytea NOT NULL,
  CONSTRAINT recovery_code_pkey PRIMARY KEY (person_id, code_sha256),
  CONSTRAINT recovery_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);

CREATE TABLE refresh_token (
  hash bytea NOT NULL,
  sign_in_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  exchanged_at timestamp with time zone,
  CONSTRAINT refresh_token_pkey PRIMARY KEY (hash),
  CONSTRAINT refresh_token_sign_in_id_fkey FOREIGN KEY (sign_in_id) REFERENCES sign_in(id) ON DELETE CASCADE
);
CREATE INDEX refresh_token_expiry ON public.refresh_token USING btree (expires_at);
CREATE INDEX refresh_token_sign_in ON public.refresh_token USING btree (sign_in_id);

CREATE TABLE retention (
  name text NOT NULL,
  purged_to uuid NOT NULL,
  skipped uuid[] NOT NULL DEFAULT '{}'::uuid[],
  CONSTRAINT retention_pkey PRIMARY KEY (name)
);

CREATE TABLE sandbox_message (
  id uuid NOT NULL,
  reference uuid NOT NULL,
  message_id uuid NOT NULL,
  channel text NOT NULL,
  outcome text NOT NULL,
  recipient text NOT NULL,
  sender text NOT NULL,
  subject text,
  body text NOT NULL,
  html text,
  calendar text,
  report text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT sandbox_message_pkey PRIMARY KEY (id),
  CONSTRAINT sandbox_message_reference_recipient_key UNIQUE (reference, recipient),
  CONSTRAINT sandbox_message_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'email'::text]))),
  CONSTRAINT sandbox_message_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'refused'::text])))
);
CREATE INDEX sandbox_message_message ON public.sandbox_message USING btree (message_id);
CREATE INDEX sandbox_message_recipient ON public.sandbox_message USING btree (recipient, id);
CREATE INDEX sandbox_message_report ON public.sandbox_message USING btree (created_at) WHERE (report IS NOT NULL);

CREATE TABLE scheduled_text (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  person_id uuid NOT NULL,
  body text NOT NULL,
  seen uuid,
  due_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  booking_id uuid,
  CONSTRAINT scheduled_text_pkey PRIMARY KEY (id),
  CONSTRAINT scheduled_text_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  CONSTRAINT scheduled_text_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);
CREATE INDEX scheduled_text_customer ON public.scheduled_text USING btree (customer_id);
CREATE INDEX scheduled_text_due ON public.scheduled_text USING btree (due_at);
CREATE INDEX scheduled_text_person ON public.scheduled_text USING btree (person_id);
CREATE INDEX scheduled_text_workshop ON public.scheduled_text USING btree (workshop_id);

CREATE TABLE search_customer (
  customer_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  ahead_at timestamp with time zone,
  recent_at timestamp with time zone NOT NULL,
  mark bigint NOT NULL,
  CONSTRAINT search_customer_pkey PRIMARY KEY (customer_id)
);
CREATE INDEX search_customer_ahead ON public.search_customer USING btree (workshop_id, ahead_at) WHERE (ahead_at IS NOT NULL);
CREATE INDEX search_customer_recent ON public.search_customer USING btree (workshop_id, recent_at);

CREATE TABLE search_due (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  CONSTRAINT search_due_pkey PRIMARY KEY (customer_id, id)
);

CREATE TABLE search_sweep (
  only_row boolean NOT NULL DEFAULT true,
  after uuid,
  is_filled boolean NOT NULL DEFAULT false,
  CONSTRAINT search_sweep_pkey PRIMARY KEY (only_row),
  CONSTRAINT search_sweep_only_row_check CHECK (only_row)
);

CREATE TABLE search_term (
  workshop_id uuid NOT NULL,
  kind text NOT NULL,
  term text COLLATE "C" NOT NULL,
  customer_id uuid NOT NULL,
  CONSTRAINT search_term_pkey PRIMARY KEY (workshop_id, kind, term, customer_id),
  CONSTRAINT search_term_kind_check CHECK ((kind = ANY (ARRAY['name'::text, 'rego'::text, 'code'::text, 'phone'::text, 'phoneEnd'::text, 'email'::text])))
);
CREATE INDEX search_term_customer ON public.search_term USING btree (customer_id);
CREATE INDEX search_term_parts ON public.search_term USING gin (search_parts(workshop_id, term)) WITH (gin_pending_list_limit='256') WHERE (((kind = ANY (ARRAY['name'::text, 'rego'::text, 'email'::text])) IS TRUE) AND (length(term) >= 3));

CREATE TABLE secret_key (
  only_row boolean NOT NULL DEFAULT true,
  fingerprint text NOT NULL,
  former text[] NOT NULL,
  CONSTRAINT secret_key_pkey PRIMARY KEY (only_row),
  CONSTRAINT secret_key_only_row_check CHECK (only_row)
);

CREATE TABLE send_hold (
  cause_id uuid NOT NULL,
  state text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT send_hold_pkey PRIMARY KEY (cause_id),
  CONSTRAINT send_hold_state_check CHECK ((state = ANY (ARRAY['paused'::text, 'cancelled'::text])))
);
CREATE INDEX send_hold_age ON public.send_hold USING btree (created_at) WHERE (state = 'cancelled'::text);

CREATE TABLE send_queue (
  workshop_id uuid NOT NULL,
  channel text NOT NULL,
  class smallint NOT NULL,
  route text NOT NULL,
  next_at timestamp with time zone,
  version bigint NOT NULL DEFAULT 0,
  CONSTRAINT send_queue_pkey PRIMARY KEY (workshop_id, channel, class)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX send_queue_turn ON public.send_queue USING btree (route, class, next_at) WHERE (next_at IS NOT NULL);

CREATE TABLE send_wake (
  workshop_id uuid NOT NULL,
  channel text NOT NULL,
  class smallint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX send_wake_order ON public.send_wake USING btree (queued_at);

CREATE TABLE service_reminder (
  id uuid NOT NULL,
  code text NOT NULL,
  partner_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  car_id uuid,
  last_service_id uuid,
  last_booking_id uuid,
  new_booking_id uuid,
  external_id text,
  reference_id text,
  automatic boolean NOT NULL,
  customer jsonb NOT NULL,
  car jsonb,
  status text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  taken_at timestamp with time zone,
  sent_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT service_reminder_pkey PRIMARY KEY (id),
  CONSTRAINT service_reminder_code UNIQUE (code),
  CONSTRAINT service_reminder_partner_id_workshop_id_fkey FOREIGN KEY (partner_id, workshop_id) REFERENCES link(partner_id, workshop_id),
  CONSTRAINT service_reminder_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id),
  CONSTRAINT service_reminder_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'sent'::text, 'failed'::text, 'booked'::text, 'cancelled'::text])))
);
CREATE INDEX service_reminder_customer ON public.service_reminder USING btree (customer_id, partner_id, id);
CREATE INDEX service_reminder_due ON public.service_reminder USING btree (due_at) WHERE ((status = 'scheduled'::text) AND (taken_at IS NULL));
CREATE INDEX service_reminder_external ON public.service_reminder USING btree (partner_id, external_id, id) WHERE (external_id IS NOT NULL);
CREATE INDEX service_reminder_feed ON public.service_reminder USING btree (partner_id, changed_in, id) WHERE (changed_in IS NOT NULL);
CREATE INDEX service_reminder_old ON public.service_reminder USING btree (updated_at) WHERE (status <> 'scheduled'::text);
CREATE INDEX service_reminder_report ON public.service_reminder USING btree (partner_id, sent_at) INCLUDE (workshop_id, status) WHERE (sent_at IS NOT NULL);
CREATE INDEX service_reminder_status ON public.service_reminder USING btree (partner_id, status, id) WHERE (status IS NOT NULL);
CREATE INDEX service_reminder_taken ON public.service_reminder USING btree (taken_at) WHERE ((status = 'scheduled'::text) AND (taken_at IS NOT NULL));
CREATE INDEX service_reminder_workshop ON public.service_reminder USING btree (workshop_id, partner_id, status, id) WHERE (status IS NOT NULL);
CREATE INDEX service_reminder_workshop_due ON public.service_reminder USING btree (workshop_id, status, due_at, id);
CREATE UNIQUE INDEX service_reminder_automatic ON public.service_reminder USING btree (last_booking_id) WHERE automatic;
CREATE UNIQUE INDEX service_reminder_reference ON public.service_reminder USING btree (partner_id, workshop_id, customer_id, reference_id) WHERE (reference_id IS NOT NULL);
CREATE TRIGGER service_reminder_change BEFORE UPDATE ON public.service_reminder FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE TABLE session (
  id uuid NOT NULL,
  token_sha256 bytea NOT NULL,
  person_id uuid NOT NULL,
  signed_in_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  network text NOT NULL,
  browser text NOT NULL,
  vouched_by uuid,
  signed_in_by text,
  browser_sha256 bytea,
  put_aside_at timestamp with time zone,
  switched_at timestamp with time zone,
  pin_tries smallint NOT NULL DEFAULT 0,
  used_network text,
  used_network_at timestamp with time zone,
  CONSTRAINT session_pkey PRIMARY KEY (id),
  CONSTRAINT session_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT session_vouched_by_fkey FOREIGN KEY (vouched_by) REFERENCES workshop(id)
);
CREATE INDEX session_browser ON public.session USING btree (browser_sha256) WHERE (ended_at IS NULL);
CREATE INDEX session_ended ON public.session USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX session_person ON public.session USING btree (person_id, id);
CREATE INDEX session_signed_in ON public.session USING btree (signed_in_at);
CREATE INDEX session_used ON public.session USING btree (used_at);
CREATE UNIQUE INDEX session_desk ON public.session USING btree (browser_sha256) WHERE ((ended_at IS NULL) AND (put_aside_at IS NULL));

CREATE UNLOGGED TABLE session_found (
  session_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT session_found_pkey PRIMARY KEY (session_id, customer_id),
  CONSTRAINT session_found_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE
);
CREATE INDEX session_found_old ON public.session_found USING btree (at);

CREATE UNLOGGED TABLE shown_customer (
  person_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT shown_customer_pkey PRIMARY KEY (person_id, workshop_id, customer_id),
  CONSTRAINT shown_customer_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);
CREATE INDEX shown_customer_old ON public.shown_customer USING btree (at);

CREATE TABLE sign_in (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  app_key_id text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  CONSTRAINT sign_in_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_app_key_id_fkey FOREIGN KEY (app_key_id) REFERENCES app_key(id) ON DELETE CASCADE,
  CONSTRAINT sign_in_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);
CREATE INDEX sign_in_app_key ON public.sign_in USING btree (app_key_id);
CREATE INDEX sign_in_partner ON public.sign_in USING btree (partner_id);

CREATE UNLOGGED TABLE sign_in_address (
  token_sha256 bytea NOT NULL,
  person_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_address_pkey PRIMARY KEY (token_sha256),
  CONSTRAINT sign_in_address_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_address_old ON public.sign_in_address USING btree (expires_at);

CREATE UNLOGGED TABLE sign_in_attempt (
  source bytea NOT NULL,
  attempts timestamp with time zone[] NOT NULL,
  CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (source)
);

CREATE UNLOGGED TABLE sign_in_code (
  id uuid NOT NULL,
  email text NOT NULL,
  code_hmac bytea NOT NULL,
  code_sealed text,
  browser_sha256 bytea,
  tries smallint NOT NULL DEFAULT 0,
  vouched_by uuid,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_code_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_code_vouched_by_fkey FOREIGN KEY (vouched_by) REFERENCES workshop(id)
);
CREATE INDEX sign_in_code_old ON public.sign_in_code USING btree (expires_at);
CREATE UNIQUE INDEX sign_in_code_browser ON public.sign_in_code USING btree (browser_sha256) WHERE (browser_sha256 IS NOT NULL);
CREATE UNIQUE INDEX sign_in_code_printed ON public.sign_in_code USING btree (email) WHERE (browser_sha256 IS NULL);

CREATE TABLE sms_account (
  workshop_id uuid NOT NULL,
  gateway text NOT NULL,
  account text NOT NULL,
  CONSTRAINT sms_account_pkey PRIMARY KEY (workshop_id, gateway),
  CONSTRAINT sms_account_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);

CREATE TABLE sms_day (
  day date NOT NULL,
  subject text NOT NULL,
  subject_id uuid NOT NULL,
  sent integer NOT NULL,
  CONSTRAINT sms_day_pkey PRIMARY KEY (day, subject, subject_id),
  CONSTRAINT sms_day_sent_check CHECK ((sent >= 0)),
  CONSTRAINT sms_day_subject_check CHECK ((subject = ANY (ARRAY['partner'::text, 'workshop'::text])))
);

CREATE TABLE sms_name_registered (
  workshop_id uuid NOT NULL,
  gateway text NOT NULL,
  name text NOT NULL,
  said_at timestamp with time zone NOT NULL,
  CONSTRAINT sms_name_registered_pkey PRIMARY KEY (workshop_id, gateway),
  CONSTRAINT sms_name_registered_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);

CREATE TABLE sms_segment (
  gateway text NOT NULL,
  segment_id text NOT NULL,
  reference uuid,
  segments integer,
  state text,
  detail text,
  reported_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  shared_at timestamp with time zone,
  CONSTRAINT sms_segment_pkey PRIMARY KEY (gateway, segment_id),
  CONSTRAINT sms_segment_state_check CHECK ((state = ANY (ARRAY['delivered'::text, 'undelivered'::text, 'expired'::text])))
);
CREATE INDEX sms_segment_matched ON public.sms_segment USING btree (created_at) WHERE (reference IS NOT NULL);
CREATE INDEX sms_segment_reference ON public.sms_segment USING btree (reference) WHERE (reference IS NOT NULL);
CREATE INDEX sms_segment_shared ON public.sms_segment USING btree (created_at) WHERE (shared_at IS NOT NULL);
CREATE INDEX sms_segment_unmatched ON public.sms_segment USING btree (created_at) WHERE (reference IS NULL);

CREATE TABLE talk (
  customer_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  merged_into uuid,
  conversation_id uuid,
  last_message_id uuid,
  heard_id uuid,
  answer_id uuid,
  failed_id uuid,
  reopened_id uuid,
  done_at timestamp with time zone,
  assigned_to uuid,
  version integer NOT NULL DEFAULT 1,
  asked_id uuid,
  meant_id uuid,
  meant_booking_id uuid,
  CONSTRAINT talk_pkey PRIMARY KEY (customer_id),
  CONSTRAINT talk_assigned_to_workshop_id_fkey FOREIGN KEY (assigned_to, workshop_id) REFERENCES membership(person_id, workshop_id) ON DELETE SET NULL (assigned_to),
  CONSTRAINT talk_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id) ON DELETE CASCADE,
  CONSTRAINT talk_merged CHECK (((merged_into IS NULL) OR (num_nonnulls(conversation_id, last_message_id, heard_id, answer_id, failed_id, reopened_id, done_at, assigned_to) = 0)))
) WITH (fillfactor=80);
CREATE INDEX talk_asked ON public.talk USING btree (workshop_id) WHERE (asked_id IS NOT NULL);
CREATE INDEX talk_assigned ON public.talk USING btree (assigned_to, workshop_id, last_message_id) WHERE (assigned_to IS NOT NULL);
CREATE INDEX talk_done ON public.talk USING btree (workshop_id, last_message_id) WHERE ((last_message_id IS NOT NULL) AND (done_at IS NOT NULL));
CREATE INDEX talk_failed ON public.talk USING btree (workshop_id, last_message_id) WHERE ((last_message_id IS NOT NULL) AND (done_at IS NULL) AND (failed_id >= COALESCE(answer_id, '00000000-0000-0000-0000-000000000000'::uuid)));
CREATE INDEX talk_last ON public.talk USING btree (workshop_id, last_message_id) WHERE (last_message_id IS NOT NULL);
CREATE INDEX talk_waiting ON public.talk USING btree (workshop_id, last_message_id) WHERE ((last_message_id IS NOT NULL) AND (done_at IS NULL) AND ((heard_id > COALESCE(answer_id, '00000000-0000-0000-0000-000000000000'::uuid)) OR (reopened_id >= COALESCE(answer_id, '00000000-0000-0000-0000-000000000000'::uuid))));

CREATE TABLE talk_note (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  text text NOT NULL,
  actor text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT talk_note_pkey PRIMARY KEY (id),
  CONSTRAINT talk_note_workshop_id_customer_id_fkey FOREIGN KEY (workshop_id, customer_id) REFERENCES customer(workshop_id, id) ON DELETE CASCADE
);
CREATE INDEX talk_note_customer ON public.talk_note USING btree (customer_id, id);

CREATE TABLE template (
  id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  purpose text NOT NULL DEFAULT 'inbox'::text,
  name text NOT NULL,
  subject text,
  body text NOT NULL,
  placeholders text[] NOT NULL DEFAULT '{}'::text[],
  requires_booking boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'draft'::text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT template_pkey PRIMARY KEY (id),
  CONSTRAINT template_workshop_id_id_key UNIQUE (workshop_id, id),
  CONSTRAINT template_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT template_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text])))
);
CREATE INDEX template_published ON public.template USING btree (workshop_id, purpose, id) WHERE (status = 'published'::text);
CREATE UNIQUE INDEX template_name ON public.template USING btree (lower(name), workshop_id);
CREATE UNIQUE INDEX template_notice ON public.template USING btree (workshop_id, purpose) WHERE ((status = 'published'::text) AND (purpose <> 'inbox'::text));
CREATE TRIGGER template_changed AFTER UPDATE OF version ON public.template FOR EACH ROW WHEN ((new.version <> old.version)) EXECUTE FUNCTION keep_template_version();
CREATE TRIGGER template_created AFTER INSERT ON public.template FOR EACH ROW EXECUTE FUNCTION keep_template_version();

CREATE TABLE template_version (
  template_id uuid NOT NULL,
  number integer NOT NULL,
  name text NOT NULL,
  subject text,
  body text NOT NULL,
  placeholders text[] NOT NULL,
  requires_booking boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT template_version_pkey PRIMARY KEY (template_id, number),
  CONSTRAINT template_version_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id)
);

CREATE TABLE texting_ground (
  workshop_id uuid NOT NULL,
  phone text NOT NULL,
  customer_id uuid NOT NULL,
  reason text,
  abroad_allowed boolean NOT NULL,
  actor text NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT texting_ground_pkey PRIMARY KEY (workshop_id, phone),
  CONSTRAINT texting_ground_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  CONSTRAINT texting_ground_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);
CREATE INDEX texting_ground_customer ON public.texting_ground USING btree (customer_id);

CREATE TABLE token_exchange (
  access_hash bytea NOT NULL,
  refresh_hash bytea NOT NULL,
  first_at timestamp with time zone NOT NULL,
  repeats integer NOT NULL DEFAULT 0,
  CONSTRAINT token_exchange_pkey PRIMARY KEY (access_hash, refresh_hash),
  CONSTRAINT token_exchange_access_hash_fkey FOREIGN KEY (access_hash) REFERENCES access_token(hash) ON DELETE CASCADE,
  CONSTRAINT token_exchange_refresh_hash_fkey FOREIGN KEY (refresh_hash) REFERENCES refresh_token(hash) ON DELETE CASCADE
);
CREATE INDEX token_exchange_refresh ON public.token_exchange USING btree (refresh_hash);

CREATE TABLE totp (
  person_id uuid NOT NULL,
  seed_sealed text NOT NULL,
  last_step bigint NOT NULL,
  vouched_by uuid,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT totp_pkey PRIMARY KEY (person_id),
  CONSTRAINT totp_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT totp_vouched_by_fkey FOREIGN KEY (vouched_by) REFERENCES workshop(id)
);

CREATE TABLE unplaced_sms (
  id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_message_id text NOT NULL,
  sender text NOT NULL,
  recipient text NOT NULL,
  body text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  attachments jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT unplaced_sms_pkey PRIMARY KEY (id),
  CONSTRAINT unplaced_sms_gateway_gateway_message_id_key UNIQUE (gateway, gateway_message_id)
);
CREATE INDEX unplaced_sms_sender ON public.unplaced_sms USING btree (sender);

CREATE TABLE way_out (
  code text NOT NULL,
  workshop_id uuid NOT NULL,
  phone text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT way_out_pkey PRIMARY KEY (code),
  CONSTRAINT way_out_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);
CREATE INDEX way_out_over ON public.way_out USING btree (expires_at);
CREATE INDEX way_out_phone ON public.way_out USING btree (phone, workshop_id);

CREATE TABLE webhook (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  workshop_id uuid,
  url text NOT NULL,
  method text NOT NULL,
  actions text[] NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'enabled'::text,
  disabled_reason text,
  max_concurrent smallint NOT NULL DEFAULT 5,
  notice_id uuid,
  notice_due_at timestamp with time zone,
  notice_tries smallint NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  CONSTRAINT webhook_partner_id_workshop_id_fkey FOREIGN KEY (partner_id, workshop_id) REFERENCES link(partner_id, workshop_id),
  CONSTRAINT webhook_disabled CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  CONSTRAINT webhook_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['partner'::text, 'operator'::text, 'gone'::text, 'failing'::text]))),
  CONSTRAINT webhook_max_concurrent_check CHECK (((max_concurrent >= 1) AND (max_concurrent <= 50))),
  CONSTRAINT webhook_method_check CHECK ((method = ANY (ARRAY['POST'::text, 'PUT'::text, 'PATCH'::text]))),
  CONSTRAINT webhook_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);
CREATE INDEX webhook_notice_due ON public.webhook USING btree (notice_due_at) WHERE (notice_due_at IS NOT NULL);
CREATE INDEX webhook_partner ON public.webhook USING btree (partner_id, workshop_id, id);

CREATE TABLE webhook_delivery (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  action text NOT NULL,
  status text NOT NULL,
  attempts jsonb NOT NULL DEFAULT '[]'::jsonb,
  tries smallint NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  in_flight boolean NOT NULL DEFAULT false,
  attempt_id uuid,
  attempted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  replayed_at timestamp with time zone,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_delivery_in_flight CHECK (((NOT in_flight) OR (attempt_id IS NOT NULL))),
  CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))),
  CONSTRAINT webhook_delivery_waiting CHECK (((status = 'waiting'::text) = (due_at IS NOT NULL)))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (webhook_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_delivery_in_flight ON public.webhook_delivery USING btree (webhook_id, due_at) WHERE in_flight;
CREATE INDEX webhook_delivery_log ON public.webhook_delivery USING btree (webhook_id, status, created_at, id);

CREATE TABLE webhook_lane (
  webhook_id uuid NOT NULL,
  next_at timestamp with time zone,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamp with time zone,
  failed_at timestamp with time zone,
  probe_at timestamp with time zone,
  version bigint NOT NULL DEFAULT 0,
  CONSTRAINT webhook_lane_pkey PRIMARY KEY (webhook_id),
  CONSTRAINT webhook_lane_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_lane_next ON public.webhook_lane USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE TABLE webhook_secret (
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  sealed text NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT webhook_secret_pkey PRIMARY KEY (webhook_id, id),
  CONSTRAINT webhook_secret_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
);

CREATE TABLE webhook_wake (
  webhook_id uuid NOT NULL,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_wake_order ON public.webhook_wake USING btree (queued_at);

CREATE TABLE worker (
  id text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  gateways jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT worker_pkey PRIMARY KEY (id)
);

CREATE TABLE workshop (
  id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  country text NOT NULL,
  timezone text NOT NULL,
  phone text NOT NULL,
  email text NOT NULL,
  notify_phones text[],
  notify_emails text[],
  sms_sender text,
  opening_hours jsonb,
  inbox_messaging_enabled boolean NOT NULL DEFAULT true,
  enforce_availability boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  inbox_notices text NOT NULL DEFAULT 'email'::text,
  answers_told_at timestamp with time zone,
  sms_gateways text[],
  slot_minutes integer NOT NULL DEFAULT 30,
  bays integer NOT NULL DEFAULT 1,
  lead_time_minutes integer NOT NULL DEFAULT 0,
  horizon_days integer NOT NULL DEFAULT 365,
  booking_page boolean NOT NULL DEFAULT true,
  customer_may_change boolean NOT NULL DEFAULT true,
  colour text,
  reminder_months integer,
  pickup_times jsonb NOT NULL DEFAULT '{}'::jsonb,
  setup_version integer NOT NULL DEFAULT 0,
  address text,
  tax_label text,
  privacy_url text,
  terms_url text,
  cancellation_text text,
  plain_page boolean,
  second_factor_required boolean NOT NULL DEFAULT false,
  CONSTRAINT workshop_pkey PRIMARY KEY (id),
  CONSTRAINT workshop_slug_key UNIQUE (slug),
  CONSTRAINT workshop_bays_check CHECK (((bays >= 0) AND (bays <= 1000))),
  CONSTRAINT workshop_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT workshop_horizon_days_check CHECK ((horizon_days >= 0)),
  CONSTRAINT workshop_inbox_notices_check CHECK ((inbox_notices = ANY (ARRAY['email'::text, 'sms'::text, 'both'::text, 'off'::text]))),
  CONSTRAINT workshop_lead_time_minutes_check CHECK ((lead_time_minutes >= 0)),
  CONSTRAINT workshop_reminder_months_check CHECK ((reminder_months > 0)),
  CONSTRAINT workshop_slot_minutes_check CHECK (((slot_minutes >= 5) AND (slot_minutes <= 1440))),
  CONSTRAINT workshop_sms_gateways_check CHECK (((cardinality(sms_gateways) >= 1) AND (cardinality(sms_gateways) <= 10)))
);
CREATE INDEX workshop_sms_sender ON public.workshop USING btree (sms_sender) WHERE (sms_sender IS NOT NULL);

CREATE TABLE workshop_calendar (
  workshop_id uuid NOT NULL,
  secret_sha256 bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT workshop_calendar_pkey PRIMARY KEY (workshop_id),
  CONSTRAINT workshop_calendar_secret_sha256_key UNIQUE (secret_sha256),
  CONSTRAINT workshop_calendar_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id)
);

CREATE TABLE workshop_day (
  workshop_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  setup_version integer NOT NULL,
  bays integer NOT NULL,
  slot_minutes integer NOT NULL,
  slots timestamp with time zone[] NOT NULL,
  CONSTRAINT workshop_day_pkey PRIMARY KEY (workshop_id, starts_at),
  CONSTRAINT workshop_day_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT workshop_day_check CHECK ((ends_at > starts_at))
);
CREATE INDEX workshop_day_end ON public.workshop_day USING btree (ends_at);

CREATE TABLE workshop_logo (
  workshop_id uuid NOT NULL,
  digest text NOT NULL,
  kind text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  content bytea NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT workshop_logo_pkey PRIMARY KEY (workshop_id),
  CONSTRAINT workshop_logo_workshop_id_fkey FOREIGN KEY (workshop_id) REFERENCES workshop(id),
  CONSTRAINT workshop_logo_content_check CHECK (((octet_length(content) >= 1) AND (octet_length(content) <= 524288))),
  CONSTRAINT workshop_logo_height_check CHECK ((height > 0)),
  CONSTRAINT workshop_logo_kind_check CHECK ((kind = ANY (ARRAY['png'::text, 'jpeg'::text, 'webp'::text]))),
  CONSTRAINT workshop_logo_width_check CHECK ((width > 0))
);
CREATE INDEX workshop_logo_digest ON public.workshop_logo USING btree (digest);

CREATE TABLE write_probe (
  single boolean NOT NULL DEFAULT true,
  written_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT write_probe_pkey PRIMARY KEY (single),
  CONSTRAINT write_probe_single_check CHECK (single)
);
