-- What the product asks of PostgreSQL: every text that reaches the driver, made by `npm run mirrors -- --statements`. Never edited by hand.
-- Each stands below the file and the declaration that send it, laid out to be read. What differs by filters: without any, and with each alone.
-- Left out: what can't be prepared (transactions, SET, LOCK, ANALYZE, COPY of backups), migrations, and the set-up of the embedded cluster.

-- src/console/bookings/store.ts: customerOf
SELECT customer_id FROM conversation WHERE id = $2 AND workshop_id = $1;

-- src/console/bookings/store.ts: readBeside
SELECT b.version, coalesce((SELECT state FROM attendance WHERE attendance.booking_id = b.id), 'expected') AS attendance,
  c.opted_out_at IS NOT NULL AS opted_out, c.tags,
  b.anyway_reason,
  (SELECT count(*)::integer FROM booking other JOIN attendance ON attendance.booking_id = other.id
    WHERE other.customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = c.id AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = c.id
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
            WHERE its_row.id = c.id) || b.customer_id) AND attendance.state = 'didNotCome') AS not_come,
  (SELECT id FROM conversation WHERE conversation.customer_id = b.customer_id
      AND conversation.workshop_id = b.workshop_id) AS conversation_id,
  coalesce((SELECT jsonb_agg(said ORDER BY said.id DESC) FROM (
            SELECT its.* FROM unnest(ARRAY(
                    SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = b.customer_id AND its_row.merged_into IS NOT NULL
                    UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = b.customer_id
                    UNION SELECT its_other.id FROM customer its_row
                    JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                    WHERE its_row.id = b.customer_id) || '{}'::uuid[]) AS one (id) CROSS JOIN LATERAL (
                SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at
                FROM message m
                WHERE m.customer_id = one.id AND m.audience = 'customer' AND (m.booking_id = b.id OR m.booking_id IS NULL)
                ORDER BY m.id DESC LIMIT 50) AS its
            ORDER BY its.id DESC LIMIT 50) AS said), '[]') AS said
FROM booking b JOIN customer own ON own.id = b.customer_id
LEFT JOIN customer_apart apart ON apart.customer_id = own.id AND $3
LEFT JOIN customer number ON number.id = apart.number_of
JOIN customer c ON c.id = coalesce(own.merged_into, number.merged_into, number.id, own.id)
WHERE b.id = $2 AND b.workshop_id = $1;

-- src/console/calls/store.ts: findCall
SELECT l.id, l.version AS lead_version, l.called_at, l.outcome, nullif(l.caller_phone, '') AS phone, l.duration_seconds, l.source,
  l.recording_url, l.notes, p.name AS partner, coalesce(l.customer_name, (
        SELECT customer_name FROM (
            SELECT customer_name FROM call_lead named WHERE named.caller_phone = nullif(l.caller_phone, '')
              AND named.workshop_id = l.workshop_id ORDER BY named.called_at DESC, named.id DESC LIMIT 20) AS lately
        WHERE customer_name IS NOT NULL LIMIT 1)) AS caller_name, k.id AS customer_id, k.name AS customer,
  k.opted_out_at IS NOT NULL AS opted_out, booked.id AS booking_id,
  CASE WHEN l.caller_phone = '' THEN 1 ELSE (SELECT count(*)::integer FROM (
        SELECT FROM call_lead other WHERE other.caller_phone = l.caller_phone AND other.workshop_id = l.workshop_id
          AND other.called_at > l.called_at - interval '14 days' AND other.called_at <= l.called_at
        LIMIT 100) AS counted) END AS times,
  coalesce(b.state, 'waiting') AS state, coalesce(b.version, 0) AS version, b.note,
  CASE WHEN b.version > 0 THEN b.actor END AS actor, CASE WHEN b.version > 0 THEN b.at END AS at FROM call_lead l JOIN partner p
  ON p.id = l.partner_id CROSS JOIN LATERAL (
    SELECT coalesce(l.customer_id,
          (SELECT id FROM customer WHERE customer.phone = l.caller_phone AND customer.workshop_id = l.workshop_id)) AS customer_id
) AS caller
LEFT JOIN LATERAL (
    SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
    WHERE own.partner_id = l.partner_id
      AND own.created_at BETWEEN l.called_at AND l.called_at + interval '30 days'
    ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
LEFT JOIN customer own ON own.id = caller.customer_id LEFT JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
LEFT JOIN call_back b ON b.call_lead_id = l.id WHERE l.id = $2 AND l.workshop_id = $1;

-- src/console/calls/store.ts: findInstant
SELECT called_at::text AS at FROM call_lead WHERE id = $2 AND workshop_id = $1;

-- src/console/calls/store.ts: listCallers
WITH shown AS MATERIALIZED (
    SELECT its.* FROM link CROSS JOIN unnest('{answered,missed,voicemail}'::text[]) AS of (outcome) CROSS JOIN LATERAL (
        SELECT l.* FROM call_lead l
        WHERE l.workshop_id = link.workshop_id AND l.partner_id = link.partner_id AND l.outcome = of.outcome AND l.called_at >= $3
          AND (l.called_at, l.id) < ($2::timestamptz, $5::uuid)
          AND (l.caller_phone = '' OR NOT EXISTS (
                SELECT FROM call_lead later WHERE later.caller_phone = l.caller_phone AND later.workshop_id = l.workshop_id
                  AND (later.called_at, later.id) > (l.called_at, l.id)))
          AND (l.outcome = 'answered' OR EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = l.id AND call_back.state = 'called'))
        ORDER BY l.called_at DESC, l.id DESC LIMIT $4) AS its
    WHERE link.workshop_id = $1 ORDER BY its.called_at DESC, its.id DESC LIMIT $4)
SELECT l.id, l.version AS lead_version, l.called_at, l.outcome, nullif(l.caller_phone, '') AS phone, l.duration_seconds, l.source,
  l.recording_url, l.notes, p.name AS partner, coalesce(l.customer_name, (
        SELECT customer_name FROM (
            SELECT customer_name FROM call_lead named WHERE named.caller_phone = nullif(l.caller_phone, '')
              AND named.workshop_id = l.workshop_id ORDER BY named.called_at DESC, named.id DESC LIMIT 20) AS lately
        WHERE customer_name IS NOT NULL LIMIT 1)) AS caller_name, k.id AS customer_id, k.name AS customer,
  k.opted_out_at IS NOT NULL AS opted_out, booked.id AS booking_id,
  CASE WHEN l.caller_phone = '' THEN 1 ELSE (SELECT count(*)::integer FROM (
        SELECT FROM call_lead other WHERE other.caller_phone = l.caller_phone AND other.workshop_id = l.workshop_id
          AND other.called_at > l.called_at - interval '14 days' AND other.called_at <= l.called_at
        LIMIT 100) AS counted) END AS times,
  coalesce(b.state, 'waiting') AS state, coalesce(b.version, 0) AS version, b.note,
  CASE WHEN b.version > 0 THEN b.actor END AS actor, CASE WHEN b.version > 0 THEN b.at END AS at FROM shown l JOIN partner p
  ON p.id = l.partner_id CROSS JOIN LATERAL (
    SELECT coalesce(l.customer_id,
          (SELECT id FROM customer WHERE customer.phone = l.caller_phone AND customer.workshop_id = l.workshop_id)) AS customer_id
) AS caller
LEFT JOIN LATERAL (
    SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
    WHERE own.partner_id = l.partner_id
      AND own.created_at BETWEEN l.called_at AND l.called_at + interval '30 days'
    ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
LEFT JOIN customer own ON own.id = caller.customer_id LEFT JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
LEFT JOIN call_back b ON b.call_lead_id = l.id ORDER BY l.called_at DESC, l.id DESC;

-- src/console/calls/store.ts: listCallers
WITH shown AS MATERIALIZED (
    SELECT its.* FROM link CROSS JOIN unnest('{answered,missed,voicemail}'::text[]) AS of (outcome) CROSS JOIN LATERAL (
        SELECT l.* FROM call_lead l
        WHERE l.workshop_id = link.workshop_id AND l.partner_id = link.partner_id AND l.outcome = of.outcome AND l.called_at >= $3
          AND (l.called_at, l.id) < ($2::timestamptz, $5::uuid)
          AND (l.caller_phone = '' OR NOT EXISTS (
                SELECT FROM call_lead later WHERE later.caller_phone = l.caller_phone AND later.workshop_id = l.workshop_id
                  AND (later.called_at, later.id) > (l.called_at, l.id)))
        ORDER BY l.called_at DESC, l.id DESC LIMIT $4) AS its
    WHERE link.workshop_id = $1 ORDER BY its.called_at DESC, its.id DESC LIMIT $4)
SELECT l.id, l.version AS lead_version, l.called_at, l.outcome, nullif(l.caller_phone, '') AS phone, l.duration_seconds, l.source,
  l.recording_url, l.notes, p.name AS partner, coalesce(l.customer_name, (
        SELECT customer_name FROM (
            SELECT customer_name FROM call_lead named WHERE named.caller_phone = nullif(l.caller_phone, '')
              AND named.workshop_id = l.workshop_id ORDER BY named.called_at DESC, named.id DESC LIMIT 20) AS lately
        WHERE customer_name IS NOT NULL LIMIT 1)) AS caller_name, k.id AS customer_id, k.name AS customer,
  k.opted_out_at IS NOT NULL AS opted_out, booked.id AS booking_id,
  CASE WHEN l.caller_phone = '' THEN 1 ELSE (SELECT count(*)::integer FROM (
        SELECT FROM call_lead other WHERE other.caller_phone = l.caller_phone AND other.workshop_id = l.workshop_id
          AND other.called_at > l.called_at - interval '14 days' AND other.called_at <= l.called_at
        LIMIT 100) AS counted) END AS times,
  coalesce(b.state, 'waiting') AS state, coalesce(b.version, 0) AS version, b.note,
  CASE WHEN b.version > 0 THEN b.actor END AS actor, CASE WHEN b.version > 0 THEN b.at END AS at FROM shown l JOIN partner p
  ON p.id = l.partner_id CROSS JOIN LATERAL (
    SELECT coalesce(l.customer_id,
          (SELECT id FROM customer WHERE customer.phone = l.caller_phone AND customer.workshop_id = l.workshop_id)) AS customer_id
) AS caller
LEFT JOIN LATERAL (
    SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
    WHERE own.partner_id = l.partner_id
      AND own.created_at BETWEEN l.called_at AND l.called_at + interval '30 days'
    ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
LEFT JOIN customer own ON own.id = caller.customer_id LEFT JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
LEFT JOIN call_back b ON b.call_lead_id = l.id ORDER BY l.called_at DESC, l.id DESC;

-- src/console/calls/store.ts: listCallers
WITH shown AS MATERIALIZED (
    SELECT its.* FROM link CROSS JOIN unnest('{missed,voicemail}'::text[]) AS of (outcome) CROSS JOIN LATERAL (
        SELECT l.* FROM call_lead l
        WHERE l.workshop_id = link.workshop_id AND l.partner_id = link.partner_id AND l.outcome = of.outcome AND l.called_at >= $3
          AND (l.called_at, l.id) < ($2::timestamptz, $5::uuid)
          AND l.caller_phone <> '' AND NOT EXISTS (
            SELECT FROM call_lead later WHERE later.caller_phone = l.caller_phone AND later.workshop_id = l.workshop_id
              AND (later.called_at, later.id) > (l.called_at, l.id))
          AND NOT EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = l.id AND call_back.state = 'called')
        ORDER BY l.called_at DESC, l.id DESC LIMIT $4) AS its
    WHERE link.workshop_id = $1 ORDER BY its.called_at DESC, its.id DESC LIMIT $4)
SELECT l.id, l.version AS lead_version, l.called_at, l.outcome, nullif(l.caller_phone, '') AS phone, l.duration_seconds, l.source,
  l.recording_url, l.notes, p.name AS partner, coalesce(l.customer_name, (
        SELECT customer_name FROM (
            SELECT customer_name FROM call_lead named WHERE named.caller_phone = nullif(l.caller_phone, '')
              AND named.workshop_id = l.workshop_id ORDER BY named.called_at DESC, named.id DESC LIMIT 20) AS lately
        WHERE customer_name IS NOT NULL LIMIT 1)) AS caller_name, k.id AS customer_id, k.name AS customer,
  k.opted_out_at IS NOT NULL AS opted_out, booked.id AS booking_id,
  CASE WHEN l.caller_phone = '' THEN 1 ELSE (SELECT count(*)::integer FROM (
        SELECT FROM call_lead other WHERE other.caller_phone = l.caller_phone AND other.workshop_id = l.workshop_id
          AND other.called_at > l.called_at - interval '14 days' AND other.called_at <= l.called_at
        LIMIT 100) AS counted) END AS times,
  coalesce(b.state, 'waiting') AS state, coalesce(b.version, 0) AS version, b.note,
  CASE WHEN b.version > 0 THEN b.actor END AS actor, CASE WHEN b.version > 0 THEN b.at END AS at FROM shown l JOIN partner p
  ON p.id = l.partner_id CROSS JOIN LATERAL (
    SELECT coalesce(l.customer_id,
          (SELECT id FROM customer WHERE customer.phone = l.caller_phone AND customer.workshop_id = l.workshop_id)) AS customer_id
) AS caller
LEFT JOIN LATERAL (
    SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
    WHERE own.partner_id = l.partner_id
      AND own.created_at BETWEEN l.called_at AND l.called_at + interval '30 days'
    ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
LEFT JOIN customer own ON own.id = caller.customer_id LEFT JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
LEFT JOIN call_back b ON b.call_lead_id = l.id ORDER BY l.called_at DESC, l.id DESC;

-- src/console/calls/store.ts: listCallsOf
SELECT l.id, l.version AS lead_version, l.called_at, l.outcome, nullif(l.caller_phone, '') AS phone, l.duration_seconds, l.source,
  l.recording_url, l.notes, p.name AS partner, coalesce(l.customer_name, (
        SELECT customer_name FROM (
            SELECT customer_name FROM call_lead named WHERE named.caller_phone = nullif(l.caller_phone, '')
              AND named.workshop_id = l.workshop_id ORDER BY named.called_at DESC, named.id DESC LIMIT 20) AS lately
        WHERE customer_name IS NOT NULL LIMIT 1)) AS caller_name, k.id AS customer_id, k.name AS customer,
  k.opted_out_at IS NOT NULL AS opted_out, booked.id AS booking_id,
  CASE WHEN l.caller_phone = '' THEN 1 ELSE (SELECT count(*)::integer FROM (
        SELECT FROM call_lead other WHERE other.caller_phone = l.caller_phone AND other.workshop_id = l.workshop_id
          AND other.called_at > l.called_at - interval '14 days' AND other.called_at <= l.called_at
        LIMIT 100) AS counted) END AS times,
  coalesce(b.state, 'waiting') AS state, coalesce(b.version, 0) AS version, b.note,
  CASE WHEN b.version > 0 THEN b.actor END AS actor, CASE WHEN b.version > 0 THEN b.at END AS at FROM call_lead l JOIN partner p
  ON p.id = l.partner_id CROSS JOIN LATERAL (
    SELECT coalesce(l.customer_id,
          (SELECT id FROM customer WHERE customer.phone = l.caller_phone AND customer.workshop_id = l.workshop_id)) AS customer_id
) AS caller
LEFT JOIN LATERAL (
    SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
    WHERE own.partner_id = l.partner_id
      AND own.created_at BETWEEN l.called_at AND l.called_at + interval '30 days'
    ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
LEFT JOIN customer own ON own.id = caller.customer_id LEFT JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
LEFT JOIN call_back b ON b.call_lead_id = l.id
WHERE l.caller_phone = $2 AND l.workshop_id = $1
ORDER BY l.called_at DESC, l.id DESC LIMIT $3;

-- src/console/campaigns/store.ts: customersOfRuns
SELECT own.id, k.id AS kept_id, k.name FROM customer own JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
WHERE own.workshop_id = $1 AND own.id = ANY ($2::uuid[]);

-- src/console/campaigns/store.ts: readTexts
SELECT a.id, t.name, t.body, t.status = 'published' AS is_published
FROM automation a JOIN template t ON t.id = a.template_id WHERE a.workshop_id = $1 AND a.id = ANY ($2::uuid[]);

-- src/console/campaigns/store.ts: readTexts
SELECT b.id, t.name, coalesce(v.body, t.body) AS body, t.status = 'published' OR v.body IS NOT NULL AS is_published
FROM blast b JOIN template t ON t.id = b.template_id
LEFT JOIN template_version v ON v.template_id = b.template_id AND v.number = b.template_version
WHERE b.workshop_id = $1 AND b.id = ANY ($2::uuid[]);

-- src/console/campaigns/store.ts: reasonsOfBlast
SELECT CASE WHEN b.status = 'cancelled' AND (r.state = 'waiting' OR r.reason = 'cancelled') THEN 'stopped'
  ELSE coalesce(r.reason, r.state) END AS reason, count(*)::int AS count
FROM blast b JOIN blast_recipient r ON r.blast_id = b.id
WHERE b.id = $2 AND b.workshop_id = $1
  AND (r.state IN ('failed', 'unknown', 'skipped') OR r.state = 'waiting' AND b.status = 'cancelled')
GROUP BY 1 ORDER BY 2 DESC, 1;

-- src/console/customers/history/store.ts: countHeld
SELECT (SELECT count(*)::integer FROM booking WHERE customer_id = ANY ($2::uuid[])) AS bookings,
  (SELECT count(*)::integer FROM booking b JOIN attendance a ON a.booking_id = b.id
    WHERE b.customer_id = ANY ($2::uuid[]) AND a.state = 'didNotCome') AS not_come,
  (SELECT count(*)::integer FROM quote WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1) AS quotes,
  (SELECT count(*)::integer FROM service_reminder WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1) AS reminders,
  (SELECT count(DISTINCT coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                          '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                          '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text))::integer FROM car WHERE customer_id = ANY ($2::uuid[])
      AND workshop_id = $1) AS cars,
  (SELECT count(*)::integer FROM call_lead l WHERE l.workshop_id = $1
      AND (l.customer_id = ANY ($2::uuid[]) OR l.customer_id IS NULL AND l.caller_phone = ANY ($3::text[]))) AS calls,
  (SELECT count(*)::integer FROM message WHERE customer_id = ANY ($2::uuid[])) AS messages
WHERE EXISTS (SELECT FROM customer WHERE id = ANY ($2::uuid[]) AND workshop_id = $1);

-- src/console/customers/history/store.ts: listCalls
SELECT l.id, l.called_at, l.outcome, l.duration_seconds, p.name AS partner
FROM call_lead l JOIN partner p ON p.id = l.partner_id
WHERE l.workshop_id = $1
  AND (l.customer_id = ANY ($2::uuid[]) OR l.customer_id IS NULL AND l.caller_phone = ANY ($3::text[]))
ORDER BY l.called_at DESC, l.id DESC LIMIT $4;

-- src/console/customers/history/store.ts: listCarHistory
WITH its AS (
    SELECT car.*, coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text) AS name, coalesce(had.bookings, 0) AS had_bookings,
      had.last_seen_at AS was_seen_at
    FROM car LEFT JOIN (
        SELECT car_id, count(*) AS bookings, max(date) FILTER (WHERE status <> 'cancelled' AND date <= $3) AS last_seen_at
        FROM booking WHERE customer_id = ANY ($2::uuid[]) GROUP BY car_id) AS had ON had.car_id = car.id
    WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1)
SELECT car_id, rego, year, make, model, badge, vin, plain, regos, bookings, last_seen_at FROM (
    SELECT DISTINCT ON (name) id AS car_id, rego, created_at, (array_agg(year) FILTER (WHERE year IS NOT NULL) OVER newest)[1] AS year,
      (array_agg(make) FILTER (WHERE make IS NOT NULL) OVER newest)[1] AS make,
      (array_agg(model) FILTER (WHERE model IS NOT NULL) OVER newest)[1] AS model,
      (array_agg(badge) FILTER (WHERE badge IS NOT NULL) OVER newest)[1] AS badge,
      (array_agg(vin) FILTER (WHERE vin IS NOT NULL) OVER newest)[1] AS vin,
      coalesce(nullif(regexp_replace(rego,
                  '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                  '', 'g'), ''), rego) AS plain,
      array_agg(rego) FILTER (WHERE rego IS NOT NULL) OVER alike AS regos,
      (sum(had_bookings) OVER alike)::integer AS bookings, max(was_seen_at) OVER alike AS last_seen_at
    FROM its WINDOW alike AS (PARTITION BY name), newest AS (PARTITION BY name ORDER BY updated_at DESC, id
          ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    ORDER BY name, updated_at DESC, id) AS shown
ORDER BY last_seen_at DESC NULLS LAST, created_at, car_id LIMIT $4;

-- src/console/customers/store.ts: listLatest
SELECT k.id AS customer_id, k.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out, k.tags, k.created_at,
  ARRAY(SELECT rego FROM car WHERE car.customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = k.id AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = k.id
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = k.id))
      AND rego IS NOT NULL
    GROUP BY rego ORDER BY max(updated_at) DESC, rego LIMIT 5) AS regos
FROM customer k
WHERE k.workshop_id = $1 AND k.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND k.erased_at IS NULL
  AND k.merged_into IS NULL
ORDER BY k.id DESC LIMIT $3;

-- src/console/frame/form-key/store.ts: beginForm
INSERT INTO form_key (person_id, key, location, created_at) VALUES ($1, $2, $3, clock_timestamp());

-- src/console/frame/form-key/store.ts: deleteOldKeys
DELETE FROM form_key WHERE (person_id, key) IN (
    SELECT person_id, key FROM form_key WHERE created_at < (SELECT clock_timestamp() - interval '24 hours')
    ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING true;

-- src/console/frame/form-key/store.ts: findLocation
SELECT location FROM form_key WHERE person_id = $1 AND key = $2;

-- src/console/frame/form-key/store.ts: setLocation
UPDATE form_key SET location = $3 WHERE person_id = $1 AND key = $2;

-- src/console/inbox/news/store.ts: listNews
SELECT m.id, m.conversation_id, kept.id AS customer_id, kept.name, m.body
FROM message m JOIN customer k ON k.id = m.customer_id JOIN customer kept ON kept.id = coalesce(k.merged_into, k.id)
WHERE m.workshop_id = $1 AND m.kind = 'inbound'
  AND m.id >= (SELECT first_id(clock_timestamp() - interval '60 seconds'))
ORDER BY m.id DESC LIMIT 10;

-- src/console/inbox/presence/store.ts: findWorkshopOf
SELECT workshop_id FROM conversation WHERE id = $1;

-- src/console/inbox/presence/store.ts: notify
SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload;

-- src/console/inbox/thread/store.ts: listThread
SELECT m.id, m.customer_id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.detail,
  m.created_at AS at, EXISTS (
    SELECT FROM message_attempt a WHERE a.message_id = m.id AND a.repeats_unknown AND a.state <> 'failed') AS repeats_unknown,
  CASE m.kind WHEN 'partnerMessage' THEN (SELECT name FROM partner WHERE partner.id = m.partner_id) END AS partner,
  EXISTS (SELECT FROM message again WHERE again.cause_id = m.id AND again.kind = 'reply') AS is_sent_again,
  m.booking_id, (SELECT date FROM booking WHERE booking.id = m.booking_id) AS booking_date,
  coalesce((SELECT jsonb_agg(jsonb_build_object(
                  'attachmentId', a.id, 'contentType', a.content_type, 'sizeBytes', a.size_bytes, 'state', a.state,
                  'reason', a.reason) ORDER BY a.ordinal) FROM message_attachment a WHERE a.message_id = m.id), '[]') AS attachments
FROM (SELECT its.* FROM unnest(ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
            WHERE its_row.id = $2::uuid)) AS one (id) CROSS JOIN LATERAL (
        SELECT * FROM message
        WHERE message.customer_id = one.id AND message.workshop_id = $1 AND message.audience = 'customer'
          AND message.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY message.id DESC LIMIT $4) AS its
    ORDER BY its.id DESC LIMIT $4) AS m
ORDER BY m.id DESC;

-- src/console/live/store.ts: look
WITH here AS MATERIALIZED (
    SELECT pg_current_snapshot() AS snapshot, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next,
      first_id(clock_timestamp() - make_interval(secs => $2::float8)) AS since,
      first_id(clock_timestamp() - interval '10 seconds') AS joined),
  change AS (
    SELECT e.id::text AS key, e.workshop_id, e.kind AS what, e.subject_id,
      e.payload -> split_part(e.kind, '.', 1) ->> 'customerId' AS customer_id,
      e.payload -> split_part(e.kind, '.', 1) ->> 'conversationId' AS conversation_id,
      NOT pg_visible_in_snapshot(((here.next - ((here.next - e.xmin::text::bigint) & 4294967295))::text::xid8), $1::pg_snapshot) AS is_new
    FROM here CROSS JOIN event AS e
    WHERE e.id >= (SELECT since FROM here) AND e.workshop_id = ANY ($3::uuid[])
      AND (NOT pg_visible_in_snapshot(((here.next - ((here.next - e.xmin::text::bigint) & 4294967295))::text::xid8), $1::pg_snapshot)
          OR e.workshop_id = ANY ($4::uuid[]) AND e.id >= (SELECT joined FROM here))
    UNION ALL
    SELECT a.id::text AS key, a.workshop_id, a.action AS what, a.subject_id, NULL, a.after ->> 'conversationId',
      NOT pg_visible_in_snapshot(((here.next - ((here.next - a.xmin::text::bigint) & 4294967295))::text::xid8), $1::pg_snapshot) AS is_new
    FROM here CROSS JOIN audit_entry AS a
    WHERE a.id >= (SELECT since FROM here) AND a.workshop_id = ANY ($3::uuid[]) AND a.version IS NULL
      AND (NOT pg_visible_in_snapshot(((here.next - ((here.next - a.xmin::text::bigint) & 4294967295))::text::xid8), $1::pg_snapshot)
          OR a.workshop_id = ANY ($4::uuid[]) AND a.id >= (SELECT joined FROM here))
    UNION ALL
    SELECT m.id || ' ' || m.state AS key, m.workshop_id, 'message.' || m.state AS what, m.id, m.customer_id::text, m.conversation_id::text,
      NOT pg_visible_in_snapshot(((here.next - ((here.next - m.xmin::text::bigint) & 4294967295))::text::xid8), $1::pg_snapshot) AS is_new
    FROM here CROSS JOIN message AS m
    WHERE m.id >= (SELECT since FROM here) AND m.workshop_id = ANY ($3::uuid[]) AND m.audience = 'customer'
      AND (NOT pg_visible_in_snapshot(((here.next - ((here.next - m.xmin::text::bigint) & 4294967295))::text::xid8), $1::pg_snapshot)
          OR m.workshop_id = ANY ($4::uuid[]) AND m.id >= (SELECT joined FROM here))
    LIMIT 5000)
SELECT here.snapshot::text AS snapshot,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('key', key, 'workshopId', workshop_id, 'what', what, 'subjectId', subject_id,
                  'customerId', customer_id, 'conversationId', conversation_id, 'isNew', coalesce(is_new, false))), '[]')
    FROM change) AS changes
FROM here;

-- src/console/print/store.ts: readJobs
SELECT id, contact_phone AS phone, notes, service_category, service_package_type, job_notes, product_notes, tyre_quantities,
  "interval", car_vin AS vin, contact_company AS company, external_id
FROM booking WHERE id = ANY($2::uuid[]) AND workshop_id = $1;

-- src/console/quotes/store.ts: readBeside
SELECT q.version, q.contact_phone = '' AS erased, c.opted_out_at IS NOT NULL AS opted_out, b.date AS booked_for,
  coalesce((SELECT jsonb_agg(said ORDER BY said.id DESC) FROM (
            SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at
            FROM event e JOIN message m ON m.cause_id = e.id
            WHERE e.subject_id = q.id AND m.audience = 'customer' ORDER BY m.id DESC LIMIT 50) AS said), '[]') AS said
FROM quote q JOIN customer own ON own.id = q.customer_id JOIN customer c ON c.id = coalesce(own.merged_into, own.id)
LEFT JOIN booking b ON b.id = q.booking_id
WHERE q.id = $2 AND q.workshop_id = $1;

-- src/console/reminders/store.ts: findInstant
SELECT due_at::text AS at FROM service_reminder WHERE id = $2 AND workshop_id = $1;

-- src/console/reminders/store.ts: findReminder
SELECT r.id, r.version, r.status, r.due_at, r.sent_at, r.taken_at IS NOT NULL AS is_taken,
  k.id AS customer_id, k.name AS customer,
  own.phone, own.opted_out_at IS NOT NULL AS opted_out, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car, p.name AS partner,
  r.last_booking_id, r.new_booking_id FROM service_reminder r JOIN partner p ON p.id = r.partner_id JOIN customer own
  ON own.id = r.customer_id
JOIN customer k ON k.id = coalesce(own.merged_into, own.id) WHERE r.id = $2 AND r.workshop_id = $1;

-- src/console/reminders/store.ts: listReminders
WITH shown AS MATERIALIZED (
    SELECT * FROM service_reminder s
    WHERE s.workshop_id = $1 AND s.status = $2 AND (s.due_at, s.id) < ($3::timestamptz, $5::uuid)
    ORDER BY s.due_at DESC, s.id DESC LIMIT $4)
SELECT r.id, r.version, r.status, r.due_at, r.sent_at, r.taken_at IS NOT NULL AS is_taken,
  k.id AS customer_id, k.name AS customer,
  own.phone, own.opted_out_at IS NOT NULL AS opted_out, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car, p.name AS partner,
  r.last_booking_id, r.new_booking_id FROM shown r JOIN partner p ON p.id = r.partner_id JOIN customer own ON own.id = r.customer_id
JOIN customer k ON k.id = coalesce(own.merged_into, own.id) ORDER BY r.due_at DESC, r.id DESC;

-- src/console/reminders/store.ts: listReminders
WITH shown AS MATERIALIZED (
    SELECT * FROM service_reminder s
    WHERE s.workshop_id = $1 AND s.status = $2 AND (s.due_at, s.id) > ($3::timestamptz, $5::uuid)
    ORDER BY s.due_at ASC, s.id ASC LIMIT $4)
SELECT r.id, r.version, r.status, r.due_at, r.sent_at, r.taken_at IS NOT NULL AS is_taken,
  k.id AS customer_id, k.name AS customer,
  own.phone, own.opted_out_at IS NOT NULL AS opted_out, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car, p.name AS partner,
  r.last_booking_id, r.new_booking_id FROM shown r JOIN partner p ON p.id = r.partner_id JOIN customer own ON own.id = r.customer_id
JOIN customer k ON k.id = coalesce(own.merged_into, own.id) ORDER BY r.due_at ASC, r.id ASC;

-- src/console/reminders/store.ts: listSent
SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at FROM message m
WHERE m.cause_id = $2 AND m.kind = 'serviceReminder' AND m.workshop_id = $1 ORDER BY m.id DESC;

-- src/console/said/store.ts: listSaid
SELECT coalesce((SELECT jsonb_agg(said ORDER BY said.id DESC) FROM (
            SELECT its.* FROM unnest(ARRAY(
                    SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
                    UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
                    UNION SELECT its_other.id FROM customer its_row
                    JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                    WHERE its_row.id = $2::uuid) || $4::uuid[]) AS one (id) CROSS JOIN LATERAL (
                SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at
                FROM message m
                WHERE m.customer_id = one.id AND m.audience = 'customer' AND m.workshop_id = $1
                  AND m.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                ORDER BY m.id DESC LIMIT 50) AS its
            ORDER BY its.id DESC LIMIT 50) AS said), '[]') AS said;

-- src/console/waiting/store.ts: countWaiting
SELECT (SELECT count(*)::integer FROM (SELECT id, date FROM booking WHERE workshop_id = $1 AND date >= $2
          AND status = 'pending' LIMIT 100) AS waiting) AS pending,
  (SELECT count(*)::integer FROM (SELECT last_message_id AS id, conversation_id FROM talk WHERE workshop_id = $1
          AND talk.last_message_id IS NOT NULL AND talk.done_at IS NULL
          AND (talk.heard_id > coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')
              OR talk.reopened_id >= coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')) LIMIT 100) AS waiting) AS answers,
  (SELECT count(*)::integer FROM (SELECT quote.id FROM link CROSS JOIN LATERAL (
            SELECT id FROM quote WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND status = 'requested'
            ORDER BY id LIMIT 100) AS quote
        WHERE link.workshop_id = $1 LIMIT 100) AS waiting) AS quotes,
  (SELECT count(*)::integer FROM (SELECT missed.id FROM link CROSS JOIN unnest('{missed,voicemail}'::text[]) AS of (outcome) CROSS
        JOIN LATERAL (
            SELECT id FROM call_lead l
            WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND l.outcome = of.outcome AND called_at >= $3
              AND l.caller_phone <> '' AND NOT EXISTS (
                SELECT FROM call_lead later WHERE later.caller_phone = l.caller_phone AND later.workshop_id = l.workshop_id
                  AND (later.called_at, later.id) > (l.called_at, l.id))
              AND NOT EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = l.id AND call_back.state = 'called')
            LIMIT 100) AS missed
        WHERE link.workshop_id = $1 LIMIT 100) AS waiting) AS calls,
  (SELECT count(*)::integer FROM (SELECT id FROM (
            SELECT id, audience, state FROM message
            WHERE workshop_id = $1 AND kind IN ('partnerMessage', 'reply', 'inbound') AND id >= first_id($4)
            ORDER BY id DESC LIMIT 2000) AS recent
        WHERE audience = 'customer' AND state IN ('failed', 'undelivered', 'expired', 'unknown')
          AND NOT EXISTS (SELECT FROM message again WHERE again.cause_id = recent.id AND again.kind = 'reply' OFFSET 0)
        UNION ALL
        SELECT id FROM (
            SELECT id, audience, state FROM message
            WHERE workshop_id = $1 AND kind NOT IN ('partnerMessage', 'reply', 'inbound') AND id >= first_id($4)
            ORDER BY id DESC LIMIT 2000) AS recent
        WHERE audience = 'customer' AND state IN ('failed', 'undelivered', 'expired', 'unknown')
          AND NOT EXISTS (SELECT FROM message again WHERE again.cause_id = recent.id
              AND again.kind = 'reply' OFFSET 0) LIMIT 100) AS waiting) AS failed;

-- src/console/waiting/store.ts: listFailed
SELECT m.id, m.customer_id, kept.name, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(m.conversation_id, (
        SELECT c.id FROM conversation c WHERE c.customer_id = m.customer_id AND c.workshop_id = $1)) AS conversation_id,
  coalesce(m.subject, m.body) AS body, m.state, m.reason,
  CASE m.reason WHEN 'heldBack' THEN m.detail END AS detail, m.created_at
FROM (SELECT id FROM (
        SELECT id, audience, state FROM message
        WHERE workshop_id = $1 AND kind IN ('partnerMessage', 'reply', 'inbound') AND id >= first_id($2)
        ORDER BY id DESC LIMIT 2000) AS recent
    WHERE audience = 'customer' AND state IN ('failed', 'undelivered', 'expired', 'unknown')
      AND NOT EXISTS (SELECT FROM message again WHERE again.cause_id = recent.id AND again.kind = 'reply' OFFSET 0)
    UNION ALL
    SELECT id FROM (
        SELECT id, audience, state FROM message
        WHERE workshop_id = $1 AND kind NOT IN ('partnerMessage', 'reply', 'inbound') AND id >= first_id($2)
        ORDER BY id DESC LIMIT 2000) AS recent
    WHERE audience = 'customer' AND state IN ('failed', 'undelivered', 'expired', 'unknown')
      AND NOT EXISTS (SELECT FROM message again WHERE again.cause_id = recent.id AND again.kind = 'reply' OFFSET 0)) AS failed
JOIN message m USING (id)
JOIN customer k ON k.id = m.customer_id JOIN customer kept ON kept.id = coalesce(k.merged_into, k.id)
ORDER BY m.id DESC LIMIT 100;

-- src/operation/backup/store.ts: countOldJobs
SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS found;

-- src/operation/backup/store.ts: findFilled
SELECT 'access_token' AS name WHERE EXISTS (SELECT FROM "access_token") UNION ALL SELECT 'app_key' AS name
WHERE EXISTS (SELECT FROM "app_key") UNION ALL SELECT 'attendance' AS name WHERE EXISTS (SELECT FROM "attendance") UNION ALL
SELECT 'audit_entry' AS name WHERE EXISTS (SELECT FROM "audit_entry") UNION ALL SELECT 'automation' AS name
WHERE EXISTS (SELECT FROM "automation") UNION ALL SELECT 'automation_run' AS name WHERE EXISTS (SELECT FROM "automation_run") UNION ALL
SELECT 'bay_block' AS name WHERE EXISTS (SELECT FROM "bay_block") UNION ALL SELECT 'blast' AS name WHERE EXISTS (SELECT FROM "blast")
UNION ALL SELECT 'blast_count' AS name WHERE EXISTS (SELECT FROM "blast_count") UNION ALL SELECT 'blast_recipient' AS name
WHERE EXISTS (SELECT FROM "blast_recipient") UNION ALL SELECT 'booking' AS name WHERE EXISTS (SELECT FROM "booking") UNION ALL
SELECT 'bounce_count' AS name WHERE EXISTS (SELECT FROM "bounce_count") UNION ALL SELECT 'call_back' AS name
WHERE EXISTS (SELECT FROM "call_back") UNION ALL SELECT 'call_lead' AS name WHERE EXISTS (SELECT FROM "call_lead") UNION ALL
SELECT 'car' AS name WHERE EXISTS (SELECT FROM "car") UNION ALL SELECT 'catalogue_service' AS name
WHERE EXISTS (SELECT FROM "catalogue_service") UNION ALL SELECT 'category_limit' AS name WHERE EXISTS (SELECT FROM "category_limit")
UNION ALL SELECT 'conversation' AS name WHERE EXISTS (SELECT FROM "conversation") UNION ALL SELECT 'custom_day' AS name
WHERE EXISTS (SELECT FROM "custom_day") UNION ALL SELECT 'customer' AS name WHERE EXISTS (SELECT FROM "customer") UNION ALL
SELECT 'customer_apart' AS name WHERE EXISTS (SELECT FROM "customer_apart") UNION ALL SELECT 'day_note' AS name
WHERE EXISTS (SELECT FROM "day_note") UNION ALL SELECT 'dead_letter' AS name WHERE EXISTS (SELECT FROM "dead_letter") UNION ALL
SELECT 'desk_rule' AS name WHERE EXISTS (SELECT FROM "desk_rule") UNION ALL SELECT 'developer' AS name
WHERE EXISTS (SELECT FROM "developer") UNION ALL SELECT 'event' AS name WHERE EXISTS (SELECT FROM "event") UNION ALL
SELECT 'failed_work' AS name WHERE EXISTS (SELECT FROM "failed_work") UNION ALL SELECT 'form_key' AS name
WHERE EXISTS (SELECT FROM "form_key") UNION ALL SELECT 'held_event' AS name WHERE EXISTS (SELECT FROM "held_event") UNION ALL
SELECT 'idempotency' AS name WHERE EXISTS (SELECT FROM "idempotency") UNION ALL SELECT 'import_change' AS name
WHERE EXISTS (SELECT FROM "import_change") UNION ALL SELECT 'import_file' AS name WHERE EXISTS (SELECT FROM "import_file") UNION ALL
SELECT 'import_form' AS name WHERE EXISTS (SELECT FROM "import_form") UNION ALL SELECT 'import_row' AS name
WHERE EXISTS (SELECT FROM "import_row") UNION ALL SELECT 'import_run' AS name WHERE EXISTS (SELECT FROM "import_run") UNION ALL
SELECT 'known_browser' AS name WHERE EXISTS (SELECT FROM "known_browser") UNION ALL SELECT 'link' AS name WHERE EXISTS (SELECT FROM "link")
UNION ALL SELECT 'long_sms' AS name WHERE EXISTS (SELECT FROM "long_sms") UNION ALL SELECT 'mail_refusal' AS name
WHERE EXISTS (SELECT FROM "mail_refusal") UNION ALL SELECT 'manage_link' AS name WHERE EXISTS (SELECT FROM "manage_link") UNION ALL
SELECT 'membership' AS name WHERE EXISTS (SELECT FROM "membership") UNION ALL SELECT 'message' AS name WHERE EXISTS (SELECT FROM "message")
UNION ALL SELECT 'message_attachment' AS name WHERE EXISTS (SELECT FROM "message_attachment") UNION ALL SELECT 'message_attempt' AS name
WHERE EXISTS (SELECT FROM "message_attempt") UNION ALL SELECT 'page_use' AS name WHERE EXISTS (SELECT FROM "page_use") UNION ALL
SELECT 'partner' AS name WHERE EXISTS (SELECT FROM "partner") UNION ALL SELECT 'partner_event' AS name
WHERE EXISTS (SELECT FROM "partner_event") UNION ALL SELECT 'passkey' AS name WHERE EXISTS (SELECT FROM "passkey") UNION ALL
SELECT 'person' AS name WHERE EXISTS (SELECT FROM "person") UNION ALL SELECT 'person_pin' AS name WHERE EXISTS (SELECT FROM "person_pin")
UNION ALL SELECT 'provider_opt_in' AS name WHERE EXISTS (SELECT FROM "provider_opt_in") UNION ALL SELECT 'queued_message' AS name
WHERE EXISTS (SELECT FROM "queued_message") UNION ALL SELECT 'quote' AS name WHERE EXISTS (SELECT FROM "quote") UNION ALL
SELECT 'recovery_code' AS name WHERE EXISTS (SELECT FROM "recovery_code") UNION ALL SELECT 'refresh_token' AS name
WHERE EXISTS (SELECT FROM "refresh_token") UNION ALL SELECT 'sandbox_message' AS name WHERE EXISTS (SELECT FROM "sandbox_message") UNION ALL
SELECT 'scheduled_text' AS name WHERE EXISTS (SELECT FROM "scheduled_text") UNION ALL SELECT 'search_customer' AS name
WHERE EXISTS (SELECT FROM "search_customer") UNION ALL SELECT 'search_due' AS name WHERE EXISTS (SELECT FROM "search_due") UNION ALL
SELECT 'search_term' AS name WHERE EXISTS (SELECT FROM "search_term") UNION ALL SELECT 'send_hold' AS name
WHERE EXISTS (SELECT FROM "send_hold") UNION ALL SELECT 'send_queue' AS name WHERE EXISTS (SELECT FROM "send_queue") UNION ALL
SELECT 'send_wake' AS name WHERE EXISTS (SELECT FROM "send_wake") UNION ALL SELECT 'service_reminder' AS name
WHERE EXISTS (SELECT FROM "service_reminder") UNION ALL SELECT 'session' AS name WHERE EXISTS (SELECT FROM "session") UNION ALL
SELECT 'sign_in' AS name WHERE EXISTS (SELECT FROM "sign_in") UNION ALL SELECT 'sms_account' AS name
WHERE EXISTS (SELECT FROM "sms_account") UNION ALL SELECT 'sms_day' AS name WHERE EXISTS (SELECT FROM "sms_day") UNION ALL
SELECT 'sms_name_registered' AS name WHERE EXISTS (SELECT FROM "sms_name_registered") UNION ALL SELECT 'sms_segment' AS name
WHERE EXISTS (SELECT FROM "sms_segment") UNION ALL SELECT 'talk' AS name WHERE EXISTS (SELECT FROM "talk") UNION ALL
SELECT 'talk_note' AS name WHERE EXISTS (SELECT FROM "talk_note") UNION ALL SELECT 'template' AS name WHERE EXISTS (SELECT FROM "template")
UNION ALL SELECT 'template_version' AS name WHERE EXISTS (SELECT FROM "template_version") UNION ALL SELECT 'texting_ground' AS name
WHERE EXISTS (SELECT FROM "texting_ground") UNION ALL SELECT 'token_exchange' AS name WHERE EXISTS (SELECT FROM "token_exchange") UNION ALL
SELECT 'totp' AS name WHERE EXISTS (SELECT FROM "totp") UNION ALL SELECT 'unplaced_sms' AS name WHERE EXISTS (SELECT FROM "unplaced_sms")
UNION ALL SELECT 'way_out' AS name WHERE EXISTS (SELECT FROM "way_out") UNION ALL SELECT 'webhook' AS name
WHERE EXISTS (SELECT FROM "webhook") UNION ALL SELECT 'webhook_delivery' AS name WHERE EXISTS (SELECT FROM "webhook_delivery") UNION ALL
SELECT 'webhook_lane' AS name WHERE EXISTS (SELECT FROM "webhook_lane") UNION ALL SELECT 'webhook_secret' AS name
WHERE EXISTS (SELECT FROM "webhook_secret") UNION ALL SELECT 'webhook_wake' AS name WHERE EXISTS (SELECT FROM "webhook_wake") UNION ALL
SELECT 'workshop' AS name WHERE EXISTS (SELECT FROM "workshop") UNION ALL SELECT 'workshop_calendar' AS name
WHERE EXISTS (SELECT FROM "workshop_calendar") UNION ALL SELECT 'workshop_day' AS name WHERE EXISTS (SELECT FROM "workshop_day") UNION ALL
SELECT 'workshop_logo' AS name WHERE EXISTS (SELECT FROM "workshop_logo") LIMIT 1;

-- src/operation/backup/store.ts: findFilled
SELECT 'access_token' AS name WHERE EXISTS (SELECT FROM "access_token") UNION ALL SELECT 'app_key' AS name
WHERE EXISTS (SELECT FROM "app_key") UNION ALL SELECT 'automation' AS name WHERE EXISTS (SELECT FROM "automation") UNION ALL
SELECT 'automation_run' AS name WHERE EXISTS (SELECT FROM "automation_run") UNION ALL SELECT 'bay_block' AS name
WHERE EXISTS (SELECT FROM "bay_block") UNION ALL SELECT 'blast' AS name WHERE EXISTS (SELECT FROM "blast") UNION ALL
SELECT 'blast_count' AS name WHERE EXISTS (SELECT FROM "blast_count") UNION ALL SELECT 'blast_recipient' AS name
WHERE EXISTS (SELECT FROM "blast_recipient") UNION ALL SELECT 'booking' AS name WHERE EXISTS (SELECT FROM "booking") UNION ALL
SELECT 'bounce_count' AS name WHERE EXISTS (SELECT FROM "bounce_count") UNION ALL SELECT 'call_lead' AS name
WHERE EXISTS (SELECT FROM "call_lead") UNION ALL SELECT 'car' AS name WHERE EXISTS (SELECT FROM "car") UNION ALL
SELECT 'catalogue_service' AS name WHERE EXISTS (SELECT FROM "catalogue_service") UNION ALL SELECT 'category_limit' AS name
WHERE EXISTS (SELECT FROM "category_limit") UNION ALL SELECT 'conversation' AS name WHERE EXISTS (SELECT FROM "conversation") UNION ALL
SELECT 'custom_day' AS name WHERE EXISTS (SELECT FROM "custom_day") UNION ALL SELECT 'customer' AS name
WHERE EXISTS (SELECT FROM "customer") UNION ALL SELECT 'dead_letter' AS name WHERE EXISTS (SELECT FROM "dead_letter") UNION ALL
SELECT 'event' AS name WHERE EXISTS (SELECT FROM "event") UNION ALL SELECT 'failed_work' AS name WHERE EXISTS (SELECT FROM "failed_work")
UNION ALL SELECT 'idempotency' AS name WHERE EXISTS (SELECT FROM "idempotency") UNION ALL SELECT 'link' AS name
WHERE EXISTS (SELECT FROM "link") UNION ALL SELECT 'long_sms' AS name WHERE EXISTS (SELECT FROM "long_sms") UNION ALL
SELECT 'manage_link' AS name WHERE EXISTS (SELECT FROM "manage_link") UNION ALL SELECT 'message' AS name
WHERE EXISTS (SELECT FROM "message") UNION ALL SELECT 'message_attachment' AS name WHERE EXISTS (SELECT FROM "message_attachment") UNION ALL
SELECT 'message_attempt' AS name WHERE EXISTS (SELECT FROM "message_attempt") UNION ALL SELECT 'page_use' AS name
WHERE EXISTS (SELECT FROM "page_use") UNION ALL SELECT 'partner' AS name WHERE EXISTS (SELECT FROM "partner") UNION ALL
SELECT 'partner_event' AS name WHERE EXISTS (SELECT FROM "partner_event") UNION ALL SELECT 'queued_message' AS name
WHERE EXISTS (SELECT FROM "queued_message") UNION ALL SELECT 'quote' AS name WHERE EXISTS (SELECT FROM "quote") UNION ALL
SELECT 'refresh_token' AS name WHERE EXISTS (SELECT FROM "refresh_token") UNION ALL SELECT 'sandbox_message' AS name
WHERE EXISTS (SELECT FROM "sandbox_message") UNION ALL SELECT 'send_hold' AS name WHERE EXISTS (SELECT FROM "send_hold") UNION ALL
SELECT 'send_queue' AS name WHERE EXISTS (SELECT FROM "send_queue") UNION ALL SELECT 'send_wake' AS name
WHERE EXISTS (SELECT FROM "send_wake") UNION ALL SELECT 'service_reminder' AS name WHERE EXISTS (SELECT FROM "service_reminder") UNION ALL
SELECT 'sign_in' AS name WHERE EXISTS (SELECT FROM "sign_in") UNION ALL SELECT 'sms_account' AS name
WHERE EXISTS (SELECT FROM "sms_account") UNION ALL SELECT 'sms_day' AS name WHERE EXISTS (SELECT FROM "sms_day") UNION ALL
SELECT 'sms_segment' AS name WHERE EXISTS (SELECT FROM "sms_segment") UNION ALL SELECT 'template' AS name
WHERE EXISTS (SELECT FROM "template") UNION ALL SELECT 'template_version' AS name WHERE EXISTS (SELECT FROM "template_version") UNION ALL
SELECT 'token_exchange' AS name WHERE EXISTS (SELECT FROM "token_exchange") UNION ALL SELECT 'unplaced_sms' AS name
WHERE EXISTS (SELECT FROM "unplaced_sms") UNION ALL SELECT 'webhook' AS name WHERE EXISTS (SELECT FROM "webhook") UNION ALL
SELECT 'webhook_delivery' AS name WHERE EXISTS (SELECT FROM "webhook_delivery") UNION ALL SELECT 'webhook_lane' AS name
WHERE EXISTS (SELECT FROM "webhook_lane") UNION ALL SELECT 'webhook_secret' AS name WHERE EXISTS (SELECT FROM "webhook_secret") UNION ALL
SELECT 'webhook_wake' AS name WHERE EXISTS (SELECT FROM "webhook_wake") UNION ALL SELECT 'workshop' AS name
WHERE EXISTS (SELECT FROM "workshop") UNION ALL SELECT 'workshop_calendar' AS name WHERE EXISTS (SELECT FROM "workshop_calendar") UNION ALL
SELECT 'workshop_day' AS name WHERE EXISTS (SELECT FROM "workshop_day") UNION ALL SELECT 'workshop_logo' AS name
WHERE EXISTS (SELECT FROM "workshop_logo") LIMIT 1;

-- src/operation/backup/store.ts: loadUnchecked
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
  format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
FROM pg_constraint WHERE contype = 'f' AND connamespace = to_regnamespace(current_schema())
ORDER BY conrelid::regclass::text, conname;

-- src/operation/backup/store.ts: readAppliedMigrations
SELECT name, checksum FROM migration ORDER BY name;

-- src/operation/backup/store.ts: readAppliedMigrations
SELECT to_regclass('migration') IS NOT NULL AS found;

-- src/operation/backup/store.ts: readMoment
SELECT split_part(current_setting('server_version'), ' ', 1) AS server, clock_timestamp() AS at;

-- src/operation/backup/store.ts: readTables
SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid <> 'xid8'::regtype
WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r' AND c.relpersistence = 'p'
  AND c.relname <> ALL ($1::text[])
GROUP BY c.relname ORDER BY c.relname;

-- src/operation/demo/past/store.ts: hasPast
SELECT EXISTS (SELECT FROM booking WHERE workshop_id = $1 AND date < $2::timestamptz - interval '2 days') AS found;

-- src/operation/demo/past/store.ts: insertPast
INSERT INTO quote
SELECT (jsonb_populate_record(q, jsonb_build_object(
              'id', (overlay(lpad(to_hex((extract(epoch FROM made_at) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
                    FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'code', upper(left(md5(gen_random_uuid()::text), 10)),
              'status', state,
              'created_at', made_at, 'updated_at', made_at + interval '1 day', 'total', price, 'valid_until', made_at + interval '14 days',
              'services', jsonb_build_array(jsonb_build_object('title', wanted)),
              'lines', jsonb_build_array(jsonb_build_object('title', wanted, 'quantity', 1, 'unitPrice', price, 'total', price)),
              'booking_id', CASE state WHEN 'accepted' THEN (
                SELECT id FROM booking WHERE workshop_id = $1 AND partner_id = $2 ORDER BY id LIMIT 1) END))).*
FROM quote q, generate_series(1, 24) AS n,
  LATERAL (SELECT $4::timestamptz - n * interval '67 hours' - interval '16 days' AS made_at, 180 + n * 37 % 900 AS price,
      (ARRAY['Brakes squeal', 'Clutch slips', 'Air-conditioning blows warm', 'Coolant drips'])[1 + n % 4] AS wanted,
      (ARRAY['accepted', 'declined', 'accepted', 'expired', 'accepted'])[1 + n % 5] AS state) AS its
WHERE q.workshop_id = $1 AND q.partner_id = $2 AND q.status = 'requested' AND $3::text IS NOT NULL;

-- src/operation/demo/past/store.ts: insertPast
WITH model AS (
    SELECT b.*, row_number() OVER (ORDER BY id) - 1 AS nth, count(*) OVER () AS models FROM booking b
    WHERE workshop_id = $1 AND NOT EXISTS (SELECT FROM conversation c WHERE c.workshop_id = $1 AND c.customer_id = b.customer_id)),
  made AS (
    INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, status, cancel_reason, services, contact_name,
          contact_email, contact_phone, car_make, car_model, occupied_from, occupied_until, counted_services,
          counted_categories, created_at, updated_at)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM made_at) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, upper(left(md5(gen_random_uuid()::text), 10)), CASE
      WHEN n % 3 = 1 THEN $2::uuid END, workshop_id,
      customer_id, car_id, at, state, CASE state WHEN 'cancelled' THEN 'The customer called.' END, model.services, contact_name,
      contact_email, contact_phone, car_make, car_model, occupied.*, made_at, at
    FROM generate_series(1, 70) AS day CROSS JOIN generate_series(0, 8) AS n CROSS JOIN
      LATERAL (SELECT ((($4::timestamptz AT TIME ZONE $3)::date - day) + time '07:30' + n * interval '1 hour')
          AT TIME ZONE $3 AS at) AS its
    CROSS JOIN LATERAL (SELECT its.at - interval '5 days' AS made_at,
          CASE WHEN (day * 5 + n * 3) % 13 = 0 THEN 'cancelled' ELSE 'completed' END AS state) AS of
    JOIN model ON nth = (day * 3 + n) % models
    LEFT JOIN LATERAL (SELECT its.at, its.at + interval '75 minutes', ARRAY[(model.services->0->>'catalogId')::uuid],
          ARRAY[model.services->0->>'category'])
      AS occupied (since, until, services, categories) ON state <> 'cancelled'
    WHERE n <= CASE extract(isodow FROM at AT TIME ZONE $3) WHEN 7 THEN -1 WHEN 6 THEN 3 ELSE 4 + (day * 7) % 5 END
    RETURNING id, status)
INSERT INTO attendance (booking_id, state, actor, at)
SELECT id, CASE WHEN row_number() OVER (ORDER BY id) % 23 = 0 THEN 'didNotCome' ELSE 'collected' END, 'operator', $4
FROM made WHERE status <> 'cancelled';

-- src/operation/demo/past/store.ts: insertPast
WITH past AS (
    SELECT * FROM booking
    WHERE workshop_id = $1 AND created_at < $4::timestamptz - interval '5 days' AND $2::uuid IS NOT NULL),
  talk AS (
    INSERT INTO conversation (id, workshop_id, customer_id, created_at)
    SELECT gen_random_uuid(), $1, customer_id, min(created_at) FROM past
    WHERE NOT EXISTS (SELECT FROM conversation c WHERE c.workshop_id = $1 AND c.customer_id = past.customer_id)
    GROUP BY customer_id RETURNING id, customer_id)
INSERT INTO message (id, workshop_id, conversation_id, customer_id, booking_id, direction, recipient, body, encoding, segments, kind,
      state, reason, created_at, updated_at, handed_over_at)
SELECT (overlay(lpad(to_hex((extract(epoch FROM past.created_at) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, $1, talk.id, past.customer_id, past.id, 'outbound', contact_phone,
  'We have booked your car for ' || to_char(date AT TIME ZONE $3, 'FMDay FMDD FMMonth, FMHH12:MI am') || '.', 'gsm7',
  1, 'bookingNotice', CASE WHEN at_random < 0.03 THEN 'undelivered' ELSE 'delivered' END,
  CASE WHEN at_random < 0.03 THEN 'invalidNumber' END, past.created_at, past.created_at, past.created_at
FROM past JOIN talk USING (customer_id),
  LATERAL (SELECT ('x' || left(md5(past.code), 4))::bit(16)::integer / 65536.0 AS at_random) AS its;

-- src/operation/doctor/store.ts: bookingsSince
SELECT id, code, status, date, created_at, services, service_minutes,
  service_category, occupied_from, occupied_until,
  counted_services, counted_categories, place_version, held_to FROM booking WHERE workshop_id = $1 AND date >= $2
  AND (date, id) > ($3::timestamptz, $4::uuid)
ORDER BY date, id LIMIT $5;

-- src/operation/doctor/store.ts: countPlainPages
SELECT (SELECT count(*)::int FROM workshop w WHERE (w.booking_page AND coalesce(w.plain_page, false))) AS "on",
  (SELECT count(*)::int FROM workshop w WHERE w.booking_page AND NOT (w.booking_page AND coalesce(w.plain_page, false))) AS off,
  ARRAY(SELECT slug FROM workshop w WHERE w.booking_page AND NOT (w.booking_page AND coalesce(w.plain_page, false))
    ORDER BY slug LIMIT 10) AS without;

-- src/operation/doctor/store.ts: deleteDay
DELETE FROM workshop_day WHERE workshop_id = $1 AND starts_at = $2;

-- src/operation/doctor/store.ts: lastPlace
SELECT greatest(
      (SELECT max(occupied_from) + interval '24 hours' FROM booking WHERE workshop_id = $1
          AND occupied_until - occupied_from <= interval '24 hours'),
      (SELECT max(occupied_until) FROM booking WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours')) AS until;

-- src/operation/doctor/store.ts: lockPlaced
SELECT id, code, status, date, created_at, services, service_minutes,
  service_category, occupied_from, occupied_until,
  counted_services, counted_categories, place_version, held_to FROM booking WHERE id = $1 FOR NO KEY UPDATE;

-- src/operation/doctor/store.ts: misplacedSince
SELECT id, code, status, date, created_at, services, service_minutes,
  service_category, occupied_from, occupied_until,
  counted_services, counted_categories, place_version, held_to FROM booking WHERE workshop_id = $1
  AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2 AND date < $2 UNION ALL SELECT id, code, status, date,
  created_at, services, service_minutes,
  service_category, occupied_from, occupied_until,
  counted_services, counted_categories, place_version, held_to FROM booking WHERE workshop_id = $1
  AND occupied_until - occupied_from > interval '24 hours' AND occupied_until > $2 AND occupied_from >= $2 AND date < $2 LIMIT 1000;

-- src/operation/doctor/store.ts: storePlace
UPDATE booking SET occupied_from = $2, occupied_until = $3, counted_services = $4::uuid[], counted_categories = $5::text[],
  place_version = $6, held_to = NULL WHERE id = $1;

-- src/operation/doctor/store.ts: storedDays
SELECT starts_at, ends_at, bays, slot_minutes, slots
FROM workshop_day WHERE workshop_id = $1 AND setup_version = $2 AND ends_at > $3 ORDER BY starts_at;

-- src/operation/doctor/store.ts: wantedAnyway
SELECT occupied_from, occupied_until, counted_services, counted_categories FROM booking
WHERE workshop_id = $1 AND occupied_until > $2 AND occupied_from < $3 AND anyway_reason IS NOT NULL AND occupied_until IS NOT NULL;

-- src/operation/doctor/store.ts: workshopsAfter
SELECT id FROM workshop WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $2;

-- src/operation/erasure/store.ts: deleteAttachments
DELETE FROM message_attachment WHERE message_id = ANY($1::uuid[]);

-- src/operation/erasure/store.ts: deleteGrounds
DELETE FROM texting_ground WHERE workshop_id = $1 AND (customer_id = ANY($2::uuid[]) OR phone = ANY($3::text[]));

-- src/operation/erasure/store.ts: deleteRates
DELETE FROM message_rate WHERE workshop_id = $1 AND person = ANY($2::text[]);

-- src/operation/erasure/store.ts: deleteSandboxCopies
DELETE FROM sandbox_message WHERE message_id = ANY($1::uuid[]) OR recipient = ANY($2::text[]);

-- src/operation/erasure/store.ts: deleteScheduled
DELETE FROM scheduled_text WHERE workshop_id = $1 AND customer_id = ANY($2::uuid[]);

-- src/operation/erasure/store.ts: deleteUnmatched
DELETE FROM unplaced_sms WHERE sender = ANY($1::text[]);

-- src/operation/erasure/store.ts: eraseMessages
UPDATE queued_message q SET recipient = '' FROM message m
WHERE q.message_id = ANY($1::uuid[]) AND m.id = q.message_id AND m.audience = 'customer';

-- src/operation/erasure/store.ts: eraseMessages
WITH attempt AS (UPDATE message_attempt SET detail = NULL WHERE message_id = ANY($1::uuid[]) RETURNING id)
UPDATE sms_segment SET detail = NULL FROM attempt WHERE reference = attempt.id;

-- src/operation/erasure/store.ts: eraseMessages
WITH gone AS (
    DELETE FROM queued_message q USING message m
    WHERE q.message_id = ANY($1::uuid[]) AND m.id = q.message_id AND m.audience = 'customer' AND q.attempt_id IS NULL
    RETURNING q.message_id)
UPDATE message SET body = 'Erased', subject = CASE WHEN subject IS NOT NULL THEN 'Erased' END, detail = NULL, updated_at = $2,
  recipient = CASE audience WHEN 'customer' THEN '' ELSE recipient END,
  reason = CASE WHEN id IN (SELECT message_id FROM gone) THEN 'erased' ELSE reason END,
  state = CASE WHEN id IN (SELECT message_id FROM gone) THEN 'failed' ELSE state END
WHERE id = ANY($1::uuid[]);

-- src/operation/erasure/store.ts: findMessages
SELECT id, kind IN ('bookingNotice', 'quoteNotice', 'carReady', 'inboxDigest') AS is_notice FROM message
WHERE customer_id = ANY($2::uuid[]) OR (workshop_id = $1 AND audience = 'customer' AND recipient = ANY($5::text[]))
  OR (audience = 'workshop' AND (series_id = ANY($3::uuid[]) OR cause_id = ANY($4::uuid[])
          OR cause_id IN (SELECT told_in FROM message WHERE customer_id = ANY($2::uuid[]))));

-- src/operation/erasure/store.ts: findOwnMessages
SELECT id FROM message WHERE customer_id = ANY($1::uuid[]);

-- src/operation/erasure/store.ts: findWaitingNotices
SELECT m.id, m.kind, m.workshop_id, m.channel, m.cause_id
FROM message m
WHERE m.id = ANY($1::uuid[]) AND m.audience = 'workshop' AND m.cause_id IS NOT NULL
  AND (EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id)
      OR EXISTS (SELECT FROM dead_letter d WHERE d.job = 'send' AND d.payload = jsonb_build_object('messageId', m.id)));

-- src/operation/erasure/store.ts: lockEventsAbout
SELECT id, payload FROM event
WHERE subject_id = ANY($2::uuid[])
  OR (workshop_id = $1
      AND jsonb_path_exists(payload, '$.**{0 to 1}.customerId ? (@ == $ids[*])', jsonb_build_object('ids', $3::text[])))
ORDER BY id FOR UPDATE;

-- src/operation/erasure/store.ts: lockResponsesNaming
SELECT partner_id, key, body FROM idempotency
WHERE partner_id IN (SELECT partner_id FROM link WHERE workshop_id = $1)
  AND jsonb_path_exists(body, '$.** ? (@ == $ids[*])', jsonb_build_object('ids', $2::text[]))
ORDER BY partner_id, key FOR UPDATE;

-- src/operation/erasure/store.ts: replacePayloads
UPDATE event SET payload = changed.payload, before = NULL, after = NULL
FROM unnest($1::uuid[], $2::text[]) AS texts(id, payload), LATERAL (SELECT texts.payload::jsonb) AS changed(payload)
WHERE event.id = texts.id;

-- src/operation/erasure/store.ts: replaceResponse
UPDATE idempotency SET body = $3::jsonb WHERE partner_id = $1 AND key = $2;

-- src/operation/erasure/store.ts: replaceText
UPDATE message SET subject = $2, body = $3, encoding = $4, segments = $5 WHERE id = $1;

-- src/operation/erasure/unfinished/store.ts: deleteParts
DELETE FROM long_sms WHERE sender = ANY($1::text[]);

-- src/operation/erasure/unfinished/store.ts: eraseDeadLetters
UPDATE dead_letter SET detail = NULL
WHERE jsonb_path_exists(payload, '$.** ? (@ == $ids[*])', jsonb_build_object('ids', $1::text[]));

-- src/operation/erasure/unfinished/store.ts: findFailedWork
SELECT subject_id AS id FROM failed_work f
WHERE EXISTS (SELECT FROM automation_run WHERE id = f.subject_id AND customer_id = ANY($1::uuid[]))
  OR EXISTS (SELECT FROM message_attachment WHERE id = f.subject_id AND message_id = ANY($2::uuid[]))
  OR EXISTS (SELECT FROM long_sms WHERE id = f.subject_id AND sender = ANY($3::text[]));

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."blast_id", t."state", t."reason", (SELECT name FROM blast WHERE blast.id = t.blast_id) AS blast,
  ARRAY[t.blast_id::text,t.customer_id::text] AS position FROM blast_recipient t
WHERE t.blast_id IN (SELECT id FROM blast WHERE workshop_id = $1::uuid) AND t.customer_id = ANY ($2::uuid[])
  AND (t.blast_id,t.customer_id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'),coalesce($6::uuid,
          '00000000-0000-0000-0000-000000000000')) ORDER BY t.blast_id,t.customer_id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."booking_id", t."state", t."at", CASE WHEN t.actor LIKE 'person %' THEN 'staff' WHEN t.actor LIKE 'customer %' THEN 'customer'
  WHEN t.actor IN ('operator', 'schedule', 'gateway', 'visitor') THEN t.actor ELSE 'partner' END AS by,
  ARRAY[t.booking_id::text] AS position FROM attendance t
WHERE t.booking_id IN (SELECT id FROM booking WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid)
  AND (t.booking_id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.booking_id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."call_lead_id", t."state", t."note", t."at", CASE WHEN t.actor LIKE 'person %' THEN 'staff'
  WHEN t.actor LIKE 'customer %' THEN 'customer'
  WHEN t.actor IN ('operator', 'schedule', 'gateway', 'visitor') THEN t.actor ELSE 'partner' END AS by,
  ARRAY[t.call_lead_id::text] AS position FROM call_back t
WHERE t.call_lead_id IN (SELECT t.id FROM call_lead t WHERE t.workshop_id = $1::uuid AND (t.customer_id = ANY ($2::uuid[])
          OR t.customer_id IS NULL AND t.caller_phone = ANY ($3::text[])))
  AND (t.call_lead_id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.call_lead_id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."conversation_id", t."last_message_id", t."heard_id", t."answer_id", t."failed_id", t."reopened_id", t."done_at", t."asked_id",
  t."meant_id", t."meant_booking_id", t.assigned_to IS NOT NULL AS assigned, ARRAY[t.customer_id::text] AS position FROM talk t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.customer_id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.customer_id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."created_at", t."status", t."body", (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner,
  ARRAY[t.partner_id::text,t.key::text] AS position FROM idempotency t
WHERE t.partner_id IN (SELECT partner_id FROM link WHERE workshop_id = $1::uuid)
  AND (jsonb_path_exists(t.body, '$.** ? (@ == $ids[*])', jsonb_build_object('ids', ($2::uuid[])::text[]))
      OR jsonb_path_exists(t.body, '$.* ? (@.workshopId == $here).** ? (@ == $phones[*])',
          jsonb_build_object('here', $1::uuid, 'phones', $3::text[])))
  AND (t.partner_id,t.key) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'),coalesce($6::text, ''))
ORDER BY t.partner_id,t.key LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."gateway", t."reference", t."segments", t."state", t."detail", t."reported_at", t."created_at",
  ARRAY[t.gateway::text,t.segment_id::text] AS position FROM sms_segment t
WHERE t.reference IN (SELECT a.id FROM message_attempt a
    WHERE a.message_id IN (SELECT id FROM message WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid))
  AND (t.gateway,t.segment_id) > (coalesce($5::text, ''),coalesce($6::text, '')) ORDER BY t.gateway,t.segment_id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."agreed_on", t."state", t."detail", t."created_at", ARRAY[t.id::text] AS position FROM provider_opt_in t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."booking_id", t."body", t."due_at", t."created_at", ARRAY[t.id::text] AS position FROM scheduled_text t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."booking_id", t."booking_date", t."message_id", t."reference_id", t."status", t."reason", t."due_at", t."sent_at",
  t."ended_at", t."created_at", (SELECT name FROM automation WHERE automation.id = t.automation_id) AS automation,
  (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner, ARRAY[t.id::text] AS position FROM automation_run t
WHERE t.automation_id IN (SELECT id FROM automation WHERE workshop_id = $1::uuid) AND t.customer_id = ANY ($2::uuid[])
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."booking_id", t."kind", t."channel", t."subject", t."body", t."state", t."created_at", ARRAY[t.id::text] AS position
FROM message t
WHERE t.workshop_id = $1::uuid AND t.audience = 'workshop' AND t.kind <> 'inboxDigest'
  AND t.series_id IN (SELECT id FROM booking WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid UNION ALL SELECT id FROM quote
    WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid)
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."code", t."external_id", t."car_id", t."booking_id", t."status", t."contact_name", t."contact_first_name",
  t."contact_last_name", t."contact_email", t."contact_phone", t."contact_company", t."car_year", t."car_make", t."car_model",
  t."car_badge", t."car_vin", t."services", t."notes", t."lines", t."total", t."message", t."valid_until", t."url", t."created_at",
  t."updated_at", (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner, ARRAY[t.id::text] AS position FROM quote t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."code", t."external_id", t."car_id", t."status", t."date", t."pickup_time", t."service_category", t."service_package_type",
  t."services", t."contact_name", t."contact_first_name", t."contact_last_name", t."contact_email", t."contact_phone", t."contact_company",
  t."notes", t."interval", t."job_notes", t."product_notes", t."tyre_quantities", t."cancel_reason", t."anyway_reason", t."car_year",
  t."car_make", t."car_model", t."car_badge", t."car_vin", t."created_at", t."updated_at",
  (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner, ARRAY[t.id::text] AS position FROM booking t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."code", t."external_id", t."reference_id", t."car_id", t."last_service_id", t."last_booking_id", t."new_booking_id",
  t."automatic", t."customer", t."car", t."status", t."due_at", t."sent_at", t."created_at", t."updated_at",
  (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner, ARRAY[t.id::text] AS position FROM service_reminder t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."conversation_id", t."booking_id", t."direction", t."channel", t."kind", t."recipient", t."subject", t."body",
  t."encoding", t."segments", t."state", t."reason", t."detail", t."reference_id", t."template_id", t."template_version", t."created_at",
  t."handed_over_at", t."updated_at", (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner, ARRAY[t.id::text] AS position
FROM message t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid AND t.audience = 'customer'
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."created_at", t."last_sent_at", ARRAY[t.id::text] AS position FROM conversation t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."external_id", t."caller_phone", t."called_at", t."duration_seconds", t."outcome", t."was_missed", t."source",
  t."recording_url", t."customer_name", t."notes", t."created_at", t."updated_at",
  (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner, ARRAY[t.id::text] AS position FROM call_lead t
WHERE t.workshop_id = $1::uuid AND (t.customer_id = ANY ($2::uuid[])
      OR t.customer_id IS NULL AND t.caller_phone = ANY ($3::text[]))
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."message_id", t."number", t."gateway", t."state", t."reason", t."detail", t."business_started_at",
  t."business_finished_at", ARRAY[t.id::text] AS position FROM message_attempt t
WHERE t.message_id IN (SELECT id FROM message WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid)
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."message_id", t."ordinal", t."content_type", t."size_bytes", t."state", t."reason", t."created_at",
  encode(t.content, 'base64') AS content, ARRAY[t.id::text] AS position FROM message_attachment t
WHERE t.message_id IN (SELECT id FROM message WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid)
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."name", t."first_name", t."last_name", t."email", t."phone", t."company", t."address", t."postcode", t."suburb", t."tags",
  t."opted_out_at", t."bounced_email", t."email_bounced_at", t."email_bounce", t."merged_into", t."created_at", t."updated_at",
  ARRAY(SELECT name FROM partner WHERE partner.id = ANY (t.details_from) ORDER BY name) AS details_from, ARRAY[t.id::text] AS position
FROM customer t
WHERE t.id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."occurred_at", t."subject_kind", t."subject_id", t."action", CASE WHEN t.actor LIKE 'person %' THEN 'staff'
  WHEN t.actor LIKE 'customer %' THEN 'customer'
  WHEN t.actor IN ('operator', 'schedule', 'gateway', 'visitor') THEN t.actor ELSE 'partner' END AS by,
  (SELECT name FROM partner WHERE partner.id = t.partner_id) AS partner, CASE
  WHEN (t.before ->> 'customerId' IS NULL OR t.before ->> 'customerId' = ANY (($2::uuid[])::text[]))
  AND NOT EXISTS (SELECT FROM audit_entry later WHERE later.subject_id = t.subject_id AND later.id > t.id
      AND later.after ->> 'customerId' = ANY (($2::uuid[])::text[])
      AND coalesce(later.before ->> 'customerId', '') <> ALL (($2::uuid[])::text[])) THEN t.before END AS before, CASE
  WHEN (t.after ->> 'customerId' IS NULL OR t.after ->> 'customerId' = ANY (($2::uuid[])::text[]))
  AND NOT EXISTS (SELECT FROM audit_entry later WHERE later.subject_id = t.subject_id AND later.id > t.id
      AND later.after ->> 'customerId' = ANY (($2::uuid[])::text[])
      AND coalesce(later.before ->> 'customerId', '') <> ALL (($2::uuid[])::text[])) THEN t.after END AS after,
  ARRAY[t.id::text] AS position FROM audit_entry t
WHERE t.workshop_id = $1::uuid AND t.subject_id IN (
    SELECT unnest($2::uuid[]) UNION ALL SELECT id FROM booking WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid UNION ALL
    SELECT id FROM quote WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid
    UNION ALL SELECT id FROM service_reminder WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid UNION ALL SELECT id
    FROM call_lead WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid UNION ALL SELECT id FROM message
    WHERE customer_id = ANY ($2::uuid[]) AND workshop_id = $1::uuid)
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."rego", t."year", t."make", t."model", t."badge", t."vin", t."same_car", t."created_at", t."updated_at",
  ARRAY[t.id::text] AS position FROM car t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."id", t."text", t."created_at", CASE WHEN t.actor LIKE 'person %' THEN 'staff' WHEN t.actor LIKE 'customer %' THEN 'customer'
  WHEN t.actor IN ('operator', 'schedule', 'gateway', 'visitor') THEN t.actor ELSE 'partner' END AS by, ARRAY[t.id::text] AS position
FROM talk_note t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid
  AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."name", ARRAY(SELECT CASE WHEN k.id IS NOT NULL THEN coalesce(
          (SELECT jsonb_build_object('name', own.contact_name,
                  'firstName', own.contact_first_name, 'lastName', own.contact_last_name, 'email', own.contact_email,
                  'phone', k.phone, 'company', own.contact_company) FROM booking own WHERE own.customer_id = k.id AND own.partner_id = t.id
            ORDER BY own.created_at DESC, own.id DESC LIMIT 1),
          CASE WHEN t.id IS NOT NULL AND NOT k.details_from <@ ARRAY[t.id] THEN jsonb_build_object('phone', k.phone)
          ELSE jsonb_build_object('name', k.name,
              'firstName', k.first_name, 'lastName', k.last_name, 'email', k.email,
              'phone', k.phone, 'company', k.company) END) END FROM customer k
    WHERE k.id = ANY ($2::uuid[]) AND k.workshop_id = $1::uuid
      AND (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id)) ORDER BY k.id) AS may_see, ARRAY[t.id::text] AS position FROM partner t
WHERE EXISTS (SELECT FROM link WHERE link.partner_id = t.id AND link.workshop_id = $1::uuid) AND EXISTS (
    SELECT FROM unnest($2::uuid[]) AS k (id) WHERE (EXISTS (SELECT
            FROM (SELECT partner_id FROM booking WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = k.id OFFSET 0) AS own
            WHERE own.partner_id = t.id))) AND (t.id) > (coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')) ORDER BY t.id LIMIT $4;

-- src/operation/export/store.ts: readPage
WITH given AS (SELECT $1::uuid, $2::uuid[], $3::text[])
SELECT t."phone", t."reason", t."abroad_allowed", t."at", CASE WHEN t.actor LIKE 'person %' THEN 'staff'
  WHEN t.actor LIKE 'customer %' THEN 'customer'
  WHEN t.actor IN ('operator', 'schedule', 'gateway', 'visitor') THEN t.actor ELSE 'partner' END AS by, ARRAY[t.phone::text] AS position
FROM texting_ground t
WHERE t.customer_id = ANY ($2::uuid[]) AND t.workshop_id = $1::uuid AND (t.phone) > (coalesce($5::text, '')) ORDER BY t.phone LIMIT $4;

-- src/operation/sandbox/store.ts: deleteLeftCopies
WITH gone AS (
    DELETE FROM sandbox_message
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM sandbox_message WHERE id < (SELECT first_id(clock_timestamp() - make_interval(days => $1)))
              AND NOT EXISTS (SELECT FROM message m WHERE m.id = sandbox_message.message_id
                  AND (m.body <> '' OR m.reference_id IS NULL)) LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/operation/sandbox/store.ts: findDueReports
SELECT id FROM sandbox_message WHERE report IS NOT NULL
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'handOutReport' AND f.subject_id = sandbox_message.id)
ORDER BY created_at LIMIT $1;

-- src/operation/sandbox/store.ts: keepEntry
WITH input AS (
    SELECT given.id, given.reference, given.message_id, given.channel, given.outcome, given.recipient, given.sender, given.subject,
      given.body, given.html, given.calendar, given.report, given.at, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (id uuid, reference uuid, message_id uuid, channel text, outcome text,
              recipient text, sender text, subject text, body text, html text, calendar text, report text,
              at timestamptz)) WITH ORDINALITY AS given (id, reference, message_id, channel, outcome, recipient, sender, subject, body,
          html, calendar, report, at, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32), kept AS (
    INSERT INTO sandbox_message
      (id, reference, message_id, channel, outcome, recipient, sender, subject, body, html, calendar, report, created_at)
    SELECT id, reference, message_id, channel, outcome, recipient, sender, subject, body, html, calendar, report, at
    FROM input ORDER BY reference, recipient
    ON CONFLICT (reference, recipient) DO UPDATE SET
      outcome = CASE sandbox_message.outcome WHEN 'accepted' THEN 'accepted' ELSE excluded.outcome END,
      report = CASE sandbox_message.outcome WHEN 'accepted' THEN sandbox_message.report ELSE excluded.report END
    RETURNING id, reference, recipient)
SELECT input.ordinal, kept.id FROM input JOIN kept ON kept.reference = input.reference AND kept.recipient = input.recipient;

-- src/operation/sandbox/store.ts: listSandboxMessages
SELECT id, channel, outcome, reference, message_id, recipient AS "to", sender AS "from",
  subject, body, html, calendar, created_at AS at
FROM sandbox_message
WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND outcome = $3::text
ORDER BY id DESC LIMIT $2;

-- src/operation/sandbox/store.ts: listSmsTo
SELECT id, outcome, recipient AS "to", sender AS "from", body, created_at AS at
FROM sandbox_message WHERE recipient = $1 AND channel = 'sms' ORDER BY id DESC LIMIT $2;

-- src/operation/sandbox/store.ts: readSandboxHtml
SELECT html FROM sandbox_message WHERE id = $1;

-- src/operation/sandbox/store.ts: readSandboxMessage
SELECT id, channel, outcome, reference, message_id, recipient AS "to", sender AS "from",
  subject, body, html, calendar, created_at AS at FROM sandbox_message WHERE id = $1;

-- src/operation/sandbox/store.ts: sandboxOutbox
SELECT FROM sandbox_message WHERE message_id = $1 AND outcome = 'refused' LIMIT 1;

-- src/operation/sandbox/store.ts: sandboxOutbox
SELECT id FROM sandbox_message WHERE reference = $1 AND outcome = 'accepted' LIMIT 1;

-- src/operation/sandbox/store.ts: takeReports
WITH due AS (
    SELECT id, report FROM sandbox_message WHERE id = ANY ($1::uuid[]) AND report IS NOT NULL ORDER BY id FOR UPDATE SKIP LOCKED
)
UPDATE sandbox_message SET report = NULL FROM due WHERE sandbox_message.id = due.id
RETURNING reference, due.report AS state;

-- src/operation/sandbox/store.ts: trimSandbox
DELETE FROM sandbox_message
WHERE id <= (SELECT id FROM sandbox_message ORDER BY id DESC OFFSET $1 LIMIT 1)
RETURNING id;

-- src/operation/status/failed-work/store.ts: readParties
SELECT m.id, w.id AS workshop_id, w.name AS workshop, p.name AS partner, m.recipient AS recipient
FROM message m JOIN workshop w ON w.id = m.workshop_id LEFT JOIN booking b ON b.id = m.booking_id LEFT JOIN event e ON e.id = m.cause_id
LEFT JOIN partner p ON p.id = coalesce(m.partner_id, e.partner_id, b.partner_id) WHERE m.id = ANY ($1::uuid[]);

-- src/operation/status/failed-work/store.ts: readParties
SELECT s.id, NULL::uuid AS workshop_id, NULL AS workshop, p.name AS partner, s.recipient AS recipient
FROM unplaced_sms s LEFT JOIN partner p ON p.id = NULL::uuid WHERE s.id = ANY ($1::uuid[]);

-- src/operation/status/failed-work/store.ts: readParties
SELECT w.id, w.id AS workshop_id, w.name AS workshop, p.name AS partner, NULL::text AS recipient
FROM workshop w LEFT JOIN partner p ON p.id = NULL::uuid WHERE w.id = ANY ($1::uuid[]);

-- src/operation/status/failed-work/store.ts: subjectOf
SELECT s.sender AS "from", s.recipient AS "to", s.body AS text FROM unplaced_sms s WHERE s.id = $1;

-- src/operation/status/failed-work/store.ts: subjectOf
SELECT w.name AS workshop, e.kind AS event, e.subject_id::text AS subject FROM event e JOIN workshop w ON w.id = e.workshop_id
WHERE e.id = $1;

-- src/operation/status/failed-work/store.ts: subjectOf
SELECT w.name AS workshop, m.kind, e.kind AS event, m.audience, m.channel, m.recipient, m.conversation_id,
  b.code AS booking, m.booking_id, m.subject, m.body AS text FROM message m JOIN workshop w ON w.id = m.workshop_id LEFT JOIN booking b
  ON b.id = m.booking_id LEFT JOIN event e ON e.id = m.cause_id WHERE m.id = $1;

-- src/operation/status/messages/store.ts: findMessage
SELECT m.id AS message_id, m.workshop_id, w.name AS workshop, w.timezone, m.customer_id,
  m.partner_id, m.kind, m.channel, m.audience, m.recipient, m.state, m.reason, m.detail, m.attempts, m.created_at, m.subject, m.body,
  m.segments, m.reference_id, m.booking_id,
  m.conversation_id, nullif(q.due_at, 'infinity') AS due_at, m.updated_at, coalesce((
        SELECT jsonb_agg(jsonb_build_object('attemptId', a.id, 'number', a.number, 'gateway', a.gateway, 'gatewayId', a.gateway_id,
                  'state', a.state, 'reason', a.reason, 'detail', a.detail, 'startedAt', a.started_at,
                  'finishedAt', a.finished_at) ORDER BY a.number)
        FROM message_attempt a WHERE a.message_id = m.id), '[]') AS tries
FROM message m JOIN workshop w ON w.id = m.workshop_id LEFT JOIN queued_message q ON q.message_id = m.id
WHERE m.id = $1;

-- src/operation/status/messages/store.ts: listMessages
WITH given AS (SELECT $6::uuid, $7::uuid)
SELECT m.id AS message_id, m.workshop_id, w.name AS workshop, w.timezone, m.customer_id,
  m.partner_id, m.kind, m.channel, m.audience, m.recipient, m.state, m.reason, m.detail, m.attempts, m.created_at
FROM ((SELECT * FROM message WHERE id >= first_id($1) AND id < $2::uuid AND state = ANY($3::text[])
          AND channel = coalesce($5::text, channel) AND customer_id = $7::uuid ORDER BY id DESC LIMIT $4)) AS m JOIN workshop w
  ON w.id = m.workshop_id
ORDER BY m.id DESC LIMIT $4;

-- src/operation/status/messages/store.ts: listMessages
WITH given AS (SELECT $6::uuid, $7::uuid)
SELECT m.id AS message_id, m.workshop_id, w.name AS workshop, w.timezone, m.customer_id,
  m.partner_id, m.kind, m.channel, m.audience, m.recipient, m.state, m.reason, m.detail, m.attempts, m.created_at
FROM ((SELECT * FROM message WHERE id >= first_id($1) AND id < $2::uuid AND state = ANY($3::text[])
          AND channel = coalesce($5::text, channel) AND workshop_id = $6::uuid AND kind IN ('partnerMessage', 'reply', 'inbound')
        ORDER BY id DESC LIMIT $4) UNION ALL (SELECT * FROM message WHERE id >= first_id($1) AND id < $2::uuid AND state = ANY($3::text[])
          AND channel = coalesce($5::text, channel) AND workshop_id = $6::uuid AND NOT (kind IN ('partnerMessage', 'reply', 'inbound'))
        ORDER BY id DESC LIMIT $4)) AS m JOIN workshop w ON w.id = m.workshop_id
ORDER BY m.id DESC LIMIT $4;

-- src/operation/status/messages/store.ts: listMessages
WITH given AS (SELECT $6::uuid, $7::uuid)
SELECT m.id AS message_id, m.workshop_id, w.name AS workshop, w.timezone, m.customer_id,
  m.partner_id, m.kind, m.channel, m.audience, m.recipient, m.state, m.reason, m.detail, m.attempts, m.created_at
FROM ((SELECT * FROM message WHERE id >= first_id($1) AND id < $2::uuid AND state = ANY($3::text[])
          AND channel = coalesce($5::text, channel) ORDER BY id DESC LIMIT $4)) AS m JOIN workshop w ON w.id = m.workshop_id
ORDER BY m.id DESC LIMIT $4;

-- src/operation/status/store.ts: lastGatewayErrors
WITH recent AS (
    SELECT id, gateway, reason, detail, coalesce(finished_at, started_at) AS at FROM message_attempt ORDER BY id DESC LIMIT $1)
SELECT DISTINCT ON (gateway) gateway, reason, detail, at FROM recent
WHERE reason IN ('gatewayUnavailable', 'temporarilyRefused', 'unknownOutcome') ORDER BY gateway, id DESC;

-- src/operation/status/store.ts: listWorkers
SELECT id AS worker_id, started_at,
  greatest(0, round(extract(epoch FROM clock_timestamp() - seen_at)))::int AS silent_seconds, gateways
FROM worker ORDER BY started_at, id;

-- src/operation/status/store.ts: readCounts
SELECT (SELECT count(*)::int FROM (SELECT FROM partner LIMIT $1) AS found) AS partners,
  (SELECT count(*)::int FROM (SELECT FROM workshop LIMIT $1) AS found) AS workshops,
  (SELECT count(*)::int FROM (SELECT FROM quote LIMIT $1) AS found) AS quotes,
  (SELECT count(*)::int FROM (SELECT FROM booking LIMIT $1) AS found) AS bookings,
  (SELECT count(*)::int FROM (SELECT FROM service_reminder LIMIT $1) AS found) AS service_reminders,
  (SELECT count(*)::int FROM (SELECT FROM call_lead LIMIT $1) AS found) AS call_leads;

-- src/operation/status/store.ts: readServer
SELECT name FROM migration ORDER BY name DESC LIMIT 1;

-- src/operation/status/store.ts: readServer
SELECT split_part(current_setting('server_version'), ' ', 1) AS version, to_regclass('migration') IS NOT NULL AS migrated;

-- src/operation/status/store.ts: usedUpPages
SELECT w.id AS workshop_id, w.name AS workshop FROM (
    SELECT subject FROM page_use WHERE kind = 'workshop' AND over_at > (SELECT clock_timestamp() - interval '1 hour') OFFSET 0) AS over
JOIN workshop w ON w.id = over.subject::uuid ORDER BY w.name, w.id;

-- src/operation/status/store.ts: waitingDeliveries
SELECT count(waiting.id)::int AS count,
  coalesce(greatest(0, extract(epoch FROM clock_timestamp() - made_at(min(waiting.id::text)::uuid))), 0)::float8 AS oldest_seconds,
  (SELECT count(*)::int FROM webhook WHERE status = 'disabled') AS disabled_endpoints
FROM (
    SELECT d.id FROM webhook w CROSS JOIN LATERAL (
        SELECT id FROM webhook_delivery WHERE webhook_id = w.id AND due_at IS NOT NULL LIMIT $1) AS d
    WHERE w.status = 'enabled' LIMIT $1) AS waiting;

-- src/operation/status/store.ts: waitingMessages
WITH alike AS MATERIALIZED (
    SELECT workshop_id, channel, count(*) AS count, min(created_at) AS since
    FROM queued_message WHERE class IS NOT NULL GROUP BY workshop_id, channel
)
SELECT CASE WHEN alike.channel = 'sms' AND w.sms_gateways IS NOT NULL
  THEN 'sms:' || array_to_string(w.sms_gateways, ',') ELSE alike.channel END AS route, sum(count)::int AS count,
  greatest(0, extract(epoch FROM clock_timestamp() - min(since)))::float8 AS oldest_seconds
FROM alike JOIN workshop w ON w.id = workshop_id GROUP BY 1 ORDER BY 1;

-- src/platform/attempts/store.ts: purgeAttempts
WITH gone AS (
    DELETE FROM attempt
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM attempt WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/attempts/store.ts: readResetMs
WITH bound AS (
    SELECT $1::bytea AS source, CASE WHEN $6::int > 0 AND EXISTS (
        SELECT FROM unnest($3::bytea[], $4::int[]) AS ceiling (source, quota)
        WHERE (SELECT count(*) FROM attempt, unnest(attempts) at
            WHERE attempt.source = ceiling.source
              AND at > (SELECT clock_timestamp() - make_interval(secs => $5))) >= ceiling.quota) THEN $6::int ELSE $2::int END AS quota
    UNION ALL SELECT * FROM unnest($3::bytea[], $4::int[]))
SELECT max(resets) AS reset_ms
FROM (SELECT extract(epoch FROM min(at) + make_interval(secs => $5) - clock_timestamp())::float8 * 1000 AS resets
    FROM bound JOIN attempt USING (source), unnest(attempts) at
    WHERE at > (SELECT clock_timestamp() - make_interval(secs => $5))
    GROUP BY source, quota HAVING count(*) >= quota) AS full_ones;

-- src/platform/attempts/store.ts: recordFailure
WITH ceiling AS (SELECT * FROM unnest($1::bytea[], $2::int[]) AS c (source, quota))
INSERT INTO attempt AS old (source, attempts, expires_at)
SELECT source, ARRAY[clock_timestamp()], clock_timestamp() + make_interval(secs => $3) FROM ceiling ORDER BY source
ON CONFLICT (source) DO UPDATE
SET attempts = (SELECT array_agg(at ORDER BY at)
    FROM (SELECT at FROM unnest(old.attempts || clock_timestamp()) at
        WHERE at > clock_timestamp() - make_interval(secs => $3)
        ORDER BY at DESC
        LIMIT (SELECT quota FROM ceiling WHERE ceiling.source = excluded.source)) AS latest),
  expires_at = excluded.expires_at;

-- src/platform/attempts/store.ts: returnAttempt
UPDATE attempt SET attempts = array_remove(attempts, $2::timestamptz) WHERE source = $1;

-- src/platform/attempts/store.ts: takeAttempt
WITH room AS (SELECT CASE WHEN EXISTS (
        SELECT FROM unnest($3::bytea[], $4::int[]) AS ceiling (source, quota)
        WHERE (SELECT count(*) FROM attempt, unnest(attempts) at
            WHERE attempt.source = ceiling.source
              AND at > (SELECT clock_timestamp() - make_interval(secs => $5))) >= ceiling.quota) THEN $6::int ELSE $2::int END AS quota)
INSERT INTO attempt AS old (source, attempts, expires_at)
SELECT $1, ARRAY[clock_timestamp()], clock_timestamp() + make_interval(secs => $5) FROM room WHERE room.quota > 0
ON CONFLICT (source) DO UPDATE
SET attempts = (SELECT coalesce(array_agg(at ORDER BY at), '{}') FROM unnest(old.attempts) at
    WHERE at > clock_timestamp() - make_interval(secs => $5)) || clock_timestamp(),
  expires_at = excluded.expires_at
WHERE (SELECT count(*) FROM unnest(old.attempts) at WHERE at > clock_timestamp() - make_interval(secs => $5))
  < (SELECT quota FROM room)
RETURNING attempts[cardinality(attempts)]::text AS stamp, cardinality(attempts) AS used,
  extract(epoch FROM attempts[1] + make_interval(secs => $5) - clock_timestamp())::float8 * 1000 AS reset_ms;

-- src/platform/audit/purge.ts: purgeTrail
WITH gone AS (
    DELETE FROM audit_entry
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM audit_entry WHERE id < (SELECT first_id($1::timestamptz)) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/audit/read/store.ts: changesSince
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.workshop_id = $2 AND e.subject_id = $3 AND e.version > $4::integer
        ORDER BY e.version, e.id LIMIT $1) UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
          e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e WHERE e.workshop_id = $2 AND e.subject_id = $3
          AND e.version > $4::integer ORDER BY e.version, e.id LIMIT $1)) AS e
ORDER BY e.version, e.id LIMIT $1;

-- src/platform/audit/read/store.ts: latestEntry
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.workshop_id = $2 AND e.subject_id = $3 AND e.action = ANY ($4::text[])
          AND e.actor = $5 AND e.actor LIKE 'person %' ORDER BY e.id DESC LIMIT $1)
    UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action,
          e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e WHERE e.workshop_id = $2 AND e.subject_id = $3
          AND e.action = ANY ($4::text[]) AND e.actor = $5 AND e.actor LIKE 'person %' ORDER BY e.id DESC LIMIT $1)) AS e
ORDER BY e.id DESC LIMIT $1;

-- src/platform/audit/read/store.ts: latestEntry
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.workshop_id = $2 AND e.subject_id = $3 AND e.action = ANY ($4::text[])
        ORDER BY e.id DESC LIMIT $1) UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
          e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e WHERE e.workshop_id = $2 AND e.subject_id = $3
          AND e.action = ANY ($4::text[]) ORDER BY e.id DESC LIMIT $1)) AS e
ORDER BY e.id DESC LIMIT $1;

-- src/platform/audit/read/store.ts: listTrail
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
          AND e.subject_id = $3 ORDER BY e.id DESC LIMIT $1)
    UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action,
          e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e
        WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND e.subject_id = $3 ORDER BY e.id DESC LIMIT $1)) AS e
ORDER BY e.id DESC LIMIT $1;

-- src/platform/audit/read/store.ts: listTrail
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
          AND e.workshop_id = $3 AND e.subject_id = $4 ORDER BY e.id DESC LIMIT $1)
    UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action,
          e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e
        WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND e.workshop_id = $3 AND e.subject_id = $4
        ORDER BY e.id DESC LIMIT $1)) AS e
ORDER BY e.id DESC LIMIT $1;

-- src/platform/audit/read/store.ts: listTrail
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
          AND e.workshop_id = $3 ORDER BY e.id DESC LIMIT $1)
    UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action,
          e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e
        WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND e.workshop_id = $3 ORDER BY e.id DESC LIMIT $1)) AS e
ORDER BY e.id DESC LIMIT $1;

-- src/platform/audit/read/store.ts: listTrail
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        ORDER BY e.id DESC LIMIT $1) UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
          e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e
        WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY e.id DESC LIMIT $1)) AS e
ORDER BY e.id DESC LIMIT $1;

-- src/platform/audit/read/store.ts: listTrail
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
  e.after, e.version, (SELECT name FROM partner WHERE partner.id = e.partner_id) AS partner
FROM ((SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action, e.before,
          e.after, e.version FROM audit_entry e WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND e.actor = $3
          AND e.actor LIKE 'person %' ORDER BY e.id DESC LIMIT $1)
    UNION ALL (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, e.subject_kind, e.subject_id, e.action,
          e.before,
          e.after, e.version FROM (SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id,
              split_part(e.kind, '.', 1) AS subject_kind,
              e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e
            WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity') AND e.actor IS NOT NULL
              AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))) e
        WHERE e.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND e.actor = $3 AND e.actor LIKE 'person %'
        ORDER BY e.id DESC LIMIT $1)) AS e
ORDER BY e.id DESC LIMIT $1;

-- src/platform/audit/store.ts: blankEntries
UPDATE event SET before = NULL, after = NULL WHERE workshop_id = $1 AND before IS NOT NULL AND (before ->> 'customerId' = $2::text
      OR jsonb_path_exists(jsonb_build_array(before, after), '$.** ? (@ == $phones[*])', jsonb_build_object('phones', $3::text[])));

-- src/platform/audit/store.ts: blankEntries
WITH named AS MATERIALIZED (
    SELECT id, subject_id FROM audit_entry WHERE workshop_id = $1 AND (before IS NOT NULL OR after IS NOT NULL)
      AND (before ->> 'customerId' = $2::text
          OR jsonb_path_exists(jsonb_build_array(before, after), '$.** ? (@ == $phones[*])', jsonb_build_object('phones', $3::text[]))))
UPDATE audit_entry e SET before = NULL, after = NULL
WHERE workshop_id = $1 AND (before IS NOT NULL OR after IS NOT NULL)
  AND (subject_id = ANY($4::uuid[])
      OR EXISTS (SELECT FROM named WHERE named.subject_id = e.subject_id AND e.id <= named.id));

-- src/platform/audit/store.ts: copyEvents
INSERT INTO audit_entry (id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after,
      version)
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, split_part(e.kind, '.', 1) AS subject_kind,
  e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e WHERE e.id = ANY($1::uuid[]) AND e.actor IS NOT NULL
  AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule')) ORDER BY e.id ON CONFLICT (id) DO NOTHING;

-- src/platform/audit/store.ts: copyMissed
INSERT INTO audit_entry (id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after,
      version)
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, split_part(e.kind, '.', 1) AS subject_kind,
  e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e WHERE e.id IN (
    SELECT e.id FROM event e
    WHERE e.relayed_at >= (SELECT clock_timestamp() - make_interval(hours => $1)) AND e.relayed_at <= (SELECT clock_timestamp())
      AND e.actor IS NOT NULL AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))
      AND NOT EXISTS (SELECT FROM audit_entry WHERE audit_entry.id = e.id)
    LIMIT $2) AND e.actor IS NOT NULL AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule')) ORDER BY e.id
ON CONFLICT (id) DO NOTHING RETURNING true;

-- src/platform/audit/store.ts: copyWaiting
INSERT INTO audit_entry (id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after,
      version)
SELECT e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, split_part(e.kind, '.', 1) AS subject_kind,
  e.subject_id, e.kind AS action, e.before, e.after, e.version FROM event e WHERE (e.relayed_at IS NULL OR e.relayed_at = 'infinity')
  AND e.actor IS NOT NULL AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule')) ORDER BY e.id ON CONFLICT (id) DO NOTHING;

-- src/platform/audit/store.ts: insertEntry
INSERT INTO audit_entry (id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after,
      version) VALUES ((overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL);

-- src/platform/audit/store.ts: insertEntryOnce
INSERT INTO audit_entry (id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after,
      version)
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL
WHERE NOT EXISTS (
    SELECT FROM audit_entry e WHERE e.actor = $4 AND e.actor LIKE 'person %'
      AND e.id >= (SELECT first_id(clock_timestamp() - make_interval(secs => $11)))
      AND e.action = $8 AND e.workshop_id = $2 AND e.subject_id = $7 AND e.after = $10::jsonb);

-- src/platform/audit/store.ts: insertEntryOnce
SELECT pg_advisory_xact_lock(hashtextextended('audit entry ' || $1, 0));

-- src/platform/db/business-clock.ts: advance
UPDATE business_clock SET advance_seconds = advance_seconds + $1
WHERE advance_seconds + $1 <= $2 RETURNING advance_seconds::float8 AS seconds;

-- src/platform/db/business-clock.ts: readAdvance
SELECT advance_seconds::float8 AS seconds FROM business_clock;

-- src/platform/db/business-clock.ts: resetAdvance
WITH before AS (SELECT advance_seconds FROM business_clock FOR UPDATE)
UPDATE business_clock SET advance_seconds = 0 FROM before RETURNING before.advance_seconds::float8 AS seconds;

-- src/platform/db/find-process.ts: findProcess
SELECT application_name AS name FROM pg_stat_activity
WHERE datname = current_database() AND application_name IN ('pitlane all', 'pitlane api', 'pitlane worker') LIMIT 1;

-- src/platform/db/functions/differences.ts: differences
SELECT 'function' AS kind, proname::text AS name, NULL AS table_name, obj_description(oid, 'pg_proc') AS comment,
  EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_proc'::regclass AND refobjid = pg_proc.oid AND classid = 'pg_class'::regclass)
  AS is_indexed
FROM pg_proc WHERE pronamespace = current_schema()::text::regnamespace AND proname = ANY ($1)
UNION ALL
SELECT 'trigger', tgname, relname, obj_description(t.oid, 'pg_trigger'), false
FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
WHERE relnamespace = current_schema()::text::regnamespace AND NOT tgisinternal AND tgname = ANY ($1);

-- src/platform/db/in-turns.ts: inTurns
DELETE FROM event WHERE id IN (
    SELECT id FROM event
    WHERE relayed_at < (SELECT clock_timestamp() - make_interval(days => $1))
    ORDER BY relayed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id;

-- src/platform/db/in-turns.ts: inTurns
DELETE FROM message_rate WHERE passed[cardinality(passed)] < (SELECT clock_timestamp() - interval '1 minute')
  OR passed[cardinality(passed)] > (SELECT clock_timestamp() + interval '1 minute');

-- src/platform/db/in-turns.ts: inTurns
DELETE FROM sms_segment WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM sms_segment WHERE reference IS NOT NULL AND created_at < (SELECT clock_timestamp() - interval '14 days')
        ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING true;

-- src/platform/db/in-turns.ts: inTurns
DELETE FROM sms_segment WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM sms_segment WHERE reference IS NULL AND shared_at IS NULL
          AND created_at < (SELECT clock_timestamp() - interval '1 hour')
        ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING true;

-- src/platform/db/in-turns.ts: inTurns
DELETE FROM sms_segment WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM sms_segment WHERE shared_at IS NOT NULL AND created_at < (SELECT clock_timestamp() - interval '14 days')
        ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING true;

-- src/platform/db/in-turns.ts: inTurns
DELETE FROM webhook_wake w WHERE NOT EXISTS (SELECT FROM webhook_lane l WHERE l.webhook_id = w.webhook_id);

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM account_email WHERE due_at = 'infinity'
      AND queued_at < (SELECT clock_timestamp() - interval '30 days') RETURNING id)
DELETE FROM dead_letter USING gone
WHERE job = 'sendAccountEmail' AND payload = jsonb_build_object('accountEmailId', gone.id);

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM email_change
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM email_change WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM half_sign_in
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM half_sign_in WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM kept_form
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM kept_form WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM known_browser
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM known_browser
            WHERE signed_in_at < (SELECT clock_timestamp() - interval '90 days') LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM page_use
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM page_use WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM passkey_challenge
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM passkey_challenge
            WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM session
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM session
            WHERE (ended_at < (SELECT clock_timestamp() - interval '30 days') OR used_at < (SELECT clock_timestamp() - interval '60 days')
                  OR signed_in_at < (SELECT clock_timestamp() - interval '120 days')) LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM session_found
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM session_found
            WHERE at < (SELECT clock_timestamp() - interval '1 hour') LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM shown_customer
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM shown_customer
            WHERE at < (SELECT clock_timestamp() - interval '1 hour') LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM sign_in_address
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM sign_in_address
            WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH gone AS (
    DELETE FROM sign_in_code
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM sign_in_code WHERE expires_at < (SELECT clock_timestamp()) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/db/in-turns.ts: inTurns
WITH old AS (
    SELECT id FROM webhook_delivery WHERE id < (SELECT first_id(clock_timestamp() - make_interval(days => $1))) ORDER BY id LIMIT $2)
DELETE FROM webhook_delivery d USING old WHERE d.id = old.id RETURNING d.id;

-- src/platform/db/in-turns.ts: inTurns
WITH old AS (
    SELECT id, partner_id FROM partner_event WHERE id < (SELECT first_id(clock_timestamp() - make_interval(days => $1)))
    ORDER BY id LIMIT $2)
DELETE FROM partner_event p USING old WHERE p.id = old.id AND p.partner_id = old.partner_id RETURNING p.id;

-- src/platform/db/migrate.ts: pendingMigrations
SELECT name FROM migration;

-- src/platform/db/older-writes.ts: waitForOlderWrites
SELECT DISTINCT virtualtransaction AS transaction FROM pg_locks
WHERE locktype = 'relation' AND relation = $1::regclass
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid();

-- src/platform/db/replica/store.ts: limitStatements
SELECT set_config('statement_timeout', $1, true);

-- src/platform/db/replica/store.ts: lookAtPrimary
SELECT s.system_identifier::text AS system, pg_walfile_name(its.position) AS file, its.position::text AS position,
  current_setting('wal_block_size') AS page_bytes
FROM pg_control_system() s, pg_current_wal_insert_lsn() AS its (position);

-- src/platform/db/replica/store.ts: lookAtReplica
SELECT s.system_identifier::text AS system, pg_is_in_recovery() AS is_standby, pg_last_wal_replay_lsn()::text AS replayed,
  greatest(c.timeline_id, r.min_recovery_end_timeline, (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline
FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r;

-- src/platform/db/session-settings.ts: missingSettings
SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name;

-- src/platform/db/session-settings.ts: settleRole
SELECT coalesce((SELECT setconfig FROM pg_db_role_setting
        WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
          AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())), '{}') AS has;

-- src/platform/db/session-settings.ts: settleRole
SELECT pg_advisory_xact_lock(hashtextextended('role settings', 0));

-- src/platform/db/time-zones.ts: knowsTimezone
SELECT FROM pg_timezone_names WHERE name = $1 LIMIT 1;

-- src/platform/db/write-probe.ts: probeWriting
UPDATE write_probe SET written_at = clock_timestamp();

-- src/platform/db/young-tables.ts: analyseYoungTables
SELECT format('%I.%I', s.schemaname, s.relname) AS name
FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
WHERE s.schemaname = current_schema() AND s.n_live_tup >= $1
  AND (s.last_analyze IS NULL AND s.last_autoanalyze IS NULL OR c.reltuples <= 0) AND pg_has_role(c.relowner, 'USAGE')
  AND NOT EXISTS (SELECT FROM pg_stats t WHERE t.schemaname = s.schemaname AND t.tablename = s.relname)
ORDER BY s.relname;

-- src/platform/events/held/store.ts: endHolds
UPDATE held_event SET held_until = least(held_until, clock_timestamp()), previous = NULL WHERE record_id = ANY ($1::uuid[])
  OR event_id = ANY ($2::uuid[]);

-- src/platform/events/held/store.ts: findChange
SELECT e.kind, e.actor, e.withdrawn_at IS NOT NULL AS is_withdrawn,
  coalesce(h.record_id, e.subject_id) AS record_id, coalesce(h.record_version, e.version) AS record_version,
  h.event_id IS NOT NULL AND h.previous IS NULL AS has_ended
FROM event e LEFT JOIN held_event h ON h.event_id = e.id WHERE e.id = $1 AND e.workshop_id = $2;

-- src/platform/events/held/store.ts: findHeld
SELECT h.event_id, h.held_until FROM held_event h JOIN event e ON e.id = h.event_id
WHERE h.record_id = $1 AND e.workshop_id = $2 AND e.actor = $3
  AND h.previous IS NOT NULL AND h.held_until > (SELECT clock_timestamp()) AND e.relayed_at = 'infinity'
ORDER BY h.record_version DESC LIMIT 1;

-- src/platform/events/held/store.ts: holdEvent
WITH ended AS (
    UPDATE held_event SET held_until = least(held_until, clock_timestamp()), previous = NULL
    WHERE event_id IN (SELECT event_id FROM held_event WHERE record_id = $2 FOR UPDATE SKIP LOCKED)),
  held AS (UPDATE event SET relayed_at = 'infinity' WHERE id = $1 AND relayed_at IS NULL RETURNING id)
INSERT INTO held_event (event_id, record_id, record_version, held_until, previous)
SELECT id, $2, $3, clock_timestamp() + make_interval(secs => $4::float8 / 1000), $5 FROM held RETURNING event_id, held_until;

-- src/platform/events/held/store.ts: withdrawEvent
WITH held AS MATERIALIZED (
    SELECT event.id FROM event JOIN held_event ON event_id = event.id
    WHERE event.id = $1 AND relayed_at = 'infinity' AND held_until > (SELECT clock_timestamp()) FOR UPDATE SKIP LOCKED),
  withdrawn AS (
    UPDATE event SET relayed_at = clock_timestamp(), withdrawn_at = clock_timestamp() FROM held WHERE event.id = held.id)
DELETE FROM held_event USING held WHERE event_id = held.id RETURNING previous;

-- src/platform/events/page-withholds.ts: markFromPage
UPDATE event SET page_withholds = $3 WHERE subject_id = $1 AND version = $2;

-- src/platform/events/record.ts: recordEvent
INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before,
      after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- src/platform/events/store.ts: claimEvent
WITH free AS MATERIALIZED (
    SELECT id FROM event WHERE id = $1 AND coalesce(event.relayed_at, 'infinity') = 'infinity' AND NOT EXISTS (
        SELECT FROM event earlier WHERE earlier.subject_id = event.subject_id
          AND coalesce(earlier.relayed_at, 'infinity') = 'infinity' AND earlier.id <> ALL (ARRAY[]::uuid[])
          AND (earlier.version, earlier.id) < (event.version, event.id) OFFSET 0) FOR UPDATE SKIP LOCKED
), unheld AS (DELETE FROM held_event USING free WHERE event_id = free.id)
UPDATE event SET relayed_at = clock_timestamp() FROM free WHERE event.id = free.id
RETURNING
  event.id, event.kind, event.partner_id, event.workshop_id,
  event.subject_id, event.version;

-- src/platform/events/store.ts: claimEvents
WITH due AS MATERIALIZED (
    SELECT event_id FROM held_event WHERE held_until <= (SELECT clock_timestamp()) ORDER BY held_until LIMIT $1 FOR UPDATE SKIP LOCKED
), released AS MATERIALIZED (
    SELECT id, subject_id FROM event WHERE id = ANY (ARRAY(SELECT event_id FROM due))
      AND coalesce(event.relayed_at, 'infinity') = 'infinity' FOR UPDATE SKIP LOCKED
), oldest AS MATERIALIZED (
    SELECT id, subject_id FROM event WHERE relayed_at IS NULL
      AND id >= (SELECT CASE WHEN $2::boolean THEN '00000000-0000-0000-0000-000000000000'::uuid
          ELSE least(first_id(clock_timestamp() - interval '30 seconds'), $3::uuid) END) ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
), beside AS MATERIALIZED (
    SELECT own.id FROM (SELECT subject_id FROM oldest UNION SELECT subject_id FROM released) AS its CROSS JOIN LATERAL (
        SELECT id FROM event WHERE subject_id = its.subject_id AND coalesce(event.relayed_at, 'infinity') = 'infinity'
          AND (relayed_at IS NULL OR id = ANY (ARRAY(SELECT event_id FROM due)))
        ORDER BY version, id LIMIT 10 FOR UPDATE SKIP LOCKED) AS own
), locked AS MATERIALIZED (
    SELECT ARRAY(SELECT id FROM oldest UNION SELECT id FROM released UNION SELECT id FROM beside) AS ids
), claimed AS (
    UPDATE event SET relayed_at = clock_timestamp()
    WHERE id = ANY((SELECT ids FROM locked)::uuid[]) AND NOT EXISTS (
        SELECT FROM event earlier WHERE earlier.subject_id = event.subject_id
          AND coalesce(earlier.relayed_at, 'infinity') = 'infinity' AND earlier.id <> ALL ((SELECT ids FROM locked)::uuid[])
          AND (earlier.version, earlier.id) < (event.version, event.id) OFFSET 0)
    RETURNING
      event.id, event.kind, event.partner_id, event.workshop_id,
      event.subject_id, event.version
), unheld AS (
    DELETE FROM held_event WHERE event_id = ANY (ARRAY(
            SELECT id FROM claimed
            UNION ALL SELECT event_id FROM due
            WHERE NOT EXISTS (SELECT FROM event WHERE event.id = due.event_id
                  AND coalesce(event.relayed_at, 'infinity') = 'infinity' OFFSET 0))))
SELECT * FROM claimed;

-- src/platform/events/store.ts: claimFailed
WITH failed AS (DELETE FROM failed_work WHERE job = $1 AND subject_id = $2 RETURNING subject_id)
UPDATE event SET relayed_at = clock_timestamp() FROM failed WHERE id = failed.subject_id RETURNING
  event.id, event.kind, event.partner_id, event.workshop_id,
  event.subject_id, event.version;

-- src/platform/events/store.ts: markRelayed
WITH unheld AS (DELETE FROM held_event WHERE event_id = $1)
UPDATE event SET relayed_at = clock_timestamp() WHERE id = $1 AND coalesce(event.relayed_at, 'infinity') = 'infinity' RETURNING true;

-- src/platform/events/store.ts: releaseEvent
UPDATE event SET relayed_at = NULL WHERE id = $1;

-- src/platform/events/store.ts: setAsideEvents
WITH unheld AS (DELETE FROM held_event),
  waiting AS (UPDATE event SET relayed_at = clock_timestamp() WHERE relayed_at IS NULL OR relayed_at = 'infinity' RETURNING id),
  failed AS (DELETE FROM failed_work WHERE job = 'relay' RETURNING subject_id),
  aside AS (SELECT id FROM waiting UNION SELECT id FROM event WHERE id = ANY (ARRAY(SELECT subject_id FROM failed)))
INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'relay', jsonb_build_object('eventId', id), $1, $2, 0, $3 FROM aside
ORDER BY id
ON CONFLICT (job, payload) DO NOTHING RETURNING true;

-- src/platform/feed/epoch/store.ts: beginRestoredEpoch
WITH gone AS (DELETE FROM feed_mark), starts AS (DELETE FROM feed_start)
UPDATE feed_epoch e SET number = e.number + 1 + floor(random() * 1000000)::integer,
  system_identifier = s.system_identifier::text, timeline = c.timeline_id
FROM pg_control_system() s, pg_control_checkpoint() c;

-- src/platform/feed/epoch/store.ts: readEpoch
SELECT e.system_identifier <> s.system_identifier::text AS is_other_server,
  e.system_identifier <> s.system_identifier::text OR e.timeline <> c.timeline_id AS is_over
FROM feed_epoch e, pg_control_system() s, pg_control_checkpoint() c;

-- src/platform/feed/epoch/store.ts: recordStart
WITH old AS (
    DELETE FROM feed_start WHERE recorded_in <= (
        SELECT recorded_in FROM feed_start ORDER BY recorded_in DESC OFFSET 1000 LIMIT 1))
INSERT INTO feed_start (number, started_at, recorded_in)
SELECT ('x' || right(gen_random_uuid()::text, 12))::bit(48)::bigint, pg_postmaster_start_time(), pg_current_xact_id()
WHERE NOT EXISTS (SELECT FROM feed_start WHERE started_at = pg_postmaster_start_time())
ON CONFLICT DO NOTHING;

-- src/platform/feed/epoch/store.ts: renewEpoch
WITH renewed AS (
    UPDATE feed_epoch e SET number = e.number + 1, system_identifier = s.system_identifier::text, timeline = c.timeline_id
    FROM pg_control_system() s, pg_control_checkpoint() c
    WHERE e.system_identifier <> s.system_identifier::text OR e.timeline <> c.timeline_id
    RETURNING e.number),
  gone AS (DELETE FROM feed_mark WHERE EXISTS (SELECT FROM renewed))
DELETE FROM feed_start WHERE EXISTS (SELECT FROM renewed);

-- src/platform/feed/epoch/store.ts: rewriteOf
WITH batch AS (SELECT id FROM booking WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY id LIMIT 1000 FOR NO KEY UPDATE),
  rewritten AS (UPDATE booking AS row SET version = row.version FROM batch WHERE row.id = batch.id)
SELECT max(id::text) AS last FROM batch;

-- src/platform/feed/epoch/store.ts: writeMark
WITH latest AS (SELECT at FROM feed_mark ORDER BY at DESC, "before" DESC LIMIT 1),
  old AS (DELETE FROM feed_mark WHERE at < $1::timestamptz - interval '30 days')
INSERT INTO feed_mark (at, "before")
SELECT greatest($1::timestamptz, (SELECT at FROM latest)), pg_snapshot_xmin(pg_current_snapshot())
WHERE NOT EXISTS (SELECT FROM latest WHERE at BETWEEN $1::timestamptz - interval '55 seconds' AND $1::timestamptz)
ON CONFLICT DO NOTHING;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.action = coalesce($5::text, row.action)) AS matches
        FROM partner_event AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz AND (row.action = coalesce($5::text, row.action)) AS matches
            FROM partner_event AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object('id', row.id, 'action', row.action, 'version', e.version, 'payload', e.payload,
              'at', floor(extract(epoch FROM row.updated_at))::bigint) AS item FROM partner_event AS row JOIN event e ON e.id = row.id
          AND row.partner_id = $4::uuid WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.customer_id = $6::uuid) AS matches
        FROM service_reminder AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.customer_id = $6::uuid) AS matches
            FROM service_reminder AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
              'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
              'newBookingId', row.new_booking_id, 'externalId', row.external_id,
              'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId',
                  row.customer_id) END,
              'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
              'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
              to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.date < $6::timestamptz) AS matches
        FROM booking AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.date < $6::timestamptz) AS matches
            FROM booking AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
              'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
              row.service_category, 'services', row.services, 'pickupTime',
              to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
              'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
              to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
              'cancelReason', row.cancel_reason,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.date >= $6::timestamptz) AS matches
        FROM booking AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.date >= $6::timestamptz) AS matches
            FROM booking AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
              'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
              row.service_category, 'services', row.services, 'pickupTime',
              to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
              'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
              to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
              'cancelReason', row.cancel_reason,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.external_id = $6::text) AS matches
        FROM booking AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.external_id = $6::text) AS matches
            FROM booking AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
              'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
              row.service_category, 'services', row.services, 'pickupTime',
              to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
              'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
              to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
              'cancelReason', row.cancel_reason,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.external_id = $6::text) AS matches
        FROM quote AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.external_id = $6::text) AS matches
            FROM quote AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
              'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
              jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null),
              'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
              'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
              row.url,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM quote AS row JOIN car its_car
          ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.external_id = $6::text) AS matches
        FROM service_reminder AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.external_id = $6::text) AS matches
            FROM service_reminder AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
              'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
              'newBookingId', row.new_booking_id, 'externalId', row.external_id,
              'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId',
                  row.customer_id) END,
              'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
              'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
              to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.workshop_id = $6::uuid) AS matches
        FROM booking AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.workshop_id = $6::uuid) AS matches
            FROM booking AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
              'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
              row.service_category, 'services', row.services, 'pickupTime',
              to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
              'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
              to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
              'cancelReason', row.cancel_reason,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.workshop_id = $6::uuid) AS matches
        FROM quote AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.workshop_id = $6::uuid) AS matches
            FROM quote AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
              'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
              jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null),
              'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
              'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
              row.url,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM quote AS row JOIN car its_car
          ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[]) AND row.workshop_id = $6::uuid) AS matches
        FROM service_reminder AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
              AND (row.status = ANY ($5::text[]) AND row.workshop_id = $6::uuid) AS matches
            FROM service_reminder AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
              'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
              'newBookingId', row.new_booking_id, 'externalId', row.external_id,
              'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId',
                  row.customer_id) END,
              'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
              'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
              to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[])) AS matches
        FROM booking AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz AND (row.status = ANY ($5::text[])) AS matches
            FROM booking AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
              'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
              row.service_category, 'services', row.services, 'pickupTime',
              to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
              'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
              to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
              'cancelReason', row.cancel_reason,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[])) AS matches
        FROM quote AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz AND (row.status = ANY ($5::text[])) AS matches
            FROM quote AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
              'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
              'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
              jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
                  'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
              jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
                  'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
                  'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
                  null),
              'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
              'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
              row.url,
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM quote AS row JOIN car its_car
          ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/feed/store.ts: readFeed
WITH server AS MATERIALIZED (
    SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
    FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
  reached AS MATERIALIZED (
    SELECT place.ordinal, place.changed_in, place.id
    FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
    WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND (place.start IS NULL OR EXISTS (
            SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
                SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))
    ORDER BY place.ordinal LIMIT 1),
  start AS MATERIALIZED (
    SELECT reached.ordinal,
      coalesce(reached.changed_in,
          (SELECT "before" FROM feed_mark
            WHERE at <= $1::timestamptz - interval '5 minutes' ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
      coalesce(reached.id, '00000000-0000-0000-0000-000000000000') AS id
    FROM server LEFT JOIN reached ON true),
  page AS MATERIALIZED (
    SELECT id, changed_in FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz
          AND (row.status = ANY ($5::text[])) AS matches
        FROM service_reminder AS row
        WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
          AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY row.changed_in, row.id LIMIT 10000) AS looked WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
  position AS (
    SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) = $3::integer
    UNION ALL
    SELECT id, changed_in FROM (SELECT id, changed_in
        FROM (SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz AND (row.status = ANY ($5::text[])) AS matches
            FROM service_reminder AS row
            WHERE row.partner_id = $4::uuid AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
              AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY row.changed_in, row.id LIMIT 10000) AS looked ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
    WHERE (SELECT count(*) FROM page) < $3::integer)
SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
  coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
  (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
    FROM page CROSS JOIN LATERAL (
        SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
              'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
              'newBookingId', row.new_booking_id, 'externalId', row.external_id,
              'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId',
                  row.customer_id) END,
              'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
              'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
              to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
        WHERE row.id = page.id LIMIT 1) AS own) AS items
FROM server CROSS JOIN start LEFT JOIN position ON true;

-- src/platform/idempotency/store.ts: claimKeys
WITH input AS (
    SELECT given.partner_id, given.key, given.fingerprint, given.owner, given.lease_seconds, given.now, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (partner_id uuid, key text, fingerprint bytea, owner uuid, lease_seconds float8,
              now timestamptz)) WITH ORDINALITY AS given (partner_id, key, fingerprint, owner, lease_seconds, now, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32), present AS (
    SELECT input.ordinal, old.fingerprint, old.status, old.body
    FROM input JOIN idempotency old ON old.partner_id = input.partner_id AND old.key = input.key
      AND NOT ((old.status IS NOT NULL AND old.created_at <= input.now - interval '24 hours')
          OR (old.status IS NULL AND old.leased_until < (SELECT clock_timestamp())))
), claimed AS (
    INSERT INTO idempotency AS old (partner_id, key, fingerprint, owner, leased_until, created_at)
    SELECT partner_id, key, fingerprint, owner, clock_timestamp() + lease_seconds * interval '1 second', now
    FROM input WHERE NOT EXISTS (SELECT FROM present WHERE present.ordinal = input.ordinal) ORDER BY 1, 2
    ON CONFLICT (partner_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, owner = excluded.owner, leased_until = excluded.leased_until,
      created_at = excluded.created_at, status = NULL, body = NULL
    WHERE ((old.status IS NOT NULL AND old.created_at <= excluded.created_at - interval '24 hours')
          OR (old.status IS NULL AND old.leased_until < clock_timestamp()))
    RETURNING owner)
SELECT input.ordinal, EXISTS (SELECT FROM claimed WHERE claimed.owner = input.owner) AS claimed,
  present.ordinal IS NOT NULL AS is_kept, present.fingerprint, present.status, present.body
FROM input LEFT JOIN present ON present.ordinal = input.ordinal;

-- src/platform/idempotency/store.ts: finishClaim
UPDATE idempotency SET status = $4, body = $5::jsonb WHERE partner_id = $1 AND key = $2 AND owner = $3 AND status IS NULL
RETURNING true;

-- src/platform/idempotency/store.ts: keepNoLongerThanFrom
UPDATE idempotency SET created_at = $1 WHERE created_at > $1;

-- src/platform/idempotency/store.ts: purgeKept
WITH gone AS (
    DELETE FROM idempotency
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency
            WHERE created_at < $1::timestamptz - interval '24 hours' LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/idempotency/store.ts: releaseKey
DELETE FROM idempotency WHERE partner_id = $1 AND key = $2 AND owner = $3 AND status IS NULL;

-- src/platform/key-fingerprint/store.ts: nameFirstKey
INSERT INTO secret_key (fingerprint, former) VALUES ($1, $2::text[]) ON CONFLICT DO NOTHING;

-- src/platform/key-fingerprint/store.ts: nameFirstKey
SELECT fingerprint AS current, former FROM secret_key FOR UPDATE;

-- src/platform/key-fingerprint/store.ts: nameKey
INSERT INTO secret_key (fingerprint, former) VALUES ($1, $2::text[])
ON CONFLICT (only_row) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, former = EXCLUDED.former;

-- src/platform/key-fingerprint/store.ts: readNamedKey
SELECT fingerprint AS current, former FROM secret_key;

-- src/platform/key-fingerprint/store.ts: readNamedKey
SELECT to_regclass('secret_key') IS NOT NULL AS found;

-- src/platform/pages/bounds/store.ts: addUses
UPDATE page_use AS held
SET uses = ARRAY(SELECT at FROM unnest(held.uses) AS at WHERE at > clock_timestamp() - interval '1 hour') || array_fill(clock_timestamp(),
      ARRAY[amount]),
  over_at = CASE WHEN is_over THEN clock_timestamp() ELSE over_at END, expires_at = clock_timestamp() + interval '1 hour'
FROM jsonb_to_recordset($1::jsonb) AS take (kind text, subject text, amount integer, is_over boolean)
WHERE held.kind = take.kind AND held.subject = take.subject;

-- src/platform/pages/bounds/store.ts: lockUses
INSERT INTO page_use AS held (kind, subject, uses, expires_at)
SELECT kind, subject, '{}', clock_timestamp() + interval '1 hour'
FROM jsonb_to_recordset($1::jsonb) AS key (kind text, subject text) ORDER BY kind, subject
ON CONFLICT (kind, subject) DO UPDATE SET expires_at = excluded.expires_at
RETURNING held.kind, held.subject,
  (SELECT count(*)::int FROM unnest(held.uses) AS at WHERE at > clock_timestamp() - interval '1 hour') AS used,
  coalesce((
        SELECT extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp())::float8 * 1000
        FROM unnest(held.uses) AS at WHERE at > clock_timestamp() - interval '1 hour'), 0) AS reset_ms,
  coalesce(held.over_at > clock_timestamp() - interval '1 hour', false) AS was_over;

-- src/platform/pages/bounds/store.ts: readUses
SELECT its.kind, its.subject,
  (SELECT count(*)::int FROM unnest(its.uses) AS at WHERE at > clock_timestamp() - interval '1 hour') AS used,
  coalesce((
        SELECT extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp())::float8 * 1000
        FROM unnest(its.uses) AS at WHERE at > clock_timestamp() - interval '1 hour'), 0) AS reset_ms,
  coalesce(its.over_at > clock_timestamp() - interval '1 hour', false) AS was_over
FROM jsonb_to_recordset($1::jsonb) AS key (kind text, subject text)
CROSS JOIN LATERAL (SELECT * FROM page_use WHERE page_use.kind = key.kind AND page_use.subject = key.subject LIMIT 1) AS its;

-- src/platform/records/erasure/store.ts: eraseRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) UPDATE booking AS r SET contact_name = 'Erased', contact_first_name = NULL,
  contact_last_name = NULL, contact_email = '', contact_phone = '', contact_company = NULL, car_vin = NULL, notes = NULL, job_notes = '{}',
  product_notes = '{}', cancel_reason = NULL, anyway_reason = CASE WHEN anyway_reason IS NOT NULL THEN 'Erased' END,
  version = r.version + 1, updated_at = greatest($4, r.updated_at + interval '1 millisecond')
WHERE customer_id = $2::uuid RETURNING id;

-- src/platform/records/erasure/store.ts: eraseRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) UPDATE call_lead AS r SET customer_id = $2::uuid, caller_phone = '',
  customer_name = CASE WHEN customer_name IS NOT NULL THEN 'Erased' END, recording_url = NULL, notes = NULL, version = r.version + 1,
  updated_at = greatest($4, r.updated_at + interval '1 millisecond')
WHERE workshop_id = $1::uuid AND (caller_phone = ANY ($3::text[]) OR customer_id = $2::uuid) RETURNING id;

-- src/platform/records/erasure/store.ts: eraseRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) UPDATE quote AS r SET contact_name = 'Erased', contact_first_name = NULL,
  contact_last_name = NULL, contact_email = '', contact_phone = '', contact_company = NULL, car_vin = NULL, notes = NULL, message = NULL,
  version = r.version + 1, updated_at = greatest($4, r.updated_at + interval '1 millisecond')
WHERE customer_id = $2::uuid RETURNING id;

-- src/platform/records/erasure/store.ts: eraseRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) UPDATE service_reminder AS r SET car = car || '{"rego":"ERASED","vin":null}'::jsonb,
  customer =
  '{"name":"Erased","firstName":null,"lastName":null,"email":null,"phone":null,"company":null,"address":null,"postcode":null,"suburb":null}'::jsonb,
  version = r.version + 1, updated_at = greatest($4, r.updated_at + interval '1 millisecond')
WHERE customer_id = $2::uuid RETURNING id;

-- src/platform/records/erasure/store.ts: holdRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) SELECT contact_phone AS phone FROM booking WHERE customer_id = $2::uuid
ORDER BY id FOR NO KEY UPDATE;

-- src/platform/records/erasure/store.ts: holdRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) SELECT contact_phone AS phone FROM quote WHERE customer_id = $2::uuid
ORDER BY id FOR NO KEY UPDATE;

-- src/platform/records/erasure/store.ts: holdRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) SELECT null AS phone FROM call_lead WHERE workshop_id = $1::uuid
  AND (caller_phone = ANY ($3::text[]) OR customer_id = $2::uuid) ORDER BY id FOR NO KEY UPDATE;

-- src/platform/records/erasure/store.ts: holdRecords
WITH given AS (SELECT $1::uuid, $2::uuid, $3::text[]) SELECT null AS phone FROM service_reminder WHERE customer_id = $2::uuid
ORDER BY id FOR NO KEY UPDATE;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.partner_id = $1::uuid AND row.outcome = wanted.outcome AND row.called_at <= $3::timestamptz
              AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid)
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
          OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.partner_id = $1::uuid AND row.outcome = wanted.outcome AND row.called_at <= $3::timestamptz
              AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid) AND row.called_at < $6::timestamptz
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
          OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.partner_id = $1::uuid AND row.outcome = wanted.outcome AND row.called_at <= $3::timestamptz
              AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid) AND row.called_at >= $6::timestamptz
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
          OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.partner_id = $1::uuid AND row.outcome = wanted.outcome AND row.called_at <= $3::timestamptz
              AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid) AND row.workshop_id = $6::uuid
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
          OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT row.called_at, row.id
        FROM (SELECT * FROM call_lead AS row WHERE row.partner_id = $1::uuid AND row.external_id = $6::text OFFSET 0) AS row
        WHERE row.partner_id = $1::uuid AND row.outcome = ANY ($2::text[]) AND row.called_at <= $3::timestamptz
          AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid) AND row.external_id = $6::text) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
          OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = row.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM booking AS row
            WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
          'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          row.service_category, 'services', row.services, 'pickupTime',
          to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
          'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
          to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
          'cancelReason', row.cancel_reason,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM booking AS row
            WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid AND row.workshop_id = $5::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
          'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          row.service_category, 'services', row.services, 'pickupTime',
          to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
          'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
          to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
          'cancelReason', row.cancel_reason,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM quote AS row
            WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
          'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
          jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
          'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          row.url,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM quote AS row JOIN car its_car
      ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM quote AS row
            WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid AND row.workshop_id = $5::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
          'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
          jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
          'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          row.url,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM quote AS row JOIN car its_car
      ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM service_reminder AS row
            WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
          'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
          'newBookingId', row.new_booking_id, 'externalId', row.external_id,
          'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
          'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
          'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
    WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM service_reminder AS row
            WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid AND row.workshop_id = $5::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
          'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
          'newBookingId', row.new_booking_id, 'externalId', row.external_id,
          'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
          'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
          'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
    WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT row.id FROM (SELECT * FROM booking AS row WHERE row.partner_id = $1::uuid
              AND row.external_id = $5::text OFFSET 0) AS row WHERE row.partner_id = $1::uuid AND row.status = ANY ($2::text[])
          AND row.id < $3::uuid AND row.external_id = $5::text) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
          'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          row.service_category, 'services', row.services, 'pickupTime',
          to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
          'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
          to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
          'cancelReason', row.cancel_reason,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT row.id FROM (SELECT * FROM quote AS row WHERE row.partner_id = $1::uuid
              AND row.external_id = $5::text OFFSET 0) AS row WHERE row.partner_id = $1::uuid AND row.status = ANY ($2::text[])
          AND row.id < $3::uuid AND row.external_id = $5::text) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
          'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
          jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
          'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          row.url,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM quote AS row JOIN car its_car
      ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT row.id FROM (SELECT * FROM service_reminder AS row WHERE row.partner_id = $1::uuid
              AND row.customer_id = $5::uuid OFFSET 0) AS row WHERE row.partner_id = $1::uuid AND row.status = ANY ($2::text[])
          AND row.id < $3::uuid AND row.customer_id = $5::uuid) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
          'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
          'newBookingId', row.new_booking_id, 'externalId', row.external_id,
          'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
          'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
          'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
    WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT row.id FROM (SELECT * FROM service_reminder AS row WHERE row.partner_id = $1::uuid
              AND row.external_id = $5::text OFFSET 0) AS row WHERE row.partner_id = $1::uuid AND row.status = ANY ($2::text[])
          AND row.id < $3::uuid AND row.external_id = $5::text) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
          'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
          'newBookingId', row.new_booking_id, 'externalId', row.external_id,
          'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
          'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
          'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item FROM service_reminder AS row
    WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
WITH dated AS MATERIALIZED (SELECT own.id FROM (SELECT workshop_id AS id FROM link WHERE partner_id = $1::uuid) AS workshop CROSS
    JOIN LATERAL (
        SELECT row.id FROM booking AS row
        WHERE row.workshop_id = workshop.id AND row.partner_id = $1::uuid AND row.status = ANY ($2::text[]) AND row.date < $5::timestamptz
        ORDER BY row.date LIMIT 2001) AS own LIMIT 2001) SELECT page.id, own.item
FROM (SELECT id FROM (SELECT id FROM dated WHERE (SELECT count(*) FROM dated) <= 2000 AND id < $3::uuid
        UNION ALL SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
                SELECT row.id FROM booking AS row
                WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid AND row.date < $5::timestamptz
                ORDER BY row.id DESC LIMIT $4::integer) AS own) AS newest WHERE (SELECT count(*) FROM dated) > 2000) AS found
    ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
          'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          row.service_category, 'services', row.services, 'pickupTime',
          to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
          'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
          to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
          'cancelReason', row.cancel_reason,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/list/store.ts: pageOfRecords
WITH dated AS MATERIALIZED (SELECT own.id FROM (SELECT workshop_id AS id FROM link WHERE partner_id = $1::uuid) AS workshop CROSS
    JOIN LATERAL (
        SELECT row.id FROM booking AS row
        WHERE row.workshop_id = workshop.id AND row.partner_id = $1::uuid AND row.status = ANY ($2::text[]) AND row.date >= $5::timestamptz
        ORDER BY row.date LIMIT 2001) AS own LIMIT 2001) SELECT page.id, own.item
FROM (SELECT id FROM (SELECT id FROM dated WHERE (SELECT count(*) FROM dated) <= 2000 AND id < $3::uuid
        UNION ALL SELECT id FROM (SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
                SELECT row.id FROM booking AS row
                WHERE row.partner_id = $1::uuid AND row.status = wanted.status AND row.id < $3::uuid AND row.date >= $5::timestamptz
                ORDER BY row.id DESC LIMIT $4::integer) AS own) AS newest WHERE (SELECT count(*) FROM dated) > 2000) AS found
    ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
          'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          row.service_category, 'services', row.services, 'pickupTime',
          to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type,
          'notes', row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes',
          to_jsonb(row.product_notes), 'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval,
          'cancelReason', row.cancel_reason,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS item FROM booking AS row JOIN car its_car ON its_car.id = row.car_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/purge.ts: purgeRecords
WITH gone AS (
    DELETE FROM call_lead
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM call_lead WHERE id < (SELECT first_id($1::timestamptz))
              AND true LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/records/purge.ts: purgeRecords
WITH gone AS (
    DELETE FROM quote
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM quote WHERE updated_at < $1
              AND status IN ('requested', 'declined', 'expired') LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/records/purge.ts: purgeRecords
WITH gone AS (
    DELETE FROM service_reminder
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM service_reminder WHERE updated_at < $1
              AND status <> 'scheduled' LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.outcome = wanted.outcome
              AND row.called_at <= $3::timestamptz AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid)
              AND row.called_at < $6::timestamptz
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', caller.customer_id, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('calledBack',
          EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = row.id
              AND call_back.state = 'called')) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.outcome = wanted.outcome
              AND row.called_at <= $3::timestamptz AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid)
              AND row.called_at >= $6::timestamptz
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', caller.customer_id, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('calledBack',
          EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = row.id
              AND call_back.state = 'called')) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.outcome = wanted.outcome
              AND row.called_at <= $3::timestamptz AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid)
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', caller.customer_id, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('calledBack',
          EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = row.id
              AND call_back.state = 'called')) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT called_at, id FROM (SELECT own.called_at, own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
            SELECT row.called_at, row.id FROM call_lead AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.outcome = wanted.outcome
              AND row.called_at <= $3::timestamptz AND (row.called_at, row.id) < ($3::timestamptz, $4::uuid) AND row.partner_id = $6::uuid
            ORDER BY row.called_at DESC, row.id DESC LIMIT $5::integer) AS own) AS found ORDER BY called_at DESC,
      id DESC LIMIT $5::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', caller.customer_id, 'bookingId', booked.id,
          'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
          to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
          'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('calledBack',
          EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = row.id
              AND call_back.state = 'called')) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM call_lead AS row CROSS JOIN LATERAL (
        SELECT coalesce(row.customer_id,
              (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = row.partner_id
          AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.called_at DESC, page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM quote AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.status = wanted.status AND row.id < $3::uuid
              AND row.partner_id = $5::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own
        UNION ALL SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM quote AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id IS NULL AND row.status = wanted.status AND row.id < $3::uuid
              AND row.partner_id = $5::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
          'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
          jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
          'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          row.url,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
          'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM quote AS row JOIN car its_car
      ON its_car.id = row.car_id
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM quote AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.status = wanted.status AND row.id < $3::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own
        UNION ALL SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM quote AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id IS NULL AND row.status = wanted.status AND row.id < $3::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
          'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
          jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
          'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          row.url,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
          'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM quote AS row JOIN car its_car
      ON its_car.id = row.car_id
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM service_reminder AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.status = wanted.status AND row.id < $3::uuid
              AND row.partner_id = $5::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
          'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
          'newBookingId', row.new_booking_id, 'externalId', row.external_id,
          'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
          'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
          'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
          'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM service_reminder AS row
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT own.id FROM (SELECT partner_id FROM link WHERE workshop_id = $1::uuid) AS its CROSS
        JOIN unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
            SELECT row.id FROM service_reminder AS row
            WHERE row.workshop_id = $1::uuid AND row.partner_id = its.partner_id AND row.status = wanted.status AND row.id < $3::uuid
            ORDER BY row.id DESC LIMIT $4::integer) AS own) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
          'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
          'newBookingId', row.new_booking_id, 'externalId', row.external_id,
          'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
          'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
          'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
          'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM service_reminder AS row
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT row.id FROM (SELECT * FROM quote AS row WHERE row.workshop_id = $1::uuid
              AND row.customer_id = $5::uuid OFFSET 0) AS row WHERE row.workshop_id = $1::uuid AND row.status = ANY ($2::text[])
          AND row.id < $3::uuid AND row.customer_id = $5::uuid) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
          'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
          jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
              'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
          jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
              'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
              'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
          'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          row.url,
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
          'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM quote AS row JOIN car its_car
      ON its_car.id = row.car_id
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/staff/store.ts: listRecords
SELECT page.id, own.item
FROM (SELECT id FROM (SELECT row.id FROM (SELECT * FROM service_reminder AS row WHERE row.workshop_id = $1::uuid
              AND row.customer_id = $5::uuid OFFSET 0) AS row WHERE row.workshop_id = $1::uuid AND row.status = ANY ($2::text[])
          AND row.id < $3::uuid AND row.customer_id = $5::uuid) AS found ORDER BY id DESC LIMIT $4::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
          'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
          'newBookingId', row.new_booking_id, 'externalId', row.external_id,
          'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
          'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
          'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
          'partner', its_partner.name,
          'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM service_reminder AS row
    JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
    LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = page.id LIMIT 1) AS own
ORDER BY page.id DESC;

-- src/platform/records/staff/store.ts: positionOf
SELECT called_at::text AS at FROM call_lead WHERE id = $1 AND workshop_id = $2;

-- src/platform/records/store.ts: findRecord
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
      'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      row.service_category, 'services', row.services, 'pickupTime',
      to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type, 'notes',
      row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes', to_jsonb(row.product_notes),
      'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval, 'cancelReason', row.cancel_reason,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) || jsonb_build_object(
      'endsAt', to_char(coalesce(row.date + (SELECT nullif(sum(each), 0) FROM unnest(row.service_minutes) AS each) * interval '1 minute',
              row.occupied_until) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'attendance', coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected'),
      'emailBounce', CASE WHEN coalesce(lower(its_customer.bounced_email) = lower(row.contact_email),
          false) THEN its_customer.email_bounce END,
      'anywayReason', row.anyway_reason) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM booking AS row JOIN car its_car
  ON its_car.id = row.car_id JOIN customer its_customer ON its_customer.id = row.customer_id
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.code = $1;

-- src/platform/records/store.ts: findRecord
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
      'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      row.service_category, 'services', row.services, 'pickupTime',
      to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type, 'notes',
      row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes', to_jsonb(row.product_notes),
      'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval, 'cancelReason', row.cancel_reason,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) || jsonb_build_object(
      'endsAt', to_char(coalesce(row.date + (SELECT nullif(sum(each), 0) FROM unnest(row.service_minutes) AS each) * interval '1 minute',
              row.occupied_until) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'attendance', coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected'),
      'emailBounce', CASE WHEN coalesce(lower(its_customer.bounced_email) = lower(row.contact_email),
          false) THEN its_customer.email_bounce END,
      'anywayReason', row.anyway_reason) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM booking AS row JOIN car its_car
  ON its_car.id = row.car_id JOIN customer its_customer ON its_customer.id = row.customer_id
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = $1;

-- src/platform/records/store.ts: findRecord
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
      'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
      jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
      'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
      'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', row.url,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
      'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM quote AS row JOIN car its_car
  ON its_car.id = row.car_id
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.code = $1;

-- src/platform/records/store.ts: findRecord
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
      'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
      jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
      'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
      'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', row.url,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
      'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM quote AS row JOIN car its_car
  ON its_car.id = row.car_id
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = $1;

-- src/platform/records/store.ts: findRecord
SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
      'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
      'newBookingId', row.new_booking_id, 'externalId', row.external_id,
      'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
      'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
      'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
      to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
      'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM service_reminder AS row
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.code = $1;

-- src/platform/records/store.ts: findRecord
SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
      'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
      'newBookingId', row.new_booking_id, 'externalId', row.external_id,
      'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
      'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
      'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
      to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('partnerId', row.partner_id,
      'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM service_reminder AS row
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = $1;

-- src/platform/records/store.ts: findRecord
SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', caller.customer_id, 'bookingId', booked.id,
      'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
      to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
      'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('calledBack',
      EXISTS (SELECT FROM call_back WHERE call_back.call_lead_id = row.id
          AND call_back.state = 'called')) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM call_lead AS row CROSS JOIN LATERAL (
    SELECT coalesce(row.customer_id,
          (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
) AS caller
LEFT JOIN LATERAL (
    SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
    WHERE own.partner_id = row.partner_id
      AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
    ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id WHERE row.id = $1;

-- src/platform/records/store.ts: readRecord
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'workshopId', row.workshop_id, 'customerId', row.customer_id, 'carId', row.car_id,
      'bookingId', row.booking_id, 'externalId', row.external_id, 'car',
      jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb', null),
      'status', row.status, 'services', row.services, 'notes', row.notes, 'lines', row.lines, 'total', row.total,
      'message', row.message, 'validUntil', to_char(row.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', row.url,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item, row.version FROM quote AS row JOIN car its_car
  ON its_car.id = row.car_id WHERE row.id = $1 AND row.partner_id = $2;

-- src/platform/records/store.ts: readRecord
SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
      'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
      'newBookingId', row.new_booking_id, 'externalId', row.external_id,
      'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
      'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
      'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
      to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item, row.version FROM service_reminder AS row
WHERE row.code = $1 AND row.partner_id = $2;

-- src/platform/records/store.ts: readRecord
SELECT jsonb_build_object('id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id,
      'workshopId', row.workshop_id, 'lastServiceId', row.last_service_id, 'lastBookingId', row.last_booking_id,
      'newBookingId', row.new_booking_id, 'externalId', row.external_id,
      'car', CASE WHEN row.car_id IS NOT NULL THEN row.car || jsonb_build_object('id', row.car_id, 'customerId', row.customer_id) END,
      'customer', row.customer || jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id),
      'status', row.status, 'dueDate', to_char(row.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
      to_char(row.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item, row.version FROM service_reminder AS row
WHERE row.id = $1 AND row.partner_id = $2;

-- src/platform/records/store.ts: readRecord
SELECT jsonb_build_object('id', row.id, 'workshopId', row.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
      OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
            WHERE own.partner_id = row.partner_id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
            WHERE own.partner_id = row.partner_id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
            WHERE own.partner_id = row.partner_id)
          OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
            WHERE own.partner_id = row.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
      'externalId', row.external_id, 'callerPhone', nullif(row.caller_phone, ''), 'calledAt',
      to_char(row.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'durationSeconds', row.duration_seconds, 'outcome', row.outcome, 'source', row.source,
      'recordingUrl', row.recording_url, 'customerName', row.customer_name, 'notes', row.notes,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item, row.version FROM call_lead AS row CROSS
JOIN LATERAL (
    SELECT coalesce(row.customer_id,
          (SELECT id FROM customer WHERE customer.phone = row.caller_phone AND customer.workshop_id = row.workshop_id)) AS customer_id
) AS caller
LEFT JOIN LATERAL (
    SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
    WHERE own.partner_id = row.partner_id
      AND own.created_at BETWEEN row.called_at AND row.called_at + interval '30 days'
    ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true WHERE row.id = $1 AND row.partner_id = $2;

-- src/platform/work/dead-letters/store.ts: addDeadLetter
INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
VALUES ((overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, $1, $2, $3, $4, $5, $6)
ON CONFLICT (job, payload) DO UPDATE
SET reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts, created_at = excluded.created_at;

-- src/platform/work/dead-letters/store.ts: dropDeadLetter
DELETE FROM dead_letter WHERE job = $1 AND payload = $2::jsonb;

-- src/platform/work/dead-letters/store.ts: lettersAfter
SELECT id, job, payload, reason, detail, attempts, created_at FROM dead_letter WHERE ($1::text IS NULL OR job = $1)
  AND ($2::text IS NULL OR reason = $2) AND id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000') AND id <= $4
ORDER BY id LIMIT $5;

-- src/platform/work/dead-letters/store.ts: listDeadLetters
SELECT id, job, payload, reason, detail, attempts, created_at FROM dead_letter WHERE ($1::text IS NULL OR job = $1)
  AND ($2::text IS NULL OR reason = $2) AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $4;

-- src/platform/work/dead-letters/store.ts: showDeadLetter
SELECT id, job, payload, reason, detail, attempts, created_at FROM dead_letter WHERE id = $1;

-- src/platform/work/dead-letters/store.ts: takeDeadLetter
DELETE FROM dead_letter WHERE id = $1 RETURNING id, job, payload, reason, detail, attempts, created_at;

-- src/platform/work/failed/store.ts: forgetFailure
DELETE FROM failed_work WHERE job = $1 AND subject_id = $2;

-- src/platform/work/failed/store.ts: noteFailure
WITH noted AS (
    INSERT INTO failed_work AS f (job, subject_id, tries, deferrals, due_at)
    VALUES ($1, $2, CASE WHEN $3 THEN 1 ELSE 0 END, CASE WHEN $3 THEN 0 ELSE 1 END,
          CASE WHEN $3 AND $5 <= 1 THEN 'infinity' ELSE clock_timestamp() + ($4::float8[])[1] * interval '1 millisecond' END)
    ON CONFLICT (job, subject_id) DO UPDATE
    SET tries = f.tries + excluded.tries, deferrals = least(f.deferrals + excluded.deferrals, 1000),
      due_at = CASE WHEN f.tries + excluded.tries >= $5 THEN 'infinity'
      ELSE clock_timestamp()
      + ($4::float8[])[least(f.tries + f.deferrals + 1, cardinality($4::float8[]))] * interval '1 millisecond' END
    RETURNING tries),
  -- After the last try it waits for the operator.
  given_up AS (
    INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, $1, $6::jsonb, 'error', $7, tries, $8 FROM noted WHERE tries >= $5
    ON CONFLICT (job, payload) DO UPDATE
    SET reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts, created_at = excluded.created_at)
SELECT tries >= $5 AS is_given_up FROM noted;

-- src/platform/work/failed/store.ts: startOver
UPDATE failed_work SET tries = 0, deferrals = 0, due_at = clock_timestamp() WHERE job = $1 AND subject_id = $2 RETURNING true;

-- src/platform/work/failed/store.ts: takeDueFailure
UPDATE failed_work f SET due_at = clock_timestamp() + make_interval(secs => $2)
FROM (SELECT job, subject_id FROM failed_work WHERE due_at <= (SELECT clock_timestamp()) AND job = ANY ($1::text[])
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
WHERE (f.job, f.subject_id) = (due.job, due.subject_id)
RETURNING f.job, f.subject_id;

-- src/platform/work/pace/store.ts: paceOf
WITH reserved AS (
    INSERT INTO gateway_pace AS pace (gateway, next_at)
    VALUES ($1, clock_timestamp() + $2 * interval '1 second' / $3)
    ON CONFLICT (gateway) DO UPDATE
    SET next_at = greatest(pace.next_at, clock_timestamp()) + $2 * interval '1 second' / $3
    WHERE pace.next_at <= clock_timestamp() + $4 * interval '1 millisecond'
    RETURNING next_at - $2 * interval '1 second' / $3 AS starts_at
), next AS (
    SELECT true AS granted, starts_at FROM reserved
    UNION ALL
    SELECT false, next_at FROM gateway_pace WHERE gateway = $1 AND NOT EXISTS (SELECT FROM reserved)
)
SELECT granted, greatest(0, extract(epoch FROM starts_at - clock_timestamp()) * 1000)::float8 AS starts_in_ms
FROM next;

-- src/platform/work/store.ts: beat
INSERT INTO worker (id, started_at, seen_at, gateways) VALUES ($1, clock_timestamp(), clock_timestamp(), $2)
ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), gateways = excluded.gateways;

-- src/platform/work/store.ts: forgetDeadWorkers
DELETE FROM worker WHERE seen_at < (SELECT clock_timestamp() - make_interval(secs => $1)) RETURNING id;

-- src/platform/work/store.ts: forgetWorker
DELETE FROM worker WHERE id = $1;

-- src/platform/work/store.ts: gatewayWorkers
SELECT seen.gateway, seen.breaker, count(*)::int AS workers
FROM worker, jsonb_to_recordset(gateways) AS seen (gateway text, breaker text)
WHERE seen_at > (SELECT clock_timestamp() - interval '30 seconds') GROUP BY 1, 2;

-- src/platform/work/store.ts: workBacklog
SELECT
  (SELECT count(*)::int FROM event WHERE relayed_at IS NULL) + (SELECT count(*)::int FROM held_event
    WHERE held_until <= (SELECT clock_timestamp())) AS events_waiting,
  greatest(0, (
        SELECT extract(epoch FROM clock_timestamp())
          - ('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0
        FROM event WHERE relayed_at IS NULL ORDER BY id LIMIT 1
    ), (SELECT extract(epoch FROM clock_timestamp() - min(held_until)) FROM held_event
        WHERE held_until <= (SELECT clock_timestamp())))::float8 AS oldest_event_seconds,
  (SELECT count(*)::int FROM dead_letter) AS dead_letters;

-- src/platform/work/turns/store.ts: turnsOf
UPDATE queued_message AS own SET due_at = clock_timestamp() + interval '20 seconds'
FROM unnest($1::uuid[], $2::uuid[]) AS mine (id, attempt_id)
WHERE own.message_id = mine.id AND own.attempt_id IS NOT DISTINCT FROM mine.attempt_id AND own.in_flight;

-- src/product/availability/blocks/store.ts: countBlocks
SELECT count(*)::integer AS count FROM bay_block WHERE workshop_id = $1 AND blocked_until > $2;

-- src/product/availability/blocks/store.ts: deleteBlock
DELETE FROM bay_block WHERE id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) RETURNING workshop_id, id, blocked_from AS "from",
  blocked_until AS until, bays, reason, series_id;

-- src/product/availability/blocks/store.ts: deleteSeries
DELETE FROM bay_block WHERE workshop_id = $1 AND series_id = $2 AND blocked_until > $3 RETURNING id;

-- src/product/availability/blocks/store.ts: findBegunBlock
SELECT id, blocked_from AS "from", blocked_until AS until, bays, reason, series_id FROM bay_block
WHERE workshop_id = $1 AND blocked_until = $3 AND blocked_from <= $2 AND bays IS NULL AND reason = $4 LIMIT 1;

-- src/product/availability/blocks/store.ts: insertBlocks
INSERT INTO bay_block (workshop_id, created_at, id, blocked_from, blocked_until, bays, reason, series_id)
SELECT $1, $2, * FROM unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::text[], $8::uuid[]);

-- src/product/availability/blocks/store.ts: listBlocks
SELECT id, blocked_from AS "from", blocked_until AS until, bays, reason, series_id FROM bay_block WHERE workshop_id = $1
  AND blocked_until > $2 ORDER BY blocked_until, id LIMIT 1000;

-- src/product/availability/blocks/store.ts: purgeBlocks
DELETE FROM bay_block WHERE blocked_until < $1;

-- src/product/availability/limits/store.ts: readCounted
SELECT nth, counted_services AS services, counted_categories AS categories, count(*)::integer AS bookings FROM (
    SELECT width_bucket(occupied_from, $4::timestamptz[]) AS nth, counted_services, counted_categories FROM booking
    WHERE workshop_id = $1 AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2 AND occupied_from < $3
    UNION ALL
    SELECT width_bucket(occupied_from, $4::timestamptz[]) AS nth, counted_services, counted_categories FROM booking
    WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours' AND occupied_until > $2 AND occupied_from >= $2
      AND occupied_from < $3
) AS placed GROUP BY 1, 2, 3;

-- src/product/availability/places/store.ts: purgeDays
DELETE FROM workshop_day WHERE ends_at < $1;

-- src/product/availability/places/store.ts: readGround
SELECT w.setup_version AS version, (SELECT active FROM link WHERE partner_id = $2 AND workshop_id = w.id) AS link_active,
  EXISTS (SELECT FROM workshop_day WHERE workshop_id = w.id AND starts_at = $3 AND setup_version = w.setup_version) AS has_day
FROM workshop w WHERE w.id = $1;

-- src/product/availability/places/store.ts: readRules
SELECT w.setup_version AS version, w.enforce_availability AS enforced, w.timezone, w.slot_minutes, w.bays, w.lead_time_minutes,
  w.horizon_days, w.opening_hours AS hours, w.pickup_times,
  (SELECT coalesce(json_agg(json_build_object('date', day, 'hours', hours, 'bays', bays,
                  'pickupTimes', pickup_times,
                  'note', note) ORDER BY day), '[]') FROM custom_day WHERE workshop_id = w.id) AS custom,
  (SELECT coalesce(json_object_agg(category, daily_limit), '{}') FROM category_limit WHERE workshop_id = w.id)
  AS category_limits,
  (SELECT coalesce(json_agg(json_build_object('id', id, 'dailyLimit', daily_limit)), '[]')
    FROM catalogue_service WHERE workshop_id = w.id AND daily_limit IS NOT NULL) AS services FROM workshop w WHERE w.id = $1;

-- src/product/availability/places/store.ts: writeDays
WITH input AS (
    SELECT given.workshop_id, given.starts_at, given.ends_at, given.setup_version, given.bays, given.slot_minutes, given.slots,
      given.partner_id, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (workshop_id uuid, starts_at timestamptz, ends_at timestamptz,
              setup_version integer, bays integer, slot_minutes integer, slots timestamptz[],
              partner_id uuid)) WITH ORDINALITY AS given (workshop_id, starts_at, ends_at, setup_version, bays, slot_minutes, slots,
          partner_id, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  open AS (
    SELECT * FROM input
    WHERE partner_id IS NULL OR EXISTS (
        SELECT FROM link WHERE link.partner_id = input.partner_id AND link.workshop_id = input.workshop_id AND active)),
  written AS (
    INSERT INTO workshop_day AS known (workshop_id, starts_at, ends_at, setup_version, bays, slot_minutes, slots)
    SELECT workshop_id, starts_at, ends_at, setup_version, bays, slot_minutes, slots FROM open
    WHERE NOT EXISTS (SELECT FROM workshop_day AS has WHERE has.workshop_id = open.workshop_id AND has.starts_at = open.starts_at
          AND has.setup_version >= open.setup_version)
    ORDER BY workshop_id, starts_at
    ON CONFLICT (workshop_id, starts_at) DO UPDATE SET ends_at = excluded.ends_at, setup_version = excluded.setup_version,
      bays = excluded.bays, slot_minutes = excluded.slot_minutes, slots = excluded.slots
    WHERE known.setup_version < excluded.setup_version)
SELECT ordinal, EXISTS (SELECT FROM open WHERE open.ordinal = input.ordinal) AS is_open FROM input;

-- src/product/availability/set-up/store.ts: readOwnSections
SELECT address, slot_minutes, bays, lead_time_minutes, horizon_days,
  enforce_availability, booking_page, plain_page,
  customer_may_change, colour, reminder_months,
  tax_label, privacy_url, terms_url, cancellation_text,
  opening_hours AS hours, pickup_times, (SELECT coalesce(json_agg(json_build_object('date', day, 'hours', hours, 'bays', bays,
                  'pickupTimes', pickup_times,
                  'note', note) ORDER BY day), '[]') FROM custom_day WHERE workshop_id = w.id) AS custom
FROM workshop w WHERE id = $1;

-- src/product/availability/set-up/store.ts: replaceCustomDays
WITH listed AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS d (date date, hours jsonb, bays int, pickup_times jsonb, note text)),
  gone AS (
    DELETE FROM custom_day WHERE workshop_id = $1 AND day NOT IN (SELECT date FROM listed))
INSERT INTO custom_day (workshop_id, day, hours, bays, pickup_times, note)
SELECT $1, date, hours, bays, nullif(pickup_times, 'null'), note FROM listed
ON CONFLICT (workshop_id, day) DO UPDATE SET hours = excluded.hours, bays = excluded.bays,
  pickup_times = excluded.pickup_times, note = excluded.note;

-- src/product/availability/set-up/store.ts: upcomingAfter
SELECT id, code, date FROM booking
WHERE workshop_id = $1 AND date >= $2 AND (date, id) > ($3, $4) AND status IN ('pending', 'confirmed')
ORDER BY date, id LIMIT 1000;

-- src/product/availability/set-up/store.ts: writeSettings
UPDATE workshop SET slot_minutes = $2, bays = $3, lead_time_minutes = $4, horizon_days = $5, enforce_availability = $6,
  booking_page = $7, customer_may_change = $8, colour = $9, reminder_months = $10, opening_hours = $11, pickup_times = $12,
  address = $14, tax_label = $15, privacy_url = $16, terms_url = $17, cancellation_text = $18, plain_page = $19,
  setup_version = setup_version + 1, updated_at = $13
WHERE id = $1;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array() AS counted
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $4::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000)
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $4::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array() AS counted, (SELECT setup_version FROM workshop WHERE id = $1::uuid) AS version,
  (SELECT active FROM link WHERE partner_id = $5::uuid AND workshop_id = $1::uuid) AS link_active
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $4::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000)
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $4::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array() AS counted, (SELECT setup_version FROM workshop WHERE id = $1::uuid) AS version,
  true AS link_active
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $4::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000)
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $4::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array(json_agg(counted_0)) AS counted
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings, count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $6::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000), 0
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $6::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array(json_agg(counted_0)) AS counted
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings, count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $5::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000), 0
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $5::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array(json_agg(counted_0)) AS counted,
  (SELECT setup_version FROM workshop WHERE id = $1::uuid) AS version,
  (SELECT active FROM link WHERE partner_id = $6::uuid AND workshop_id = $1::uuid) AS link_active
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings, count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $5::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000), 0
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $5::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array(json_agg(counted_0)) AS counted,
  (SELECT setup_version FROM workshop WHERE id = $1::uuid) AS version,
  (SELECT active FROM link WHERE partner_id = $7::uuid AND workshop_id = $1::uuid) AS link_active
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings, count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $6::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000), 0
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $6::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array(json_agg(counted_0)) AS counted,
  (SELECT setup_version FROM workshop WHERE id = $1::uuid) AS version, true AS link_active
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings, count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text = ANY (counted_categories) AND CASE
          WHEN cardinality(counted_categories) = 1 THEN (counted_services[1] IS NULL OR counted_services[1] <> ALL ($5::uuid[]::uuid[]))
          ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
            WHERE category = $4::text AND (service IS NULL OR service <> ALL ($5::uuid[]::uuid[]))) END) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $6::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000), 0
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $6::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/availability/store.ts: readPart
SELECT json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS begins,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS ends,
  json_agg(bookings) AS bookings, json_build_array(json_agg(counted_0)) AS counted,
  (SELECT setup_version FROM workshop WHERE id = $1::uuid) AS version, true AS link_active
FROM (SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz
      AND occupied_from < $3::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until,
      count(*) AS bookings, count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2::timestamptz AND occupied_until > $2::timestamptz
    GROUP BY occupied_from, occupied_until UNION ALL SELECT occupied_from, occupied_until, count(*) AS bookings,
      count(*) FILTER (WHERE $4::text::uuid = ANY (counted_services)) AS counted_0
    FROM booking WHERE workshop_id = $1::uuid AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $5::timestamptz
      AND occupied_until > $2::timestamptz GROUP BY occupied_from, occupied_until UNION ALL SELECT blocked_from, blocked_until,
      coalesce(bays, 1000), 0
    FROM bay_block WHERE workshop_id = $1::uuid AND blocked_from < $5::timestamptz AND blocked_until > $2::timestamptz) AS groups;

-- src/product/booking-page/link/store.ts: countUpVersion
UPDATE link SET booking_page_version = booking_page_version + 1 WHERE partner_id = $1 AND workshop_id = $2
RETURNING partner_id;

-- src/product/booking-page/link/store.ts: findPageAccess
SELECT w.slug, w.country, l.active AS link_active, (p.status = 'active' AND l.active) AS is_open, w.booking_page,
  l.booking_page_version AS version,
  EXISTS (SELECT FROM catalogue_service WHERE id = $3 AND workshop_id = w.id AND active) AS service_known
FROM link l JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id
WHERE l.partner_id = $1 AND l.workshop_id = $2;

-- src/product/booking-page/reminder/store.ts: findRemindedVisit
SELECT r.partner_id, r.workshop_id, w.slug, l.booking_page_version AS version,
  r.status IN ('scheduled', 'sent', 'failed') AS is_open, CASE WHEN k.erased_at IS NULL THEN r.car->>'rego' END AS rego,
  CASE WHEN k.erased_at IS NULL THEN nullif(r.car, 'null') END AS car,
  CASE WHEN k.erased_at IS NULL THEN r.customer->>'firstName' END AS first_name, b.service_category, s.id AS catalog_id
FROM service_reminder r JOIN workshop w ON w.id = r.workshop_id JOIN customer k ON k.id = r.customer_id
JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
LEFT JOIN booking b ON b.id = r.last_booking_id
LEFT JOIN catalogue_service s ON s.id = r.last_service_id AND s.workshop_id = r.workshop_id AND s.active
WHERE r.code = $1;

-- src/product/bookings/attendance/store.ts: countNotCome
SELECT count(*)::int AS count FROM booking JOIN attendance ON attendance.booking_id = booking.id
WHERE booking.customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND booking.workshop_id = $1 AND attendance.state = 'didNotCome';

-- src/product/bookings/attendance/store.ts: lockAttendance
INSERT INTO attendance (booking_id, state, actor, at)
SELECT id, 'expected', $3, $4 FROM booking WHERE id = $1 AND workshop_id = $2
ON CONFLICT (booking_id) DO UPDATE SET state = attendance.state RETURNING state;

-- src/product/bookings/attendance/store.ts: writeAttendance
WITH ended AS (
    UPDATE held_event SET held_until = least(held_until, clock_timestamp()), previous = NULL
    WHERE event_id IN (SELECT event_id FROM held_event WHERE record_id = $1 FOR UPDATE SKIP LOCKED))
UPDATE attendance SET state = $2, actor = $3, at = $4 WHERE booking_id = $1;

-- src/product/bookings/change/store.ts: lockBooking
SELECT FROM booking WHERE id = $1 AND ($2::uuid IS NULL OR partner_id = $2) FOR NO KEY UPDATE;

-- src/product/bookings/change/store.ts: lockCar
SELECT FROM car WHERE id = $1 FOR UPDATE;

-- src/product/bookings/change/store.ts: readPlacedBooking
SELECT jsonb_build_object(
      'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
      'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      b.service_category, 'services', b.services, 'pickupTime', to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'servicePackageType', b.service_package_type, 'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes',
      to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id,
      'interval', b.interval, 'cancelReason', b.cancel_reason,
      'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
          'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
      jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
          'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
          'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) AS booking, b.version, b.partner_id, l.active AS link_active, b.occupied_from, b.occupied_until, b.counted_services,
  b.counted_categories, b.place_version, b.held_to,
  b.service_minutes, b.service_category_derived, b.anyway_reason
FROM booking b
JOIN car c ON c.id = b.car_id
LEFT JOIN link l ON l.partner_id = b.partner_id AND l.workshop_id = b.workshop_id
WHERE b.id = $1 AND ($2::uuid IS NULL OR b.partner_id = $2);

-- src/product/bookings/change/store.ts: writeBooking
WITH ended AS (
    UPDATE held_event SET held_until = least(held_until, clock_timestamp()), previous = NULL
    WHERE event_id IN (SELECT event_id FROM held_event WHERE record_id = $1::uuid FOR UPDATE SKIP LOCKED)),
  the_customer AS (SELECT id, workshop_id FROM customer WHERE id = $2::uuid),
  stays AS (SELECT id FROM the_customer WHERE NOT $3::boolean),
  moved AS (UPDATE car SET customer_id = target.id, updated_at = $5::timestamptz FROM stays AS target
    WHERE car.id = $4::uuid AND car.customer_id <> target.id
      AND NOT EXISTS (SELECT FROM booking other WHERE other.car_id = car.id AND other.id <> $1::uuid)
      AND NOT EXISTS (SELECT FROM quote WHERE quote.car_id = car.id)
      AND NOT EXISTS (SELECT FROM car twin WHERE twin.customer_id = target.id AND twin.rego = car.rego)
    RETURNING car.*),
  kept AS (SELECT car.* FROM car JOIN stays ON stays.id = car.customer_id WHERE car.id = $4::uuid),
  other AS (SELECT id, workshop_id FROM the_customer WHERE NOT EXISTS (SELECT FROM moved) AND NOT EXISTS (SELECT FROM kept)),
  made AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT $6::uuid, workshop_id, id, $7::text, $8::integer, $9::text, $10::text, $11::text, $12::text, $5::timestamptz, $5::timestamptz
    FROM other ORDER BY id, $7::text
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  the_car AS (SELECT * FROM moved UNION ALL SELECT * FROM kept UNION ALL SELECT * FROM made),
  changed AS (
    UPDATE booking AS r SET customer_id = the_car.customer_id, car_id = the_car.id, version = r.version + 1,
      updated_at = greatest($5::timestamptz, r.updated_at + interval '1 millisecond'),
      date = $13::timestamptz, contact_name = $14::text, contact_first_name = $15::text, contact_last_name = $16::text,
      contact_email = $17::text, contact_phone = $18::text, service_minutes = $19::integer[], service_category_derived = $20::boolean,
      service_category = $21::text, services = $22::jsonb, pickup_time = $23::timestamptz, service_package_type = $24::text,
      notes = $25::text, contact_company = $26::text, job_notes = $27::text[], product_notes = $28::text[], tyre_quantities = $29::integer,
      interval = $30::integer, car_vin = coalesce($12::text, earlier.car_vin), car_make = coalesce($9::text, earlier.car_make),
      car_model = coalesce($10::text, earlier.car_model), car_year = coalesce($8::integer, earlier.car_year),
      car_badge = coalesce($11::text, earlier.car_badge), occupied_from = $31::timestamptz, occupied_until = $32::timestamptz,
      counted_services = $33::uuid[], counted_categories = $34::text[], place_version = $35::integer, held_to = $36::text,
      anyway_reason = $37::text
    FROM the_car LEFT JOIN LATERAL (
        SELECT car_vin, car_make, car_model, car_year, car_badge FROM booking
        WHERE booking.car_id = the_car.id AND booking.partner_id = $38::uuid
          AND num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0
        ORDER BY booking.created_at DESC, booking.id DESC LIMIT 1) AS earlier ON the_car.id <> $4::uuid
    WHERE r.id = $1::uuid AND r.partner_id IS NOT DISTINCT FROM $38::uuid
      AND ($39::integer IS NULL OR $39::integer = (SELECT setup_version FROM workshop WHERE workshop.id = r.workshop_id))
    RETURNING r.*),
  snapshot AS (SELECT b.*, jsonb_build_object(
          'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
          'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          b.service_category, 'services', b.services, 'pickupTime',
          to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', b.service_package_type, 'notes',
          b.notes, 'customerCompany', b.contact_company, 'jobNotes', to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes),
          'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id, 'interval', b.interval, 'cancelReason', b.cancel_reason,
          'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
              'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
          jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
              'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
              'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking FROM changed b CROSS JOIN the_car c),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT $40::uuid, 'booking.updated', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('booking', booking, 'dateChanged', $41::text IS NOT NULL, 'previousDate', $41::text, 'notifyCustomer',
          $42::boolean, 'notifyWorkshop', $43::boolean), updated_at, $46::text, $47::text,
      $44::jsonb, $45::jsonb
    FROM snapshot)
SELECT booking, version FROM snapshot;

-- src/product/bookings/change/store.ts: writeStatus
WITH ended AS (
    UPDATE held_event SET held_until = least(held_until, clock_timestamp()), previous = NULL
    WHERE event_id IN (SELECT event_id FROM held_event WHERE record_id = $1::uuid FOR UPDATE SKIP LOCKED)),
  changed_booking AS (
    UPDATE booking AS r SET status = $3::text, cancel_reason = $4::text,
      occupied_from = CASE WHEN $3::text <> 'cancelled' THEN r.occupied_from END, occupied_until = CASE
      WHEN $3::text <> 'cancelled' THEN r.occupied_until END, counted_services = CASE
      WHEN $3::text <> 'cancelled' THEN r.counted_services END, counted_categories = CASE
      WHEN $3::text <> 'cancelled' THEN r.counted_categories END, place_version = CASE
      WHEN $3::text <> 'cancelled' THEN r.place_version END, held_to = CASE WHEN $3::text <> 'cancelled' THEN r.held_to END,
      version = r.version + 1, updated_at = greatest($9::timestamptz, r.updated_at + interval '1 millisecond')
    WHERE r.id = $1::uuid AND r.partner_id IS NOT DISTINCT FROM $5::uuid
    RETURNING r.*, $10::text AS actor, $11::text AS request_id,
      jsonb_build_object('status',$6::text,'cancelReason',NULL) AS before_it),
  booking_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object(
          'id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id, 'workshopId', r.workshop_id,
          'status', r.status, 'date', to_char(r.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          r.service_category, 'services', r.services, 'pickupTime',
          to_char(r.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', r.service_package_type, 'notes',
          r.notes, 'customerCompany', r.contact_company, 'jobNotes', to_jsonb(r.job_notes), 'productNotes', to_jsonb(r.product_notes),
          'tyreQuantities', r.tyre_quantities, 'externalId', r.external_id, 'interval', r.interval, 'cancelReason', r.cancel_reason,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', its_car.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking FROM changed_booking r JOIN car its_car ON its_car.id = r.car_id),
  booking_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT $2::uuid, 'booking.' || r.status, r.partner_id, r.workshop_id, r.id, r.version,
      jsonb_build_object('booking', r.booking, 'dateChanged', false, 'notifyCustomer', $7::boolean, 'notifyWorkshop', $8::boolean),
      r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status,'cancelReason',r.cancel_reason)
    FROM booking_snapshot r)
SELECT booking, version FROM booking_snapshot;

-- src/product/bookings/imported/store.ts: countThere
SELECT count(*)::int AS count
FROM jsonb_to_recordset($2::jsonb) AS s (date timestamptz, phone text, rego text, name text)
WHERE EXISTS (
    SELECT FROM booking JOIN car ON car.id = booking.car_id
    WHERE booking.workshop_id = $1 AND booking.date = s.date
      AND (booking.contact_phone = s.phone OR car.rego = s.rego OR lower(booking.contact_name) = lower(s.name)));

-- src/product/bookings/imported/store.ts: insertImported
INSERT INTO booking (workshop_id, created_at, updated_at, id, code, customer_id, car_id, status, date, notes, contact_name,
      contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, anyway_reason, car_year, car_make, car_model,
      car_badge, car_vin, services, service_minutes, service_category, service_category_derived, occupied_from, occupied_until,
      counted_services, counted_categories, place_version, held_to)
SELECT $1, $3, $3, id, code, customer_id, car_id, status, date, notes, contact_name, contact_first_name, contact_last_name, contact_email,
  contact_phone, contact_company, anyway_reason, car_year, car_make, car_model, car_badge, car_vin, services, service_minutes,
  service_category, service_category_derived, occupied_from, occupied_until, counted_services, counted_categories, place_version, held_to
FROM jsonb_to_recordset($2::jsonb) AS b (id uuid, code text, customer_id uuid, car_id uuid, status text, date timestamptz, notes text,
      contact_name text, contact_first_name text, contact_last_name text, contact_email text, contact_phone text, contact_company text,
      anyway_reason text, car_year integer, car_make text, car_model text, car_badge text, car_vin text, services jsonb,
      service_minutes integer[], service_category text, service_category_derived boolean, occupied_from timestamptz,
      occupied_until timestamptz, counted_services uuid[], counted_categories text[], place_version integer, held_to text);

-- src/product/bookings/imported/store.ts: markNotCome
INSERT INTO attendance (booking_id, state, actor, at)
SELECT id, 'didNotCome', $3, $4 FROM booking WHERE id = ANY ($2::uuid[]) AND workshop_id = $1;

-- src/product/bookings/manage-link/store.ts: deleteManageLinks
DELETE FROM manage_link WHERE booking_id = ANY($1::uuid[]);

-- src/product/bookings/manage-link/store.ts: findBookingByCode
SELECT b.id, b.contact_phone AS phone, w.country FROM booking b JOIN workshop w ON w.id = b.workshop_id WHERE b.code = $1;

-- src/product/bookings/manage-link/store.ts: findBookingOfCustomer
SELECT id FROM booking WHERE code = $2 AND workshop_id = $1 AND contact_phone = $3;

-- src/product/bookings/manage-link/store.ts: findManagedBooking
SELECT jsonb_build_object(
      'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
      'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      b.service_category, 'services', b.services, 'pickupTime', to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'servicePackageType', b.service_package_type, 'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes',
      to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id,
      'interval', b.interval, 'cancelReason', b.cancel_reason,
      'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
          'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
      jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
          'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
          'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) AS booking, b.version, (SELECT coalesce(sum(minutes), 0)::int FROM unnest(b.service_minutes) AS minutes) AS minutes,
  b.partner_id
FROM manage_link k JOIN booking b ON b.id = k.booking_id JOIN car c ON c.id = b.car_id WHERE k.code = $1;

-- src/product/bookings/manage-link/store.ts: upsertManageLinks
INSERT INTO manage_link AS known (booking_id, code)
SELECT booking_id, code FROM jsonb_to_recordset($1::jsonb) AS l (booking_id uuid, code text) ORDER BY booking_id
ON CONFLICT (booking_id) DO UPDATE SET code = known.code
RETURNING booking_id, code;

-- src/product/bookings/reminder-code/store.ts: reminderIsOpen
SELECT FROM (SELECT * FROM service_reminder WHERE code = $1 OFFSET 0) r WHERE r.partner_id = $2 AND r.workshop_id = $3
  AND r.status IN ('scheduled', 'sent', 'failed');

-- src/product/bookings/staff/day/store.ts: readDay
WITH shown AS MATERIALIZED (
    SELECT id FROM booking WHERE workshop_id = $1 AND date >= $2 AND date < $3
    UNION ALL
    SELECT id FROM booking
    WHERE workshop_id = $1 AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2
      AND occupied_until > $2 AND date < $2
    UNION ALL
    SELECT id FROM booking
    WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours'
      AND occupied_until > $2 AND occupied_until < $2::timestamptz + interval '31 days'
      AND occupied_from < $2 AND date < $2
)
SELECT row.id, row.status, row.date, row.occupied_from, row.occupied_until,
  (SELECT nullif(sum(each), 0)::integer FROM unnest(row.service_minutes) AS each) AS minutes,
  coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected') AS attendance, row.code, row.pickup_time,
  row.customer_id, row.contact_name AS customer, its_car.rego,
  nullif(concat_ws(' ', its_car.make, its_car.model), '') AS model,
  ARRAY(SELECT coalesce(each->>'title', each->>'catalogCode')
    FROM jsonb_array_elements(row.services) AS each
    WHERE coalesce(each->>'title', each->>'catalogCode') <> '') AS services,
  coalesce(row.notes, '') <> '' AS has_notes,
  (cardinality(row.job_notes), cardinality(row.product_notes), coalesce(row.tyre_quantities, 0)) <> (0, 0, 0) AS has_job,
  row.version
FROM shown CROSS JOIN LATERAL (SELECT * FROM booking WHERE id = shown.id OFFSET 0) AS row
CROSS JOIN LATERAL (SELECT rego, make, model FROM car WHERE id = row.car_id OFFSET 0) AS its_car
ORDER BY row.date, row.id LIMIT $4;

-- src/product/bookings/staff/day/store.ts: readPlaced
SELECT json_agg(id) AS ids, json_agg(status) AS statuses, json_agg(service_minutes::text) AS minutes,
  json_agg(coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected')) AS attendances,
  json_agg((date_part('epoch', date) * 1000)::bigint) AS dates,
  json_agg((date_part('epoch', occupied_from) * 1000)::bigint) AS froms,
  json_agg((date_part('epoch', occupied_until) * 1000)::bigint) AS untils
FROM (SELECT id, status, date, occupied_from, occupied_until, service_minutes FROM booking WHERE workshop_id = $1 AND date >= $2
      AND date < $3
    UNION ALL
    SELECT id, status, date, occupied_from, occupied_until, service_minutes FROM booking
    WHERE workshop_id = $1 AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2
      AND occupied_until > $2 AND date < $2
    UNION ALL
    SELECT id, status, date, occupied_from, occupied_until, service_minutes FROM booking
    WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours'
      AND occupied_until > $2 AND occupied_until < $2::timestamptz + interval '31 days'
      AND occupied_from < $2 AND date < $2 ORDER BY date, id LIMIT $4) AS row;

-- src/product/bookings/staff/day/store.ts: readShown
WITH shown AS MATERIALIZED (SELECT unnest($2::uuid[]) AS id)
SELECT row.id, row.status, row.date, row.occupied_from, row.occupied_until,
  (SELECT nullif(sum(each), 0)::integer FROM unnest(row.service_minutes) AS each) AS minutes,
  coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected') AS attendance, row.code, row.pickup_time,
  row.customer_id, row.contact_name AS customer, its_car.rego,
  nullif(concat_ws(' ', its_car.make, its_car.model), '') AS model,
  ARRAY(SELECT coalesce(each->>'title', each->>'catalogCode')
    FROM jsonb_array_elements(row.services) AS each
    WHERE coalesce(each->>'title', each->>'catalogCode') <> '') AS services,
  coalesce(row.notes, '') <> '' AS has_notes,
  (cardinality(row.job_notes), cardinality(row.product_notes), coalesce(row.tyre_quantities, 0)) <> (0, 0, 0) AS has_job,
  row.version
FROM shown CROSS JOIN LATERAL (SELECT * FROM booking WHERE id = shown.id AND workshop_id = $1 OFFSET 0) AS row
CROSS JOIN LATERAL (SELECT rego, make, model FROM car WHERE id = row.car_id OFFSET 0) AS its_car
ORDER BY row.date, row.id;

-- src/product/bookings/staff/store.ts: countOccupying
SELECT count(DISTINCT id)::integer AS count FROM (
    SELECT booking.id FROM unnest($2::timestamptz[], $3::timestamptz[]) AS span ("from", until) CROSS JOIN LATERAL (
        SELECT id FROM booking WHERE workshop_id = $1 AND occupied_from < until AND occupied_until > "from"
          AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= "from" - interval '24 hours'
        UNION ALL SELECT id FROM booking WHERE workshop_id = $1 AND occupied_from < until AND occupied_until > "from"
          AND occupied_until - occupied_from > interval '24 hours') AS booking
    LIMIT 1001) AS occupying;

-- src/product/bookings/staff/store.ts: listBookingsOf
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
      'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      row.service_category, 'services', row.services, 'pickupTime',
      to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type, 'notes',
      row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes', to_jsonb(row.product_notes),
      'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval, 'cancelReason', row.cancel_reason,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) || jsonb_build_object(
      'endsAt', to_char(coalesce(row.date + (SELECT nullif(sum(each), 0) FROM unnest(row.service_minutes) AS each) * interval '1 minute',
              row.occupied_until) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'attendance', coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected'),
      'emailBounce', CASE WHEN coalesce(lower(its_customer.bounced_email) = lower(row.contact_email),
          false) THEN its_customer.email_bounce END,
      'anywayReason', row.anyway_reason) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM (
    SELECT its.* FROM unnest(ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
            WHERE its_row.id = $2::uuid) || $5::uuid[]) AS one (id) CROSS JOIN LATERAL (
        SELECT * FROM booking WHERE customer_id = one.id AND workshop_id = $1
          AND (date, id) < (
              coalesce((SELECT date FROM booking WHERE id = $4::uuid
                      AND customer_id = ANY (ARRAY(
                            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
                            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
                            UNION SELECT its_other.id FROM customer its_row
                            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                            WHERE its_row.id = $2::uuid) || $5::uuid[])), 'infinity'),
              coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        ORDER BY date DESC, id DESC LIMIT $3) AS its
    ORDER BY its.date DESC, its.id DESC LIMIT $3) AS row JOIN car its_car ON its_car.id = row.car_id JOIN customer its_customer
  ON its_customer.id = row.customer_id
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id
ORDER BY row.date DESC, row.id DESC;

-- src/product/bookings/staff/store.ts: listOccupying
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
      'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      row.service_category, 'services', row.services, 'pickupTime',
      to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type, 'notes',
      row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes', to_jsonb(row.product_notes),
      'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval, 'cancelReason', row.cancel_reason,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) || jsonb_build_object(
      'endsAt', to_char(coalesce(row.date + (SELECT nullif(sum(each), 0) FROM unnest(row.service_minutes) AS each) * interval '1 minute',
              row.occupied_until) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'attendance', coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected'),
      'emailBounce', CASE WHEN coalesce(lower(its_customer.bounced_email) = lower(row.contact_email),
          false) THEN its_customer.email_bounce END,
      'anywayReason', row.anyway_reason) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item
FROM (SELECT id FROM booking WHERE workshop_id = $1 AND occupied_until - occupied_from <= interval '24 hours'
      AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $3 AND occupied_until > $2 UNION ALL SELECT id
    FROM booking WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours' AND occupied_from < $3
      AND occupied_until > $2) AS occupying JOIN booking AS row USING (id) JOIN car its_car ON its_car.id = row.car_id
JOIN customer its_customer ON its_customer.id = row.customer_id
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id
ORDER BY row.date, row.id LIMIT 50;

-- src/product/bookings/staff/store.ts: listWorkshopBookings
SELECT jsonb_build_object(
      'id', row.id, 'code', row.code, 'carId', row.car_id, 'customerId', row.customer_id, 'workshopId', row.workshop_id,
      'status', row.status, 'date', to_char(row.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      row.service_category, 'services', row.services, 'pickupTime',
      to_char(row.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', row.service_package_type, 'notes',
      row.notes, 'customerCompany', row.contact_company, 'jobNotes', to_jsonb(row.job_notes), 'productNotes', to_jsonb(row.product_notes),
      'tyreQuantities', row.tyre_quantities, 'externalId', row.external_id, 'interval', row.interval, 'cancelReason', row.cancel_reason,
      'createdAt', to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(row.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', row.car_id, 'customerId', row.customer_id, 'rego', its_car.rego, 'year', row.car_year,
          'make', row.car_make, 'model', row.car_model, 'badge', row.car_badge, 'vin', row.car_vin), 'customer',
      jsonb_build_object('id', row.customer_id, 'workshopId', row.workshop_id, 'name', row.contact_name,
          'firstName', row.contact_first_name, 'lastName', row.contact_last_name, 'email', nullif(row.contact_email, ''),
          'phone', nullif(row.contact_phone, ''), 'company', row.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) || jsonb_build_object(
      'endsAt', to_char(coalesce(row.date + (SELECT nullif(sum(each), 0) FROM unnest(row.service_minutes) AS each) * interval '1 minute',
              row.occupied_until) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'attendance', coalesce((SELECT state FROM attendance WHERE attendance.booking_id = row.id), 'expected'),
      'emailBounce', CASE WHEN coalesce(lower(its_customer.bounced_email) = lower(row.contact_email),
          false) THEN its_customer.email_bounce END,
      'anywayReason', row.anyway_reason) || jsonb_build_object('partnerId', row.partner_id, 'partner', its_partner.name,
      'timezone', its_workshop.timezone, 'country', its_workshop.country) AS item FROM booking AS row JOIN car its_car
  ON its_car.id = row.car_id JOIN customer its_customer ON its_customer.id = row.customer_id
JOIN workshop its_workshop ON its_workshop.id = row.workshop_id
LEFT JOIN partner its_partner ON its_partner.id = row.partner_id
WHERE row.workshop_id = $1 AND row.status = ANY ($2::text[])
  AND (row.date, row.id) > (coalesce((SELECT date FROM booking WHERE id = $3::uuid), '-infinity'),
      coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
  AND row.date >= $5::timestamptz
ORDER BY row.date, row.id LIMIT $4;

-- src/product/bookings/staff/store.ts: lockUpcoming
SELECT id FROM booking
WHERE customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND workshop_id = $1 AND date >= $3 AND status IN ('pending', 'confirmed')
ORDER BY id FOR NO KEY UPDATE;

-- src/product/bookings/staff/store.ts: readTelling
SELECT coalesce(b.contact_phone, '') AS phone, coalesce(b.contact_email, '') AS email,
  coalesce(lower(k.bounced_email) = lower(b.contact_email), false) AS email_bounced, b.status, w.country, k.erased_at IS NOT NULL AS erased,
  k.opted_out_at IS NOT NULL AS opted_out,
  EXISTS (SELECT FROM event WHERE event.subject_id = b.id AND event.kind = 'booking.carReady'
      AND event.withdrawn_at IS NULL) AS told
FROM booking b JOIN workshop w ON w.id = b.workshop_id JOIN customer k ON k.id = b.customer_id
WHERE b.id = $1;

-- src/product/bookings/staff/store.ts: withCar
SELECT id FROM booking WHERE id = ANY ($1::uuid[]) AND car_id = $2 ORDER BY id;

-- src/product/bookings/store.ts: findBookingCountry
SELECT w.country FROM booking b JOIN workshop w ON w.id = b.workshop_id WHERE b.id = $1 AND b.partner_id = $2;

-- src/product/bookings/store.ts: findBookings
WITH input AS (
    SELECT given.booking_id, given.partner_id, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (booking_id uuid, partner_id uuid)) WITH ORDINALITY AS given (booking_id,
          partner_id, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32)
SELECT input.ordinal, found.booking, found.version FROM input
CROSS JOIN LATERAL (SELECT jsonb_build_object(
          'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
          'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          b.service_category, 'services', b.services, 'pickupTime',
          to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', b.service_package_type, 'notes',
          b.notes, 'customerCompany', b.contact_company, 'jobNotes', to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes),
          'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id, 'interval', b.interval, 'cancelReason', b.cancel_reason,
          'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
              'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
          jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
              'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
              'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking, b.version
    FROM booking b JOIN car c ON c.id = b.car_id WHERE b.id = input.booking_id AND b.partner_id = input.partner_id LIMIT 1) AS found;

-- src/product/bookings/store.ts: insertBooking
WITH input AS (
    SELECT given.car_vin, given.car_make, given.car_model, given.car_year, given.car_badge, given.car_rego, given.anyway_reason,
      given.partner_id, given.booking_id, given.new_car_id, given.event_id, given.notify_customer, given.now, given.actor, given.request_id,
      given.date, given.customer_name, given.customer_first_name, given.customer_last_name, given.customer_email, given.customer_phone,
      given.service_minutes, given.service_category_derived, given.service_category, given.services, given.pickup_time,
      given.service_package_type, given.notes, given.customer_company, given.job_notes, given.product_notes, given.tyre_quantities,
      given.external_id, given.occupied_from, given.occupied_until, given.counted_services, given.counted_categories, given.place_version,
      given.held_to, given.workshop_id, given.new_customer_id, given.code, given.notify_workshop, given.setup_version,
      given.idempotency_key, given.claim_owner, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (car_vin text, car_make text, car_model text, car_year integer, car_badge text,
              car_rego text, anyway_reason text, partner_id uuid, booking_id uuid, new_car_id uuid, event_id uuid, notify_customer boolean,
              now timestamptz, actor text, request_id text, date timestamptz, customer_name text, customer_first_name text,
              customer_last_name text, customer_email text, customer_phone text, service_minutes integer[],
              service_category_derived boolean, service_category text, services jsonb, pickup_time timestamptz, service_package_type text,
              notes text, customer_company text, job_notes text[], product_notes text[], tyre_quantities integer, external_id text,
              occupied_from timestamptz, occupied_until timestamptz, counted_services uuid[], counted_categories text[],
              place_version integer, held_to text, workshop_id uuid, new_customer_id uuid, code text, notify_workshop boolean,
              setup_version integer, idempotency_key text, claim_owner uuid)) WITH ORDINALITY AS given (car_vin, car_make, car_model,
          car_year, car_badge, car_rego, anyway_reason, partner_id, booking_id, new_car_id, event_id, notify_customer, now, actor,
          request_id, date, customer_name, customer_first_name, customer_last_name, customer_email, customer_phone, service_minutes,
          service_category_derived, service_category, services, pickup_time, service_package_type, notes, customer_company, job_notes,
          product_notes, tyre_quantities, external_id, occupied_from, occupied_until, counted_services, counted_categories, place_version,
          held_to, workshop_id, new_customer_id, code, notify_workshop, setup_version, idempotency_key, claim_owner, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, link.active AS link_active FROM input
    JOIN link ON link.partner_id = input.partner_id AND link.workshop_id = input.workshop_id),
  held_claim AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN idempotency kept ON kept.partner_id = gate.partner_id AND kept.key = gate.idempotency_key
      AND kept.owner = gate.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS MATERIALIZED (
    SELECT * FROM gate
    WHERE link_active AND (setup_version IS NULL
          OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)) AND true
      AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  the_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at,
          updated_at)
    SELECT open.new_customer_id, workshop_id, coalesce(open.customer_name, open.customer_phone), open.customer_first_name,
      open.customer_last_name, open.customer_email, open.customer_phone, open.customer_company,
      ARRAY[coalesce(open.partner_id, '00000000-0000-0000-0000-000000000000'::uuid)], open."now", open."now"
    FROM open ORDER BY workshop_id, open.customer_phone
    ON CONFLICT (workshop_id, phone) DO UPDATE
    SET name = CASE WHEN excluded.name = excluded.phone THEN customer.name ELSE excluded.name END, first_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.first_name ELSE excluded.first_name END, last_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.last_name ELSE excluded.last_name END,
      email = coalesce(nullif(excluded.email, ''), customer.email),
      company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
      details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
      THEN CASE WHEN customer.details_from @> excluded.details_from THEN customer.details_from
      ELSE customer.details_from || excluded.details_from END ELSE excluded.details_from END
    RETURNING id, workshop_id, phone),
  owner AS MATERIALIZED (
    SELECT open.*, the_customer.id FROM open JOIN the_customer ON the_customer.workshop_id = open.workshop_id
      AND the_customer.phone = open.customer_phone),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT owner.new_car_id, workshop_id, id, owner.car_rego, owner.car_year, owner.car_make, owner.car_model, owner.car_badge,
      owner.car_vin, owner."now", owner."now"
    FROM owner ORDER BY id, owner.car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  content AS MATERIALIZED (
    SELECT ordinal, event_id, notify_customer, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
      owner.booking_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
      now AS created_at, now AS updated_at, 'pending' AS status, 1 AS version,
      NULL::integer AS "interval", NULL::text AS cancel_reason, owner.anyway_reason AS anyway_reason,
      owner.date AS date, owner.customer_name AS contact_name, owner.customer_first_name AS contact_first_name,
      owner.customer_last_name AS contact_last_name, owner.customer_email AS contact_email, owner.customer_phone AS contact_phone,
      owner.service_minutes AS service_minutes, owner.service_category_derived AS service_category_derived,
      owner.service_category AS service_category, owner.services AS services, owner.pickup_time AS pickup_time,
      owner.service_package_type AS service_package_type, owner.notes AS notes, owner.customer_company AS contact_company,
      owner.job_notes AS job_notes, owner.product_notes AS product_notes, owner.tyre_quantities AS tyre_quantities,
      owner.external_id AS external_id, coalesce(owner.car_vin, earlier.car_vin) AS car_vin,
      coalesce(owner.car_make, earlier.car_make) AS car_make, coalesce(owner.car_model, earlier.car_model) AS car_model,
      coalesce(owner.car_year, earlier.car_year) AS car_year, coalesce(owner.car_badge, earlier.car_badge) AS car_badge,
      owner.occupied_from AS occupied_from, owner.occupied_until AS occupied_until, owner.counted_services AS counted_services,
      owner.counted_categories AS counted_categories, owner.place_version AS place_version, owner.held_to AS held_to
    FROM owner JOIN the_car ON the_car.customer_id = owner.id AND the_car.rego = owner.car_rego
    LEFT JOIN LATERAL (
        SELECT car_vin, car_make, car_model, car_year, car_badge FROM booking
        WHERE booking.car_id = the_car.id AND booking.partner_id = owner.partner_id
          AND num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0
        ORDER BY booking.created_at DESC, booking.id DESC LIMIT 1) AS earlier ON true),
  made AS (INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, status, version, "interval", cancel_reason,
          anyway_reason,
          created_at, updated_at, date, contact_name, contact_first_name, contact_last_name, contact_email, contact_phone, service_minutes,
          service_category_derived, service_category, services, pickup_time, service_package_type, notes, contact_company, job_notes,
          product_notes, tyre_quantities, external_id, car_vin, car_make, car_model, car_year, car_badge, occupied_from, occupied_until,
          counted_services, counted_categories, place_version, held_to) SELECT id, code, partner_id, workshop_id, customer_id, car_id,
      status, version, "interval", cancel_reason, anyway_reason,
      created_at, updated_at, date, contact_name, contact_first_name, contact_last_name, contact_email, contact_phone, service_minutes,
      service_category_derived, service_category, services, pickup_time, service_package_type, notes, contact_company, job_notes,
      product_notes, tyre_quantities, external_id, car_vin, car_make, car_model, car_year, car_badge, occupied_from, occupied_until,
      counted_services, counted_categories, place_version, held_to FROM content ORDER BY workshop_id, occupied_from),
  snapshot AS MATERIALIZED (SELECT content.*, jsonb_build_object(
          'id', content.id, 'code', content.code, 'carId', content.car_id, 'customerId', content.customer_id, 'workshopId',
          content.workshop_id,
          'status', content.status, 'date', to_char(content.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          content.service_category, 'services', content.services, 'pickupTime',
          to_char(content.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType',
          content.service_package_type, 'notes', content.notes, 'customerCompany', content.contact_company, 'jobNotes',
          to_jsonb(content.job_notes), 'productNotes', to_jsonb(content.product_notes), 'tyreQuantities', content.tyre_quantities,
          'externalId', content.external_id, 'interval', content.interval, 'cancelReason', content.cancel_reason,
          'createdAt', to_char(content.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(content.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', content.car_id, 'customerId', content.customer_id, 'rego', content.rego, 'year', content.car_year,
              'make', content.car_make, 'model', content.car_model, 'badge', content.car_badge, 'vin', content.car_vin), 'customer',
          jsonb_build_object('id', content.customer_id, 'workshopId', content.workshop_id, 'name', content.contact_name,
              'firstName', content.contact_first_name, 'lastName', content.contact_last_name, 'email', nullif(content.contact_email, ''),
              'phone', nullif(content.contact_phone, ''), 'company', content.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking FROM content),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT event_id, 'booking.created', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('booking', booking, 'dateChanged', false, 'notifyCustomer', notify_customer, 'notifyWorkshop', notify_workshop),
      created_at, snapshot.actor, snapshot.request_id,
      NULL::jsonb, NULL::jsonb
    FROM snapshot),
  finished_claim AS (UPDATE idempotency kept SET status = 201, body = jsonb_build_object('success', true, 'booking', snapshot.booking)
    FROM snapshot WHERE kept.partner_id = snapshot.partner_id AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT ordinal, true AS link_active, true AS setup_is_current, true AS reminder_is_open, booking FROM snapshot
UNION ALL SELECT ordinal, link_active, (setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)), true, NULL
FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open);

-- src/product/bookings/store.ts: insertOwnBooking
WITH input AS (
    SELECT given.car_vin, given.car_make, given.car_model, given.car_year, given.car_badge, given.car_rego, given.anyway_reason,
      given.partner_id, given.booking_id, given.new_car_id, given.event_id, given.notify_customer, given.now, given.actor, given.request_id,
      given.date, given.customer_name, given.customer_first_name, given.customer_last_name, given.customer_email, given.customer_phone,
      given.service_minutes, given.service_category_derived, given.service_category, given.services, given.pickup_time,
      given.service_package_type, given.notes, given.customer_company, given.job_notes, given.product_notes, given.tyre_quantities,
      given.external_id, given.occupied_from, given.occupied_until, given.counted_services, given.counted_categories, given.place_version,
      given.held_to, given.workshop_id, given.new_customer_id, given.code, given.notify_workshop, given.setup_version,
      given.idempotency_key, given.claim_owner, given.customer_id, given.keeps_name, given.is_apart, given.status,
      given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (car_vin text, car_make text, car_model text, car_year integer, car_badge text,
              car_rego text, anyway_reason text, partner_id uuid, booking_id uuid, new_car_id uuid, event_id uuid, notify_customer boolean,
              now timestamptz, actor text, request_id text, date timestamptz, customer_name text, customer_first_name text,
              customer_last_name text, customer_email text, customer_phone text, service_minutes integer[],
              service_category_derived boolean, service_category text, services jsonb, pickup_time timestamptz, service_package_type text,
              notes text, customer_company text, job_notes text[], product_notes text[], tyre_quantities integer, external_id text,
              occupied_from timestamptz, occupied_until timestamptz, counted_services uuid[], counted_categories text[],
              place_version integer, held_to text, workshop_id uuid, new_customer_id uuid, code text, notify_workshop boolean,
              setup_version integer, idempotency_key text, claim_owner uuid, customer_id uuid, keeps_name boolean, is_apart boolean,
              status text)) WITH ORDINALITY AS given (car_vin, car_make, car_model, car_year, car_badge, car_rego, anyway_reason,
          partner_id, booking_id, new_car_id, event_id, notify_customer, now, actor, request_id, date, customer_name, customer_first_name,
          customer_last_name, customer_email, customer_phone, service_minutes, service_category_derived, service_category, services,
          pickup_time, service_package_type, notes, customer_company, job_notes, product_notes, tyre_quantities, external_id, occupied_from,
          occupied_until, counted_services, counted_categories, place_version, held_to, workshop_id, new_customer_id, code, notify_workshop,
          setup_version, idempotency_key, claim_owner, customer_id, keeps_name, is_apart, status, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, true AS link_active FROM input JOIN workshop ON workshop.id = input.workshop_id),
  held_claim AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN idempotency kept ON kept.partner_id = gate.partner_id AND kept.key = gate.idempotency_key
      AND kept.owner = gate.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS MATERIALIZED (
    SELECT * FROM gate
    WHERE link_active AND (setup_version IS NULL
          OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)) AND true
      AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  the_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at,
          updated_at)
    SELECT open.new_customer_id, workshop_id, coalesce(CASE WHEN open.keeps_name AND EXISTS (
            SELECT FROM customer known WHERE known.phone = open.customer_phone AND known.workshop_id = open.workshop_id
              AND known.name <> known.phone)
          THEN NULL ELSE open.customer_name END, open.customer_phone), open.customer_first_name, open.customer_last_name,
      open.customer_email, open.customer_phone, open.customer_company,
      ARRAY[coalesce(open.partner_id, '00000000-0000-0000-0000-000000000000'::uuid)], open."now", open."now"
    FROM (SELECT * FROM open WHERE open.customer_phone IS NOT NULL AND NOT open.is_apart) AS open ORDER BY workshop_id, open.customer_phone
    ON CONFLICT (workshop_id, phone) DO UPDATE
    SET name = CASE WHEN excluded.name = excluded.phone THEN customer.name ELSE excluded.name END, first_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.first_name ELSE excluded.first_name END, last_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.last_name ELSE excluded.last_name END,
      email = coalesce(nullif(excluded.email, ''), customer.email),
      company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
      details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
      THEN CASE WHEN customer.details_from @> excluded.details_from THEN customer.details_from
      ELSE customer.details_from || excluded.details_from END ELSE excluded.details_from END
    RETURNING id, workshop_id, phone),
  walk_in AS (
    INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, company, details_from, created_at, updated_at)
    SELECT new_customer_id, workshop_id, customer_name, customer_first_name, customer_last_name, customer_email, customer_company,
      ARRAY['00000000-0000-0000-0000-000000000000'::uuid], "now", "now"
    FROM open WHERE customer_phone IS NULL AND customer_id IS NULL ORDER BY ordinal
    RETURNING id),
  owner AS MATERIALIZED (
    SELECT open.*, the_customer.id FROM open JOIN the_customer ON the_customer.workshop_id = open.workshop_id
      AND the_customer.phone = open.customer_phone AND open.customer_phone IS NOT NULL AND NOT open.is_apart
    UNION ALL SELECT open.*, walk_in.id FROM open JOIN walk_in ON walk_in.id = open.new_customer_id
    UNION ALL SELECT open.*, chosen.id FROM open
    JOIN customer chosen ON chosen.id = open.customer_id AND chosen.workshop_id = open.workshop_id AND chosen.erased_at IS NULL
    WHERE NOT (open.customer_phone IS NOT NULL AND NOT open.is_apart)),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT owner.new_car_id, workshop_id, id, owner.car_rego, owner.car_year, owner.car_make, owner.car_model, owner.car_badge,
      owner.car_vin, owner."now", owner."now"
    FROM owner ORDER BY id, owner.car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  content AS MATERIALIZED (
    SELECT ordinal, event_id, notify_customer, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
      owner.booking_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
      now AS created_at, now AS updated_at, owner.status AS status, 1 AS version,
      NULL::integer AS "interval", NULL::text AS cancel_reason, owner.anyway_reason AS anyway_reason,
      owner.date AS date, owner.customer_name AS contact_name, owner.customer_first_name AS contact_first_name,
      owner.customer_last_name AS contact_last_name, owner.customer_email AS contact_email, owner.customer_phone AS contact_phone,
      owner.service_minutes AS service_minutes, owner.service_category_derived AS service_category_derived,
      owner.service_category AS service_category, owner.services AS services, owner.pickup_time AS pickup_time,
      owner.service_package_type AS service_package_type, owner.notes AS notes, owner.customer_company AS contact_company,
      owner.job_notes AS job_notes, owner.product_notes AS product_notes, owner.tyre_quantities AS tyre_quantities,
      owner.external_id AS external_id, coalesce(owner.car_vin, earlier.car_vin) AS car_vin,
      coalesce(owner.car_make, earlier.car_make) AS car_make, coalesce(owner.car_model, earlier.car_model) AS car_model,
      coalesce(owner.car_year, earlier.car_year) AS car_year, coalesce(owner.car_badge, earlier.car_badge) AS car_badge,
      owner.occupied_from AS occupied_from, owner.occupied_until AS occupied_until, owner.counted_services AS counted_services,
      owner.counted_categories AS counted_categories, owner.place_version AS place_version, owner.held_to AS held_to
    FROM owner JOIN the_car ON the_car.customer_id = owner.id
      AND CASE WHEN owner.car_rego IS NULL THEN the_car.id = owner.new_car_id ELSE the_car.rego = owner.car_rego END
    LEFT JOIN LATERAL (
        SELECT car_vin, car_make, car_model, car_year, car_badge FROM booking
        WHERE booking.car_id = the_car.id AND booking.partner_id = owner.partner_id
          AND num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0
        ORDER BY booking.created_at DESC, booking.id DESC LIMIT 1) AS earlier ON true),
  made AS (INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, status, version, "interval", cancel_reason,
          anyway_reason,
          created_at, updated_at, date, contact_name, contact_first_name, contact_last_name, contact_email, contact_phone, service_minutes,
          service_category_derived, service_category, services, pickup_time, service_package_type, notes, contact_company, job_notes,
          product_notes, tyre_quantities, external_id, car_vin, car_make, car_model, car_year, car_badge, occupied_from, occupied_until,
          counted_services, counted_categories, place_version, held_to) SELECT id, code, partner_id, workshop_id, customer_id, car_id,
      status, version, "interval", cancel_reason, anyway_reason,
      created_at, updated_at, date, contact_name, contact_first_name, contact_last_name, contact_email, contact_phone, service_minutes,
      service_category_derived, service_category, services, pickup_time, service_package_type, notes, contact_company, job_notes,
      product_notes, tyre_quantities, external_id, car_vin, car_make, car_model, car_year, car_badge, occupied_from, occupied_until,
      counted_services, counted_categories, place_version, held_to FROM content ORDER BY workshop_id, occupied_from),
  snapshot AS MATERIALIZED (SELECT content.*, jsonb_build_object(
          'id', content.id, 'code', content.code, 'carId', content.car_id, 'customerId', content.customer_id, 'workshopId',
          content.workshop_id,
          'status', content.status, 'date', to_char(content.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          content.service_category, 'services', content.services, 'pickupTime',
          to_char(content.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType',
          content.service_package_type, 'notes', content.notes, 'customerCompany', content.contact_company, 'jobNotes',
          to_jsonb(content.job_notes), 'productNotes', to_jsonb(content.product_notes), 'tyreQuantities', content.tyre_quantities,
          'externalId', content.external_id, 'interval', content.interval, 'cancelReason', content.cancel_reason,
          'createdAt', to_char(content.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(content.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', content.car_id, 'customerId', content.customer_id, 'rego', content.rego, 'year', content.car_year,
              'make', content.car_make, 'model', content.car_model, 'badge', content.car_badge, 'vin', content.car_vin), 'customer',
          jsonb_build_object('id', content.customer_id, 'workshopId', content.workshop_id, 'name', content.contact_name,
              'firstName', content.contact_first_name, 'lastName', content.contact_last_name, 'email', nullif(content.contact_email, ''),
              'phone', nullif(content.contact_phone, ''), 'company', content.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking FROM content),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT event_id, 'booking.created', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('booking', booking, 'dateChanged', false, 'notifyCustomer', notify_customer, 'notifyWorkshop', notify_workshop),
      created_at, snapshot.actor, snapshot.request_id,
      NULL::jsonb, NULL::jsonb
    FROM snapshot),
  finished_claim AS (UPDATE idempotency kept SET status = 201, body = jsonb_build_object('success', true, 'booking', snapshot.booking)
    FROM snapshot WHERE kept.partner_id = snapshot.partner_id AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT ordinal, true AS link_active, true AS setup_is_current, true AS reminder_is_open, booking FROM snapshot
UNION ALL SELECT ordinal, link_active, (setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)), true, NULL
FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open);

-- src/product/bookings/store.ts: insertRedeemingBooking
WITH input AS (
    SELECT given.car_vin, given.car_make, given.car_model, given.car_year, given.car_badge, given.car_rego, given.anyway_reason,
      given.partner_id, given.booking_id, given.new_car_id, given.event_id, given.notify_customer, given.now, given.actor, given.request_id,
      given.date, given.customer_name, given.customer_first_name, given.customer_last_name, given.customer_email, given.customer_phone,
      given.service_minutes, given.service_category_derived, given.service_category, given.services, given.pickup_time,
      given.service_package_type, given.notes, given.customer_company, given.job_notes, given.product_notes, given.tyre_quantities,
      given.external_id, given.occupied_from, given.occupied_until, given.counted_services, given.counted_categories, given.place_version,
      given.held_to, given.workshop_id, given.new_customer_id, given.code, given.notify_workshop, given.setup_version,
      given.idempotency_key, given.claim_owner, given.reminder_code, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (car_vin text, car_make text, car_model text, car_year integer, car_badge text,
              car_rego text, anyway_reason text, partner_id uuid, booking_id uuid, new_car_id uuid, event_id uuid, notify_customer boolean,
              now timestamptz, actor text, request_id text, date timestamptz, customer_name text, customer_first_name text,
              customer_last_name text, customer_email text, customer_phone text, service_minutes integer[],
              service_category_derived boolean, service_category text, services jsonb, pickup_time timestamptz, service_package_type text,
              notes text, customer_company text, job_notes text[], product_notes text[], tyre_quantities integer, external_id text,
              occupied_from timestamptz, occupied_until timestamptz, counted_services uuid[], counted_categories text[],
              place_version integer, held_to text, workshop_id uuid, new_customer_id uuid, code text, notify_workshop boolean,
              setup_version integer, idempotency_key text, claim_owner uuid, reminder_code text)) WITH ORDINALITY AS given (car_vin,
          car_make, car_model, car_year, car_badge, car_rego, anyway_reason, partner_id, booking_id, new_car_id, event_id, notify_customer,
          now, actor, request_id, date, customer_name, customer_first_name, customer_last_name, customer_email, customer_phone,
          service_minutes, service_category_derived, service_category, services, pickup_time, service_package_type, notes, customer_company,
          job_notes, product_notes, tyre_quantities, external_id, occupied_from, occupied_until, counted_services, counted_categories,
          place_version, held_to, workshop_id, new_customer_id, code, notify_workshop, setup_version, idempotency_key, claim_owner,
          reminder_code, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, link.active AS link_active FROM input
    JOIN link ON link.partner_id = input.partner_id AND link.workshop_id = input.workshop_id), its_reminder AS MATERIALIZED (
    SELECT gate.ordinal, r.id, r.status FROM (SELECT * FROM gate ORDER BY reminder_code) AS gate
    CROSS JOIN LATERAL (
        SELECT id, partner_id, workshop_id, status FROM service_reminder WHERE code = gate.reminder_code FOR NO KEY UPDATE) AS r
    WHERE r.partner_id = gate.partner_id AND r.workshop_id = gate.workshop_id AND r.status IN ('scheduled', 'sent', 'failed')),
  held_claim AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN idempotency kept ON kept.partner_id = gate.partner_id AND kept.key = gate.idempotency_key
      AND kept.owner = gate.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS MATERIALIZED (
    SELECT * FROM gate
    WHERE link_active AND (setup_version IS NULL
          OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id))
      AND EXISTS (SELECT FROM its_reminder WHERE its_reminder.ordinal = gate.ordinal)
      AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  the_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at,
          updated_at)
    SELECT open.new_customer_id, workshop_id, coalesce(open.customer_name, open.customer_phone), open.customer_first_name,
      open.customer_last_name, open.customer_email, open.customer_phone, open.customer_company,
      ARRAY[coalesce(open.partner_id, '00000000-0000-0000-0000-000000000000'::uuid)], open."now", open."now"
    FROM open ORDER BY workshop_id, open.customer_phone
    ON CONFLICT (workshop_id, phone) DO UPDATE
    SET name = CASE WHEN excluded.name = excluded.phone THEN customer.name ELSE excluded.name END, first_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.first_name ELSE excluded.first_name END, last_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.last_name ELSE excluded.last_name END,
      email = coalesce(nullif(excluded.email, ''), customer.email),
      company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
      details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
      THEN CASE WHEN customer.details_from @> excluded.details_from THEN customer.details_from
      ELSE customer.details_from || excluded.details_from END ELSE excluded.details_from END
    RETURNING id, workshop_id, phone),
  owner AS MATERIALIZED (
    SELECT open.*, the_customer.id FROM open JOIN the_customer ON the_customer.workshop_id = open.workshop_id
      AND the_customer.phone = open.customer_phone),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT owner.new_car_id, workshop_id, id, owner.car_rego, owner.car_year, owner.car_make, owner.car_model, owner.car_badge,
      owner.car_vin, owner."now", owner."now"
    FROM owner ORDER BY id, owner.car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  content AS MATERIALIZED (
    SELECT ordinal, event_id, notify_customer, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
      owner.booking_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
      now AS created_at, now AS updated_at, 'pending' AS status, 1 AS version,
      NULL::integer AS "interval", NULL::text AS cancel_reason, owner.anyway_reason AS anyway_reason,
      owner.date AS date, owner.customer_name AS contact_name, owner.customer_first_name AS contact_first_name,
      owner.customer_last_name AS contact_last_name, owner.customer_email AS contact_email, owner.customer_phone AS contact_phone,
      owner.service_minutes AS service_minutes, owner.service_category_derived AS service_category_derived,
      owner.service_category AS service_category, owner.services AS services, owner.pickup_time AS pickup_time,
      owner.service_package_type AS service_package_type, owner.notes AS notes, owner.customer_company AS contact_company,
      owner.job_notes AS job_notes, owner.product_notes AS product_notes, owner.tyre_quantities AS tyre_quantities,
      owner.external_id AS external_id, coalesce(owner.car_vin, earlier.car_vin) AS car_vin,
      coalesce(owner.car_make, earlier.car_make) AS car_make, coalesce(owner.car_model, earlier.car_model) AS car_model,
      coalesce(owner.car_year, earlier.car_year) AS car_year, coalesce(owner.car_badge, earlier.car_badge) AS car_badge,
      owner.occupied_from AS occupied_from, owner.occupied_until AS occupied_until, owner.counted_services AS counted_services,
      owner.counted_categories AS counted_categories, owner.place_version AS place_version, owner.held_to AS held_to
    FROM owner JOIN the_car ON the_car.customer_id = owner.id AND the_car.rego = owner.car_rego
    LEFT JOIN LATERAL (
        SELECT car_vin, car_make, car_model, car_year, car_badge FROM booking
        WHERE booking.car_id = the_car.id AND booking.partner_id = owner.partner_id
          AND num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0
        ORDER BY booking.created_at DESC, booking.id DESC LIMIT 1) AS earlier ON true),
  made AS (INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, status, version, "interval", cancel_reason,
          anyway_reason,
          created_at, updated_at, date, contact_name, contact_first_name, contact_last_name, contact_email, contact_phone, service_minutes,
          service_category_derived, service_category, services, pickup_time, service_package_type, notes, contact_company, job_notes,
          product_notes, tyre_quantities, external_id, car_vin, car_make, car_model, car_year, car_badge, occupied_from, occupied_until,
          counted_services, counted_categories, place_version, held_to) SELECT id, code, partner_id, workshop_id, customer_id, car_id,
      status, version, "interval", cancel_reason, anyway_reason,
      created_at, updated_at, date, contact_name, contact_first_name, contact_last_name, contact_email, contact_phone, service_minutes,
      service_category_derived, service_category, services, pickup_time, service_package_type, notes, contact_company, job_notes,
      product_notes, tyre_quantities, external_id, car_vin, car_make, car_model, car_year, car_badge, occupied_from, occupied_until,
      counted_services, counted_categories, place_version, held_to FROM content ORDER BY workshop_id, occupied_from),
  changed_service_reminder AS (
    UPDATE service_reminder AS r SET status = 'booked', new_booking_id = content.id, version = r.version + 1,
      updated_at = greatest(content.created_at, r.updated_at + interval '1 millisecond')
    FROM content JOIN its_reminder ON its_reminder.ordinal = content.ordinal WHERE r.id = its_reminder.id
    RETURNING r.*, content.actor AS actor, content.request_id AS request_id,
      jsonb_build_object('status',its_reminder.status,'newBookingId',NULL) AS before_it),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM changed_service_reminder r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.booked', r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status,'newBookingId',r.new_booking_id)
    FROM service_reminder_snapshot r),
  snapshot AS MATERIALIZED (SELECT content.*, jsonb_build_object(
          'id', content.id, 'code', content.code, 'carId', content.car_id, 'customerId', content.customer_id, 'workshopId',
          content.workshop_id,
          'status', content.status, 'date', to_char(content.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          content.service_category, 'services', content.services, 'pickupTime',
          to_char(content.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType',
          content.service_package_type, 'notes', content.notes, 'customerCompany', content.contact_company, 'jobNotes',
          to_jsonb(content.job_notes), 'productNotes', to_jsonb(content.product_notes), 'tyreQuantities', content.tyre_quantities,
          'externalId', content.external_id, 'interval', content.interval, 'cancelReason', content.cancel_reason,
          'createdAt', to_char(content.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(content.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', content.car_id, 'customerId', content.customer_id, 'rego', content.rego, 'year', content.car_year,
              'make', content.car_make, 'model', content.car_model, 'badge', content.car_badge, 'vin', content.car_vin), 'customer',
          jsonb_build_object('id', content.customer_id, 'workshopId', content.workshop_id, 'name', content.contact_name,
              'firstName', content.contact_first_name, 'lastName', content.contact_last_name, 'email', nullif(content.contact_email, ''),
              'phone', nullif(content.contact_phone, ''), 'company', content.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking FROM content),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT event_id, 'booking.created', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('booking', booking, 'dateChanged', false, 'notifyCustomer', notify_customer, 'notifyWorkshop', notify_workshop),
      created_at, snapshot.actor, snapshot.request_id,
      NULL::jsonb, NULL::jsonb
    FROM snapshot),
  finished_claim AS (UPDATE idempotency kept SET status = 201, body = jsonb_build_object('success', true, 'booking', snapshot.booking)
    FROM snapshot WHERE kept.partner_id = snapshot.partner_id AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT ordinal, true AS link_active, true AS setup_is_current, true AS reminder_is_open, booking FROM snapshot
UNION ALL SELECT ordinal, link_active, (setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)),
  EXISTS (SELECT FROM its_reminder WHERE its_reminder.ordinal = gate.ordinal), NULL
FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open);

-- src/product/bookings/undo/store.ts: readRow
SELECT to_jsonb(b) AS row FROM booking b WHERE id = $1;

-- src/product/bookings/undo/store.ts: restoreBooking
WITH was AS MATERIALIZED (SELECT * FROM jsonb_populate_record(NULL::booking, $1::jsonb)),
  changed_booking AS (
    UPDATE booking AS r SET status = was.status, cancel_reason = was.cancel_reason, anyway_reason = was.anyway_reason, date = was.date,
      contact_name = was.contact_name, contact_first_name = was.contact_first_name, contact_last_name = was.contact_last_name,
      contact_email = was.contact_email, contact_phone = was.contact_phone, service_minutes = was.service_minutes,
      service_category_derived = was.service_category_derived, service_category = was.service_category, services = was.services,
      pickup_time = was.pickup_time, service_package_type = was.service_package_type, notes = was.notes,
      contact_company = was.contact_company, job_notes = was.job_notes, product_notes = was.product_notes,
      tyre_quantities = was.tyre_quantities, interval = was.interval, car_vin = was.car_vin, car_make = was.car_make,
      car_model = was.car_model, car_year = was.car_year, car_badge = was.car_badge,
      occupied_from = $3::timestamptz, occupied_until = $4::timestamptz, counted_services = $5::uuid[], counted_categories = $6::text[],
      place_version = $7::integer, held_to = $8::text, version = r.version + 1,
      updated_at = greatest($13::timestamptz, r.updated_at + interval '1 millisecond')
    FROM was WHERE r.id = $9::uuid
      AND ($10::integer IS NULL
          OR $10::integer = (SELECT setup_version FROM workshop WHERE workshop.id = r.workshop_id))
    RETURNING r.*, $14::text AS actor, $15::text AS request_id,
      $11::jsonb AS before_it),
  booking_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object(
          'id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id, 'workshopId', r.workshop_id,
          'status', r.status, 'date', to_char(r.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          r.service_category, 'services', r.services, 'pickupTime',
          to_char(r.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', r.service_package_type, 'notes',
          r.notes, 'customerCompany', r.contact_company, 'jobNotes', to_jsonb(r.job_notes), 'productNotes', to_jsonb(r.product_notes),
          'tyreQuantities', r.tyre_quantities, 'externalId', r.external_id, 'interval', r.interval, 'cancelReason', r.cancel_reason,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', its_car.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking FROM changed_booking r JOIN car its_car ON its_car.id = r.car_id),
  booking_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT $2::uuid, 'booking.updated', r.partner_id, r.workshop_id, r.id, r.version,
      jsonb_build_object('booking', r.booking, 'dateChanged', $12::text IS NOT NULL, 'previousDate', $12::text, 'notifyCustomer', false,
          'notifyWorkshop', false), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status,'date',to_char(r.date AT TIME ZONE 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),'cancelReason',r.cancel_reason)
    FROM booking_snapshot r)
SELECT booking, version FROM booking_snapshot;

-- src/product/calendar/store.ts: deleteCalendar
DELETE FROM workshop_calendar WHERE workshop_id = $1 RETURNING workshop_id;

-- src/product/calendar/store.ts: findCalendar
SELECT w.id AS workshop_id, w.name AS workshop_name FROM workshop_calendar k JOIN workshop w ON w.id = k.workshop_id
WHERE k.secret_sha256 = $1;

-- src/product/calendar/store.ts: listShownBookings
SELECT jsonb_build_object(
      'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
      'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      b.service_category, 'services', b.services, 'pickupTime', to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'servicePackageType', b.service_package_type, 'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes',
      to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id,
      'interval', b.interval, 'cancelReason', b.cancel_reason,
      'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
          'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
      jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
          'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
          'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) AS booking, b.version, (SELECT coalesce(sum(minutes), 0)::int FROM unnest(b.service_minutes) AS minutes) AS minutes
FROM (
      (SELECT * FROM booking WHERE workshop_id = $1 AND date < $2 AND date >= $2::timestamptz - interval '60 days'
        ORDER BY date DESC, id DESC LIMIT 500)
    UNION ALL
      (SELECT * FROM booking WHERE workshop_id = $1 AND date >= $2 AND date < $2::timestamptz + interval '365 days'
        ORDER BY date, id LIMIT 1500)) AS b
JOIN car c ON c.id = b.car_id
ORDER BY b.date, b.id;

-- src/product/calendar/store.ts: replaceCalendar
INSERT INTO workshop_calendar (workshop_id, secret_sha256, created_at) VALUES ($1, $2, $3)
ON CONFLICT (workshop_id) DO UPDATE SET secret_sha256 = excluded.secret_sha256, created_at = excluded.created_at;

-- src/product/campaigns/automations/runs/due/store.ts: failRun
UPDATE automation_run SET status = 'failed', reason = 'error', ended_at = $2 WHERE id = $1 AND status = 'scheduled';

-- src/product/campaigns/automations/runs/due/store.ts: findDueRuns
SELECT id FROM automation_run WHERE status = 'scheduled' AND due_at <= $1
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'runAutomation' AND f.subject_id = automation_run.id) ORDER BY due_at LIMIT $2;

-- src/product/campaigns/automations/runs/due/store.ts: holdDueRuns
WITH due AS (
    SELECT * FROM automation_run WHERE id = ANY ($2::uuid[]) AND status = 'scheduled' AND due_at <= $1
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
SELECT due.id, due.workshop_id, due.partner_id, a.trigger_type AS type, a.offset_minutes,
  a.conditions, CASE WHEN a.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(a.quiet_from, 'HH24:MI'), 'to', to_char(a.quiet_until, 'HH24:MI')) END AS quiet_hours,
  a.status = 'paused' AS is_paused, due.cause NOT LIKE 'manual %' AS is_by_event,
  (due.partner_id IS NULL OR EXISTS (
        SELECT FROM link its_link JOIN workshop at ON at.id = its_link.workshop_id JOIN partner who ON who.id = its_link.partner_id
        WHERE its_link.partner_id = due.partner_id AND its_link.workshop_id = due.workshop_id
          AND (who.status = 'active' AND who.campaigns_enabled AND its_link.active AND at.inbox_messaging_enabled))) AS is_open,
  due.booking_date, due.by_page,
  jsonb_build_object('id', t.id, 'version', t.version, 'body', t.body, 'isPublished', t.status = 'published') AS template,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel',
      w.tax_label) || jsonb_build_object('smsSender', w.sms_sender, 'smsGateways', to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS workshop,
  CASE WHEN b.id IS NOT NULL THEN jsonb_build_object(
      'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
      'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      b.service_category, 'services', b.services, 'pickupTime', to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'servicePackageType', b.service_package_type, 'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes',
      to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id,
      'interval', b.interval, 'cancelReason', b.cancel_reason,
      'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
          'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
      jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
          'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
          'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) END AS booking, k.id AS customer_id, k.phone,
  k.erased_at IS NOT NULL AS is_erased,
  CASE WHEN k.id IS NOT NULL THEN coalesce(
      (SELECT jsonb_build_object('name', own.contact_name,
              'firstName', own.contact_first_name, 'lastName', own.contact_last_name, 'email', own.contact_email,
              'phone', k.phone, 'company', own.contact_company) FROM booking own WHERE own.customer_id = k.id
          AND own.partner_id = due.partner_id
        ORDER BY own.created_at DESC, own.id DESC LIMIT 1),
      CASE WHEN due.partner_id IS NOT NULL AND NOT k.details_from <@ ARRAY[due.partner_id] THEN jsonb_build_object('phone', k.phone)
      ELSE jsonb_build_object('name', k.name,
          'firstName', k.first_name, 'lastName', k.last_name, 'email', k.email,
          'phone', k.phone, 'company', k.company) END) END AS customer, last.at AS last_booking_at
FROM due JOIN automation a ON a.id = due.automation_id JOIN workshop w ON w.id = due.workshop_id
JOIN template t ON t.id = a.template_id
LEFT JOIN booking b ON b.id = due.booking_id LEFT JOIN car c ON c.id = b.car_id
JOIN customer k ON k.workshop_id = due.workshop_id AND k.id = coalesce(b.customer_id, due.customer_id)
LEFT JOIN LATERAL (
    SELECT max(o.date) AS at FROM booking o WHERE o.customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = k.id AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = k.id
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = k.id))
      AND o.status <> 'cancelled'
      AND o.id IS DISTINCT FROM due.booking_id) AS last ON true
ORDER BY due.due_at;

-- src/product/campaigns/automations/runs/due/store.ts: recordRunTurns
UPDATE automation_run r SET status = turn.status, reason = turn.reason, due_at = coalesce(turn.due_at, r.due_at),
  message_id = turn.message_id,
  ended_at = CASE WHEN turn.status NOT IN ('scheduled', 'queued') THEN $2::timestamptz END
FROM jsonb_to_recordset($1::jsonb) AS turn (id uuid, status text, reason text, due_at timestamptz, message_id uuid)
WHERE r.id = turn.id;

-- src/product/campaigns/automations/runs/due/store.ts: skipDueRuns
UPDATE automation_run SET status = 'skipped', reason = $2, ended_at = $1 WHERE status = 'scheduled' AND due_at <= $1 RETURNING true;

-- src/product/campaigns/automations/runs/planned/store.ts: plannedByBookings
SELECT DISTINCT ON (a.id, b.id) a.id AS automation_id, a.workshop_id, a.trigger_type AS type,
  a.offset_minutes, CASE WHEN a.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(a.quiet_from, 'HH24:MI'), 'to', to_char(a.quiet_until, 'HH24:MI')) END AS quiet_hours, w.timezone, e.partner_id,
  b.customer_id,
  e.occurred_at AS happened_at, b.id AS booking_id, b.date AS booking_date, e.page_withholds IS NOT NULL AS by_page
FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = ANY($2::text[])
  AND a.created_at <= e.occurred_at
JOIN workshop w ON w.id = a.workshop_id JOIN booking b ON b.id = e.subject_id
WHERE e.id = ANY($1::uuid[])
  AND (e.kind <> 'booking.updated' OR (e.payload->>'dateChanged')::boolean)
  AND (a.trigger_type <> 'bookingConfirmed' OR e.payload->'booking'->>'status' = 'confirmed')
  AND ((e.payload->>'notifyCustomer')::boolean OR a.id::text || ' ' || b.id::text = ANY($4::text[]))
  AND (e.payload->'booking'->>'date')::timestamptz >= (e.payload->'booking'->>'createdAt')::timestamptz
  AND CASE WHEN $3::boolean THEN b.status IN ('pending', 'confirmed') AND b.date > e.occurred_at
  ELSE a.trigger_type = 'bookingCancelled' OR b.status <> 'cancelled' END
ORDER BY a.id, b.id, e.version DESC;

-- src/product/campaigns/automations/runs/planned/store.ts: plannedByCalls
SELECT a.id AS automation_id, a.workshop_id, a.trigger_type AS type,
  a.offset_minutes, CASE WHEN a.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(a.quiet_from, 'HH24:MI'), 'to', to_char(a.quiet_until, 'HH24:MI')) END AS quiet_hours, w.timezone, e.partner_id,
  k.id AS customer_id, e.occurred_at AS happened_at, e.subject_id,
  NULL AS booking_id
FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = 'callMissed' AND a.created_at <= e.occurred_at
JOIN workshop w ON w.id = a.workshop_id
CROSS JOIN LATERAL (
    SELECT id FROM customer WHERE phone = e.payload->'callLead'->>'callerPhone' AND workshop_id = e.workshop_id LIMIT 1) AS k
WHERE e.id = ANY($1::uuid[]) AND (e.payload->'callLead'->>'calledAt')::timestamptz > e.occurred_at - interval '24 hours';

-- src/product/campaigns/automations/runs/planned/store.ts: plannedByCalls
WITH caller AS (
    SELECT DISTINCT e.workshop_id, e.payload->'callLead'->>'callerPhone' AS phone FROM event e
    WHERE e.id = ANY($1::uuid[]) AND (e.payload->'callLead'->>'calledAt')::timestamptz > e.occurred_at - interval '24 hours'
      AND e.payload->'callLead'->>'callerPhone' <> ''
      AND EXISTS (SELECT FROM automation a WHERE a.workshop_id = e.workshop_id AND a.trigger_type = 'callMissed'
          AND a.status = 'active' AND a.created_at <= e.occurred_at)
    ORDER BY 1, 2)
INSERT INTO customer (id, workshop_id, name, first_name, last_name, phone, details_from, created_at, updated_at)
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, workshop_id, coalesce(NULL::text, phone), NULL, NULL, phone,
  '{}'::uuid[], $2::timestamptz, $2::timestamptz
FROM caller
ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
RETURNING id, workshop_id, phone;

-- src/product/campaigns/automations/runs/planned/store.ts: plannedByReminders
SELECT a.id AS automation_id, a.workshop_id, a.trigger_type AS type,
  a.offset_minutes, CASE WHEN a.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(a.quiet_from, 'HH24:MI'), 'to', to_char(a.quiet_until, 'HH24:MI')) END AS quiet_hours, w.timezone, e.partner_id,
  k.id AS customer_id, e.occurred_at AS happened_at, e.subject_id,
  NULL AS booking_id
FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = 'reminderSent' AND a.created_at <= e.occurred_at
JOIN workshop w ON w.id = a.workshop_id
CROSS JOIN LATERAL (
    SELECT id FROM customer WHERE id = (e.payload->'serviceReminder'->>'customerId')::uuid AND workshop_id = e.workshop_id LIMIT 1) AS k
WHERE e.id = ANY($1::uuid[]);

-- src/product/campaigns/automations/runs/store.ts: deleteOldRuns
WITH gone AS (
    DELETE FROM automation_run
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM automation_run WHERE coalesce(ended_at, greatest(created_at, due_at, sent_at)) < $1
              AND reference_id IS NULL AND status NOT IN ('scheduled', 'queued') LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/campaigns/automations/runs/store.ts: findRun
SELECT id, automation_id, customer_id, booking_id, reference_id,
  CASE status WHEN 'queued' THEN 'scheduled' ELSE status END AS status, reason, due_at, sent_at, message_id FROM automation_run
WHERE automation_id = $1 AND cause = $2;

-- src/product/campaigns/automations/runs/store.ts: insertRuns
INSERT INTO automation_run AS old (id, workshop_id, automation_id, cause, partner_id, customer_id, booking_id,
      booking_date, reference_id,
      status, reason, due_at, by_page, created_at, ended_at)
SELECT id, workshop_id, automation_id, cause, partner_id, customer_id, booking_id, booking_date, reference_id, status, reason,
  due_at, by_page, $2, CASE status WHEN 'skipped' THEN $2::timestamptz END
FROM jsonb_to_recordset($1::jsonb) AS run (id uuid, workshop_id uuid, automation_id uuid, cause text, partner_id uuid,
      customer_id uuid, booking_id uuid, booking_date timestamptz, reference_id text, status text, reason text,
      due_at timestamptz, by_page boolean)
ORDER BY automation_id, cause
ON CONFLICT (automation_id, cause) DO UPDATE
SET status = excluded.status, reason = excluded.reason, due_at = excluded.due_at, ended_at = excluded.ended_at,
  by_page = excluded.by_page
WHERE old.status = 'skipped' AND old.reason = 'bookingMoved'
RETURNING true;

-- src/product/campaigns/automations/runs/store.ts: listRuns
SELECT id, automation_id, customer_id, booking_id, reference_id,
  CASE status WHEN 'queued' THEN 'scheduled' ELSE status END AS status, reason, due_at, sent_at, message_id FROM automation_run
WHERE automation_id = $1 AND due_at IS NOT NULL AND (
      $2::text IS NULL OR CASE status WHEN 'queued' THEN 'scheduled' ELSE status END = $2)
  AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY id DESC LIMIT $4;

-- src/product/campaigns/automations/runs/store.ts: stopRuns
WITH its AS (
    SELECT r.id, r.automation_id, r.booking_id, r.status
    FROM automation_run r JOIN automation a ON a.id = r.automation_id JOIN booking b ON b.id = r.booking_id
    WHERE r.booking_id = ANY($1::uuid[]) AND r.status IN ('scheduled', 'queued') AND a.trigger_type = ANY($2::text[])
      AND (r.booking_date IS NOT NULL OR r.cause NOT LIKE 'manual %') AND (NOT $4::boolean OR r.booking_date IS DISTINCT FROM b.date)
    ORDER BY r.id FOR NO KEY UPDATE OF r),
  -- Those that are queued already are stopped by their messages.
  stopped AS (
    UPDATE automation_run r SET status = 'skipped', reason = $3, ended_at = $5 FROM its WHERE r.id = its.id AND its.status = 'scheduled')
SELECT id AS run_id, automation_id, booking_id, status = 'scheduled' AS was_scheduled FROM its;

-- src/product/campaigns/automations/store.ts: findAutomation
SELECT id, workshop_id, name, trigger_type AS type, offset_minutes, conditions,
  template_id, CASE WHEN automation.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(automation.quiet_from, 'HH24:MI'), 'to', to_char(automation.quiet_until, 'HH24:MI')) END AS quiet_hours, status,
  created_at, updated_at FROM automation WHERE id = $2 AND ($1::uuid IS NULL OR workshop_id = $1);

-- src/product/campaigns/automations/store.ts: insertAutomation
INSERT INTO automation (id, workshop_id, name, trigger_type, offset_minutes, conditions, template_id, quiet_from, quiet_until,
      created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8::time, $9::time, $10, $10);

-- src/product/campaigns/automations/store.ts: listAutomations
SELECT id, workshop_id, name, trigger_type AS type, offset_minutes, conditions,
  template_id, CASE WHEN automation.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(automation.quiet_from, 'HH24:MI'), 'to', to_char(automation.quiet_until, 'HH24:MI')) END AS quiet_hours, status,
  created_at, updated_at FROM automation WHERE workshop_id = $1 AND id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
ORDER BY id LIMIT $3;

-- src/product/campaigns/automations/store.ts: listNewestAutomations
SELECT id, workshop_id, name, trigger_type AS type, offset_minutes, conditions,
  template_id, CASE WHEN automation.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(automation.quiet_from, 'HH24:MI'), 'to', to_char(automation.quiet_until, 'HH24:MI')) END AS quiet_hours, status,
  created_at, updated_at FROM automation WHERE workshop_id = $1 AND id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY id DESC LIMIT $3;

-- src/product/campaigns/automations/store.ts: lockAutomation
SELECT id, workshop_id, name, trigger_type AS type, offset_minutes, conditions,
  template_id, CASE WHEN automation.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(automation.quiet_from, 'HH24:MI'), 'to', to_char(automation.quiet_until, 'HH24:MI')) END AS quiet_hours, status,
  created_at, updated_at FROM automation WHERE id = $1 FOR NO KEY UPDATE;

-- src/product/campaigns/automations/store.ts: writeAutomationStatus
UPDATE automation SET updated_at = CASE status WHEN $2 THEN updated_at ELSE $3::timestamptz END, status = $2 WHERE id = $1
RETURNING id, workshop_id, name, trigger_type AS type, offset_minutes, conditions,
  template_id, CASE WHEN automation.quiet_from IS NOT NULL THEN jsonb_build_object(
      'from', to_char(automation.quiet_from, 'HH24:MI'), 'to', to_char(automation.quiet_until, 'HH24:MI')) END AS quiet_hours, status,
  created_at, updated_at;

-- src/product/campaigns/blasts/recipients/store.ts: blastsToEmpty
SELECT DISTINCT c.blast_id AS id FROM blast_count c JOIN blast b ON b.id = c.blast_id WHERE b.counts IS NOT NULL;

-- src/product/campaigns/blasts/recipients/store.ts: countQueued
SELECT count(*)::int AS count FROM (SELECT FROM blast_recipient WHERE blast_id = $1 AND state = 'queued' LIMIT $2) AS queued;

-- src/product/campaigns/blasts/recipients/store.ts: deleteRecipients
WITH part AS (SELECT customer_id FROM blast_recipient WHERE blast_id = $1 ORDER BY customer_id LIMIT $2),
  gone AS (
    DELETE FROM blast_recipient r USING part WHERE r.blast_id = $1 AND r.customer_id = part.customer_id),
  -- With the last recipients go the rows that counted them.
  counted AS (
    DELETE FROM blast_count WHERE blast_id = $1 AND (SELECT count(*) FROM part) < $2)
SELECT count(*) = $2 AS more FROM part;

-- src/product/campaigns/blasts/recipients/store.ts: findAsked
SELECT its.id FROM talk CROSS JOIN LATERAL unnest(ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = talk.customer_id AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = talk.customer_id
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
        WHERE its_row.id = talk.customer_id)) AS its (id)
WHERE talk.workshop_id = $1 AND talk.asked_id IS NOT NULL;

-- src/product/campaigns/blasts/recipients/store.ts: insertRecipients
WITH part AS (
    SELECT k.id, k.workshop_id, k.phone, k.opted_out_at, k.erased_at, k.tags, array_prepend(k.id, merged.ids) AS ids, merged.id_with_phone
    FROM customer k LEFT JOIN (
        SELECT merged_into, array_agg(id) AS ids, (array_agg(id ORDER BY id) FILTER (WHERE phone IS NOT NULL))[1] AS id_with_phone
        FROM customer WHERE workshop_id = $1 AND merged_into IS NOT NULL GROUP BY merged_into) AS merged ON merged.merged_into = k.id
    WHERE k.workshop_id = $1 AND k.merged_into IS NULL AND k.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY k.id LIMIT 20000), made AS (INSERT INTO blast_recipient (blast_id, customer_id) SELECT $11, id
    FROM (SELECT coalesce(CASE WHEN c.phone IS NOT NULL THEN c.id END, c.id_with_phone) AS id FROM part AS c
        LEFT JOIN LATERAL (
            SELECT max(b.date) AS at FROM booking b
            WHERE b.customer_id = ANY (c.ids) AND b.status <> 'cancelled' AND b.date <= $3::timestamptz) AS visit
          ON num_nonnulls($4::timestamptz, $5::timestamptz, $10::boolean) > 0
        WHERE (c.phone IS NOT NULL OR c.id_with_phone IS NOT NULL) AND c.opted_out_at IS NULL AND c.erased_at IS NULL
          AND ($4::timestamptz IS NULL OR visit.at < $4) AND ($5::timestamptz IS NULL OR visit.at >= $5)
          AND ($10::boolean IS NULL OR (visit.at IS NULL) = $10)
          AND ($6::text[] IS NULL OR EXISTS (
                SELECT FROM booking b WHERE b.customer_id = ANY (c.ids) AND b.status <> 'cancelled' AND b.date <= $3::timestamptz
                  AND (b.service_category = ANY($6) OR EXISTS (
                        SELECT FROM jsonb_array_elements(b.services) AS item WHERE item->>'category' = ANY($6)))))
          AND (num_nonnulls($7::integer, $8::integer) = 0 OR EXISTS (
                SELECT FROM car WHERE car.customer_id = ANY (c.ids) AND car.workshop_id = c.workshop_id
                  AND car.year BETWEEN coalesce($7::integer, 0) AND coalesce($8::integer, 9999)))
          AND ($9::text[] IS NULL OR c.tags && $9)) AS found)
SELECT (SELECT id FROM part ORDER BY id DESC LIMIT 1) AS last;

-- src/product/campaigns/blasts/recipients/store.ts: nextRecipients
SELECT c.id AS customer_id, c.phone, jsonb_build_object('name', c.name,
      'firstName', c.first_name, 'lastName', c.last_name, 'email', c.email,
      'phone', c.phone, 'company', c.company) AS customer, EXISTS (
    SELECT FROM (SELECT c.merged_into AS id WHERE c.merged_into IS NOT NULL
        UNION ALL SELECT its_other.id FROM customer its_other
        WHERE its_other.merged_into = coalesce(c.merged_into, c.id) AND its_other.id <> c.id) AS other JOIN blast_recipient r
      ON r.blast_id = $1 AND r.customer_id = other.id
    WHERE other.id < c.id AND r.state NOT IN ('failed', 'skipped')) AS is_second
FROM (
    SELECT customer_id FROM blast_recipient WHERE blast_id = $1 AND customer_id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY customer_id LIMIT $4) AS next
CROSS JOIN LATERAL (SELECT * FROM customer WHERE id = next.customer_id AND workshop_id = $2 LIMIT 1) AS c ORDER BY next.customer_id;

-- src/product/campaigns/blasts/recipients/store.ts: readAudienceParts
WITH part AS (
    SELECT k.id, k.workshop_id, k.phone, k.opted_out_at, k.erased_at, k.tags, array_prepend(k.id, merged.ids) AS ids, merged.id_with_phone
    FROM customer k LEFT JOIN (
        SELECT merged_into, array_agg(id) AS ids, (array_agg(id ORDER BY id) FILTER (WHERE phone IS NOT NULL))[1] AS id_with_phone
        FROM customer WHERE workshop_id = $1 AND merged_into IS NOT NULL GROUP BY merged_into) AS merged ON merged.merged_into = k.id
    WHERE k.workshop_id = $1 AND k.merged_into IS NULL AND k.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY k.id LIMIT 20000), found AS MATERIALIZED (
    SELECT k.id, k.phone FROM (SELECT coalesce(CASE WHEN c.phone IS NOT NULL THEN c.id END, c.id_with_phone) AS id FROM part AS c
        LEFT JOIN LATERAL (
            SELECT max(b.date) AS at FROM booking b
            WHERE b.customer_id = ANY (c.ids) AND b.status <> 'cancelled' AND b.date <= $3::timestamptz) AS visit
          ON num_nonnulls($4::timestamptz, $5::timestamptz, $10::boolean) > 0
        WHERE (c.phone IS NOT NULL OR c.id_with_phone IS NOT NULL) AND c.opted_out_at IS NULL AND c.erased_at IS NULL
          AND ($4::timestamptz IS NULL OR visit.at < $4) AND ($5::timestamptz IS NULL OR visit.at >= $5)
          AND ($10::boolean IS NULL OR (visit.at IS NULL) = $10)
          AND ($6::text[] IS NULL OR EXISTS (
                SELECT FROM booking b WHERE b.customer_id = ANY (c.ids) AND b.status <> 'cancelled' AND b.date <= $3::timestamptz
                  AND (b.service_category = ANY($6) OR EXISTS (
                        SELECT FROM jsonb_array_elements(b.services) AS item WHERE item->>'category' = ANY($6)))))
          AND (num_nonnulls($7::integer, $8::integer) = 0 OR EXISTS (
                SELECT FROM car WHERE car.customer_id = ANY (c.ids) AND car.workshop_id = c.workshop_id
                  AND car.year BETWEEN coalesce($7::integer, 0) AND coalesce($8::integer, 9999)))
          AND ($9::text[] IS NULL OR c.tags && $9)) AS its JOIN customer k ON k.id = its.id AND k.workshop_id = $1)
SELECT (SELECT id FROM part ORDER BY id DESC LIMIT 1) AS last, ARRAY(SELECT id::text FROM found ORDER BY id) AS ids,
  ARRAY(SELECT phone FROM found ORDER BY id) AS phones;

-- src/product/campaigns/blasts/recipients/store.ts: readDetails
SELECT c.id AS customer_id, c.phone, jsonb_build_object('name', c.name,
      'firstName', c.first_name, 'lastName', c.last_name, 'email', c.email,
      'phone', c.phone, 'company', c.company) AS customer FROM customer c WHERE c.workshop_id = $1 AND c.id = ANY($2::uuid[]) ORDER BY c.id;

-- src/product/campaigns/blasts/recipients/store.ts: recordTurns
WITH turn AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS turn (customer_id uuid, state text, reason text)),
  taken AS (
    UPDATE blast_recipient r SET state = turn.state, reason = turn.reason FROM turn
    WHERE r.blast_id = $1 AND r.customer_id = turn.customer_id)
UPDATE blast SET queued_to = $3 WHERE id = $1;

-- src/product/campaigns/blasts/store.ts: begunBlasts
SELECT id FROM blast WHERE status = 'sending' OR status = 'scheduled' AND scheduled_at <= $1 ORDER BY id FOR NO KEY UPDATE;

-- src/product/campaigns/blasts/store.ts: dueBlasts
SELECT b.id, b.status FROM blast b JOIN workshop w ON w.id = b.workshop_id
CROSS JOIN (VALUES (time '20:00', time '08:00')) AS usual (quiet_from, quiet_until)
WHERE NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'advanceBlast' AND f.subject_id = b.id)
  AND (b.status = 'scheduled' AND b.scheduled_at <= $1
      OR b.status = 'sending' AND CASE
      WHEN EXISTS (SELECT FROM blast_recipient r WHERE r.blast_id = b.id
          AND r.customer_id > coalesce(b.queued_to::uuid, '00000000-0000-0000-0000-000000000000'))
      THEN NOT (usual.quiet_from IS NOT NULL AND CASE WHEN usual.quiet_from < usual.quiet_until
          THEN ($1::timestamptz AT TIME ZONE known_zone(w.timezone))::time >= usual.quiet_from
          AND ($1::timestamptz AT TIME ZONE known_zone(w.timezone))::time < usual.quiet_until
          ELSE ($1::timestamptz AT TIME ZONE known_zone(w.timezone))::time >= usual.quiet_from
          OR ($1::timestamptz AT TIME ZONE known_zone(w.timezone))::time < usual.quiet_until END)
      AND (SELECT count(*) FROM (SELECT FROM blast_recipient r WHERE r.blast_id = b.id
              AND r.state = 'queued' LIMIT $2::int + 1) AS queued) <= $2::int
      ELSE (SELECT count(*) FROM (SELECT FROM blast_recipient r WHERE r.blast_id = b.id
              AND r.state = 'queued' LIMIT $2::int + 1) AS queued) = 0 END)
ORDER BY b.id;

-- src/product/campaigns/blasts/store.ts: findBlast
SELECT b.id, b.workshop_id, b.name, b.template_id, b.audience, b.other_countries, b.status,
  b.partner_id, b.reference_id, b.scheduled_at, b.started_at,
  b.ended_at, coalesce(b.counts, (
        SELECT jsonb_build_object(
              'recipients', coalesce(sum(c.waiting + c.queued + c.sent + c.delivered + c.failed + c.unknown + c.skipped), 0),
              'waiting', coalesce(sum(c.queued + CASE WHEN b.status = 'cancelled' THEN 0 ELSE c.waiting END), 0),
              'sent', coalesce(sum(c.sent + c.delivered), 0),
              'delivered', coalesce(sum(c.delivered), 0),
              'failed', coalesce(sum(c.failed), 0),
              'unknown', coalesce(sum(c.unknown), 0),
              'skipped', coalesce(sum(c.skipped + CASE WHEN b.status = 'cancelled' THEN c.waiting ELSE 0 END), 0))
        FROM blast_count c WHERE c.blast_id = b.id)) AS counts, b.created_at, b.updated_at FROM blast b WHERE b.id = $2
  AND ($1::uuid IS NULL OR b.workshop_id = $1);

-- src/product/campaigns/blasts/store.ts: fixCounts
WITH old AS (
    SELECT b.id, coalesce(b.counts, (
            SELECT jsonb_build_object(
                  'recipients', coalesce(sum(c.waiting + c.queued + c.sent + c.delivered + c.failed + c.unknown + c.skipped), 0),
                  'waiting', coalesce(sum(c.queued + CASE WHEN b.status = 'cancelled' THEN 0 ELSE c.waiting END), 0),
                  'sent', coalesce(sum(c.sent + c.delivered), 0),
                  'delivered', coalesce(sum(c.delivered), 0),
                  'failed', coalesce(sum(c.failed), 0),
                  'unknown', coalesce(sum(c.unknown), 0),
                  'skipped', coalesce(sum(c.skipped + CASE WHEN b.status = 'cancelled' THEN c.waiting ELSE 0 END), 0))
            FROM blast_count c WHERE c.blast_id = b.id)) AS counts FROM blast b WHERE b.counts IS NULL AND b.ended_at < $1
    ORDER BY b.ended_at LIMIT $2
    FOR NO KEY UPDATE OF b SKIP LOCKED)
UPDATE blast SET counts = old.counts FROM old WHERE blast.id = old.id RETURNING true;

-- src/product/campaigns/blasts/store.ts: holdAtWork
SELECT b.id, b.workshop_id, b.partner_id, b.template_id, b.audience, b.other_countries,
  w.country, b.queued_to, (b.partner_id IS NULL OR EXISTS (
        SELECT FROM link its_link JOIN workshop at ON at.id = its_link.workshop_id JOIN partner who ON who.id = its_link.partner_id
        WHERE its_link.partner_id = b.partner_id AND its_link.workshop_id = b.workshop_id
          AND (who.status = 'active' AND who.campaigns_enabled AND its_link.active AND at.inbox_messaging_enabled))) AS is_open,
  CASE WHEN v.number IS NOT NULL THEN jsonb_build_object('version', v.number, 'body', v.body) END AS template,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel',
      w.tax_label) || jsonb_build_object('smsSender', w.sms_sender, 'smsGateways', to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS workshop
FROM blast b JOIN workshop w ON w.id = b.workshop_id
LEFT JOIN template_version v ON v.template_id = b.template_id AND v.number = b.template_version
WHERE b.id = $1 AND b.status = $2 FOR NO KEY UPDATE OF b SKIP LOCKED;

-- src/product/campaigns/blasts/store.ts: insertBlast
INSERT INTO blast (id, workshop_id, name, template_id, audience, other_countries, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5::jsonb, $7, $6, $6);

-- src/product/campaigns/blasts/store.ts: listBlasts
SELECT b.id, b.workshop_id, b.name, b.template_id, b.audience, b.other_countries, b.status,
  b.partner_id, b.reference_id, b.scheduled_at, b.started_at,
  b.ended_at, coalesce(b.counts, (
        SELECT jsonb_build_object(
              'recipients', coalesce(sum(c.waiting + c.queued + c.sent + c.delivered + c.failed + c.unknown + c.skipped), 0),
              'waiting', coalesce(sum(c.queued + CASE WHEN b.status = 'cancelled' THEN 0 ELSE c.waiting END), 0),
              'sent', coalesce(sum(c.sent + c.delivered), 0),
              'delivered', coalesce(sum(c.delivered), 0),
              'failed', coalesce(sum(c.failed), 0),
              'unknown', coalesce(sum(c.unknown), 0),
              'skipped', coalesce(sum(c.skipped + CASE WHEN b.status = 'cancelled' THEN c.waiting ELSE 0 END), 0))
        FROM blast_count c WHERE c.blast_id = b.id)) AS counts, b.created_at, b.updated_at FROM blast b WHERE b.workshop_id = $1
  AND b.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY b.id LIMIT $3;

-- src/product/campaigns/blasts/store.ts: listNewestBlasts
SELECT b.id, b.workshop_id, b.name, b.template_id, b.audience, b.other_countries, b.status,
  b.partner_id, b.reference_id, b.scheduled_at, b.started_at,
  b.ended_at, coalesce(b.counts, (
        SELECT jsonb_build_object(
              'recipients', coalesce(sum(c.waiting + c.queued + c.sent + c.delivered + c.failed + c.unknown + c.skipped), 0),
              'waiting', coalesce(sum(c.queued + CASE WHEN b.status = 'cancelled' THEN 0 ELSE c.waiting END), 0),
              'sent', coalesce(sum(c.sent + c.delivered), 0),
              'delivered', coalesce(sum(c.delivered), 0),
              'failed', coalesce(sum(c.failed), 0),
              'unknown', coalesce(sum(c.unknown), 0),
              'skipped', coalesce(sum(c.skipped + CASE WHEN b.status = 'cancelled' THEN c.waiting ELSE 0 END), 0))
        FROM blast_count c WHERE c.blast_id = b.id)) AS counts, b.created_at, b.updated_at FROM blast b WHERE b.workshop_id = $1
  AND b.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY b.id DESC LIMIT $3;

-- src/product/campaigns/blasts/store.ts: lockBlast
SELECT FROM blast WHERE id = $1 FOR NO KEY UPDATE;

-- src/product/campaigns/blasts/store.ts: scheduleDraft
UPDATE blast SET status = 'scheduled', partner_id = $3, reference_id = $4,
  scheduled_at = greatest($5::timestamptz, $6::timestamptz), updated_at = $6
WHERE id = $2 AND workshop_id = $1 AND status = 'draft' RETURNING true;

-- src/product/campaigns/blasts/store.ts: writeBeginning
UPDATE blast SET status = 'sending', template_version = $2, started_at = $3, updated_at = $3 WHERE id = $1;

-- src/product/campaigns/blasts/store.ts: writeStatus
UPDATE blast SET status = $2, updated_at = $3, ended_at = CASE WHEN $2 IN ('completed', 'cancelled') THEN $3::timestamptz END
WHERE id = $1;

-- src/product/catalogue/store.ts: readActiveServices
SELECT setup_version AS version,
  (SELECT coalesce(json_agg(json_build_object('_id', id, 'catalogCode', catalog_code, 'title', title, 'category', category,
                  'cost', cost, 'maxCost', max_cost, 'icon', icon, 'color', color, 'dailyLimit', daily_limit,
                  'durationMinutes', duration_minutes) ORDER BY position), '[]')
    FROM catalogue_service WHERE workshop_id = w.id AND active) AS services FROM workshop w WHERE w.id = $1;

-- src/product/catalogue/store.ts: readCatalogue
SELECT
  (SELECT coalesce(json_agg(json_build_object('_id', id, 'catalogCode', catalog_code, 'title', title, 'category', category,
                  'cost', cost, 'maxCost', max_cost, 'icon', icon, 'color', color, 'dailyLimit', daily_limit,
                  'durationMinutes', duration_minutes, 'description', description) ORDER BY position), '[]')
    FROM catalogue_service WHERE workshop_id = $1::uuid AND active) AS services,
  (SELECT coalesce(json_agg(json_build_object('code', category, 'dailyLimit', daily_limit) ORDER BY category), '[]')
    FROM category_limit WHERE workshop_id = $1::uuid) AS limits;

-- src/product/catalogue/store.ts: readLinkedCatalogue
SELECT
  (SELECT coalesce(json_agg(json_build_object('_id', id, 'catalogCode', catalog_code, 'title', title, 'category', category,
                  'cost', cost, 'maxCost', max_cost, 'icon', icon, 'color', color, 'dailyLimit', daily_limit,
                  'durationMinutes', duration_minutes, 'description', description) ORDER BY position), '[]')
    FROM catalogue_service WHERE workshop_id = l.workshop_id AND active) AS services,
  (SELECT coalesce(json_agg(json_build_object('code', category, 'dailyLimit', daily_limit) ORDER BY category), '[]')
    FROM category_limit WHERE workshop_id = l.workshop_id) AS limits
FROM link l WHERE l.partner_id = $1 AND l.workshop_id = $2;

-- src/product/catalogue/store.ts: replaceCategoryLimits
WITH listed AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS l (code text, daily_limit int)),
  gone AS (
    DELETE FROM category_limit WHERE workshop_id = $1 AND category NOT IN (SELECT code FROM listed))
INSERT INTO category_limit (workshop_id, category, daily_limit) SELECT $1, code, daily_limit FROM listed
ON CONFLICT (workshop_id, category) DO UPDATE SET daily_limit = excluded.daily_limit;

-- src/product/catalogue/store.ts: replaceServices
WITH listed AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS s (new_id uuid, position int, catalog_code text, title text, category text,
          cost numeric, max_cost numeric, icon text, color text, daily_limit int, duration_minutes int, description text)),
  gone AS (
    UPDATE catalogue_service SET active = false, updated_at = $3
    WHERE workshop_id = $1 AND active AND catalog_code NOT IN (SELECT catalog_code FROM listed))
INSERT INTO catalogue_service AS known (id, workshop_id, catalog_code, position, active, title, category, cost, max_cost, icon,
      color, daily_limit, duration_minutes, description, created_at, updated_at)
SELECT new_id, $1, catalog_code, position, true, title, category, cost, max_cost, icon, color, daily_limit,
  duration_minutes, description, $3, $3 FROM listed
ON CONFLICT (workshop_id, catalog_code) DO UPDATE SET position = excluded.position, active = true, title = excluded.title,
  category = excluded.category, cost = excluded.cost, max_cost = excluded.max_cost, icon = excluded.icon,
  color = excluded.color, daily_limit = excluded.daily_limit, duration_minutes = excluded.duration_minutes,
  description = excluded.description,
  updated_at = excluded.updated_at;

-- src/product/customer-pages/store.ts: findPageWorkshop
SELECT jsonb_build_object('workshopId', w.id, 'name', w.name, 'slug', w.slug, 'plainPage',
      (w.booking_page AND coalesce(w.plain_page, false)), 'phone', w.phone, 'colour', w.colour, 'logo',
      (SELECT jsonb_build_object('path', '/pages/logos/' || digest || '.' || kind, 'width', width, 'height', height) FROM workshop_logo
        WHERE workshop_id = w.id), 'address', w.address, 'hours', w.opening_hours, 'privacyUrl', w.privacy_url, 'termsUrl', w.terms_url,
      'cancellationText', w.cancellation_text, 'taxLabel', w.tax_label, 'country', w.country, 'timezone', w.timezone,
      'bookingPage', w.booking_page, 'customerMayChange', w.customer_may_change, 'horizonDays', w.horizon_days) AS shop FROM workshop w
WHERE w.id = $1;

-- src/product/customer-pages/store.ts: findWorkshopBySlug
SELECT jsonb_build_object('workshopId', w.id, 'name', w.name, 'slug', w.slug, 'plainPage',
      (w.booking_page AND coalesce(w.plain_page, false)), 'phone', w.phone, 'colour', w.colour, 'logo',
      (SELECT jsonb_build_object('path', '/pages/logos/' || digest || '.' || kind, 'width', width, 'height', height) FROM workshop_logo
        WHERE workshop_id = w.id), 'address', w.address, 'hours', w.opening_hours, 'privacyUrl', w.privacy_url, 'termsUrl', w.terms_url,
      'cancellationText', w.cancellation_text, 'taxLabel', w.tax_label, 'country', w.country, 'timezone', w.timezone,
      'bookingPage', w.booking_page, 'customerMayChange', w.customer_may_change, 'horizonDays', w.horizon_days) AS shop FROM workshop w
WHERE slug = $1;

-- src/product/customers/add/store.ts: insertAdded
WITH the_customer AS (
    INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at, updated_at)
    VALUES ($10::uuid, $11::uuid, coalesce($12::text, $13::text), $14::text, $15::text,
          $16::text, $13::text, $17::text, ARRAY['00000000-0000-0000-0000-000000000000'::uuid], $9::timestamptz, $9::timestamptz)
    ON CONFLICT (workshop_id, phone) DO NOTHING RETURNING id, workshop_id),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT $2::uuid, workshop_id, id, $3::text, $4::integer, $5::text, $6::text, $7::text, $8::text, $9::timestamptz, $9::timestamptz
    FROM the_customer WHERE $1::boolean ORDER BY id, $3::text
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *)
SELECT id FROM the_customer;

-- src/product/customers/apart/store.ts: findApart
SELECT unnest(ARRAY(SELECT its_apart.customer_id FROM customer_apart its_apart WHERE its_apart.number_of = ANY ($1::uuid[]))) AS id;

-- src/product/customers/apart/store.ts: findNumberOf
SELECT coalesce(k.merged_into, k.id) AS customer_id, k.phone, k.opted_out_at IS NOT NULL AS opted_out
FROM customer_apart a JOIN customer k ON k.id = a.number_of WHERE a.customer_id = $2 AND a.workshop_id = $1;

-- src/product/customers/apart/store.ts: insertApart
WITH known AS (SELECT id, opted_out_at FROM customer WHERE phone = $2 AND workshop_id = $1 FOR NO KEY UPDATE),
  made AS (
    INSERT INTO customer
      (id, workshop_id, name, first_name, last_name, email, company, details_from, opted_out_at, created_at, updated_at)
    SELECT $3, $1, $4, $5, $6, $7, $8, ARRAY['00000000-0000-0000-0000-000000000000'::uuid], opted_out_at, $9, $9 FROM known RETURNING id)
INSERT INTO customer_apart (customer_id, workshop_id, number_of) SELECT made.id, $1, known.id FROM made, known RETURNING true;

-- src/product/customers/cars/store.ts: correctCar
UPDATE car SET year = CASE WHEN 'year' = ANY ($2::text[]) THEN $3 ELSE year END,
  make = CASE WHEN 'make' = ANY ($2) THEN $4 ELSE make END,
  model = CASE WHEN 'model' = ANY ($2) THEN $5 ELSE model END,
  vin = CASE WHEN 'vin' = ANY ($2) THEN $6 ELSE vin END, updated_at = $7
WHERE id = $1;

-- src/product/customers/cars/store.ts: eraseCarsOf
WITH its AS (
    SELECT id, created_at, substring(rego FROM '^ERASED([0-9]{1,9})$')::bigint AS number FROM car WHERE customer_id = $1
), numbered AS (
    SELECT id, coalesce(number, (SELECT coalesce(max(number), 0) FROM its)
          + row_number() OVER (PARTITION BY number IS NULL ORDER BY created_at, id)) AS number FROM its
)
UPDATE car SET rego = 'ERASED' || numbered.number, vin = NULL, updated_at = $2
FROM numbered WHERE car.id = numbered.id;

-- src/product/customers/cars/store.ts: insertCar
INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8);

-- src/product/customers/cars/store.ts: joinCars
UPDATE car SET same_car = true WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 AND NOT same_car;

-- src/product/customers/cars/store.ts: listCarsOf
SELECT id AS car_id, rego, year, make, model, badge, vin FROM (
    SELECT DISTINCT ON (coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                          '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                          '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text)) * FROM car WHERE customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $1::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $1::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $1::uuid))
    ORDER BY coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text), updated_at DESC, id) AS car
ORDER BY created_at, id;

-- src/product/customers/cars/store.ts: lockCarOf
SELECT id AS car_id, rego, year, make, model, badge, vin FROM car
WHERE id = $1 AND workshop_id = $2 AND customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $3::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $3::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
        WHERE its_row.id = $3::uuid)) FOR NO KEY UPDATE;

-- src/product/customers/cars/store.ts: lockCarsLike
SELECT id AS car_id, rego, same_car AS is_joined FROM car
WHERE customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND workshop_id = $1 AND coalesce(nullif(regexp_replace(car.rego,
              '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
              '', 'g'), ''), car.rego) = coalesce(nullif(regexp_replace($3::text,
              '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
              '', 'g'), ''), $3::text)
ORDER BY id FOR NO KEY UPDATE;

-- src/product/customers/cars/store.ts: ownerOfCar
SELECT customer_id FROM car WHERE id = $1 AND workshop_id = $2 AND customer_id = ANY ($3::uuid[]);

-- src/product/customers/imported/cars/store.ts: fillCars
UPDATE car SET updated_at = $3,
  make = coalesce(car.make, c.make), model = coalesce(car.model, c.model), year = coalesce(car.year, c.year),
  badge = coalesce(car.badge, c.badge), vin = coalesce(car.vin, c.vin)
FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, customer_id uuid, rego text, make text, model text, year integer, badge text, vin text)
WHERE car.id = c.id AND car.workshop_id = $1
  AND (car.make IS NULL AND c.make IS NOT NULL OR car.model IS NULL AND c.model IS NOT NULL OR car.year IS NULL AND c.year IS NOT NULL
      OR car.badge IS NULL AND c.badge IS NOT NULL OR car.vin IS NULL AND c.vin IS NOT NULL)
RETURNING car.id, car.make, car.model, car.year, car.badge, car.vin,
  md5(jsonb_build_array(car.customer_id, car.rego, car.make, car.model, car.year, car.badge, car.vin, car.same_car,
          extract(epoch FROM car.updated_at))::text) AS mark;

-- src/product/customers/imported/cars/store.ts: importCars
INSERT INTO car (id, workshop_id, customer_id, rego, make, model, year, badge, vin, created_at, updated_at)
SELECT id, $1, customer_id, rego, make, model, year, badge, vin, $3, $3
FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, customer_id uuid, rego text, make text, model text, year integer, badge text, vin text)
ORDER BY customer_id, rego
ON CONFLICT (customer_id, rego) DO NOTHING RETURNING car.id, car.make, car.model, car.year, car.badge, car.vin,
  md5(jsonb_build_array(car.customer_id, car.rego, car.make, car.model, car.year, car.badge, car.vin, car.same_car,
          extract(epoch FROM car.updated_at))::text) AS mark, car.customer_id, car.rego, true AS is_made;

-- src/product/customers/imported/cars/store.ts: importCars
SELECT car.id, car.make, car.model, car.year, car.badge, car.vin,
  md5(jsonb_build_array(car.customer_id, car.rego, car.make, car.model, car.year, car.badge, car.vin, car.same_car,
          extract(epoch FROM car.updated_at))::text) AS mark, car.customer_id, car.rego, false AS is_made FROM car
JOIN jsonb_to_recordset($2::jsonb) AS c (customer_id uuid, rego text)
  ON car.customer_id = c.customer_id AND car.rego = c.rego AND car.workshop_id = $1
ORDER BY car.customer_id, car.rego FOR NO KEY UPDATE OF car;

-- src/product/customers/imported/cars/store.ts: knownCars
SELECT customer.phone, car.rego FROM customer
LEFT JOIN car ON car.customer_id = customer.id AND car.workshop_id = customer.workshop_id
WHERE customer.workshop_id = $1 AND customer.phone = ANY ($2::text[]);

-- src/product/customers/imported/store.ts: fillCustomers
UPDATE customer SET name = CASE WHEN (customer.name IS NULL OR customer.name = customer.phone)
  AND excluded.name <> excluded.phone THEN excluded.name ELSE customer.name END, first_name = CASE
  WHEN (customer.name IS NULL OR customer.name = customer.phone) AND excluded.name <> excluded.phone THEN excluded.first_name
  ELSE customer.first_name END, last_name = CASE WHEN (customer.name IS NULL OR customer.name = customer.phone)
  AND excluded.name <> excluded.phone THEN excluded.last_name ELSE customer.last_name END, email = CASE
  WHEN (coalesce(customer.email, '') = '' AND excluded.email IS NOT NULL) THEN excluded.email ELSE customer.email END, company = CASE
  WHEN (coalesce(customer.company, '') = '' AND excluded.company IS NOT NULL) THEN excluded.company ELSE customer.company END,
  address = CASE WHEN (coalesce(customer.address, '') = '' AND excluded.address IS NOT NULL) THEN excluded.address
  ELSE customer.address END, suburb = CASE WHEN (coalesce(customer.suburb, '') = '' AND excluded.suburb IS NOT NULL) THEN excluded.suburb
  ELSE customer.suburb END, postcode = CASE WHEN (coalesce(customer.postcode, '') = ''
      AND excluded.postcode IS NOT NULL) THEN excluded.postcode ELSE customer.postcode END, tags = CASE
  WHEN NOT customer.tags @> excluded.tags AND cardinality(ARRAY(SELECT DISTINCT unnest(customer.tags || excluded.tags)
        ORDER BY 1)) <= 100 THEN ARRAY(SELECT DISTINCT unnest(customer.tags || excluded.tags) ORDER BY 1) ELSE customer.tags END,
  opted_out_at = CASE WHEN customer.opted_out_at IS NULL THEN excluded.opted_out_at ELSE customer.opted_out_at END, details_from = CASE
  WHEN (((customer.name IS NULL OR customer.name = customer.phone) AND excluded.name <> excluded.phone)
      OR (coalesce(customer.email, '') = '' AND excluded.email IS NOT NULL)
      OR (coalesce(customer.company, '') = '' AND excluded.company IS NOT NULL)) THEN CASE
  WHEN customer.details_from @> ARRAY['00000000-0000-0000-0000-000000000000'::uuid] THEN customer.details_from
  ELSE customer.details_from || ARRAY['00000000-0000-0000-0000-000000000000'::uuid] END ELSE customer.details_from END,
  updated_at = excluded.updated_at FROM (SELECT id, $1::uuid AS workshop_id, phone, coalesce(name, phone) AS name, first_name, last_name,
      email, company, address,
      suburb, postcode, ARRAY(SELECT DISTINCT unnest(tags) ORDER BY 1) AS tags,
      CASE WHEN opted_out THEN $3::timestamptz END AS opted_out_at,
      ARRAY['00000000-0000-0000-0000-000000000000'::uuid] AS details_from, $3::timestamptz AS created_at, $3::timestamptz AS updated_at
    FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, phone text, name text, first_name text, last_name text, email text, company text,
          address text, suburb text,
          postcode text, tags text[], opted_out boolean)) AS excluded
WHERE customer.id = excluded.id AND customer.workshop_id = $1 RETURNING customer.id, customer.version, customer.phone, customer.name,
  customer.first_name, customer.last_name, customer.email, customer.company, customer.address, customer.suburb, customer.postcode,
  customer.tags, customer.details_from;

-- src/product/customers/imported/store.ts: givePhones
WITH given AS (
    UPDATE customer SET phone = g.phone, updated_at = $3
    FROM jsonb_to_recordset($2::jsonb) AS g (customer_id uuid, phone text)
    WHERE customer.id = g.customer_id AND customer.workshop_id = $1 AND customer.phone IS NULL AND customer.erased_at IS NULL
      AND NOT EXISTS (SELECT FROM customer known WHERE known.phone = g.phone AND known.workshop_id = $1)
    RETURNING customer.id)
DELETE FROM customer_apart USING given WHERE customer_id = given.id;

-- src/product/customers/imported/store.ts: importCustomers
INSERT INTO customer (id, workshop_id, phone, name, first_name, last_name, email, company, address, suburb, postcode, tags, opted_out_at,
      details_from, created_at, updated_at) SELECT id, $1::uuid AS workshop_id, phone, coalesce(name, phone) AS name, first_name, last_name,
  email, company, address,
  suburb, postcode, ARRAY(SELECT DISTINCT unnest(tags) ORDER BY 1) AS tags,
  CASE WHEN opted_out THEN $3::timestamptz END AS opted_out_at,
  ARRAY['00000000-0000-0000-0000-000000000000'::uuid] AS details_from, $3::timestamptz AS created_at, $3::timestamptz AS updated_at
FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, phone text, name text, first_name text, last_name text, email text, company text,
      address text, suburb text,
      postcode text, tags text[], opted_out boolean) WHERE phone IS NOT NULL ORDER BY phone ON CONFLICT (workshop_id, phone) DO NOTHING
RETURNING id;

-- src/product/customers/imported/store.ts: importCustomers
INSERT INTO customer (id, workshop_id, phone, name, first_name, last_name, email, company, address, suburb, postcode, tags, opted_out_at,
      details_from, created_at, updated_at) SELECT id, $1::uuid AS workshop_id, phone, coalesce(name, phone) AS name, first_name, last_name,
  email, company, address,
  suburb, postcode, ARRAY(SELECT DISTINCT unnest(tags) ORDER BY 1) AS tags,
  CASE WHEN opted_out THEN $3::timestamptz END AS opted_out_at,
  ARRAY['00000000-0000-0000-0000-000000000000'::uuid] AS details_from, $3::timestamptz AS created_at, $3::timestamptz AS updated_at
FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, phone text, name text, first_name text, last_name text, email text, company text,
      address text, suburb text,
      postcode text, tags text[], opted_out boolean) WHERE phone IS NULL ORDER BY phone;

-- src/product/customers/imported/store.ts: importCustomers
SELECT customer.id, customer.version, customer.phone, customer.name, customer.first_name, customer.last_name, customer.email,
  customer.company, customer.address, customer.suburb, customer.postcode, customer.tags, customer.details_from, merged_into FROM customer
WHERE workshop_id = $1 AND phone = ANY ($2::text[]) ORDER BY phone FOR NO KEY UPDATE;

-- src/product/customers/imported/store.ts: lockStored
SELECT customer.id, customer.version, customer.phone, customer.name, customer.first_name, customer.last_name, customer.email,
  customer.company, customer.address, customer.suburb, customer.postcode, customer.tags, customer.details_from FROM customer
WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY phone, id FOR NO KEY UPDATE;

-- src/product/customers/known/store.ts: findKnownById
SELECT kept.id AS customer_id, kept.name, kept.email, kept.company, coalesce(theirs.cars, '[]') AS cars,
  coalesce(customer.phone, (
        SELECT its_number.phone FROM customer_apart its_apart JOIN customer its_number ON its_number.id = its_apart.number_of
        WHERE its_apart.customer_id = customer.id)) AS phone
FROM customer kept CROSS JOIN LATERAL (
    SELECT * FROM customer WHERE id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = kept.id AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = kept.id
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = kept.id))
    ORDER BY phone IS NULL, id LIMIT 1) AS customer
CROSS JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('carId', car.id, 'rego', car.rego, 'year', car.year, 'make', car.make,
              'model', car.model, 'vin', car.vin) ORDER BY car.updated_at DESC, car.id DESC) AS cars FROM (
        SELECT * FROM (
            SELECT DISTINCT ON (coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                                  '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                                  '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text)) * FROM car
            WHERE car.customer_id = ANY (ARRAY(
                    SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = customer.id AND its_row.merged_into IS NOT NULL
                    UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = customer.id
                    UNION SELECT its_other.id FROM customer its_row
                    JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                    WHERE its_row.id = customer.id)) AND car.workshop_id = customer.workshop_id AND rego IS NOT NULL
            ORDER BY coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                              '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                              '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text), updated_at DESC, id DESC) AS one
        ORDER BY updated_at DESC, id DESC LIMIT 5) AS car) AS theirs
WHERE kept.id = (SELECT coalesce(merged_into, id) FROM customer WHERE id = $2) AND kept.workshop_id = $1 AND kept.erased_at IS NULL;

-- src/product/customers/known/store.ts: findKnownByPhone
SELECT kept.id AS customer_id, kept.name, kept.email, kept.company, coalesce(theirs.cars, '[]') AS cars,
  coalesce(customer.phone, (
        SELECT its_number.phone FROM customer_apart its_apart JOIN customer its_number ON its_number.id = its_apart.number_of
        WHERE its_apart.customer_id = customer.id)) AS phone
FROM customer JOIN customer kept ON kept.id = coalesce(customer.merged_into, customer.id) CROSS
JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('carId', car.id, 'rego', car.rego, 'year', car.year, 'make', car.make,
              'model', car.model, 'vin', car.vin) ORDER BY car.updated_at DESC, car.id DESC) AS cars FROM (
        SELECT * FROM (
            SELECT DISTINCT ON (coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                                  '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                                  '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text)) * FROM car
            WHERE car.customer_id = ANY (ARRAY(
                    SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = customer.id AND its_row.merged_into IS NOT NULL
                    UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = customer.id
                    UNION SELECT its_other.id FROM customer its_row
                    JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                    WHERE its_row.id = customer.id)) AND car.workshop_id = customer.workshop_id AND rego IS NOT NULL
            ORDER BY coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                              '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                              '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text), updated_at DESC, id DESC) AS one
        ORDER BY updated_at DESC, id DESC LIMIT 5) AS car) AS theirs
WHERE customer.phone = $2 AND customer.workshop_id = $1;

-- src/product/customers/known/store.ts: findKnownByRego
SELECT customer_id, name, email, phone, company, cars FROM (
    SELECT DISTINCT ON (kept.id) kept.id AS customer_id, kept.name, kept.email, kept.company,
      jsonb_build_array(jsonb_build_object('carId', car.id, 'rego', car.rego, 'year', car.year, 'make', car.make,
              'model', car.model, 'vin', car.vin)) AS cars,
      coalesce(customer.phone, (
            SELECT its_number.phone FROM customer_apart its_apart JOIN customer its_number ON its_number.id = its_apart.number_of
            WHERE its_apart.customer_id = customer.id)) AS phone, car.updated_at, car.id
    FROM car JOIN customer ON customer.id = car.customer_id AND customer.workshop_id = car.workshop_id JOIN customer kept
      ON kept.id = coalesce(customer.merged_into, customer.id)
    WHERE car.rego = $2 AND car.workshop_id = $1 AND customer.erased_at IS NULL
    ORDER BY kept.id, car.updated_at DESC, car.id DESC) AS found
ORDER BY updated_at DESC, id DESC LIMIT 10;

-- src/product/customers/known/store.ts: isCustomerOf
SELECT FROM customer WHERE id = $2 AND workshop_id = $1 AND erased_at IS NULL;

-- src/product/customers/merge/store.ts: countOf
SELECT (SELECT count(*)::integer FROM booking WHERE customer_id = ANY (its.ids) AND workshop_id = $1) AS bookings,
  (SELECT count(*)::integer FROM quote WHERE customer_id = ANY (its.ids) AND workshop_id = $1) AS quotes,
  (SELECT count(*)::integer FROM message WHERE customer_id = ANY (its.ids) AND workshop_id = $1) AS messages,
  (SELECT count(*)::integer FROM service_reminder WHERE customer_id = ANY (its.ids) AND workshop_id = $1) AS reminders,
  (SELECT count(DISTINCT coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                          '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                          '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text))::integer FROM car
    WHERE customer_id = ANY (its.ids) AND workshop_id = $1) AS cars
FROM (SELECT ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
        WHERE its_row.id = $2::uuid) AS ids) AS its;

-- src/product/customers/merge/store.ts: writeMerge
UPDATE customer AS gone SET merged_into = kept.id, opted_out_at = kept.opted_out_at, updated_at = $4
FROM customer AS kept
WHERE kept.id = $2 AND kept.workshop_id = $1 AND gone.workshop_id = $1 AND (gone.id = $3 OR gone.merged_into = $3);

-- src/product/customers/merge/store.ts: writeMerge
UPDATE customer AS kept SET version = kept.version + 1, name = CASE WHEN (kept.name IS NULL OR kept.name = kept.phone)
  AND gone.name IS NOT NULL AND gone.name IS DISTINCT FROM gone.phone THEN gone.name ELSE kept.name END, first_name = CASE
  WHEN (kept.name IS NULL OR kept.name = kept.phone) AND gone.name IS NOT NULL AND gone.name IS DISTINCT
FROM gone.phone THEN gone.first_name ELSE kept.first_name END,
  last_name = CASE WHEN (kept.name IS NULL OR kept.name = kept.phone) AND gone.name IS NOT NULL AND gone.name IS DISTINCT
FROM gone.phone THEN gone.last_name ELSE kept.last_name END,
  email = CASE WHEN kept.email IS NULL THEN gone.email ELSE kept.email END, bounced_email = CASE
  WHEN kept.email IS NULL THEN gone.bounced_email ELSE kept.bounced_email END,
  email_bounced_at = CASE WHEN kept.email IS NULL THEN gone.email_bounced_at ELSE kept.email_bounced_at END, email_bounce = CASE
  WHEN kept.email IS NULL THEN gone.email_bounce ELSE kept.email_bounce END,
  company = coalesce(kept.company, gone.company), address = CASE
  WHEN num_nonnulls(kept.address, kept.postcode, kept.suburb) = 0 THEN gone.address ELSE kept.address END, postcode = CASE
  WHEN num_nonnulls(kept.address, kept.postcode, kept.suburb) = 0 THEN gone.postcode ELSE kept.postcode END,
  suburb = CASE WHEN num_nonnulls(kept.address, kept.postcode, kept.suburb) = 0 THEN gone.suburb ELSE kept.suburb END,
  tags = ARRAY(SELECT tag FROM unnest(kept.tags || gone.tags) AS all_tags (tag) GROUP BY tag ORDER BY tag),
  opted_out_at = least(kept.opted_out_at, gone.opted_out_at), updated_at = $4,
  details_from = CASE WHEN ((kept.name IS NULL OR kept.name = kept.phone) AND gone.name IS NOT NULL AND gone.name IS DISTINCT
    FROM gone.phone OR kept.email IS NULL AND gone.email IS NOT NULL OR kept.company IS NULL AND gone.company IS NOT NULL
      OR num_nonnulls(kept.address, kept.postcode, kept.suburb) = 0 AND num_nonnulls(gone.address, gone.postcode, gone.suburb) > 0)
  AND NOT kept.details_from @> ARRAY['00000000-0000-0000-0000-000000000000'::uuid]
  THEN kept.details_from || '00000000-0000-0000-0000-000000000000'::uuid ELSE kept.details_from END
FROM customer AS gone
WHERE kept.id = $2 AND kept.workshop_id = $1 AND gone.id = $3 AND gone.workshop_id = $1;

-- src/product/customers/merged/store.ts: findIds
SELECT unnest(ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $1::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $1::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $1::uuid)) AS id;

-- src/product/customers/merged/store.ts: findOtherPhones
SELECT phone FROM customer WHERE id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND id <> $2 AND workshop_id = $1 AND phone IS NOT NULL
ORDER BY id;

-- src/product/customers/merged/store.ts: findRows
SELECT id, phone FROM customer WHERE id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND workshop_id = $1 ORDER BY id <> $2, id;

-- src/product/customers/merged/store.ts: keptInstead
SELECT merged_into FROM customer WHERE id = $2 AND workshop_id = $1;

-- src/product/customers/merged/store.ts: lockCustomers
SELECT id FROM customer WHERE id = ANY (ARRAY(SELECT unnest(ARRAY(
                SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = given.id AND its_row.merged_into IS NOT NULL
                UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = given.id
                UNION SELECT its_other.id FROM customer its_row
                JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = given.id))
        FROM unnest($1::uuid[]) AS given (id))) ORDER BY phone, id FOR NO KEY UPDATE;

-- src/product/customers/merged/store.ts: lockCustomersWith
SELECT id FROM customer WHERE id = ANY (ARRAY(SELECT unnest(ARRAY(
                SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = known.id AND its_row.merged_into IS NOT NULL
                UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = known.id
                UNION SELECT its_other.id FROM customer its_row
                JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = known.id))
        FROM customer known WHERE known.phone = $1)) ORDER BY phone, id FOR NO KEY UPDATE;

-- src/product/customers/provider-opt-in/store.ts: deleteProviderOptIns
DELETE FROM provider_opt_in WHERE customer_id = ANY ($1::uuid[]);

-- src/product/customers/provider-opt-in/store.ts: findToldOptIn
SELECT state, detail FROM provider_opt_in WHERE customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND workshop_id = $1
ORDER BY id DESC LIMIT 1;

-- src/product/customers/provider-opt-in/store.ts: insertProviderOptIns
INSERT INTO provider_opt_in (id, workshop_id, customer_id, agreed_on, state, due_at, created_at)
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, workshop_id, id, $2::date, 'waiting', clock_timestamp(), $3
FROM customer WHERE id = ANY ($1::uuid[]) AND phone LIKE '+%' AND erased_at IS NULL ORDER BY id;

-- src/product/customers/search/counted/store.ts: countTerms
WITH probe AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS p (way integer, word integer, kinds text[], low text, high text)
    LIMIT 130)
SELECT each.way, each.word, those.count
FROM (SELECT DISTINCT way, word FROM probe) AS each
CROSS JOIN LATERAL (
    SELECT count(*)::integer AS count FROM (
        SELECT FROM probe CROSS JOIN LATERAL (
            SELECT FROM search_term WHERE workshop_id = $1 AND kind = probe.kinds[1] AND term >= probe.low AND term < probe.high
            ORDER BY term LIMIT 20000) AS t
        WHERE probe.way = each.way AND probe.word = each.word LIMIT $3) AS begun) AS those;

-- src/product/customers/search/found/store.ts: findByTerms
WITH probe AS MATERIALIZED (
    SELECT way, word, is_check, kinds, kinds[1] AS kind, low, high, part
    FROM jsonb_to_recordset($2::jsonb)
      AS p (way integer, word integer, is_check boolean, kinds text[], low text, high text, part text)
    LIMIT 130),
  begun AS MATERIALIZED (SELECT 1 << (probe.way * 6 + probe.word) AS bit, t.customer_id,
      t.term = probe.low AND probe.kind IN ('rego', 'phone', 'code') AS is_exact
    FROM probe CROSS JOIN LATERAL (
        SELECT term, customer_id FROM search_term
        WHERE workshop_id = $1 AND kind = probe.kind AND term >= probe.low AND term < probe.high
        ORDER BY term LIMIT 20000) AS t
    WHERE probe.low IS NOT NULL AND NOT probe.is_check LIMIT $12::bigint),
  by_beginning_full AS MATERIALIZED (
    SELECT customer_id, bit_or(bit) AS bits, bool_or(is_exact) AS is_exact FROM begun AS hit
    GROUP BY customer_id HAVING (bit_or(bit) & $5) = $5 OR (bit_or(bit) & $6) = $6 OR (bit_or(bit) & $7) = $7),
  by_beginning_checked AS MATERIALIZED (
    SELECT its.customer_id, t.kind, t.term FROM by_beginning_full its CROSS JOIN LATERAL (
        SELECT kind, term FROM search_term WHERE customer_id = its.customer_id AND workshop_id = $1 OFFSET 0) AS t
    WHERE EXISTS (SELECT FROM probe WHERE is_check) LIMIT greatest(0, $12::bigint - ((SELECT count(*) FROM begun)))),
  by_beginning AS MATERIALIZED (
    SELECT customer_id, bool_or(is_exact) AS is_exact FROM (
        SELECT * FROM by_beginning_full
        UNION ALL
        SELECT t.customer_id, 1 << (probe.way * 6 + probe.word), t.term = probe.low AND probe.kind IN ('rego', 'phone', 'code')
        FROM by_beginning_checked t
        JOIN probe ON probe.kind = t.kind AND t.term >= probe.low AND t.term < probe.high
        WHERE probe.is_check) AS its (customer_id, bits, is_exact)
    GROUP BY customer_id HAVING NOT EXISTS (SELECT FROM probe WHERE is_check) OR (bit_or(bits) & $9) = $9 OR (bit_or(bits) & $10) = $10
      OR (bit_or(bits) & $11) = $11),
  by_beginning_count AS MATERIALIZED (SELECT count(*) FROM by_beginning),
  by_beginning_few AS MATERIALIZED (
    SELECT m.customer_id, m.is_exact, s.ahead_at, s.recent_at FROM by_beginning m CROSS JOIN LATERAL (
        SELECT CASE WHEN s.ahead_at >= $4::timestamptz THEN s.ahead_at END AS ahead_at, s.recent_at FROM search_customer s
        WHERE s.customer_id = m.customer_id AND s.workshop_id = $1 OFFSET 0) AS s
    WHERE NOT (SELECT count FROM by_beginning_count) < $8 AND (m.is_exact OR (SELECT count FROM by_beginning_count) <= 500)
    ORDER BY is_exact DESC, ahead_at, recent_at DESC, customer_id LIMIT $3),
  by_beginning_ahead AS MATERIALIZED (SELECT s.customer_id, false AS is_exact, CASE
      WHEN s.ahead_at >= $4::timestamptz THEN s.ahead_at END AS ahead_at, s.recent_at
    FROM search_customer s
    WHERE s.workshop_id = $1 AND s.ahead_at >= $4::timestamptz AND (SELECT count FROM by_beginning_count) > 500
      AND NOT (SELECT count FROM by_beginning_count) < $8
      AND (s.customer_id IN (SELECT customer_id FROM by_beginning)) IS TRUE
    ORDER BY s.ahead_at LIMIT $3),
  by_beginning_recent AS MATERIALIZED (
    SELECT s.customer_id, false AS is_exact, CASE WHEN s.ahead_at >= $4::timestamptz THEN s.ahead_at END AS ahead_at, s.recent_at
    FROM search_customer s
    WHERE s.workshop_id = $1 AND (s.ahead_at IS NULL OR s.ahead_at < $4::timestamptz) AND (SELECT count(*) FROM by_beginning_ahead) < $3
      AND (SELECT count FROM by_beginning_count) > 500 AND NOT (SELECT count FROM by_beginning_count) < $8
      AND (s.customer_id IN (SELECT customer_id FROM by_beginning)) IS TRUE
    ORDER BY s.recent_at DESC LIMIT $3),
  parted AS MATERIALIZED (SELECT 1 << (probe.way * 6 + probe.word) AS bit, t.customer_id,
      t.kind = ANY (probe.kinds) AND strpos(t.term, probe.part) > 0 AS fits
    FROM probe CROSS JOIN LATERAL (
        SELECT kind, term, customer_id FROM search_term
        WHERE search_parts(workshop_id, term) @> search_parts($1, probe.part)
          AND (kind IN ('name', 'rego', 'email')) IS TRUE AND length(term) >= 3
          AND workshop_id IS NOT DISTINCT FROM $1 AND tableoid <> 0
        LIMIT 20000) AS t
    WHERE probe.part IS NOT NULL AND NOT probe.is_check
      AND (SELECT count FROM by_beginning_count) < $8 LIMIT greatest(0,
          $12::bigint - ((SELECT count(*) FROM begun) + (SELECT count(*) FROM by_beginning_checked)))),
  by_part_full AS MATERIALIZED (
    SELECT customer_id, bit_or(bit) AS bits, bool_or(is_exact) AS is_exact
    FROM (SELECT bit, customer_id, is_exact FROM begun WHERE (SELECT count FROM by_beginning_count) < $8 UNION ALL SELECT bit, customer_id,
          false FROM parted WHERE fits) AS hit
    GROUP BY customer_id HAVING (bit_or(bit) & $5) = $5 OR (bit_or(bit) & $6) = $6 OR (bit_or(bit) & $7) = $7),
  by_part_checked AS MATERIALIZED (
    SELECT its.customer_id, t.kind, t.term FROM by_part_full its CROSS JOIN LATERAL (
        SELECT kind, term FROM search_term WHERE customer_id = its.customer_id AND workshop_id = $1 OFFSET 0) AS t
    WHERE EXISTS (SELECT FROM probe WHERE is_check) LIMIT greatest(0,
          $12::bigint - ((SELECT count(*) FROM begun) + (SELECT count(*) FROM by_beginning_checked) + (SELECT count(*) FROM parted)))),
  by_part AS MATERIALIZED (
    SELECT customer_id, bool_or(is_exact) AS is_exact FROM (
        SELECT * FROM by_part_full
        UNION ALL
        SELECT t.customer_id, 1 << (probe.way * 6 + probe.word), t.term = probe.low AND probe.kind IN ('rego', 'phone', 'code')
        FROM by_part_checked t
        JOIN probe ON probe.kind = t.kind AND t.term >= probe.low AND t.term < probe.high
        WHERE probe.is_check) AS its (customer_id, bits, is_exact)
    GROUP BY customer_id HAVING NOT EXISTS (SELECT FROM probe WHERE is_check) OR (bit_or(bits) & $9) = $9 OR (bit_or(bits) & $10) = $10
      OR (bit_or(bits) & $11) = $11),
  by_part_count AS MATERIALIZED (SELECT count(*) FROM by_part),
  by_part_few AS MATERIALIZED (
    SELECT m.customer_id, m.is_exact, s.ahead_at, s.recent_at FROM by_part m CROSS JOIN LATERAL (
        SELECT CASE WHEN s.ahead_at >= $4::timestamptz THEN s.ahead_at END AS ahead_at, s.recent_at FROM search_customer s
        WHERE s.customer_id = m.customer_id AND s.workshop_id = $1 OFFSET 0) AS s
    WHERE (SELECT count FROM by_beginning_count) < $8 AND (m.is_exact OR (SELECT count FROM by_part_count) <= 500) ORDER BY is_exact DESC,
      ahead_at, recent_at DESC, customer_id LIMIT $3),
  by_part_ahead AS MATERIALIZED (SELECT s.customer_id, false AS is_exact, CASE
      WHEN s.ahead_at >= $4::timestamptz THEN s.ahead_at END AS ahead_at, s.recent_at
    FROM search_customer s
    WHERE s.workshop_id = $1 AND s.ahead_at >= $4::timestamptz AND (SELECT count FROM by_part_count) > 500
      AND (SELECT count FROM by_beginning_count) < $8
      AND (s.customer_id IN (SELECT customer_id FROM by_part)) IS TRUE
    ORDER BY s.ahead_at LIMIT $3),
  by_part_recent AS MATERIALIZED (
    SELECT s.customer_id, false AS is_exact, CASE WHEN s.ahead_at >= $4::timestamptz THEN s.ahead_at END AS ahead_at, s.recent_at
    FROM search_customer s
    WHERE s.workshop_id = $1 AND (s.ahead_at IS NULL OR s.ahead_at < $4::timestamptz) AND (SELECT count(*) FROM by_part_ahead) < $3
      AND (SELECT count FROM by_part_count) > 500 AND (SELECT count FROM by_beginning_count) < $8
      AND (s.customer_id IN (SELECT customer_id FROM by_part)) IS TRUE
    ORDER BY s.recent_at DESC LIMIT $3),
  best AS MATERIALIZED (
    SELECT customer_id, bool_or(is_exact) AS is_exact, ahead_at, recent_at
    FROM (SELECT * FROM by_beginning_few UNION ALL SELECT * FROM by_beginning_ahead UNION ALL SELECT * FROM by_beginning_recent UNION ALL
        SELECT * FROM by_part_few UNION ALL SELECT * FROM by_part_ahead UNION ALL SELECT * FROM by_part_recent) AS ranked
    GROUP BY customer_id, ahead_at, recent_at ORDER BY is_exact DESC, ahead_at, recent_at DESC, customer_id LIMIT $3)
SELECT ((SELECT count(*) FROM begun) + (SELECT count(*) FROM by_beginning_checked) + (SELECT count(*) FROM parted) + (SELECT count(*)
        FROM by_part_checked))::integer AS terms_read,
  k.id AS customer_id, k.name, k.phone, k.email,
  ARRAY(SELECT jsonb_build_object('carId', id, 'rego', rego, 'year', year, 'make', make, 'model', model)
    FROM (
        SELECT DISTINCT ON (coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                              '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                              '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text)) * FROM car
        WHERE customer_id = ANY (ARRAY(
                SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = k.id AND its_row.merged_into IS NOT NULL
                UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = k.id
                UNION SELECT its_other.id FROM customer its_row
                JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = k.id))
          AND workshop_id = k.workshop_id
        ORDER BY coalesce(CASE WHEN car.same_car THEN coalesce(nullif(regexp_replace(car.rego,
                          '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                          '', 'g'), ''), car.rego) ELSE car.rego END, car.id::text), updated_at DESC, id) AS car ORDER BY updated_at DESC,
      id LIMIT 20) AS cars,
  its.id AS booking_id, its.code AS booking_code, its.date AS booking_date, its.status AS booking_status
FROM (VALUES (true)) AS one LEFT JOIN (best CROSS JOIN LATERAL (
        SELECT id, workshop_id, name, phone, email FROM customer
        WHERE id = best.customer_id AND workshop_id = $1 AND erased_at IS NULL OFFSET 0) AS k
    LEFT JOIN LATERAL (
        SELECT b.id, b.code, b.date, b.status FROM booking b
        WHERE b.customer_id = ANY (ARRAY(
                SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = k.id AND its_row.merged_into IS NOT NULL
                UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = k.id
                UNION SELECT its_other.id FROM customer its_row
                JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = k.id))
          AND b.workshop_id = k.workshop_id
        ORDER BY lower(b.code) = ANY (ARRAY(SELECT low FROM probe WHERE kind = 'code')) DESC,
          b.date >= $4::timestamptz AND b.status IN ('pending', 'confirmed') DESC, CASE WHEN b.date >= $4::timestamptz
          AND b.status IN ('pending', 'confirmed') THEN b.date END, b.date DESC, b.id LIMIT 1) AS its ON true) ON true
ORDER BY best.is_exact DESC, best.ahead_at, best.recent_at DESC, k.id;

-- src/product/customers/search/store.ts: deleteSearched
DELETE FROM search_customer WHERE customer_id = ANY ($1::uuid[]);

-- src/product/customers/search/store.ts: deleteSearched
DELETE FROM search_term WHERE customer_id = ANY ($1::uuid[]);

-- src/product/customers/search/store.ts: findDue
SELECT DISTINCT customer_id FROM search_due WHERE NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'keepSearch'
      AND f.subject_id = search_due.customer_id)
ORDER BY customer_id LIMIT $1;

-- src/product/customers/search/store.ts: holdSearched
INSERT INTO search_customer (customer_id, workshop_id, recent_at, mark)
SELECT id, workshop_id, created_at, 0 FROM customer WHERE id = ANY ($1::uuid[]) ORDER BY id
ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id WHERE false;

-- src/product/customers/search/store.ts: holdSweep
SELECT after FROM search_sweep FOR UPDATE SKIP LOCKED;

-- src/product/customers/search/store.ts: lookAfter
SELECT k.id AS customer_id,
  (num_nonnulls(k.erased_at, k.merged_into) = 0 OR s.customer_id IS NOT NULL) AND s.mark IS DISTINCT
FROM hashtextextended(concat_ws(' ', k.xmin,
          (SELECT string_agg(concat(merged.id, merged.xmin), ' ' ORDER BY merged.id) FROM customer merged
            WHERE merged.merged_into = k.id),
          (SELECT string_agg(concat(car.id, car.xmin), ' ' ORDER BY car.id)
            FROM (SELECT k.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = k.id) AS one (id) CROSS
            JOIN LATERAL (SELECT id, xmin FROM car WHERE customer_id = one.id OFFSET 0) AS car),
          (SELECT count(*) FROM (SELECT k.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = k.id) AS one (id)
            CROSS JOIN LATERAL (SELECT FROM booking WHERE customer_id = one.id OFFSET 0) AS booking)), 0) AS differs
FROM (SELECT id, erased_at, merged_into, xmin FROM customer WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY id LIMIT $2) AS k
LEFT JOIN LATERAL (SELECT customer_id, mark FROM search_customer WHERE customer_id = k.id OFFSET 0) AS s ON true
ORDER BY k.id;

-- src/product/customers/search/store.ts: moveSweep
UPDATE search_sweep SET after = $1::uuid, is_filled = is_filled OR $1::uuid IS NULL
WHERE after IS DISTINCT FROM $1::uuid OR NOT is_filled;

-- src/product/customers/search/store.ts: noteChanged
INSERT INTO search_due (customer_id, id) SELECT unnest($1::uuid[]),
  (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid;

-- src/product/customers/search/store.ts: noteCustomersOf
WITH theirs AS (SELECT DISTINCT customer_id FROM message WHERE id = ANY ($1::uuid[])
      AND NOT EXISTS (SELECT FROM search_customer s WHERE s.customer_id = message.customer_id))
INSERT INTO search_due (customer_id, id) SELECT customer_id,
  (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid FROM theirs WHERE customer_id IS NOT NULL;

-- src/product/customers/search/store.ts: noteCustomersOf
WITH theirs AS (SELECT DISTINCT customer_id FROM service_reminder WHERE id = ANY ($1::uuid[])
      AND NOT EXISTS (SELECT FROM search_customer s WHERE s.customer_id = service_reminder.customer_id))
INSERT INTO search_due (customer_id, id) SELECT customer_id,
  (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid FROM theirs WHERE customer_id IS NOT NULL;

-- src/product/customers/search/store.ts: noteCustomersOf
WITH theirs AS (SELECT customer_id FROM booking WHERE id = ANY ($1::uuid[])
    UNION SELECT t.customer_id FROM booking b JOIN search_term t
      ON t.workshop_id = b.workshop_id AND t.kind = 'code' AND t.term = lower(b.code)
    WHERE b.id = ANY ($1::uuid[]))
INSERT INTO search_due (customer_id, id) SELECT customer_id,
  (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid FROM theirs WHERE customer_id IS NOT NULL;

-- src/product/customers/search/store.ts: noteCustomersOf
WITH theirs AS (SELECT customer_id FROM quote WHERE id = ANY ($1::uuid[]))
INSERT INTO search_due (customer_id, id) SELECT customer_id,
  (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid FROM theirs WHERE customer_id IS NOT NULL;

-- src/product/customers/search/store.ts: readSearchState
SELECT is_filled FROM search_sweep;

-- src/product/customers/search/store.ts: readSearched
SELECT k.id AS customer_id, k.workshop_id, w.country, all_rows.names, all_rows.phones, all_rows.emails,
  num_nonnulls(k.erased_at, k.merged_into) > 0 AS is_gone,
  ARRAY(SELECT car.rego FROM (SELECT k.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = k.id) AS one (id) CROSS
    JOIN LATERAL (SELECT rego, workshop_id FROM car WHERE customer_id = one.id OFFSET 0) AS car
    WHERE car.workshop_id = k.workshop_id AND car.rego IS NOT NULL) AS regos,
  ARRAY(SELECT its.code FROM (SELECT k.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = k.id) AS one (id) CROSS
    JOIN LATERAL (
        SELECT id, code FROM booking WHERE customer_id = one.id ORDER BY id DESC LIMIT 1000) AS its
    ORDER BY its.id DESC LIMIT 1000) AS codes,
  booked.ahead_at, coalesce(booked.recent_at, k.created_at) AS recent_at,
  hashtextextended(concat_ws(' ', k.xmin,
          (SELECT string_agg(concat(merged.id, merged.xmin), ' ' ORDER BY merged.id) FROM customer merged
            WHERE merged.merged_into = k.id),
          (SELECT string_agg(concat(car.id, car.xmin), ' ' ORDER BY car.id)
            FROM (SELECT k.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = k.id) AS one (id) CROSS
            JOIN LATERAL (SELECT id, xmin FROM car WHERE customer_id = one.id OFFSET 0) AS car),
          (SELECT count(*) FROM (SELECT k.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = k.id) AS one (id)
            CROSS JOIN LATERAL (SELECT FROM booking WHERE customer_id = one.id OFFSET 0) AS booking)), 0)::text AS mark
FROM customer k JOIN workshop w ON w.id = k.workshop_id
CROSS JOIN LATERAL (
    SELECT array_remove(array_agg(one.name) || array_agg(one.first_name) || array_agg(one.last_name) || array_agg(one.company), NULL)
      AS names,
      array_remove(array_agg(one.phone), NULL) AS phones, array_remove(array_agg(one.email), NULL) AS emails
    FROM customer one WHERE (one.id = k.id OR one.merged_into = k.id)) AS all_rows
CROSS JOIN LATERAL (
    SELECT max(date) FILTER (WHERE status IN ('pending', 'confirmed')) AS ahead_at,
      max(date) FILTER (WHERE status <> 'cancelled') AS recent_at
    FROM (SELECT k.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = k.id) AS one (id) CROSS
    JOIN LATERAL (SELECT date, status FROM booking WHERE customer_id = one.id OFFSET 0) AS booking) AS booked
WHERE k.id = ANY ($1::uuid[]);

-- src/product/customers/search/store.ts: takeDue
DELETE FROM search_due WHERE customer_id = ANY ($1::uuid[]);

-- src/product/customers/search/store.ts: withKept
SELECT id AS customer_id FROM customer WHERE id = ANY ($1::uuid[])
UNION SELECT merged_into FROM customer WHERE id = ANY ($1::uuid[]) AND merged_into IS NOT NULL;

-- src/product/customers/search/store.ts: writeTerms
WITH wanted AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS w (customer_id uuid, workshop_id uuid, kind text, term text)),
  gone AS (
    DELETE FROM search_term t WHERE t.customer_id = ANY ($1::uuid[]) AND NOT EXISTS (
        SELECT FROM wanted w WHERE w.customer_id = t.customer_id AND w.workshop_id = t.workshop_id
          AND w.kind = t.kind AND w.term COLLATE "C" = t.term)),
  added AS (
    INSERT INTO search_term (workshop_id, kind, term, customer_id)
    SELECT workshop_id, kind, term, customer_id FROM wanted ON CONFLICT DO NOTHING)
UPDATE search_customer s
SET workshop_id = n.workshop_id, ahead_at = n.ahead_at, recent_at = n.recent_at, mark = n.mark
FROM jsonb_to_recordset($3::jsonb)
  AS n (customer_id uuid, workshop_id uuid, ahead_at timestamptz, recent_at timestamptz, mark bigint)
WHERE s.customer_id = n.customer_id
  AND (s.workshop_id, s.ahead_at, s.recent_at, s.mark) IS DISTINCT FROM (n.workshop_id, n.ahead_at, n.recent_at, n.mark);

-- src/product/customers/store.ts: changeOptOut
UPDATE customer SET opted_out_at = CASE WHEN $2::boolean THEN $3::timestamptz END, updated_at = $3
WHERE id = $1 AND (opted_out_at IS NULL) = $2 RETURNING phone;

-- src/product/customers/store.ts: correctCustomerRow
UPDATE customer SET name = $2, first_name = $3, last_name = $4, email = $5, phone = $6, updated_at = $7,
  details_from = CASE WHEN customer.details_from @> ARRAY[$8::uuid] THEN customer.details_from
  ELSE customer.details_from || ARRAY[$8::uuid] END
WHERE id = $1;

-- src/product/customers/store.ts: countStop
UPDATE customer SET version = version + 1 WHERE id = ANY ($1::uuid[]) AND opted_out_at IS NOT NULL RETURNING true;

-- src/product/customers/store.ts: customerWithPhone
WITH place AS (SELECT $2::uuid AS workshop_id) INSERT INTO customer (id, workshop_id, name, first_name, last_name, phone, details_from,
      created_at, updated_at)
SELECT $1::uuid, workshop_id, coalesce(NULL::text, $3::text), NULL, NULL, $3::text, '{}'::uuid[], $4::timestamptz, $4::timestamptz
FROM place
ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
RETURNING id, workshop_id, phone;

-- src/product/customers/store.ts: eraseCustomerRow
SELECT phone, version FROM customer WHERE id = $1 FOR UPDATE;

-- src/product/customers/store.ts: eraseCustomerRow
UPDATE customer SET name = 'Erased', first_name = NULL, last_name = NULL, email = NULL, phone = NULL, company = NULL,
  address = NULL, postcode = NULL, suburb = NULL, tags = '{}',
  bounced_email = NULL, email_bounced_at = NULL, email_bounce = NULL, erased_at = coalesce(erased_at, $2), updated_at = $2
WHERE id = $1;

-- src/product/customers/store.ts: findCustomer
SELECT
  id AS customer_id, workshop_id, (SELECT country FROM workshop WHERE workshop.id = workshop_id) AS country,
  name, first_name, last_name, email, phone,
  company, address, postcode, suburb, tags, opted_out_at,
  CASE WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounced_at END AS email_bounced_at, CASE
  WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounce END AS email_bounce, erased_at, merged_into, version,
  created_at, updated_at FROM customer WHERE id = $1;

-- src/product/customers/store.ts: findCustomerByPhone
SELECT
  id AS customer_id, workshop_id, (SELECT country FROM workshop WHERE workshop.id = workshop_id) AS country,
  name, first_name, last_name, email, phone,
  company, address, postcode, suburb, tags, opted_out_at,
  CASE WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounced_at END AS email_bounced_at, CASE
  WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounce END AS email_bounce, erased_at, merged_into, version,
  created_at, updated_at FROM customer WHERE phone = $2 AND workshop_id = $1;

-- src/product/customers/store.ts: findOrMakeCustomer
WITH here AS (SELECT $2::uuid AS workshop_id) INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company,
      details_from, created_at, updated_at)
SELECT $1::uuid, workshop_id, coalesce($3::text, $7::text), $4::text, $5::text, $6::text, $7::text, $8::text,
  ARRAY[$9::uuid], $10::timestamptz, $10::timestamptz
FROM here ORDER BY workshop_id, $7::text
ON CONFLICT (workshop_id, phone) DO UPDATE
SET name = CASE WHEN excluded.name = excluded.phone THEN customer.name ELSE excluded.name END, first_name = CASE
  WHEN excluded.name = excluded.phone THEN customer.first_name ELSE excluded.first_name END, last_name = CASE
  WHEN excluded.name = excluded.phone THEN customer.last_name ELSE excluded.last_name END,
  email = coalesce(nullif(excluded.email, ''), customer.email),
  company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
  details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
  THEN CASE WHEN customer.details_from @> excluded.details_from THEN customer.details_from
  ELSE customer.details_from || excluded.details_from END ELSE excluded.details_from END
RETURNING id, workshop_id, phone;

-- src/product/customers/store.ts: followCustomer
UPDATE customer SET name = coalesce($2, name), first_name = CASE WHEN $2::text IS NULL THEN first_name ELSE $3 END,
  last_name = CASE WHEN $2::text IS NULL THEN last_name ELSE $4 END, email = coalesce(nullif($5, ''), email),
  company = coalesce($6, company), updated_at = $7, details_from = CASE
  WHEN customer.details_from @> ARRAY[$8::uuid] THEN customer.details_from ELSE customer.details_from || ARRAY[$8::uuid] END
WHERE id = $1 AND workshop_id = $9 AND erased_at IS NULL;

-- src/product/customers/store.ts: forgetBounce
UPDATE customer SET bounced_email = NULL, email_bounced_at = NULL, email_bounce = NULL, updated_at = $2
WHERE id = $1 AND bounced_email IS NOT NULL;

-- src/product/customers/store.ts: insertCustomer
INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8);

-- src/product/customers/store.ts: listCustomers
SELECT
  id AS customer_id, workshop_id, (SELECT country FROM workshop WHERE workshop.id = workshop_id) AS country,
  name, first_name, last_name, email, phone,
  company, address, postcode, suburb, tags, opted_out_at,
  CASE WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounced_at END AS email_bounced_at, CASE
  WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounce END AS email_bounce, erased_at, merged_into, version,
  created_at, updated_at FROM customer
WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') AND phone = $3::text ORDER BY id LIMIT $2;

-- src/product/customers/store.ts: listCustomers
SELECT
  id AS customer_id, workshop_id, (SELECT country FROM workshop WHERE workshop.id = workshop_id) AS country,
  name, first_name, last_name, email, phone,
  company, address, postcode, suburb, tags, opted_out_at,
  CASE WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounced_at END AS email_bounced_at, CASE
  WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounce END AS email_bounce, erased_at, merged_into, version,
  created_at, updated_at FROM customer
WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') AND strpos(lower(name), lower($3::text)) > 0 ORDER BY id LIMIT $2;

-- src/product/customers/store.ts: listCustomers
SELECT
  id AS customer_id, workshop_id, (SELECT country FROM workshop WHERE workshop.id = workshop_id) AS country,
  name, first_name, last_name, email, phone,
  company, address, postcode, suburb, tags, opted_out_at,
  CASE WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounced_at END AS email_bounced_at, CASE
  WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounce END AS email_bounce, erased_at, merged_into, version,
  created_at, updated_at FROM customer
WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') AND workshop_id = $3::uuid ORDER BY id LIMIT $2;

-- src/product/customers/store.ts: listCustomers
SELECT
  id AS customer_id, workshop_id, (SELECT country FROM workshop WHERE workshop.id = workshop_id) AS country,
  name, first_name, last_name, email, phone,
  company, address, postcode, suburb, tags, opted_out_at,
  CASE WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounced_at END AS email_bounced_at, CASE
  WHEN coalesce(lower(customer.bounced_email) = lower(email), false) THEN email_bounce END AS email_bounce, erased_at, merged_into, version,
  created_at, updated_at FROM customer
WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $2;

-- src/product/customers/tags/store.ts: changeTags
UPDATE customer SET updated_at = $4,
  tags = ARRAY(
    SELECT tag FROM (SELECT unnest(was.tags || $2::text[]) EXCEPT SELECT unnest($3::text[])) AS kept (tag) ORDER BY tag)
FROM (SELECT id, tags FROM customer WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE) AS was
WHERE customer.id = was.id RETURNING was.tags AS before, customer.tags AS after;

-- src/product/customers/walk-ins/store.ts: givePhone
WITH given AS (
    UPDATE customer SET phone = $3, name = coalesce(name, $3), updated_at = $4
    WHERE id = $2 AND workshop_id = $1 AND phone IS NULL AND erased_at IS NULL
      AND NOT EXISTS (SELECT FROM customer known WHERE known.phone = $3 AND known.workshop_id = $1)
    RETURNING id)
DELETE FROM customer_apart USING given WHERE customer_id = given.id;

-- src/product/customers/walk-ins/store.ts: removeLeftCar
DELETE FROM car WHERE id = $2 AND workshop_id = $1 AND rego IS NULL
  AND NOT EXISTS (SELECT FROM booking WHERE booking.car_id = car.id)
  AND NOT EXISTS (SELECT FROM quote WHERE quote.car_id = car.id);

-- src/product/customers/walk-ins/store.ts: removeLeftCustomer
SELECT FROM customer WHERE id = $2 AND workshop_id = $1 AND phone IS NULL AND erased_at IS NULL AND tags = '{}' AND merged_into IS NULL
  AND NOT EXISTS (SELECT FROM customer merged WHERE merged.merged_into = $2) FOR UPDATE;

-- src/product/customers/walk-ins/store.ts: removeLeftCustomer
WITH left_behind AS (
    SELECT id FROM customer WHERE id = $2 AND workshop_id = $1 AND phone IS NULL AND erased_at IS NULL AND tags = '{}'
      AND merged_into IS NULL
      AND NOT EXISTS (SELECT FROM customer merged WHERE merged.merged_into = $2)
      AND NOT EXISTS (SELECT FROM booking WHERE booking.customer_id = customer.id)
      AND NOT EXISTS (SELECT FROM message WHERE message.customer_id = customer.id)
      AND NOT EXISTS (
        SELECT FROM event WHERE subject_id = $3 AND relayed_at IS NULL
          AND payload->'booking'->>'customerId' = customer.id::text AND payload->'booking'->'customer'->>'email' <> '')),
  cars AS (DELETE FROM car USING left_behind WHERE car.customer_id = left_behind.id AND car.workshop_id = $1)
DELETE FROM customer USING left_behind WHERE customer.id = left_behind.id;

-- src/product/imports/files/store.ts: advanceFile
UPDATE import_file SET taken = $4, counts = $5, changed_at = clock_timestamp()
WHERE id = $1 AND workshop_id = $2 AND taken = $3 AND state = 'importing' RETURNING true;

-- src/product/imports/files/store.ts: beginFile
UPDATE import_file SET state = 'importing', changed_at = clock_timestamp()
WHERE id = $1 AND workshop_id = $2 AND state = 'checked' RETURNING true;

-- src/product/imports/files/store.ts: deleteEnded
WITH gone AS (
    DELETE FROM import_file
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM import_file WHERE state IN ('imported', 'stopped')
              AND changed_at < $1 LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/imports/files/store.ts: deleteFile
DELETE FROM import_file WHERE id = $1 AND workshop_id = $2 AND state = 'checked' RETURNING true;

-- src/product/imports/files/store.ts: deleteFilesOf
DELETE FROM import_file WHERE workshop_id = $1 AND NOT state IN ('imported', 'stopped');

-- src/product/imports/files/store.ts: deleteFilesOf
UPDATE import_file SET file_name = '',
  report = report || '{"ignored": [], "firstFaults": [], "questions": [], "notes": []}'
WHERE workshop_id = $1 AND state IN ('imported', 'stopped');

-- src/product/imports/files/store.ts: deleteWaiting
WITH gone AS (
    DELETE FROM import_file
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM import_file WHERE state = 'checked' AND changed_at < $1 LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/imports/files/store.ts: dropOlder
DELETE FROM import_file WHERE id IN (
    SELECT id FROM import_file WHERE workshop_id = $1 AND state = 'checked' ORDER BY id DESC OFFSET $2);

-- src/product/imports/files/store.ts: endFile
UPDATE import_file SET state = $3, content = NULL, file_content = NULL, changed_at = clock_timestamp()
WHERE id = $1 AND workshop_id = $2 AND state = 'importing' RETURNING true;

-- src/product/imports/files/store.ts: findFile
SELECT id, workshop_id, kind, file_name, date_order, matched, state, report, taken, counts FROM import_file WHERE id = $1
  AND workshop_id = $2;

-- src/product/imports/files/store.ts: importingAt
SELECT workshop_id FROM import_file WHERE id = $1 AND state = 'importing';

-- src/product/imports/files/store.ts: importingFiles
SELECT id, workshop_id FROM import_file
WHERE state = 'importing' AND changed_at < (SELECT clock_timestamp() - interval '5 seconds')
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'advanceImport' AND f.subject_id = import_file.id)
ORDER BY id LIMIT 20;

-- src/product/imports/files/store.ts: insertFile
INSERT INTO import_file (id, workshop_id, actor, kind, file_name, date_order, state, file_content, report, matched, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, 'checked', $7, $8, $9, clock_timestamp());

-- src/product/imports/files/store.ts: listFiles
SELECT id, workshop_id, kind, file_name, date_order, matched, state, report, taken, counts FROM import_file WHERE workshop_id = $1
ORDER BY id DESC LIMIT $2;

-- src/product/imports/files/store.ts: matchFile
UPDATE import_file SET date_order = $5, matched = $3, report = $4, file_content = coalesce(file_content, content), content = NULL,
  changed_at = clock_timestamp()
WHERE id = $1 AND workshop_id = $2 AND state = 'checked' RETURNING true;

-- src/product/imports/files/store.ts: readContent
SELECT coalesce(file_content, content) AS content FROM import_file WHERE id = $1 AND workshop_id = $2;

-- src/product/imports/files/store.ts: replaceReport
UPDATE import_file SET date_order = $3, report = $4, changed_at = clock_timestamp()
WHERE id = $1 AND workshop_id = $2 AND state = 'checked' AND matched IS NOT DISTINCT FROM $5::jsonb RETURNING true;

-- src/product/imports/matched/store.ts: findForm
SELECT matched FROM import_form WHERE workshop_id = $1 AND kind = $2 AND heads_sha256 = decode($3, 'hex');

-- src/product/imports/matched/store.ts: keepForm
DELETE FROM import_form WHERE (workshop_id, kind, heads_sha256) IN (
    SELECT workshop_id, kind, heads_sha256 FROM import_form WHERE workshop_id = $1
    ORDER BY used_at DESC, heads_sha256 OFFSET $2);

-- src/product/imports/matched/store.ts: keepForm
INSERT INTO import_form (workshop_id, kind, heads_sha256, matched, used_at)
VALUES ($1, $2, decode($3, 'hex'), $4, clock_timestamp())
ON CONFLICT (workshop_id, kind, heads_sha256) DO UPDATE SET matched = excluded.matched, used_at = excluded.used_at;

-- src/product/imports/store.ts: deleteImported
WITH gone AS (
    DELETE FROM import_row
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM import_row WHERE imported_at < $1 LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/imports/store.ts: findImported
SELECT encode(row_sha256, 'hex') AS identity FROM import_row
WHERE workshop_id = $1 AND row_sha256 = ANY (ARRAY(SELECT decode(unnest($2::text[]), 'hex')));

-- src/product/imports/store.ts: findWithoutPhone
SELECT s.person, customer.id AS customer_id,
  customer.name, customer.email, customer.company, customer.address, customer.suburb, customer.postcode,
  ARRAY(SELECT rego FROM car WHERE car.customer_id = customer.id AND car.workshop_id = $1) AS regos
FROM jsonb_to_recordset($2::jsonb) AS s (person text, phone text)
JOIN import_row ON import_row.workshop_id = $1 AND import_row.row_sha256 = decode(s.person, 'hex')
JOIN customer ON customer.id = import_row.record_id AND customer.workshop_id = $1
WHERE customer.phone IS NULL AND customer.merged_into IS NULL AND customer.erased_at IS NULL
  AND NOT EXISTS (SELECT FROM customer known WHERE known.phone = s.phone AND known.workshop_id = $1);

-- src/product/imports/store.ts: noteImported
INSERT INTO import_row (workshop_id, row_sha256, record_id, imported_at, import_id)
SELECT $1, decode(identity, 'hex'), record_id, clock_timestamp(), $3
FROM jsonb_to_recordset($2::jsonb) AS r (identity text, record_id uuid);

-- src/product/imports/take-back/noted/store.ts: deleteChanges
WITH gone AS (
    DELETE FROM import_change
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM import_change WHERE kept_from < $1
              AND NOT EXISTS (SELECT FROM import_run r WHERE r.id = import_change.import_id
                  AND (r.state = 'takingBack' OR (r.state = 'written' AND r.changed_at >= $1))) LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/imports/take-back/noted/store.ts: forgetChanges
UPDATE import_change SET fields = NULL
WHERE import_id = ANY (ARRAY(SELECT id FROM import_run WHERE workshop_id = $1))
  AND kind IN ('car', 'customer') AND fields IS NOT NULL
  AND record_id = ANY ($2::uuid[] || ARRAY(SELECT id FROM car WHERE customer_id = ANY ($2::uuid[])));

-- src/product/imports/take-back/noted/store.ts: listStayed
SELECT c.kind, c.record_id, c.stays, k.id AS customer_id, k.name AS customer_name, car.rego, b.code
FROM import_change c JOIN import_run r ON r.id = c.import_id AND r.workshop_id = $1
LEFT JOIN booking b ON c.kind = 'booking' AND b.id = c.record_id AND b.workshop_id = $1
LEFT JOIN car ON car.id = CASE c.kind WHEN 'booking' THEN b.car_id WHEN 'car' THEN c.record_id END AND car.workshop_id = $1
LEFT JOIN customer k ON k.workshop_id = $1
  AND k.id = CASE c.kind WHEN 'booking' THEN b.customer_id WHEN 'car' THEN car.customer_id ELSE c.record_id END
WHERE c.import_id = $2 AND c.stays IS NOT NULL AND (c.kind, c.record_id) > ($3, $4::uuid)
ORDER BY c.kind, c.record_id LIMIT $5;

-- src/product/imports/take-back/noted/store.ts: nextChanges
SELECT kind, record_id, is_made, mark, mark_before, fields FROM import_change
WHERE import_id = $1 AND (kind, record_id) > ($2, $3::uuid) ORDER BY kind, record_id LIMIT $4;

-- src/product/imports/take-back/noted/store.ts: noteChanges
INSERT INTO import_change (import_id, kind, record_id, is_made, mark, mark_before, fields)
SELECT $1, kind, record_id, is_made, mark, mark_before, fields
FROM jsonb_to_recordset($2::jsonb)
  AS c (kind text, record_id uuid, is_made boolean, mark text, mark_before text, fields jsonb) ORDER BY kind, record_id
ON CONFLICT (import_id, kind, record_id) DO UPDATE SET
  -- Changed by others between two sets of rows, a record is no more as the import left it.
  mark = CASE WHEN import_change.mark = excluded.mark_before THEN excluded.mark ELSE import_change.mark END,
  fields = CASE WHEN import_change.is_made THEN NULL
  ELSE (SELECT coalesce(jsonb_object_agg(key, CASE WHEN first.value IS NULL THEN next.value
              WHEN first.value -> 1 = next.value -> 0 THEN jsonb_build_array(first.value -> 0, next.value -> 1) ELSE first.value END), '{}')
    FROM jsonb_each(import_change.fields) AS first FULL JOIN jsonb_each(excluded.fields) AS next USING (key)) END;

-- src/product/imports/take-back/noted/store.ts: noteJudged
DELETE FROM import_change c USING jsonb_to_recordset($2::jsonb) AS j (kind text, record_id uuid, stays text)
WHERE c.import_id = $1 AND c.kind = j.kind AND c.record_id = j.record_id AND j.stays IS NULL;

-- src/product/imports/take-back/noted/store.ts: noteJudged
UPDATE import_change c
SET stays = j.stays, fields = NULL, kept_from = clock_timestamp() + interval '1 day'
FROM jsonb_to_recordset($2::jsonb) AS j (kind text, record_id uuid, stays text)
WHERE c.import_id = $1 AND c.kind = j.kind AND c.record_id = j.record_id AND j.stays IS NOT NULL;

-- src/product/imports/take-back/noted/store.ts: remark
UPDATE import_change c SET mark = r."to"
FROM jsonb_to_recordset($2::jsonb) AS r (kind text, record_id uuid, "from" text, "to" text)
WHERE c.import_id = ANY (ARRAY(SELECT id FROM import_run WHERE workshop_id = $1 AND state = 'written' ORDER BY id DESC LIMIT 100))
  AND c.kind = r.kind AND c.record_id = r.record_id AND c.mark = r."from";

-- src/product/imports/take-back/run/store.ts: advanceRun
UPDATE import_run SET after_kind = $2, after_id = $3, counts = $4, changed_at = clock_timestamp() WHERE id = $1;

-- src/product/imports/take-back/run/store.ts: beginTakingBack
UPDATE import_run SET state = 'takingBack', actor = $2, changed_at = clock_timestamp() WHERE id = $1;

-- src/product/imports/take-back/run/store.ts: deleteRuns
WITH gone AS (
    DELETE FROM import_run
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM import_run WHERE changed_at < $1 AND state <> 'takingBack' LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/imports/take-back/run/store.ts: endTakingBack
UPDATE import_run SET state = $2, changed_at = clock_timestamp() WHERE id = $1;

-- src/product/imports/take-back/run/store.ts: findRun
SELECT id, workshop_id, kind, state, rows, began_at, written_at, actor, after_kind, after_id, counts, changed_at FROM import_run
WHERE id = $1 AND workshop_id = $2;

-- src/product/imports/take-back/run/store.ts: findRunStates
SELECT id, state FROM import_run WHERE id = ANY ($2::uuid[]) AND workshop_id = $1;

-- src/product/imports/take-back/run/store.ts: isTakingBack
SELECT true FROM import_run WHERE state = 'takingBack' AND workshop_id = $1 LIMIT 1;

-- src/product/imports/take-back/run/store.ts: listRuns
SELECT id, workshop_id, kind, state, rows, began_at, written_at, actor, after_kind, after_id, counts, changed_at FROM import_run
WHERE workshop_id = $1 ORDER BY id DESC LIMIT $2;

-- src/product/imports/take-back/run/store.ts: lockRun
SELECT id, workshop_id, kind, state, rows, began_at, written_at, actor, after_kind, after_id, counts, changed_at FROM import_run
WHERE id = $1 AND workshop_id = $2 FOR NO KEY UPDATE;

-- src/product/imports/take-back/run/store.ts: noteRun
INSERT INTO import_run (id, workshop_id, kind, state, rows, began_at, written_at)
VALUES ($1, $2, $3, 'written', $4, clock_timestamp(), $5)
ON CONFLICT (id) DO UPDATE SET rows = import_run.rows + excluded.rows, written_at = excluded.written_at, changed_at = clock_timestamp()
WHERE import_run.state = 'written' AND import_run.workshop_id = excluded.workshop_id
RETURNING true;

-- src/product/imports/take-back/run/store.ts: takenBackNow
SELECT id, workshop_id FROM import_run
WHERE state = 'takingBack' AND changed_at < (SELECT clock_timestamp() - interval '5 seconds')
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'takeBackImport' AND f.subject_id = import_run.id)
ORDER BY id LIMIT 20;

-- src/product/imports/take-back/run/store.ts: takingBackAt
SELECT workshop_id FROM import_run WHERE id = $1 AND state = 'takingBack';

-- src/product/imports/take-back/store.ts: deleteRecords
DELETE FROM car WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 RETURNING customer_id AS customer_id;

-- src/product/imports/take-back/store.ts: deleteRecords
DELETE FROM customer WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 RETURNING id AS customer_id;

-- src/product/imports/take-back/store.ts: deleteRecords
WITH unmarked AS (
    DELETE FROM attendance WHERE booking_id IN (SELECT id FROM booking WHERE id = ANY ($2::uuid[]) AND workshop_id = $1)) DELETE
FROM booking WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 RETURNING customer_id AS customer_id;

-- src/product/imports/take-back/store.ts: forgetRows
DELETE FROM import_row WHERE (workshop_id, row_sha256) IN (
    SELECT r.workshop_id, r.row_sha256 FROM import_row r
    WHERE r.imported_at >= $3::timestamptz - interval '1 minute' AND r.import_id = $2 AND r.workshop_id = $1
      AND NOT EXISTS (SELECT FROM booking b WHERE b.id = r.record_id)
      AND NOT EXISTS (SELECT FROM customer k WHERE k.id = r.record_id AND k.phone IS NULL)
    LIMIT $4)
RETURNING true;

-- src/product/imports/take-back/store.ts: judgeMade
SELECT r.id AS record_id, CASE
  WHEN EXISTS (SELECT FROM booking WHERE booking.car_id = r.id) THEN 'booking'
  WHEN EXISTS (SELECT FROM quote WHERE quote.car_id = r.id) THEN 'quote'
  WHEN EXISTS (SELECT FROM service_reminder WHERE service_reminder.customer_id = r.customer_id
      AND service_reminder.car_id = r.id) THEN 'used'
  WHEN EXISTS (SELECT FROM import_run other JOIN import_change c ON c.import_id = other.id AND c.kind = 'car' AND c.record_id = r.id
    WHERE other.workshop_id = $1 AND other.id <> $3 AND other.state = 'written'
      AND other.changed_at > (SELECT clock_timestamp() - interval '2 hours')) THEN 'imported'
  WHEN md5(jsonb_build_array(r.customer_id, r.rego, r.make, r.model, r.year, r.badge, r.vin, r.same_car,
          extract(epoch FROM r.updated_at))::text) <> m.mark THEN 'changed' END AS stays
FROM jsonb_to_recordset($2::jsonb) AS m (record_id uuid, mark text)
JOIN car r ON r.id = m.record_id AND r.workshop_id = $1 AND $3::uuid IS NOT NULL;

-- src/product/imports/take-back/store.ts: judgeMade
SELECT r.id AS record_id, CASE
  WHEN EXISTS (SELECT FROM message WHERE message.customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = r.customer_id AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = r.customer_id
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = r.customer_id))
      AND message.booking_id = r.id)
  OR EXISTS (SELECT FROM scheduled_text WHERE scheduled_text.customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = r.customer_id AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = r.customer_id
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = r.customer_id))
      AND scheduled_text.booking_id = r.id) THEN 'message'
  WHEN EXISTS (SELECT FROM quote WHERE quote.booking_id = r.id) THEN 'quote'
  WHEN EXISTS (SELECT FROM attendance WHERE attendance.booking_id = r.id AND attendance.actor <> 'schedule') THEN 'used'
  WHEN r.version::text <> m.mark THEN 'changed' END AS stays
FROM jsonb_to_recordset($2::jsonb) AS m (record_id uuid, mark text)
JOIN booking r ON r.id = m.record_id AND r.workshop_id = $1 AND $3::uuid IS NOT NULL;

-- src/product/imports/take-back/store.ts: judgeMade
SELECT r.id AS record_id, CASE
  WHEN EXISTS (SELECT FROM message WHERE message.customer_id = r.id) THEN 'message'
  WHEN EXISTS (SELECT FROM booking WHERE booking.customer_id = r.id) THEN 'booking'
  WHEN EXISTS (SELECT FROM quote WHERE quote.customer_id = r.id) THEN 'quote'
  WHEN r.opted_out_at IS NOT NULL THEN 'optedOut'
  WHEN EXISTS (SELECT FROM conversation WHERE conversation.customer_id = r.id)
  OR EXISTS (SELECT FROM call_lead WHERE call_lead.customer_id = r.id)
  OR EXISTS (SELECT FROM service_reminder WHERE service_reminder.customer_id = r.id)
  OR EXISTS (SELECT FROM scheduled_text WHERE scheduled_text.customer_id = r.id)
  OR EXISTS (SELECT FROM talk_note WHERE talk_note.customer_id = r.id)
  OR EXISTS (SELECT FROM texting_ground WHERE texting_ground.customer_id = r.id)
  OR EXISTS (SELECT FROM customer_apart WHERE customer_apart.number_of = r.id OR customer_apart.customer_id = r.id)
  OR EXISTS (SELECT FROM customer other WHERE other.merged_into = r.id)
  OR EXISTS (SELECT FROM blast JOIN blast_recipient one ON one.blast_id = blast.id WHERE blast.workshop_id = r.workshop_id
      AND one.customer_id = r.id) THEN 'used'
  WHEN EXISTS (SELECT FROM import_run other JOIN import_change c ON c.import_id = other.id AND c.kind = 'customer' AND c.record_id = r.id
    WHERE other.workshop_id = $1 AND other.id <> $3 AND other.state = 'written'
      AND other.changed_at > (SELECT clock_timestamp() - interval '2 hours')) THEN 'imported'
  WHEN r.version::text <> m.mark OR EXISTS (SELECT FROM car WHERE car.customer_id = r.id) THEN 'changed' END AS stays
FROM jsonb_to_recordset($2::jsonb) AS m (record_id uuid, mark text)
JOIN customer r ON r.id = m.record_id AND r.workshop_id = $1 AND $3::uuid IS NOT NULL;

-- src/product/imports/take-back/store.ts: lockRecords
SELECT FROM booking WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY id FOR UPDATE;

-- src/product/imports/take-back/store.ts: lockRecords
SELECT FROM car WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY id FOR UPDATE;

-- src/product/imports/take-back/store.ts: lockRecords
SELECT FROM customer WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY phone, id FOR UPDATE;

-- src/product/imports/take-back/store.ts: readPresent
SELECT id, make, model, year, badge, vin, md5(jsonb_build_array(car.customer_id, car.rego, car.make, car.model, car.year, car.badge,
          car.vin, car.same_car,
          extract(epoch FROM car.updated_at))::text) AS mark FROM car
WHERE id = ANY ($2::uuid[]) AND workshop_id = $1;

-- src/product/imports/take-back/store.ts: readPresent
SELECT id, version, name, first_name, last_name, email, company, address, suburb, postcode,
  tags, details_from, CASE WHEN NOT (EXISTS (SELECT FROM message WHERE message.customer_id = customer.id)
      OR EXISTS (SELECT FROM conversation WHERE conversation.customer_id = customer.id)
      OR EXISTS (SELECT FROM booking WHERE booking.customer_id = customer.id)
      OR EXISTS (SELECT FROM quote WHERE quote.customer_id = customer.id)
      OR EXISTS (SELECT FROM call_lead WHERE call_lead.customer_id = customer.id)
      OR EXISTS (SELECT FROM service_reminder WHERE service_reminder.customer_id = customer.id)
      OR EXISTS (SELECT FROM scheduled_text WHERE scheduled_text.customer_id = customer.id)) THEN phone END AS phone
FROM customer WHERE id = ANY ($2::uuid[]) AND workshop_id = $1;

-- src/product/imports/take-back/store.ts: setValues
UPDATE car SET (make, model, year, badge, vin) = (
    SELECT make, model, year, badge, vin FROM jsonb_populate_record(car, s."values")), updated_at = $3
FROM jsonb_to_recordset($2::jsonb) AS s (id uuid, "values" jsonb)
WHERE car.id = s.id AND car.workshop_id = $1 RETURNING car.id,
  md5(jsonb_build_array(car.customer_id, car.rego, car.make, car.model, car.year, car.badge, car.vin, car.same_car,
          extract(epoch FROM car.updated_at))::text) AS mark;

-- src/product/imports/take-back/store.ts: setValues
UPDATE customer SET (name, first_name, last_name, email, company, address, suburb, postcode, phone, tags, details_from) = (
    SELECT name, first_name, last_name, email, company, address, suburb, postcode, phone, tags, details_from
    FROM jsonb_populate_record(customer, s."values")), updated_at = $3
FROM jsonb_to_recordset($2::jsonb) AS s (id uuid, "values" jsonb)
WHERE customer.id = s.id AND customer.workshop_id = $1 RETURNING customer.id, customer.version::text AS mark;

-- src/product/leads/call-back/store.ts: eraseNotes
UPDATE call_back SET note = NULL WHERE call_lead_id = ANY ($1::uuid[]) AND note IS NOT NULL;

-- src/product/leads/call-back/store.ts: lockCallBack
WITH its AS (SELECT id, outcome FROM call_lead WHERE id = $1 AND workshop_id = $2),
  held AS (
    INSERT INTO call_back (call_lead_id, state, version, actor, at)
    SELECT id, 'waiting', 0, $3, $4 FROM its WHERE outcome <> 'answered'
    ON CONFLICT (call_lead_id) DO UPDATE SET state = call_back.state RETURNING state, version, note)
SELECT its.outcome, coalesce(held.state, 'waiting') AS state, coalesce(held.version, 0) AS version, held.note
FROM its LEFT JOIN held ON true;

-- src/product/leads/call-back/store.ts: writeCallBack
UPDATE call_back SET state = $2, version = $3, note = $4, actor = $5, at = $6 WHERE call_lead_id = $1;

-- src/product/leads/store.ts: recordBookedCalls
WITH booked_call AS MATERIALIZED (
    SELECT lead.id FROM event e
    JOIN call_lead lead ON lead.caller_phone = e.payload->'booking'->'customer'->>'phone' AND lead.workshop_id = e.workshop_id
      AND lead.partner_id = e.partner_id CROSS JOIN LATERAL (
        SELECT coalesce(lead.customer_id,
              (SELECT id FROM customer WHERE customer.phone = lead.caller_phone AND customer.workshop_id = lead.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = lead.partner_id
          AND own.created_at BETWEEN lead.called_at AND lead.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
    WHERE e.id = ANY($1::uuid[]) AND booked.id = e.subject_id
    ORDER BY lead.id FOR NO KEY UPDATE OF lead),
  changed_call_lead AS (
    UPDATE call_lead AS r SET version = r.version + 1, updated_at = greatest($2::timestamptz, r.updated_at + interval '1 millisecond')
    FROM booked_call WHERE r.id = booked_call.id
    RETURNING r.*, 'schedule' AS actor, NULL AS request_id),
  call_lead_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'workshopId', r.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
          OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = r.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = r.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = r.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = r.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
          'externalId', r.external_id, 'callerPhone', nullif(r.caller_phone, ''), 'calledAt',
          to_char(r.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', r.duration_seconds, 'outcome', r.outcome, 'source', r.source,
          'recordingUrl', r.recording_url, 'customerName', r.customer_name, 'notes', r.notes,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS call_lead FROM changed_call_lead r CROSS
    JOIN LATERAL (
        SELECT coalesce(r.customer_id,
              (SELECT id FROM customer WHERE customer.phone = r.caller_phone AND customer.workshop_id = r.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = r.partner_id
          AND own.created_at BETWEEN r.called_at AND r.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true),
  call_lead_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'callLead.updated', r.partner_id, r.workshop_id, r.id, r.version,
      jsonb_build_object('callLead', r.call_lead), r.updated_at, r.actor, r.request_id,
      NULL::jsonb, NULL::jsonb
    FROM call_lead_snapshot r)
SELECT;

-- src/product/leads/store.ts: writeCall
WITH input AS (
    SELECT given.call_lead_id, given.partner_id, given.workshop_id, given.external_id, given.caller_phone, given.called_at, given.outcome,
      given.duration_seconds, given.source, given.recording_url, given.customer_name, given.notes, given.sent, given.event_id,
      given.missed_event_id, given.now, given.actor, given.request_id, given.idempotency_key, given.claim_owner,
      given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (call_lead_id uuid, partner_id uuid, workshop_id uuid, external_id text,
              caller_phone text, called_at timestamptz, outcome text, duration_seconds integer, source text, recording_url text,
              customer_name text, notes text, sent text[], event_id uuid, missed_event_id uuid, now timestamptz, actor text,
              request_id text, idempotency_key text, claim_owner uuid)) WITH ORDINALITY AS given (call_lead_id, partner_id, workshop_id,
          external_id, caller_phone, called_at, outcome, duration_seconds, source, recording_url, customer_name, notes, sent, event_id,
          missed_event_id, now, actor, request_id, idempotency_key, claim_owner, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, link.active AS link_active FROM input
    JOIN link ON link.partner_id = input.partner_id AND link.workshop_id = input.workshop_id),
  held_claim AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN idempotency kept ON kept.partner_id = gate.partner_id AND kept.key = gate.idempotency_key
      AND kept.owner = gate.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS MATERIALIZED (
    SELECT * FROM gate
    WHERE link_active AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  known AS MATERIALIZED (
    SELECT open.ordinal, lead.* FROM open
    JOIN call_lead lead ON lead.partner_id = open.partner_id AND lead.external_id = open.external_id
      AND lead.workshop_id = open.workshop_id
    ORDER BY lead.id FOR NO KEY UPDATE OF lead),
  next AS MATERIALIZED (
    SELECT open.ordinal, open.idempotency_key, open.claim_owner, open.event_id, open.missed_event_id, open.actor, open.request_id,
      known.id IS NULL AS is_new, coalesce(known.id, open.call_lead_id) AS id, open.partner_id,
      open.workshop_id, known.customer_id, open.external_id,
      open.caller_phone, open.called_at, open.outcome,
      CASE WHEN 'durationSeconds' = ANY (open.sent) THEN open.duration_seconds ELSE known.duration_seconds END AS duration_seconds, CASE
      WHEN 'source' = ANY (open.sent) THEN open.source ELSE known.source END AS source, CASE
      WHEN 'recordingUrl' = ANY (open.sent) THEN open.recording_url ELSE known.recording_url END AS recording_url, CASE
      WHEN 'customerName' = ANY (open.sent) THEN open.customer_name ELSE known.customer_name END AS customer_name, CASE
      WHEN 'notes' = ANY (open.sent) THEN open.notes ELSE known.notes END AS notes,
      coalesce(known.was_missed, false) OR open.outcome = 'missed' AS was_missed,
      coalesce(known.created_at, open.now) AS created_at, open.now,
      known.version AS known_version, known.updated_at AS known_updated_at
    FROM open LEFT JOIN known ON known.ordinal = open.ordinal),
  judged AS MATERIALIZED (
    SELECT next.*, is_new OR (next.caller_phone, next.called_at, next.outcome, next.duration_seconds, next.source, next.recording_url,
          next.customer_name, next.notes) IS DISTINCT
    FROM (known.caller_phone, known.called_at, known.outcome, known.duration_seconds, known.source, known.recording_url,
          known.customer_name, known.notes) AS differs,
      next.was_missed AND NOT coalesce(known.was_missed, false) AS newly_missed,
      CASE WHEN NOT is_new THEN jsonb_build_object('callerPhone', known.caller_phone, 'calledAt',
          to_char(known.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'outcome', known.outcome, 'durationSeconds',
          known.duration_seconds, 'source', known.source, 'recordingUrl', known.recording_url, 'customerName', known.customer_name, 'notes',
          known.notes) END AS known_content
    FROM next LEFT JOIN known ON known.ordinal = next.ordinal),
  lead AS MATERIALIZED (
    SELECT judged.*, CASE WHEN is_new THEN 1 WHEN differs THEN known_version + 1 ELSE known_version END AS version,
      CASE WHEN is_new THEN now WHEN differs THEN greatest(now, known_updated_at + interval '1 millisecond')
      ELSE known_updated_at END AS updated_at
    FROM judged),
  changed AS (
    UPDATE call_lead SET (caller_phone, called_at, outcome, duration_seconds, source, recording_url, customer_name, notes, was_missed,
          version, updated_at)
      = (lead.caller_phone, lead.called_at, lead.outcome, lead.duration_seconds, lead.source, lead.recording_url, lead.customer_name,
          lead.notes, lead.was_missed, lead.version, lead.updated_at)
    FROM lead WHERE call_lead.id = lead.id AND differs AND NOT is_new),
  made AS (
    INSERT INTO call_lead (id, partner_id, workshop_id, external_id, caller_phone, called_at, outcome, duration_seconds, source,
          recording_url, customer_name, notes, was_missed, version, created_at, updated_at) SELECT id, partner_id, workshop_id, external_id,
      caller_phone, called_at, outcome, duration_seconds, source, recording_url, customer_name, notes, was_missed, version, created_at,
      updated_at FROM lead WHERE is_new ORDER BY id ON CONFLICT DO NOTHING RETURNING id),
  snapshot AS MATERIALIZED (
    SELECT lead.*, jsonb_build_object('id', lead.id, 'workshopId', lead.workshop_id, 'customerId', CASE WHEN booked.id IS NOT NULL
          OR (EXISTS (SELECT FROM (SELECT partner_id FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = lead.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM quote WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = lead.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM service_reminder WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = lead.partner_id)
              OR EXISTS (SELECT FROM (SELECT partner_id FROM message WHERE customer_id = caller.customer_id OFFSET 0) AS own
                WHERE own.partner_id = lead.partner_id)) THEN caller.customer_id END, 'bookingId', booked.id,
          'externalId', lead.external_id, 'callerPhone', nullif(lead.caller_phone, ''), 'calledAt',
          to_char(lead.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'durationSeconds', lead.duration_seconds, 'outcome', lead.outcome, 'source', lead.source,
          'recordingUrl', lead.recording_url, 'customerName', lead.customer_name, 'notes', lead.notes,
          'createdAt', to_char(lead.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(lead.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS call_lead FROM lead CROSS JOIN LATERAL (
        SELECT coalesce(lead.customer_id,
              (SELECT id FROM customer WHERE customer.phone = lead.caller_phone AND customer.workshop_id = lead.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = lead.partner_id
          AND own.created_at BETWEEN lead.called_at AND lead.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
    WHERE NOT is_new OR lead.id IN (SELECT id FROM made)),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT event_id, CASE WHEN is_new THEN 'callLead.created' ELSE 'callLead.updated' END, snapshot.partner_id, snapshot.workshop_id,
      snapshot.id, snapshot.version,
      jsonb_build_object('callLead', call_lead), updated_at, snapshot.actor, snapshot.request_id,
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(known_content) WHERE value IS DISTINCT
        FROM jsonb_build_object('callerPhone', snapshot.caller_phone, 'calledAt',
              to_char(snapshot.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'outcome', snapshot.outcome,
              'durationSeconds', snapshot.duration_seconds, 'source', snapshot.source, 'recordingUrl', snapshot.recording_url,
              'customerName', snapshot.customer_name, 'notes', snapshot.notes) -> key), CASE
      WHEN NOT is_new THEN (SELECT jsonb_object_agg(key, value)
        FROM jsonb_each(jsonb_build_object('callerPhone', snapshot.caller_phone, 'calledAt',
                  to_char(snapshot.called_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'outcome', snapshot.outcome,
                  'durationSeconds', snapshot.duration_seconds, 'source', snapshot.source, 'recordingUrl', snapshot.recording_url,
                  'customerName', snapshot.customer_name, 'notes', snapshot.notes)) WHERE value IS DISTINCT FROM known_content -> key) END
    FROM snapshot WHERE differs
    UNION ALL
    SELECT missed_event_id, 'callLead.missed', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('callLead', call_lead), updated_at, snapshot.actor, snapshot.request_id,
      NULL::jsonb, NULL::jsonb
    FROM snapshot WHERE newly_missed),
  finished_claim AS (UPDATE idempotency kept SET status = CASE WHEN snapshot.is_new THEN 201 ELSE 200 END,
      body = jsonb_build_object('success', true, 'callLead', snapshot.call_lead) FROM snapshot WHERE kept.partner_id = snapshot.partner_id
      AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT ordinal, true AS link_active, 'written' AS state, is_new, call_lead FROM snapshot
UNION ALL SELECT ordinal, true, 'raced', NULL, NULL FROM lead WHERE ordinal NOT IN (SELECT ordinal FROM snapshot)
UNION ALL SELECT ordinal, link_active, 'notOpen', NULL, NULL FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open);

-- src/product/messaging/attachments/store.ts: claimAttachments
WITH due AS (
    SELECT id FROM message_attachment WHERE state = 'waiting' AND due_at <= (SELECT clock_timestamp())
      AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'fetchAttachment' AND f.subject_id = message_attachment.id)
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE message_attachment a SET attempts = a.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
FROM due WHERE a.id = due.id
RETURNING a.id, a.gateway, a.content_type, a.source_url, a.attempts, a.attempts <= $2 AS may_fetch;

-- src/product/messaging/attachments/store.ts: claimAttachments
WITH due AS (
    SELECT id FROM message_attachment WHERE state = 'waiting' AND id = $3 FOR UPDATE SKIP LOCKED)
UPDATE message_attachment a SET attempts = a.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
FROM due WHERE a.id = due.id
RETURNING a.id, a.gateway, a.content_type, a.source_url, a.attempts, a.attempts <= $2 AS may_fetch;

-- src/product/messaging/attachments/store.ts: deferAttachment
UPDATE message_attachment SET reason = $3, due_at = clock_timestamp() + make_interval(secs => $4)
WHERE id = $1 AND attempts = $2 AND state = 'waiting';

-- src/product/messaging/attachments/store.ts: endAttachment
UPDATE message_attachment SET state = $3, reason = $4, size_bytes = $5, content = $6,
  content_type = coalesce($7, content_type), due_at = NULL
WHERE id = $1 AND attempts = $2 AND state = 'waiting' RETURNING id;

-- src/product/messaging/attachments/store.ts: failAttachment
UPDATE message_attachment SET state = 'failed', reason = 'error', due_at = NULL WHERE id = $1 AND state = 'waiting';

-- src/product/messaging/attachments/store.ts: findAttachment
SELECT id AS attachment_id, content_type, size_bytes, state, reason, content
FROM message_attachment WHERE id = $1;

-- src/product/messaging/attachments/store.ts: findAttachmentOf
SELECT a.id AS attachment_id, a.content_type, a.size_bytes, a.state, a.reason, a.content
FROM message_attachment a JOIN message m ON m.id = a.message_id
WHERE a.id = $3 AND a.workshop_id = $1 AND m.workshop_id = $1 AND m.conversation_id = ANY (ARRAY(
        SELECT its_talk.id FROM conversation given_talk JOIN customer its_row ON its_row.id = given_talk.customer_id CROSS JOIN LATERAL (
            SELECT its_row.id UNION ALL SELECT its_row.merged_into AS id WHERE its_row.merged_into IS NOT NULL
            UNION ALL SELECT its_other.id FROM customer its_other
            WHERE its_other.merged_into = coalesce(its_row.merged_into, its_row.id) AND its_other.id <> its_row.id) AS its_one (id)
        JOIN conversation its_talk ON its_talk.customer_id = its_one.id AND its_talk.workshop_id = given_talk.workshop_id
        WHERE given_talk.id = $2::uuid));

-- src/product/messaging/attempts/store.ts: claimAttempt
WITH held AS (SELECT id FROM message WHERE id = $1 AND attempt_id = $2 FOR NO KEY UPDATE),
  -- A claim whose request is gone may be taken over.
  taken AS (
    UPDATE message_attempt AS a SET state = 'sending', asked_at = clock_timestamp()
    FROM held WHERE a.id = $2 AND (a.state = 'unknown' OR a.state = 'sending'
          AND greatest(a.started_at, a.asked_at) < (SELECT clock_timestamp() - interval '15 seconds')) RETURNING a.message_id),
  changed AS (
    UPDATE message SET state = 'sending', reason = NULL, detail = NULL, version = version + 1
    FROM taken WHERE message.id = taken.message_id RETURNING message.*),
  leased AS (INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient,
          created_at)
    SELECT id, workshop_id, channel, NULL, clock_timestamp() + interval '20 seconds', attempt_id, true, 1, recipient,
      clock_timestamp()
    FROM changed WHERE true
    ON CONFLICT (message_id) DO UPDATE SET due_at = excluded.due_at, attempt_id = excluded.attempt_id, in_flight = true)
SELECT true FROM changed;

-- src/product/messaging/attempts/store.ts: findRepeated
SELECT m.id AS message_id, m.conversation_id, m.state, m.reason, m.detail, m.recipient AS phone,
  m.partner_id, m.workshop_id, m.body, w.sms_sender AS sender, w.sms_gateways AS route, m.attempt_id, a.gateway,
  coalesce(a.state = 'sending' AND greatest(a.started_at, a.asked_at) < (SELECT clock_timestamp() - interval '15 seconds'), false) AS stale,
  coalesce(a.state = 'unknown' OR a.state = 'sending'
      AND greatest(a.started_at, a.asked_at) < (SELECT clock_timestamp() - interval '15 seconds'), false) AS outcome_unknown,
  coalesce(a.repeats_unknown, false) AS repeats_unknown,
  coalesce(a.finished_at > $1::timestamptz, false) AS ended_since
FROM message m
JOIN workshop w ON w.id = m.workshop_id
LEFT JOIN message_attempt a ON a.id = m.attempt_id
WHERE m.cause_id = $2;

-- src/product/messaging/attempts/store.ts: findRepeated
SELECT m.id AS message_id, m.conversation_id, m.state, m.reason, m.detail, m.recipient AS phone,
  m.partner_id, m.workshop_id, m.body, w.sms_sender AS sender, w.sms_gateways AS route, m.attempt_id, a.gateway,
  coalesce(a.state = 'sending' AND greatest(a.started_at, a.asked_at) < (SELECT clock_timestamp() - interval '15 seconds'), false) AS stale,
  coalesce(a.state = 'unknown' OR a.state = 'sending'
      AND greatest(a.started_at, a.asked_at) < (SELECT clock_timestamp() - interval '15 seconds'), false) AS outcome_unknown,
  coalesce(a.repeats_unknown, false) AS repeats_unknown,
  coalesce(a.finished_at > $1::timestamptz, false) AS ended_since
FROM message m
JOIN workshop w ON w.id = m.workshop_id
LEFT JOIN message_attempt a ON a.id = m.attempt_id
WHERE m.partner_id = $2 AND m.workshop_id = $3 AND m.customer_id = $4 AND m.reference_id = $5;

-- src/product/messaging/attempts/store.ts: startAttempt
WITH due AS (
    SELECT m.id, CASE WHEN coalesce(m.channel = 'sms' AND m.audience = 'customer' AND c.opted_out_at IS NOT NULL
          AND (m.kind IN ('partnerMessage', 'reply', 'helpAnswer', 'quoteNotice', 'serviceReminder', 'automation', 'blast')
              OR m.kind IN ('confirmation') AND NOT m.despite_opt_out
              OR m.kind IN ('bookingNotice', 'carReady') AND w.country <> ALL('{}'::text[])), false) THEN 'optedOut'
      WHEN (m.kind IN ('serviceReminder', 'automation', 'blast') AND m.channel = 'sms' AND m.audience = 'customer' AND EXISTS (
            SELECT FROM talk asked
            WHERE asked.customer_id = coalesce(c.merged_into, c.id) AND asked.asked_id IS NOT NULL)) THEN 'mayHaveOptedOut' END AS stopped
    FROM message m JOIN customer c ON c.id = m.customer_id JOIN workshop w ON w.id = m.workshop_id
    WHERE m.id = $1 AND m.attempt_id IS NOT DISTINCT FROM $2::uuid AND m.state IN ('failed', 'sending')
    FOR NO KEY UPDATE OF m),
  changed AS (
    UPDATE message SET state = CASE WHEN stopped IS NOT NULL THEN 'failed' ELSE 'sending' END,
      reason = stopped, detail = NULL,
      attempt_id = CASE WHEN stopped IS NOT NULL THEN attempt_id ELSE $3 END,
      attempts = attempts + CASE WHEN stopped IS NOT NULL THEN 0 ELSE 1 END, version = version + 1, updated_at = $6,
      body = coalesce($7, body), encoding = coalesce($8, encoding), segments = coalesce($9, segments),
      template_id = CASE WHEN $7::text IS NULL THEN template_id ELSE $10::uuid END,
      template_version = CASE WHEN $7::text IS NULL THEN template_version ELSE $12::integer END,
      booking_id = CASE WHEN $7::text IS NULL THEN booking_id ELSE $11::uuid END
    FROM due WHERE message.id = due.id RETURNING message.*, stopped),
  -- The customer has opted out since, or may have.
  ended AS (SELECT * FROM changed WHERE stopped IS NOT NULL),
  recorded AS (INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before,
          after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, CASE ended.state WHEN 'accepted' THEN 'message.accepted'
      WHEN 'delivered' THEN 'message.delivered'
      ELSE 'message.failed' END, ended.partner_id, ended.workshop_id, ended.id, ended.version,
      jsonb_build_object('message', jsonb_build_object('id', ended.id, 'workshopId', ended.workshop_id, 'conversationId',
              ended.conversation_id,
              'customerId', ended.customer_id, 'bookingId', ended.booking_id, 'templateId', ended.template_id,
              'templateVersion', CASE WHEN ended.template_id IS NOT NULL THEN coalesce(ended.template_version, 1) END,
              'referenceId', ended.reference_id, 'direction', ended.direction, 'phone', ended.recipient, 'body', ended.body,
              'encoding', ended.encoding, 'segments', ended.segments, 'state', ended.state, 'reason', ended.reason, 'detail', CASE
              WHEN ended.reason IS DISTINCT FROM 'gatewayUnavailable' THEN ended.detail END,
              'createdAt', to_char(ended.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(ended.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), ended.updated_at, $13, $14,
      NULL::jsonb, NULL::jsonb
    FROM ended WHERE kind IN ('partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'serviceReminder')
    UNION ALL
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.noticeFailed', ended.partner_id, ended.workshop_id,
      ended.id, ended.version,
      jsonb_build_object('message', jsonb_build_object('customerId', ended.customer_id, 'conversationId', ended.conversation_id)),
      ended.updated_at, $13, $14,
      NULL::jsonb, NULL::jsonb
    FROM ended WHERE kind IN ('bookingNotice', 'quoteNotice', 'carReady', 'inboxDigest') AND audience = 'customer'
      AND state NOT IN ('accepted', 'delivered')),
  leased AS (INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient,
          created_at)
    SELECT id, workshop_id, channel, NULL, clock_timestamp() + interval '20 seconds', attempt_id, true, 1, recipient,
      clock_timestamp()
    FROM changed WHERE stopped IS NULL
    ON CONFLICT (message_id) DO UPDATE SET due_at = excluded.due_at, attempt_id = excluded.attempt_id, in_flight = true),
  given_up AS (DELETE FROM queued_message WHERE message_id = ANY (ARRAY(SELECT id FROM ended))),
  -- The attempt before, if its request never recorded the outcome.
  left_behind AS (
    UPDATE message_attempt SET state = 'unknown', reason = 'unknownOutcome', finished_at = coalesce(finished_at, clock_timestamp()),
      business_finished_at = coalesce(business_finished_at, $6)
    WHERE id = $2 AND state = 'sending' AND EXISTS (SELECT FROM changed)),
  started AS (
    INSERT INTO message_attempt (id, message_id, number, gateway, state, repeats_unknown, started_at, business_started_at)
    SELECT $3, changed.id, attempts, coalesce(array_to_string(w.sms_gateways, ','), $4), 'sending',
      $5 OR EXISTS (SELECT FROM message_attempt WHERE id = $2 AND repeats_unknown), clock_timestamp(), $6
    FROM changed JOIN workshop w ON w.id = workshop_id WHERE stopped IS NULL)
SELECT coalesce(stopped, 'started') AS outcome FROM changed;

-- src/product/messaging/from-template/store.ts: findNextBooking
SELECT b.customer_id, b.id AS booking_id
FROM unnest(ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
        WHERE its_row.id = $2::uuid)) AS one (id) CROSS JOIN LATERAL (
    SELECT customer_id, id, date FROM booking
    WHERE customer_id = one.id AND workshop_id = $1 AND date >= $3 AND status IN ('pending', 'confirmed')
    ORDER BY date, id LIMIT 1) AS b
ORDER BY b.date, b.id LIMIT 1;

-- src/product/messaging/from-template/store.ts: findPreviewBooking
SELECT jsonb_build_object(
      'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
      'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      b.service_category, 'services', b.services, 'pickupTime', to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'servicePackageType', b.service_package_type, 'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes',
      to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id,
      'interval', b.interval, 'cancelReason', b.cancel_reason,
      'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
          'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
      jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
          'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
          'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb', null)) AS booking
FROM booking b JOIN car c ON c.id = b.car_id
WHERE b.id = $2 AND b.workshop_id = $1;

-- src/product/messaging/from-template/store.ts: findVersionOf
SELECT v.subject, v.body, v.placeholders, v.requires_booking,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label) AS workshop
FROM template t JOIN template_version v ON v.template_id = t.id JOIN workshop w ON w.id = t.workshop_id
WHERE t.id = $2 AND t.workshop_id = $1 AND v.number = $3;

-- src/product/messaging/from-template/store.ts: readRecipients
SELECT named.ordinal, jsonb_build_object('name', k.name,
      'firstName', k.first_name, 'lastName', k.last_name, 'email', k.email,
      'phone', k.phone, 'company', k.company) AS customer,
  CASE WHEN b.id IS NOT NULL THEN jsonb_build_object(
      'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
      'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      b.service_category, 'services', b.services, 'pickupTime', to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'servicePackageType', b.service_package_type, 'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes',
      to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id,
      'interval', b.interval, 'cancelReason', b.cancel_reason,
      'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
          'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
      jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
          'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
          'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) END AS booking
FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS named (customer_id, booking_id, ordinal)
JOIN customer k ON k.id = named.customer_id AND k.workshop_id = $1
LEFT JOIN booking b ON b.id = named.booking_id AND b.customer_id = k.id AND b.workshop_id = $1
LEFT JOIN car c ON c.id = b.car_id;

-- src/product/messaging/from-template/store.ts: readTemplateContext
WITH input AS (
    SELECT 1 AS ordinal, $1::uuid AS partner_id, $2::uuid AS workshop_id, $3::uuid AS customer_id, $4::text AS phone,
      $5::uuid AS booking_id, $6::text AS reference_id),
  gate AS MATERIALIZED (
    SELECT input.*, l.active AS link_active, p.messaging_enabled AS messaging_feature, p.campaigns_enabled AS campaigns_feature,
      w.inbox_messaging_enabled AS inbox_messaging, w.sms_sender, w.sms_gateways
    FROM input JOIN link l ON l.partner_id = input.partner_id AND l.workshop_id = input.workshop_id
    JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id),
  person AS MATERIALIZED (
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL AS opted_out, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END AS rated_as
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.id = gate.customer_id AND c.phone IS NOT NULL
    UNION ALL
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.phone = gate.phone WHERE gate.customer_id IS NULL),
  its_booking AS MATERIALIZED (
    SELECT gate.ordinal, b.id, b.customer_id, b.date FROM gate
    JOIN booking b ON b.id = gate.booking_id AND b.workshop_id = gate.workshop_id AND b.partner_id = gate.partner_id),
  sent_before AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN person ON person.ordinal = gate.ordinal
    JOIN message m ON m.partner_id = gate.partner_id AND m.workshop_id = gate.workshop_id AND m.customer_id = person.id
      AND m.reference_id = gate.reference_id
    WHERE m.state NOT IN ('sending', 'failed', 'unknown'))
SELECT gate.link_active, gate.messaging_feature, gate.campaigns_feature, gate.inbox_messaging, gate.sms_sender, gate.sms_gateways,
  person.id IS NOT NULL AS customer_found, its_booking.id IS NOT NULL AS booking_found,
  coalesce(its_booking.customer_id = person.id, false) AS booking_is_theirs, EXISTS (SELECT FROM sent_before) AS sent_before,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label) AS workshop,
  CASE WHEN k.id IS NOT NULL THEN coalesce(
      (SELECT jsonb_build_object('name', own.contact_name,
              'firstName', own.contact_first_name, 'lastName', own.contact_last_name, 'email', own.contact_email,
              'phone', k.phone, 'company', own.contact_company) FROM booking own WHERE own.customer_id = k.id AND own.partner_id = $1::uuid
        ORDER BY own.created_at DESC, own.id DESC LIMIT 1),
      CASE WHEN $1::uuid IS NOT NULL AND NOT k.details_from <@ ARRAY[$1::uuid] THEN jsonb_build_object('phone', k.phone)
      ELSE jsonb_build_object('name', k.name,
          'firstName', k.first_name, 'lastName', k.last_name, 'email', k.email,
          'phone', k.phone, 'company', k.company) END) END AS customer,
  CASE WHEN b.id IS NOT NULL THEN jsonb_build_object(
      'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
      'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
      b.service_category, 'services', b.services, 'pickupTime', to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'servicePackageType', b.service_package_type, 'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes',
      to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id,
      'interval', b.interval, 'cancelReason', b.cancel_reason,
      'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
          'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
      jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
          'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
          'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
          null)) END AS booking,
  t.body AS template_body, t.version AS template_version, t.requires_booking
FROM gate JOIN workshop w ON w.id = gate.workshop_id LEFT JOIN person ON person.ordinal = gate.ordinal
LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal
LEFT JOIN customer k ON k.id = person.id
LEFT JOIN booking b ON b.id = its_booking.id
LEFT JOIN car c ON c.id = b.car_id
LEFT JOIN template t ON t.workshop_id = gate.workshop_id AND t.id = $7::uuid AND t.status = 'published' AND t.purpose = 'inbox';

-- src/product/messaging/inbound/marks/store.ts: markAsked
UPDATE talk SET asked_id = $3 FROM customer k
WHERE k.id = $2 AND k.workshop_id = $1 AND k.opted_out_at IS NULL AND talk.customer_id = coalesce(k.merged_into, k.id)
RETURNING talk.customer_id;

-- src/product/messaging/inbound/marks/store.ts: markMeant
WITH its AS MATERIALIZED (SELECT unnest(ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
            WHERE its_row.id = $2::uuid)) AS id),
  theirs AS MATERIALIZED (
    SELECT id FROM its UNION SELECT apart.customer_id FROM its JOIN customer_apart apart ON apart.number_of = its.id),
  today AS MATERIALIZED (
    SELECT day AT TIME ZONE zone AS begins, (day + interval '1 day') AT TIME ZONE zone AS ends
    FROM (SELECT known_zone(timezone) AS zone, date_trunc('day', $4::timestamptz AT TIME ZONE known_zone(timezone)) AS day
        FROM workshop WHERE id = $1) AS local),
  meant AS MATERIALIZED (
    SELECT b.id FROM today CROSS JOIN theirs CROSS JOIN LATERAL (
        SELECT id, date FROM booking
        WHERE customer_id = theirs.id AND workshop_id = $1 AND status IN ('pending', 'confirmed')
          AND date >= today.begins AND date < today.ends ORDER BY date, id) AS b
    ORDER BY b.date < $4, b.date, b.id LIMIT 1)
UPDATE talk SET meant_id = $3, meant_booking_id = meant.id
FROM meant, customer k
WHERE k.id = $2 AND k.workshop_id = $1 AND talk.customer_id = coalesce(k.merged_into, k.id)
RETURNING talk.customer_id, meant.id AS booking_id;

-- src/product/messaging/inbound/parts/store.ts: addPart
UPDATE long_sms AS l
SET parts = next.parts, charsets = next.charsets,
  state = CASE WHEN next.is_whole THEN 'closed' ELSE l.state END,
  due_at = CASE WHEN next.is_whole THEN clock_timestamp() + interval '30 seconds' ELSE l.due_at END
FROM (SELECT its.*, array_position(parts, NULL::bytea) IS NULL AS is_whole
    FROM (SELECT parts[:$2::int - 1] || ARRAY[$3::bytea] || parts[$2::int + 1:] AS parts,
          charsets[:$2::int - 1] || ARRAY[$4::text] || charsets[$2::int + 1:] AS charsets
        FROM long_sms WHERE id = $1) AS its) AS next
WHERE l.id = $1
RETURNING l.id, l.gateway, l.sender, l.recipient, l.parts, l.charsets, l.state;

-- src/product/messaging/inbound/parts/store.ts: deleteLong
DELETE FROM long_sms WHERE id = $1;

-- src/product/messaging/inbound/parts/store.ts: deleteRecorded
DELETE FROM long_sms WHERE id IN (
    SELECT id FROM long_sms WHERE due_at <= (SELECT clock_timestamp()) AND state = 'recorded'
    ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING true;

-- src/product/messaging/inbound/parts/store.ts: endSeries
UPDATE long_sms SET is_current = false, state = CASE state WHEN 'open' THEN 'closed' ELSE state END,
  due_at = CASE state WHEN 'open' THEN clock_timestamp() ELSE due_at END WHERE id = $1;

-- src/product/messaging/inbound/parts/store.ts: findDue
SELECT id FROM long_sms WHERE due_at <= (SELECT clock_timestamp()) AND state <> 'recorded'
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'recordLongSms' AND f.subject_id = id)
ORDER BY due_at LIMIT $1;

-- src/product/messaging/inbound/parts/store.ts: holdCurrent
INSERT INTO long_sms AS l (id, gateway, sender, recipient, series, total, parts, charsets, begun_at, due_at)
VALUES ($1, $2, $3, $4, $5, $6::int, array_fill(NULL::bytea, ARRAY[$6::int]), array_fill(NULL::text, ARRAY[$6::int]),
      clock_timestamp(), clock_timestamp() + interval '120 seconds')
ON CONFLICT (gateway, sender, recipient, series, total) WHERE is_current DO UPDATE SET series = excluded.series
RETURNING l.id, l.gateway, l.sender, l.recipient, l.parts, l.charsets, l.state;

-- src/product/messaging/inbound/parts/store.ts: markRecorded
UPDATE long_sms SET state = 'recorded', due_at = clock_timestamp() + interval '600 seconds' WHERE id = $1;

-- src/product/messaging/inbound/parts/store.ts: takeDue
UPDATE long_sms AS l SET state = 'closed', due_at = clock_timestamp() + interval '30 seconds'
WHERE id IN (SELECT id FROM long_sms WHERE id = ANY ($1::uuid[]) AND state <> 'recorded' FOR UPDATE SKIP LOCKED)
RETURNING l.id, l.gateway, l.sender, l.recipient, l.parts, l.charsets, l.state;

-- src/product/messaging/inbound/sent/store.ts: findTextsTo
SELECT m.workshop_id, m.body FROM customer k
JOIN conversation c ON c.workshop_id = k.workshop_id AND c.customer_id = k.id
CROSS JOIN LATERAL (
    SELECT workshop_id, body, direction, channel FROM message WHERE conversation_id = c.id ORDER BY id DESC LIMIT 100) AS m
WHERE k.phone = $1 AND m.direction = 'outbound' AND m.channel = 'sms';

-- src/product/messaging/inbound/sent/store.ts: wasHelped
SELECT FROM message WHERE customer_id = $2 AND workshop_id = $1 AND kind = 'helpAnswer' AND recipient = $3
  AND created_at > $4 LIMIT 1;

-- src/product/messaging/inbound/store.ts: accountOfInbound
SELECT s.account FROM message m JOIN sms_account s ON s.workshop_id = m.workshop_id AND s.gateway = m.gateway
WHERE m.gateway = $1 AND m.gateway_message_id = $2;

-- src/product/messaging/inbound/store.ts: countryOfSender
SELECT country FROM workshop WHERE sms_sender = ANY($1::text[]) ORDER BY created_at, id LIMIT 1;

-- src/product/messaging/inbound/store.ts: deleteUnmatched
DELETE FROM unplaced_sms WHERE id = $1;

-- src/product/messaging/inbound/store.ts: findUnmatched
SELECT id, gateway, gateway_message_id AS gateway_id, sender AS "from", recipient AS "to", body, created_at AS received_at, attachments
FROM unplaced_sms WHERE id = $1;

-- src/product/messaging/inbound/store.ts: insertInbound
WITH earlier AS (
    SELECT id FROM message WHERE gateway = $1::text AND gateway_message_id = $2::text),
  -- The workshops that have the number it came to.
  numbered AS (SELECT id FROM workshop WHERE sms_sender = ANY($3::text[])),
  -- The message that it answers, by the word of the gateway.
  answered AS (
    SELECT m.workshop_id, m.recipient AS phone FROM message_attempt a JOIN message m ON m.id = a.message_id
    WHERE a.id = $4::uuid AND m.channel = 'sms' AND m.audience = 'customer'),
  -- Workshops that know the sender: those that share the number, or all when none has it.
  known AS (
    SELECT k.workshop_id, EXISTS (
        SELECT FROM answered WHERE answered.workshop_id = k.workshop_id AND answered.phone = k.phone)
      OR k.workshop_id = ANY($5::uuid[]) AS is_answered,
      c.last_sent_at, k.updated_at
    FROM customer k
    LEFT JOIN conversation c ON c.workshop_id = k.workshop_id AND c.customer_id = k.id
    WHERE k.phone = $6::text
      AND (NOT EXISTS (SELECT FROM numbered) OR k.workshop_id IN (SELECT id FROM numbered))),
  -- Whose it is: the only one with the number, else the one it answers, else the one that last sent the phone an SMS.
  place AS (
    SELECT workshop_id FROM (
        SELECT id AS workshop_id, true AS is_only, false AS is_answered, NULL::timestamptz AS last_sent_at, NULL::timestamptz AS updated_at
        FROM numbered WHERE (SELECT count(*) FROM numbered) = 1
        UNION ALL SELECT workshop_id, false, is_answered, last_sent_at, updated_at FROM known) AS candidate
    WHERE NOT EXISTS (SELECT FROM earlier)
    ORDER BY is_only DESC, is_answered DESC, last_sent_at DESC NULLS LAST, updated_at DESC, workshop_id LIMIT 1),
  writer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, phone, details_from, created_at, updated_at)
    SELECT $7::uuid, workshop_id, coalesce(NULL::text, $6::text), NULL, NULL, $6::text, '{}'::uuid[], $8::timestamptz, $8::timestamptz
    FROM place
    ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
    RETURNING id, workshop_id, phone),
  its_conversation AS (
    INSERT INTO conversation (id, workshop_id, customer_id, created_at)
    SELECT $9::uuid, place.workshop_id, writer.id, $8::timestamptz FROM place CROSS JOIN writer
    ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id
    RETURNING id, workshop_id, customer_id),
  received AS (
    INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, direction, kind, recipient, body, encoding,
          segments, state, gateway, gateway_message_id, notice_due, created_at, updated_at)
    SELECT $10::uuid, c.workshop_id, c.id, c.customer_id,
      (SELECT m.partner_id FROM message m
        WHERE m.conversation_id = c.id AND m.kind IN ('partnerMessage', 'serviceReminder', 'automation', 'blast')
          AND m.partner_id IS NOT NULL AND m.state <> 'failed' ORDER BY m.id DESC LIMIT 1),
      'inbound', CASE WHEN c.workshop_id = ANY($5::uuid[]) THEN 'reaction' ELSE 'inbound' END,
      $6::text, $11::text, $12::text,
      $13::integer, 'received', $1::text, $2::text,
      w.inbox_notices <> 'off' AND c.workshop_id <> ALL($5::uuid[]),
      $8::timestamptz, $8::timestamptz
    FROM its_conversation c JOIN workshop w ON w.id = c.workshop_id
    ON CONFLICT (gateway, gateway_message_id) WHERE gateway_message_id IS NOT NULL DO NOTHING
    RETURNING *),
  attached AS (INSERT INTO message_attachment (id, message_id, workshop_id, ordinal, gateway, content_type, size_bytes, content, state,
          reason,
          source_url, due_at, created_at)
    SELECT a.id, received.id, received.workshop_id, a.ordinal, received.gateway, a.content_type, a.size_bytes,
      decode(a.content, 'base64'), a.state, a.reason, a.source_url, CASE a.state WHEN 'waiting' THEN clock_timestamp() END,
      received.created_at
    FROM received CROSS JOIN jsonb_to_recordset($14::jsonb) AS a (id uuid, ordinal integer, content_type text, size_bytes integer,
          content text, state text, reason text, source_url text)),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT $15::uuid, 'message.received', received.partner_id, received.workshop_id, received.id, received.version,
      jsonb_build_object('message', jsonb_build_object('id', received.id, 'workshopId', received.workshop_id, 'conversationId',
              received.conversation_id,
              'customerId', received.customer_id, 'bookingId', received.booking_id, 'templateId', received.template_id,
              'templateVersion', CASE WHEN received.template_id IS NOT NULL THEN coalesce(received.template_version, 1) END,
              'referenceId', received.reference_id, 'direction', received.direction, 'phone', received.recipient, 'body', received.body,
              'encoding', received.encoding, 'segments', received.segments, 'state', received.state, 'reason', received.reason, 'detail',
              CASE WHEN received.reason IS DISTINCT FROM 'gatewayUnavailable' THEN received.detail END,
              'createdAt', to_char(received.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(received.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), $8::timestamptz, 'customer sms', NULL,
      NULL::jsonb, NULL::jsonb
    FROM received)
SELECT r.workshop_id, r.customer_id, r.conversation_id,
  r.id AS message_id, EXISTS (SELECT FROM earlier) OR (r.id IS NULL AND place.workshop_id IS NOT NULL) AS repeated
FROM (SELECT) AS always LEFT JOIN place ON true LEFT JOIN received r ON true;

-- src/product/messaging/inbound/store.ts: insertUnmatched
INSERT INTO unplaced_sms (id, gateway, gateway_message_id, sender, recipient, body, attachments, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)
ON CONFLICT (gateway, gateway_message_id) DO NOTHING RETURNING id;

-- src/product/messaging/inbound/store.ts: listAnswersOf
SELECT m.id, k.phone AS "from", w.name AS "to", m.body, m.created_at AS at
FROM customer k JOIN message m ON m.customer_id = k.id JOIN workshop w ON w.id = m.workshop_id
WHERE k.phone = $1 AND m.direction = 'inbound' ORDER BY m.id DESC LIMIT $2;

-- src/product/messaging/inbound/store.ts: listUnmatched
SELECT id, gateway, gateway_message_id AS gateway_id, sender AS "from", recipient AS "to", body, created_at AS received_at FROM unplaced_sms
WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $2;

-- src/product/messaging/inbox/again/store.ts: findSent
SELECT m.id AS message_id, m.customer_id, m.booking_id, m.direction, m.channel, m.kind, m.body, m.state,
  EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id) AS is_queued,
  (SELECT again.id FROM message again WHERE again.cause_id = m.id AND again.kind = 'reply' LIMIT 1) AS again_id
FROM message m
WHERE m.id = $3 AND m.workshop_id = $1 AND m.conversation_id = ANY (ARRAY(
        SELECT its_talk.id FROM conversation given_talk JOIN customer its_row ON its_row.id = given_talk.customer_id CROSS JOIN LATERAL (
            SELECT its_row.id UNION ALL SELECT its_row.merged_into AS id WHERE its_row.merged_into IS NOT NULL
            UNION ALL SELECT its_other.id FROM customer its_other
            WHERE its_other.merged_into = coalesce(its_row.merged_into, its_row.id) AND its_other.id <> its_row.id) AS its_one (id)
        JOIN conversation its_talk ON its_talk.customer_id = its_one.id AND its_talk.workshop_id = given_talk.workshop_id
        WHERE given_talk.id = $2::uuid));

-- src/product/messaging/inbox/answered/store.ts: findAnswered
SELECT k.workshop_id, k.id AS customer_id, k.phone, k.opted_out_at IS NOT NULL AS opted_out, k.erased_at IS NOT NULL AS is_erased
FROM unnest(ARRAY(
        SELECT its_talk.id FROM conversation given_talk JOIN customer its_row ON its_row.id = given_talk.customer_id CROSS JOIN LATERAL (
            SELECT its_row.id UNION ALL SELECT its_row.merged_into AS id WHERE its_row.merged_into IS NOT NULL
            UNION ALL SELECT its_other.id FROM customer its_other
            WHERE its_other.merged_into = coalesce(its_row.merged_into, its_row.id) AND its_other.id <> its_row.id) AS its_one (id)
        JOIN conversation its_talk ON its_talk.customer_id = its_one.id AND its_talk.workshop_id = given_talk.workshop_id
        WHERE given_talk.id = $2::uuid)) AS talk (id)
JOIN conversation v ON v.id = talk.id JOIN customer k ON k.id = v.customer_id
LEFT JOIN LATERAL (
    SELECT id FROM message WHERE conversation_id = talk.id AND direction = 'inbound' ORDER BY id DESC LIMIT 1) AS heard ON true
WHERE v.workshop_id = $1
ORDER BY k.phone IS NULL, heard.id DESC NULLS LAST, v.id <> $2, v.id LIMIT 1;

-- src/product/messaging/inbox/answered/store.ts: findLastSaid
SELECT m.id FROM (SELECT id FROM conversation WHERE workshop_id = $1 AND customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
            WHERE its_row.id = $2::uuid))) AS talk CROSS JOIN LATERAL (
    SELECT id FROM message WHERE conversation_id = talk.id ORDER BY id DESC LIMIT 1) AS m ORDER BY m.id DESC LIMIT 1;

-- src/product/messaging/inbox/answered/store.ts: hasWrittenSince
SELECT FROM (SELECT id FROM conversation WHERE workshop_id = $1 AND customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
            WHERE its_row.id = $2::uuid))) AS talk CROSS JOIN LATERAL (
    SELECT FROM message WHERE conversation_id = talk.id AND id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
      AND kind = 'inbound'
    LIMIT 1) AS written LIMIT 1;

-- src/product/messaging/inbox/answered/store.ts: listAnswersSince
SELECT m.id AS message_id, m.customer_id, partner.name AS partner, m.body, m.created_at AS at
FROM (SELECT id FROM conversation WHERE workshop_id = $1 AND customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
            WHERE its_row.id = $2::uuid))) AS talk CROSS JOIN LATERAL (
    SELECT * FROM message WHERE conversation_id = talk.id AND id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
      AND kind IN ('reply', 'partnerMessage') AND (message.state NOT IN ('failed', 'undelivered', 'expired')
          OR EXISTS (SELECT FROM queued_message q WHERE q.message_id = message.id))
    ORDER BY id DESC LIMIT 5) AS m
LEFT JOIN partner ON partner.id = m.partner_id
ORDER BY m.id DESC LIMIT 5;

-- src/product/messaging/inbox/answered/store.ts: lockTalk
INSERT INTO conversation (id, workshop_id, customer_id,
      created_at) VALUES ((overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, $1, $2, $3)
ON CONFLICT (workshop_id, customer_id) DO NOTHING;

-- src/product/messaging/inbox/answered/store.ts: lockTalk
SELECT id FROM conversation WHERE workshop_id = $1 AND customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
ORDER BY id FOR NO KEY UPDATE;

-- src/product/messaging/inbox/desk/store.ts: countNotes
SELECT count(*)::integer AS count FROM talk_note WHERE customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND workshop_id = $1;

-- src/product/messaging/inbox/desk/store.ts: deleteNotes
DELETE FROM talk_note WHERE customer_id = ANY ($1::uuid[]);

-- src/product/messaging/inbox/desk/store.ts: findDesk
SELECT shown.id AS conversation_id, c.workshop_id, kept.id AS customer_id, kept.name,
  coalesce(its.phone, (
        SELECT its_number.phone FROM customer_apart its_apart JOIN customer its_number ON its_number.id = its_apart.number_of
        WHERE its_apart.customer_id = its.id)) AS phone,
  its.opted_out_at IS NOT NULL AS opted_out, coalesce(lower(its.bounced_email) = lower(its.email), false) AS email_bounced,
  kept.erased_at IS NOT NULL AS is_erased, CASE WHEN t.done_at IS NOT NULL THEN 'done' WHEN t.done_at IS NULL
  AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant, coalesce(t.version, 0) AS version,
  t.last_message_id
FROM conversation c JOIN customer asked ON asked.id = c.customer_id
JOIN customer kept ON kept.id = coalesce(asked.merged_into, asked.id)
LEFT JOIN talk t ON t.customer_id = kept.id
JOIN conversation shown ON shown.id = coalesce(t.conversation_id, c.id)
JOIN customer its ON its.id = shown.customer_id
WHERE c.id = $2 AND c.workshop_id = $1;

-- src/product/messaging/inbox/desk/store.ts: holdMember
SELECT FROM membership WHERE person_id = $2 AND workshop_id = $1 FOR KEY SHARE;

-- src/product/messaging/inbox/desk/store.ts: holdTalk
INSERT INTO talk (customer_id, workshop_id, version) VALUES ($2, $1, 0)
ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id;

-- src/product/messaging/inbox/desk/store.ts: insertNote
INSERT INTO talk_note (id, workshop_id, customer_id, text, actor, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- src/product/messaging/inbox/desk/store.ts: listNotes
SELECT note.id AS note_id, note.text, note.actor, note.created_at AS at, (
    SELECT name FROM person WHERE id = CASE WHEN note.actor LIKE 'person %' THEN split_part(note.actor, ' ', 2)::uuid END) AS name
FROM conversation c CROSS JOIN LATERAL unnest(ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = c.customer_id AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = c.customer_id
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
        WHERE its_row.id = c.customer_id)) AS its (id) CROSS JOIN LATERAL (
    SELECT * FROM talk_note WHERE customer_id = its.id AND workshop_id = c.workshop_id
      AND talk_note.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk_note.id DESC LIMIT $4) AS note
WHERE c.id = $2 AND c.workshop_id = $1 ORDER BY note.id DESC LIMIT $4;

-- src/product/messaging/inbox/desk/store.ts: writeMark
SELECT read_talks(ARRAY[$1::uuid], false);

-- src/product/messaging/inbox/desk/store.ts: writeMark
UPDATE talk SET asked_id = $3::uuid, version = version + 1 WHERE customer_id = $2 AND workshop_id = $1;

-- src/product/messaging/inbox/desk/store.ts: writeMark
UPDATE talk SET assigned_to = $3::uuid, version = version + 1 WHERE customer_id = $2 AND workshop_id = $1;

-- src/product/messaging/inbox/desk/store.ts: writeMark
UPDATE talk SET done_at = $3::timestamptz, reopened_id = NULL, meant_id = NULL, meant_booking_id = NULL, version = version + 1
WHERE customer_id = $2 AND workshop_id = $1;

-- src/product/messaging/inbox/desk/store.ts: writeMark
UPDATE talk SET done_at = NULL, reopened_id = coalesce(answer_id, $3::uuid), version = version + 1 WHERE customer_id = $2
  AND workshop_id = $1;

-- src/product/messaging/inbox/later/store.ts: countScheduled
SELECT (SELECT count(*)::integer FROM scheduled_text WHERE workshop_id = $1) AS of_workshop,
  (SELECT count(*)::integer FROM scheduled_text WHERE person_id = $2) AS of_person;

-- src/product/messaging/inbox/later/store.ts: countScheduled
SELECT pg_advisory_xact_lock(hashtextextended('scheduled text ' || $1, 0));

-- src/product/messaging/inbox/later/store.ts: findDueTexts
SELECT id FROM scheduled_text WHERE due_at <= $1
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'sendScheduledText' AND f.subject_id = scheduled_text.id) ORDER BY due_at LIMIT $2;

-- src/product/messaging/inbox/later/store.ts: findDueTexts
SELECT id FROM scheduled_text WHERE due_at <= $1 AND true ORDER BY due_at LIMIT $2;

-- src/product/messaging/inbox/later/store.ts: findScheduled
SELECT id, workshop_id, customer_id, person_id, booking_id, body, seen, due_at FROM scheduled_text WHERE id = $1;

-- src/product/messaging/inbox/later/store.ts: insertScheduled
INSERT INTO scheduled_text (id, workshop_id, customer_id, person_id, booking_id, body, seen, due_at, created_at) VALUES ($1, $2, $3, $4, $5,
      $6, $7, $8, $9);

-- src/product/messaging/inbox/later/store.ts: listScheduled
SELECT id, workshop_id, customer_id, person_id, booking_id, body, seen, due_at,
  (SELECT name FROM person WHERE person.id = person_id) AS writer, EXISTS (
    SELECT FROM conversation talk JOIN message m ON m.conversation_id = talk.id
    WHERE talk.workshop_id = $1 AND talk.customer_id = ANY (ARRAY(
            SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
            UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
            UNION SELECT its_other.id FROM customer its_row
            JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
      AND m.kind = 'inbound'
      AND m.id > coalesce(seen, '00000000-0000-0000-0000-000000000000')) AS is_overtaken
FROM scheduled_text WHERE workshop_id = $1 AND customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
ORDER BY due_at, id;

-- src/product/messaging/inbox/later/store.ts: takeScheduled
DELETE FROM scheduled_text WHERE id = $3 AND workshop_id = $1 AND customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
RETURNING id, workshop_id, customer_id, person_id, booking_id, body, seen, due_at;

-- src/product/messaging/inbox/mail/store.ts: findSentMail
SELECT w.name AS workshop,
  ARRAY(SELECT lower(unnest(w.email || coalesce(w.notify_emails, '{}')))) AS recipients,
  ARRAY(SELECT body FROM message
    WHERE conversation_id = c.id AND kind = 'inbound' ORDER BY id DESC LIMIT 50) AS answers
FROM conversation c JOIN workshop w ON w.id = c.workshop_id WHERE c.id = $1;

-- src/product/messaging/inbox/store.ts: findConversation
SELECT c.id AS conversation_id, w.id AS workshop_id, w.name AS workshop, w.timezone, w.country,
  k.id AS customer_id, k.name, k.phone,
  k.opted_out_at IS NOT NULL AS opted_out, coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced
FROM conversation c JOIN workshop w ON w.id = c.workshop_id JOIN customer k ON k.id = c.customer_id WHERE c.id = $1;

-- src/product/messaging/inbox/store.ts: findConversationOf
SELECT c.id AS conversation_id, w.id AS workshop_id, w.name AS workshop, w.timezone, w.country,
  k.id AS customer_id, k.name, k.phone,
  k.opted_out_at IS NOT NULL AS opted_out, coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced
FROM conversation c JOIN workshop w ON w.id = c.workshop_id JOIN customer k ON k.id = c.customer_id WHERE c.customer_id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND c.workshop_id = $1
ORDER BY c.customer_id <> $2, c.last_sent_at DESC NULLS LAST, c.id LIMIT 1;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND talk.assigned_to = $3
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND talk.assigned_to = $3
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $4
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND talk.customer_id = ANY ($3::uuid[])
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $4
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $3
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND talk.customer_id = ANY ($3::uuid[])
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $4
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NOT NULL
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $3
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NULL
      AND (talk.heard_id > coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')
          OR talk.reopened_id >= coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000'))
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND talk.assigned_to = $3
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $4
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NULL
      AND (talk.heard_id > coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')
          OR talk.reopened_id >= coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000'))
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND talk.customer_id = ANY ($3::uuid[])
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $4
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NULL
      AND (talk.heard_id > coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')
          OR talk.reopened_id >= coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000'))
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NULL
      AND (talk.heard_id > coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')
          OR talk.reopened_id >= coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000'))
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $3
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NULL
      AND talk.failed_id >= coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listConversations
SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
  kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  coalesce(lower(k.bounced_email) = lower(k.email), false) AS email_bounced, CASE WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.done_at IS NULL AND (t.heard_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')
      OR t.reopened_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) THEN 'waiting' ELSE 'open' END AS state,
  coalesce(t.done_at IS NULL AND t.failed_id >= coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000'), false) AS failed,
  (SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = t.assigned_to) AS assigned_to,
  t.asked_id IS NOT NULL AS asks_to_stop, (SELECT jsonb_build_object('bookingId', meant.id, 'date', meant.date)
    FROM booking meant WHERE meant.id = t.meant_booking_id AND t.done_at IS NULL
      AND t.meant_id > coalesce(t.answer_id, '00000000-0000-0000-0000-000000000000')) AS may_have_meant,
  m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
FROM workshop w CROSS JOIN LATERAL (
    SELECT * FROM talk
    WHERE workshop_id = w.id AND talk.last_message_id IS NOT NULL AND talk.done_at IS NULL
      AND talk.failed_id >= coalesce(talk.answer_id, '00000000-0000-0000-0000-000000000000')
      AND talk.last_message_id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY talk.last_message_id DESC LIMIT $2) AS t
JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
WHERE true AND w.id = $3
ORDER BY t.last_message_id DESC LIMIT $2;

-- src/product/messaging/inbox/store.ts: listMessages
SELECT m.id AS message_id, m.direction, m.kind,
  CASE m.direction WHEN 'outbound' THEN m.partner_id END AS partner_id, m.body, m.segments, m.state, m.reason, m.detail,
  m.attempts, m.created_at AS at, EXISTS (
    SELECT FROM message_attempt a WHERE a.message_id = m.id AND a.repeats_unknown AND a.state <> 'failed') AS repeats_unknown,
  coalesce((SELECT jsonb_agg(jsonb_build_object(
                  'attachmentId', a.id, 'contentType', a.content_type, 'sizeBytes', a.size_bytes, 'state', a.state,
                  'reason', a.reason) ORDER BY a.ordinal) FROM message_attachment a WHERE a.message_id = m.id), '[]') AS attachments
FROM unnest(ARRAY(
        SELECT its_talk.id FROM conversation given_talk JOIN customer its_row ON its_row.id = given_talk.customer_id CROSS JOIN LATERAL (
            SELECT its_row.id UNION ALL SELECT its_row.merged_into AS id WHERE its_row.merged_into IS NOT NULL
            UNION ALL SELECT its_other.id FROM customer its_other
            WHERE its_other.merged_into = coalesce(its_row.merged_into, its_row.id) AND its_other.id <> its_row.id) AS its_one (id)
        JOIN conversation its_talk ON its_talk.customer_id = its_one.id AND its_talk.workshop_id = given_talk.workshop_id
        WHERE given_talk.id = $1::uuid)) AS talk (id) CROSS JOIN LATERAL (
    SELECT * FROM message WHERE conversation_id = talk.id AND message.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY message.id DESC LIMIT $3) AS m
ORDER BY m.id DESC LIMIT $3;

-- src/product/messaging/named/store.ts: readNamed
WITH gate AS MATERIALIZED (
    SELECT 1 AS ordinal, $1::uuid AS partner_id, $2::uuid AS workshop_id, $3::uuid AS customer_id, $4::text AS phone,
      $5::uuid AS booking_id),
  person AS MATERIALIZED (
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL AS opted_out, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END AS rated_as
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.id = gate.customer_id AND c.phone IS NOT NULL
    UNION ALL
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.phone = gate.phone WHERE gate.customer_id IS NULL),
  its_booking AS MATERIALIZED (
    SELECT gate.ordinal, b.id, b.customer_id, b.date FROM gate
    JOIN booking b ON b.id = gate.booking_id AND b.workshop_id = gate.workshop_id AND b.partner_id = gate.partner_id)
SELECT person.id IS NOT NULL AS customer_found, its_booking.id IS NOT NULL AS booking_found,
  coalesce(its_booking.customer_id = person.id, false) AS booking_is_theirs, person.id AS customer_id, its_booking.date AS booking_date
FROM gate LEFT JOIN person ON person.ordinal = gate.ordinal
LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal;

-- src/product/messaging/staff/senders/store.ts: findSenders
SELECT asked.message_id, e.actor
FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) AS asked (message_id, customer_id, made_at) CROSS JOIN LATERAL (
    SELECT actor FROM audit_entry WHERE subject_id = asked.customer_id AND workshop_id = $1
      AND id BETWEEN first_id(asked.made_at - make_interval(secs => $6)) AND first_id(asked.made_at + make_interval(secs => $6))
      AND action = $5 AND after ->> 'messageId' = asked.message_id::text
    ORDER BY id DESC LIMIT 1) AS e;

-- src/product/messaging/staff/store.ts: findAddressee
SELECT workshop_id, id AS customer_id, coalesce(phone, (
        SELECT its_number.phone FROM customer_apart its_apart JOIN customer its_number ON its_number.id = its_apart.number_of
        WHERE its_apart.customer_id = customer.id)) AS phone,
  opted_out_at IS NOT NULL AS opted_out, erased_at IS NOT NULL AS is_erased
FROM customer WHERE id = ANY (ARRAY(
        SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = $2::uuid AND its_row.merged_into IS NOT NULL
        UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = $2::uuid
        UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = $2::uuid))
  AND workshop_id = $1
ORDER BY phone IS NULL, id <> $2, id LIMIT 1;

-- src/product/messaging/staff/store.ts: findAllowedAbroad
SELECT given.customer_id FROM jsonb_to_recordset($2::jsonb) AS given (customer_id uuid, phone text)
WHERE (EXISTS (SELECT FROM booking WHERE customer_id = given.customer_id AND contact_phone = given.phone)
      OR EXISTS (SELECT FROM message WHERE customer_id = given.customer_id AND direction = 'inbound' AND recipient = given.phone))
  OR EXISTS (SELECT FROM texting_ground g WHERE g.workshop_id = $1 AND g.phone = given.phone AND g.abroad_allowed);

-- src/product/messaging/staff/store.ts: isLetIn
WITH asked AS (
    SELECT workshop_id, rated_as FROM customer c CROSS JOIN LATERAL (
        SELECT coalesce(CASE WHEN c.merged_into IS NULL THEN c.phone
              ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END, (
                SELECT its_number.phone FROM customer_apart its_apart JOIN customer its_number ON its_number.id = its_apart.number_of
                WHERE its_apart.customer_id = c.id)) AS rated_as) AS its
    WHERE c.id = $2::uuid AND c.workshop_id = $1::uuid AND rated_as IS NOT NULL),
  stamped AS (
    INSERT INTO message_rate AS old (workshop_id, person, passed)
    SELECT workshop_id, rated_as, ARRAY[clock_timestamp()] FROM asked ORDER BY workshop_id, rated_as
    ON CONFLICT (workshop_id, person) DO UPDATE
    SET passed = (SELECT stamps || greatest(clock_timestamp(), stamps[cardinality(stamps)])
        FROM (SELECT ARRAY(SELECT at FROM unnest(old.passed) AS at
                WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second') AS stamps) AS kept)
    WHERE (SELECT count(*) FROM (SELECT at FROM unnest(old.passed) AS at
            WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second') AS counted) < 5
    RETURNING workshop_id, person, passed),
  passed AS (SELECT workshop_id, person AS rated_as, cardinality(passed) AS used FROM stamped) SELECT used FROM passed;

-- src/product/messaging/staff/store.ts: keepGround
INSERT INTO texting_ground AS kept (workshop_id, phone, customer_id, reason, abroad_allowed, actor, at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workshop_id, phone) DO UPDATE SET customer_id = excluded.customer_id,
  reason = coalesce(kept.reason, excluded.reason), abroad_allowed = kept.abroad_allowed OR excluded.abroad_allowed,
  actor = excluded.actor, at = excluded.at;

-- src/product/messaging/staff/store.ts: readGround
SELECT w.country, EXISTS (SELECT FROM booking WHERE customer_id = $2) AS booked,
  EXISTS (SELECT FROM message WHERE customer_id = $2 AND channel = 'sms' AND recipient = $3) AS texted,
  (EXISTS (SELECT FROM booking WHERE customer_id = $2 AND contact_phone = $3)
      OR EXISTS (SELECT FROM message WHERE customer_id = $2 AND direction = 'inbound' AND recipient = $3)) AS reached_us,
  g.reason, coalesce(g.abroad_allowed, false) AS abroad_allowed
FROM workshop w LEFT JOIN texting_ground g ON g.workshop_id = w.id AND g.phone = $3
WHERE w.id = $1;

-- src/product/messaging/store.ts: createMessage
WITH input AS (
    SELECT given.partner_id, given.workshop_id, given.customer_id, given.phone, given.booking_id, given.template_id, given.template_version,
      given.body, given.encoding, given.segments, given.reference_id, given.gateway, given.message_id, given.attempt_id,
      given.new_conversation_id, given.new_customer_id, given.now, given.actor, given.request_id, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (partner_id uuid, workshop_id uuid, customer_id uuid, phone text,
              booking_id uuid, template_id uuid, template_version integer, body text, encoding text, segments integer, reference_id text,
              gateway text, message_id uuid, attempt_id uuid, new_conversation_id uuid, new_customer_id uuid, now timestamptz, actor text,
              request_id text)) WITH ORDINALITY AS given (partner_id, workshop_id, customer_id, phone, booking_id, template_id,
          template_version, body, encoding, segments, reference_id, gateway, message_id, attempt_id, new_conversation_id, new_customer_id,
          now, actor, request_id, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, l.active AS link_active, p.messaging_enabled AS messaging_feature, p.campaigns_enabled AS campaigns_feature,
      w.inbox_messaging_enabled AS inbox_messaging, w.sms_sender, w.sms_gateways
    FROM input JOIN link l ON l.partner_id = input.partner_id AND l.workshop_id = input.workshop_id
    JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id),
  person AS MATERIALIZED (
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL AS opted_out, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END AS rated_as
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.id = gate.customer_id AND c.phone IS NOT NULL
    UNION ALL
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.phone = gate.phone WHERE gate.customer_id IS NULL),
  its_booking AS MATERIALIZED (
    SELECT gate.ordinal, b.id, b.customer_id, b.date FROM gate
    JOIN booking b ON b.id = gate.booking_id AND b.workshop_id = gate.workshop_id AND b.partner_id = gate.partner_id),
  sent_before AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN person ON person.ordinal = gate.ordinal
    JOIN message m ON m.partner_id = gate.partner_id AND m.workshop_id = gate.workshop_id AND m.customer_id = person.id
      AND m.reference_id = gate.reference_id
    WHERE m.state NOT IN ('sending', 'failed', 'unknown')),
  -- The second call of a batch to one customer is held: it needs the customer and the count that the first one makes.
  allowed AS (
    SELECT gate.ordinal, gate.workshop_id, person.id AS customer_id, coalesce(person.phone, gate.phone) AS phone,
      coalesce(person.rated_as, gate.phone) AS rated_as,
      CASE WHEN coalesce(person.opted_out, false) THEN 'optedOut'
      WHEN false THEN 'mayHaveOptedOut' END AS stopped,
      row_number() OVER (PARTITION BY gate.workshop_id, coalesce(person.rated_as, gate.phone) ORDER BY gate.ordinal) > 1 AS held
    FROM gate LEFT JOIN person ON person.ordinal = gate.ordinal
    LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal
    WHERE gate.messaging_feature AND gate.link_active AND gate.inbox_messaging AND (gate.customer_id IS NULL OR person.id IS NOT NULL)
      AND (gate.booking_id IS NULL OR its_booking.customer_id = person.id
          OR EXISTS (SELECT FROM sent_before WHERE sent_before.ordinal = gate.ordinal))),
  open AS (SELECT *, clock_timestamp()::text AS asked_at FROM allowed WHERE NOT held),
  stamped AS (
    INSERT INTO message_rate AS old (workshop_id, person, passed)
    SELECT workshop_id, rated_as, ARRAY[clock_timestamp()] FROM open ORDER BY workshop_id, rated_as
    ON CONFLICT (workshop_id, person) DO UPDATE
    SET passed = (SELECT stamps || greatest(clock_timestamp(), stamps[cardinality(stamps)])
        FROM (SELECT ARRAY(SELECT at FROM unnest(old.passed) AS at
                WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second') AS stamps) AS kept)
    WHERE (SELECT count(*) FROM (SELECT at FROM unnest(old.passed) AS at
            WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second') AS counted) < 5
    RETURNING workshop_id, person, passed),
  passed AS (SELECT workshop_id, person AS rated_as, cardinality(passed) AS used FROM stamped),
  -- Within the rate limit.
  let_in AS (
    SELECT open.*, passed.used FROM open JOIN passed ON passed.workshop_id = open.workshop_id AND passed.rated_as = open.rated_as),
  -- In the order of their phones, so that two batches make customers in the same order.
  newcomer AS MATERIALIZED (
    SELECT let_in.workshop_id, let_in.phone, input.new_customer_id, input.now
    FROM let_in JOIN input ON input.ordinal = let_in.ordinal WHERE let_in.customer_id IS NULL
    ORDER BY let_in.workshop_id, let_in.phone),
  made_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, phone, details_from, created_at, updated_at)
    SELECT new_customer_id, workshop_id, coalesce(NULL::text, phone), NULL, NULL, phone, '{}'::uuid[], now, now
    FROM newcomer
    ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
    RETURNING id, workshop_id, phone),
  recipient AS (
    SELECT let_in.ordinal, let_in.workshop_id, coalesce(let_in.customer_id, made_customer.id) AS customer_id, let_in.phone,
      let_in.stopped,
      let_in.asked_at, let_in.used
    FROM let_in LEFT JOIN made_customer ON made_customer.workshop_id = let_in.workshop_id AND made_customer.phone = let_in.phone),
  -- Their conversations, as far as there are some.
  known AS (
    SELECT r.ordinal, r.workshop_id, r.customer_id, v.id FROM recipient r
    LEFT JOIN conversation v ON v.workshop_id = r.workshop_id AND v.customer_id = r.customer_id),
  opened AS (
    INSERT INTO conversation (id, workshop_id, customer_id, created_at)
    SELECT input.new_conversation_id, known.workshop_id, known.customer_id, input.now
    FROM known JOIN input ON input.ordinal = known.ordinal WHERE known.id IS NULL ORDER BY known.customer_id
    ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id RETURNING id, customer_id),
  -- The conversation, found or opened.
  talk AS (
    SELECT known.ordinal, coalesce(known.id, opened.id) AS id FROM known LEFT JOIN opened ON opened.customer_id = known.customer_id),
  -- A reference that was used makes no second message.
  taken AS (
    INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, booking_id, template_id, template_version,
          direction, kind,
          cause_id, recipient, body, encoding, segments, reference_id, state, reason, attempt_id, attempts, created_at, updated_at)
    SELECT input.message_id, r.workshop_id, talk.id, r.customer_id, input.partner_id, input.booking_id,
      input.template_id, input.template_version, 'outbound', 'partnerMessage', NULL::uuid, r.phone, input.body,
      input.encoding, input.segments, input.reference_id,
      CASE WHEN r.stopped IS NULL THEN 'sending' ELSE 'failed' END, r.stopped,
      CASE WHEN r.stopped IS NULL THEN input.attempt_id END, CASE WHEN r.stopped IS NULL THEN 1 ELSE 0 END, input.now, input.now
    FROM recipient r JOIN talk ON talk.ordinal = r.ordinal JOIN input ON input.ordinal = r.ordinal
    WHERE true ORDER BY r.ordinal
    ON CONFLICT (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL DO NOTHING
    RETURNING *),
  attempted AS (
    INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at, business_started_at)
    SELECT taken.attempt_id, taken.id, 1, coalesce(array_to_string(gate.sms_gateways, ','), gate.gateway), 'sending', clock_timestamp(),
      taken.created_at
    FROM taken JOIN gate ON gate.message_id = taken.id WHERE taken.attempt_id IS NOT NULL),
  leased AS (INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient,
          created_at)
    SELECT id, workshop_id, channel, NULL, clock_timestamp() + interval '20 seconds', attempt_id, true, 1, recipient,
      clock_timestamp()
    FROM taken WHERE attempt_id IS NOT NULL
    ON CONFLICT (message_id) DO UPDATE SET due_at = excluded.due_at, attempt_id = excluded.attempt_id, in_flight = true),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.failed', taken.partner_id, taken.workshop_id, taken.id,
      taken.version,
      jsonb_build_object('message', jsonb_build_object('id', taken.id, 'workshopId', taken.workshop_id, 'conversationId',
              taken.conversation_id,
              'customerId', taken.customer_id, 'bookingId', taken.booking_id, 'templateId', taken.template_id,
              'templateVersion', CASE WHEN taken.template_id IS NOT NULL THEN coalesce(taken.template_version, 1) END,
              'referenceId', taken.reference_id, 'direction', taken.direction, 'phone', taken.recipient, 'body', taken.body,
              'encoding', taken.encoding, 'segments', taken.segments, 'state', taken.state, 'reason', taken.reason, 'detail', CASE
              WHEN taken.reason IS DISTINCT FROM 'gatewayUnavailable' THEN taken.detail END,
              'createdAt', to_char(taken.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(taken.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), taken.created_at, input.actor,
      input.request_id,
      NULL::jsonb, NULL::jsonb
    FROM taken JOIN input ON input.message_id = taken.id WHERE taken.state = 'failed')
SELECT gate.ordinal, coalesce(allowed.held, false) AS held, gate.link_active, gate.messaging_feature, gate.campaigns_feature,
  gate.inbox_messaging, gate.sms_sender, gate.sms_gateways,
  person.id IS NOT NULL AS customer_found, its_booking.id IS NOT NULL AS booking_found,
  coalesce(its_booking.customer_id = person.id, false) AS booking_is_theirs, sent_before.ordinal IS NOT NULL AS sent_before,
  recipient.used AS rate_used, recipient.customer_id, recipient.phone, recipient.asked_at AS requested_at,
  talk.id AS conversation_id, taken.id AS message_id, taken.state, taken.reason
FROM gate LEFT JOIN person ON person.ordinal = gate.ordinal
LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal
LEFT JOIN sent_before ON sent_before.ordinal = gate.ordinal LEFT JOIN allowed ON allowed.ordinal = gate.ordinal
LEFT JOIN recipient ON recipient.ordinal = gate.ordinal LEFT JOIN talk ON talk.ordinal = gate.ordinal
LEFT JOIN taken ON taken.id = gate.message_id;

-- src/product/messaging/store.ts: readMessage
SELECT jsonb_build_object('id', m.id, 'workshopId', m.workshop_id, 'conversationId', m.conversation_id,
      'customerId', m.customer_id, 'bookingId', m.booking_id, 'templateId', m.template_id,
      'templateVersion', CASE WHEN m.template_id IS NOT NULL THEN coalesce(m.template_version, 1) END,
      'referenceId', m.reference_id, 'direction', m.direction, 'phone', m.recipient, 'body', m.body,
      'encoding', m.encoding, 'segments', m.segments, 'state', m.state, 'reason', m.reason, 'detail', CASE WHEN m.reason IS DISTINCT
    FROM 'gatewayUnavailable' THEN m.detail END,
      'createdAt', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || jsonb_build_object('attempts', coalesce(
          (SELECT jsonb_agg(jsonb_build_object('number', a.number, 'state', a.state, 'reason', a.reason, 'detail', CASE
                      WHEN a.reason IS DISTINCT FROM 'gatewayUnavailable' THEN a.detail END,
                      'repeatsUnknown', a.repeats_unknown, 'startedAt',
                      to_char(a.business_started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                      'finishedAt', to_char(a.business_finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY a.number)
            FROM message_attempt a WHERE a.message_id = m.id), '[]')) AS message
FROM message m WHERE m.id = $3 AND m.workshop_id = $2 AND m.partner_id = $1 AND m.direction = 'outbound' AND m.kind <> 'blast';

-- src/product/notifications/inbox-digests/store.ts: findUnreported
SELECT id FROM workshop
WHERE id = ANY (ARRAY(SELECT DISTINCT workshop_id FROM message WHERE notice_due))
  AND (answers_told_at IS NULL OR answers_told_at < (SELECT clock_timestamp() - interval '5 minutes'))
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'inboxDigest' AND f.subject_id = workshop.id)
ORDER BY answers_told_at NULLS FIRST, id LIMIT $1;

-- src/product/notifications/inbox-digests/store.ts: readDigest
SELECT count(DISTINCT customer_id)::int AS people FROM message WHERE told_in = $1;

-- src/product/notifications/inbox-digests/store.ts: readDigest
SELECT k.name, k.phone, m.conversation_id, m.body, count(*) OVER ()::int AS count
FROM message m JOIN customer k ON k.id = m.customer_id WHERE m.told_in = $1 ORDER BY m.id LIMIT $2;

-- src/product/notifications/inbox-digests/store.ts: readDigestWorkshop
SELECT name, country, colour FROM workshop WHERE id = $1;

-- src/product/notifications/inbox-digests/store.ts: skipUnreported
UPDATE message SET notice_due = false WHERE notice_due RETURNING true;

-- src/product/notifications/inbox-digests/store.ts: skipUnreportedOf
UPDATE message SET notice_due = false WHERE notice_due AND workshop_id = $1;

-- src/product/notifications/inbox-digests/store.ts: startDigests
WITH
  -- in the order of their ids, so that two calls meet in no deadlock
  held AS MATERIALIZED (SELECT id FROM workshop WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE),
  -- asked again behind the lock: another call may have started one
  due AS (
    UPDATE workshop SET answers_told_at = clock_timestamp()
    FROM held WHERE workshop.id = held.id AND (answers_told_at IS NULL
          OR answers_told_at < (SELECT clock_timestamp() - interval '5 minutes'))
      AND EXISTS (SELECT FROM message WHERE workshop_id = held.id AND notice_due)
    RETURNING workshop.*, (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid AS digest_id
),
  -- the answers that each digest reports
  told AS (
    UPDATE message SET notice_due = false, told_in = due.digest_id
    FROM due WHERE message.workshop_id = due.id AND message.notice_due
)
SELECT due.digest_id, due.id AS workshop_id,
  jsonb_build_object('name', due.name, 'country', due.country, 'colour', due.colour) AS workshop,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'recipient', recipient)), '[]')
    FROM (
        SELECT 'sms' AS channel, unnest(coalesce(due.notify_phones, ARRAY[due.phone])) AS recipient
        WHERE due.inbox_notices IN ('sms', 'both')
        UNION SELECT 'email', unnest(coalesce(due.notify_emails, ARRAY[due.email]))
        WHERE due.inbox_notices IN ('email', 'both')) AS contact) AS recipients
FROM due;

-- src/product/notifications/store.ts: noticeReads
SELECT e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
    FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox') AS templates
FROM event e JOIN workshop w ON w.id = e.workshop_id WHERE e.id = ANY($1::uuid[]);

-- src/product/notifications/store.ts: noticeReads
SELECT e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
    FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox') AS templates, told.recipients
FROM event e JOIN workshop w ON w.id = e.workshop_id CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('audience', audience, 'channel', channel, 'recipient', recipient,
              'withheld', coalesce(audience || ' ' || channel = ANY(e.page_withholds), false))) AS recipients
    FROM (
        SELECT 'customer' AS audience, channel, recipient
        FROM (VALUES ('sms', e.payload->'booking'->'customer'->>'phone'),
              ('email', e.payload->'booking'->'customer'->>'email')) AS contact (channel, recipient)
        WHERE (e.payload->>'notifyCustomer')::boolean
        UNION SELECT 'workshop', channel, recipient FROM (
            SELECT 'sms' AS channel, unnest(coalesce(w.notify_phones, ARRAY[w.phone])) AS recipient
            WHERE (e.payload->>'notifyWorkshop')::boolean
            UNION SELECT 'email', unnest(coalesce(w.notify_emails, ARRAY[w.email]))
            WHERE (e.payload->>'notifyWorkshop')::boolean) AS contact) AS addressed
    WHERE recipient <> '' AND audience || ' ' || channel = ANY($2::text[])) AS told
WHERE e.id = ANY($1::uuid[]) AND (e.kind <> 'booking.updated' OR (e.payload->>'dateChanged')::boolean) AND told.recipients IS NOT NULL;

-- src/product/notifications/store.ts: noticeReads
SELECT e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
    FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox') AS templates, told.recipients
FROM event e JOIN workshop w ON w.id = e.workshop_id CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('audience', audience, 'channel', channel, 'recipient', recipient,
              'withheld', coalesce(audience || ' ' || channel = ANY(e.page_withholds), false))) AS recipients
    FROM (
        SELECT 'customer' AS audience, channel, recipient
        FROM (VALUES ('sms', e.payload->'quote'->'customer'->>'phone'),
              ('email', e.payload->'quote'->'customer'->>'email')) AS contact (channel, recipient)
        WHERE (e.payload->>'notifyCustomer')::boolean
        UNION SELECT 'workshop', channel, recipient FROM (
            SELECT 'sms' AS channel, unnest(coalesce(w.notify_phones, ARRAY[w.phone])) AS recipient
            WHERE (e.payload->>'notifyWorkshop')::boolean
            UNION SELECT 'email', unnest(coalesce(w.notify_emails, ARRAY[w.email]))
            WHERE (e.payload->>'notifyWorkshop')::boolean) AS contact) AS addressed
    WHERE recipient <> '' AND audience || ' ' || channel = ANY($2::text[])) AS told
WHERE e.id = ANY($1::uuid[]) AND (true) AND told.recipients IS NOT NULL;

-- src/product/notifications/store.ts: noticeReads
SELECT r.version, r.workshop_id, jsonb_build_object('booking', jsonb_build_object(
          'id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id, 'workshopId', r.workshop_id,
          'status', r.status, 'date', to_char(r.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          r.service_category, 'services', r.services, 'pickupTime',
          to_char(r.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', r.service_package_type, 'notes',
          r.notes, 'customerCompany', r.contact_company, 'jobNotes', to_jsonb(r.job_notes), 'productNotes', to_jsonb(r.product_notes),
          'tyreQuantities', r.tyre_quantities, 'externalId', r.external_id, 'interval', r.interval, 'cancelReason', r.cancel_reason,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', c.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb',
              null))) AS payload, jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
    FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox') AS templates
FROM booking r JOIN car c ON c.id = r.car_id JOIN workshop w ON w.id = r.workshop_id WHERE r.id = $1;

-- src/product/notifications/store.ts: noticeReads
SELECT r.version, r.workshop_id, jsonb_build_object('quote', jsonb_build_object(
          'id', r.id, 'code', r.code, 'workshopId', r.workshop_id, 'customerId', r.customer_id, 'carId', r.car_id,
          'bookingId', r.booking_id, 'externalId', r.external_id, 'car',
          jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', c.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', r.status, 'services', r.services, 'notes', r.notes, 'lines', r.lines, 'total', r.total,
          'message', r.message, 'validUntil', to_char(r.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', r.url,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      'booking', (SELECT jsonb_build_object(
              'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
              'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
              b.service_category, 'services', b.services, 'pickupTime',
              to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', b.service_package_type,
              'notes', b.notes, 'customerCompany', b.contact_company, 'jobNotes', to_jsonb(b.job_notes), 'productNotes',
              to_jsonb(b.product_notes), 'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id, 'interval', b.interval,
              'cancelReason', b.cancel_reason,
              'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', k.rego, 'year', b.car_year,
                  'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
              jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
                  'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
                  'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb', null))
        FROM booking b JOIN car k ON k.id = b.car_id WHERE b.id = r.booking_id)) AS payload,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
    FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox') AS templates
FROM quote r JOIN car c ON c.id = r.car_id JOIN workshop w ON w.id = r.workshop_id WHERE r.id = $1;

-- src/product/notifications/store.ts: noticeReads
WITH input AS (
    SELECT given.event_id, given.audience, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (event_id uuid, audience text)) WITH ORDINALITY AS given (event_id, audience,
          ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32)
SELECT input.ordinal, e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop,
  jsonb_build_object('manageCode', (SELECT code FROM manage_link WHERE booking_id = e.subject_id),
      'minutes', coalesce((SELECT (SELECT coalesce(sum(minutes), 0)::int FROM unnest(b.service_minutes) AS minutes) FROM booking b
            WHERE b.id = e.subject_id), 0)) AS present,
  CASE WHEN input.audience = 'customer' THEN (SELECT jsonb_build_object('path', '/pages/logos/' || digest || '.' || kind, 'width', width,
          'height', height) || jsonb_build_object('kind', kind, 'digest', digest, 'content', encode(content, 'base64'))
    FROM workshop_logo WHERE workshop_id = w.id AND kind <> 'webp' AND octet_length(content) <= 65536) END AS logo
FROM input JOIN event e ON e.id = input.event_id JOIN workshop w ON w.id = e.workshop_id;

-- src/product/notifications/store.ts: noticeReads
WITH input AS (
    SELECT given.event_id, given.audience, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (event_id uuid, audience text)) WITH ORDINALITY AS given (event_id, audience,
          ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32)
SELECT input.ordinal, e.id AS event_id, e.kind, e.version, e.workshop_id, e.payload,
  jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop, NULL AS present,
  CASE WHEN input.audience = 'customer' THEN (SELECT jsonb_build_object('path', '/pages/logos/' || digest || '.' || kind, 'width', width,
          'height', height) || jsonb_build_object('kind', kind, 'digest', digest, 'content', encode(content, 'base64'))
    FROM workshop_logo WHERE workshop_id = w.id AND kind <> 'webp' AND octet_length(content) <= 65536) END AS logo
FROM input JOIN event e ON e.id = input.event_id JOIN workshop w ON w.id = e.workshop_id;

-- src/product/notifications/store.ts: readWorkshopTexts
SELECT jsonb_build_object('name', w.name, 'slug', w.slug, 'phone', w.phone, 'email', w.email,
      'address', w.address, 'country', w.country, 'timezone', w.timezone, 'colour', w.colour, 'taxLabel', w.tax_label)
  || jsonb_build_object('hasConsole', EXISTS (SELECT FROM membership WHERE membership.workshop_id = w.id)) AS workshop, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('purpose', purpose, 'subject', subject, 'body', body, 'id', id, 'version', version)), '[]')
    FROM template WHERE workshop_id = w.id AND status = 'published' AND purpose <> 'inbox') AS templates FROM workshop w WHERE w.id = $1;

-- src/product/partners/sessions/store.ts: exchangePair
WITH access AS (INSERT INTO access_token (hash, sign_in_id, number, expires_at)
    SELECT $2, $1, max(number) + 1, $3 FROM access_token WHERE sign_in_id = $1),
  refresh AS (INSERT INTO refresh_token (hash, sign_in_id, expires_at) VALUES ($4, $1, $5)),
  old_access AS (UPDATE access_token SET exchanged_at = coalesce(exchanged_at, $8) WHERE hash = $6),
  old_refresh AS (UPDATE refresh_token SET exchanged_at = coalesce(exchanged_at, $8) WHERE hash = $7)
INSERT INTO token_exchange (access_hash, refresh_hash, first_at) VALUES ($6, $7, $8)
ON CONFLICT (access_hash, refresh_hash) DO UPDATE SET repeats = token_exchange.repeats + 1;

-- src/product/partners/sessions/store.ts: findAppKey
SELECT k.secret_hash, p.status = 'active' AS partner_active, p.is_demo
FROM partner p LEFT JOIN app_key k ON k.partner_id = p.id AND k.id = $2
WHERE p.id = $1;

-- src/product/partners/sessions/store.ts: findTokens
WITH input AS (
    SELECT given.hash, given.partner_id, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (hash bytea, partner_id uuid)) WITH ORDINALITY AS given (hash, partner_id,
          ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32)
SELECT input.ordinal, EXISTS (SELECT FROM partner WHERE id = input.partner_id) AS header_known, t.*
FROM input
LEFT JOIN LATERAL (SELECT p.id AS partner_id, s.app_key_id AS app_key, p.status = 'active' AS partner_active, p.is_demo,
      s.revoked_at IS NOT NULL AS revoked, a.expires_at
    FROM access_token a
    JOIN sign_in s ON s.id = a.sign_in_id
    JOIN partner p ON p.id = s.partner_id
    WHERE a.hash = input.hash LIMIT 1) t ON true;

-- src/product/partners/sessions/store.ts: insertSignIn
WITH key AS (SELECT id FROM app_key WHERE id = $3 AND partner_id = $2),
  started AS (INSERT INTO sign_in (id, partner_id, app_key_id, created_at)
    SELECT $1, $2, id, $4 FROM key RETURNING id),
  access AS (INSERT INTO access_token (hash, sign_in_id, number, expires_at) SELECT $5, id, 1, $6 FROM started)
INSERT INTO refresh_token (hash, sign_in_id, expires_at) SELECT $7, id, $8 FROM started RETURNING true;

-- src/product/partners/sessions/store.ts: lockSignIn
SELECT s.id FROM refresh_token r JOIN sign_in s ON s.id = r.sign_in_id
WHERE r.hash = $1 AND s.partner_id = $2 FOR UPDATE OF s;

-- src/product/partners/sessions/store.ts: purgeTokens
DELETE FROM access_token a WHERE a.expires_at < $1::timestamptz - interval '30 days'
  AND a.number < (SELECT max(number) FROM access_token WHERE sign_in_id = a.sign_in_id);

-- src/product/partners/sessions/store.ts: purgeTokens
DELETE FROM sign_in s WHERE NOT EXISTS (SELECT FROM refresh_token r WHERE r.sign_in_id = s.id);

-- src/product/partners/sessions/store.ts: purgeTokens
WITH gone AS (
    DELETE FROM refresh_token
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM refresh_token WHERE expires_at <= $1 LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/partners/sessions/store.ts: readPair
SELECT p.status = 'active' AS partner_active, p.is_demo, s.revoked_at IS NOT NULL AS revoked,
  r.expires_at AS refresh_expires_at, r.exchanged_at IS NOT NULL AS refresh_exchanged,
  a.exchanged_at IS NOT NULL AS access_exchanged,
  a.number = (SELECT max(number) FROM access_token WHERE sign_in_id = s.id) AS access_is_newest,
  x.first_at AS first_exchanged_at, coalesce(x.repeats, 0) AS repeats
FROM sign_in s
JOIN partner p ON p.id = s.partner_id
JOIN refresh_token r ON r.sign_in_id = s.id AND r.hash = $3
JOIN access_token a ON a.sign_in_id = s.id AND a.hash = $2
LEFT JOIN token_exchange x ON x.access_hash = a.hash AND x.refresh_hash = r.hash
WHERE s.id = $1;

-- src/product/partners/sessions/store.ts: revokeSignIn
UPDATE sign_in SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL;

-- src/product/partners/sessions/store.ts: shortenTokens
UPDATE access_token SET expires_at = $1 WHERE expires_at > $1;

-- src/product/partners/sessions/store.ts: shortenTokens
UPDATE refresh_token SET expires_at = $1 WHERE expires_at > $1;

-- src/product/partners/sessions/store.ts: shortenTokens
UPDATE token_exchange SET first_at = $1 WHERE first_at > $1;

-- src/product/partners/store.ts: deleteAppKey
DELETE FROM app_key WHERE partner_id = $1 AND id = $2 RETURNING id;

-- src/product/partners/store.ts: findPartner
SELECT
  p.id AS partner_id, p.name, p.email, p.status, p.messaging_enabled,
  p.campaigns_enabled, p.is_demo,
  ARRAY(SELECT k.id FROM app_key k WHERE k.partner_id = p.id ORDER BY k.created_at, k.id) AS app_keys,
  p.created_at FROM partner p WHERE p.id = $1;

-- src/product/partners/store.ts: insertAppKey
INSERT INTO app_key (id, partner_id, secret_hash, created_at)
SELECT $1, id, $3, $4 FROM partner WHERE id = $2
RETURNING id;

-- src/product/partners/store.ts: insertPartner
INSERT INTO partner (id, name, is_demo, created_at, updated_at) VALUES ($1, $2, $3, $4, $4);

-- src/product/partners/store.ts: listPartners
SELECT
  p.id AS partner_id, p.name, p.email, p.status, p.messaging_enabled,
  p.campaigns_enabled, p.is_demo,
  ARRAY(SELECT k.id FROM app_key k WHERE k.partner_id = p.id ORDER BY k.created_at, k.id) AS app_keys,
  p.created_at FROM partner p WHERE p.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY p.id LIMIT $2;

-- src/product/partners/store.ts: partnerExists
SELECT 1 FROM partner LIMIT 1;

-- src/product/partners/store.ts: updatePartnerEmail
UPDATE partner SET email = $2, updated_at = $3 WHERE id = $1 RETURNING id;

-- src/product/partners/store.ts: updatePartnerFeature
UPDATE partner SET campaigns_enabled = $2, updated_at = $3 WHERE id = $1 RETURNING id;

-- src/product/partners/store.ts: updatePartnerFeature
UPDATE partner SET messaging_enabled = $2, updated_at = $3 WHERE id = $1 RETURNING id;

-- src/product/partners/store.ts: updatePartnerStatus
UPDATE partner SET status = $2, updated_at = $3 WHERE id = $1 RETURNING id;

-- src/product/people/codes/store.ts: endCodes
DELETE FROM sign_in_code WHERE email IN (SELECT lower(its) FROM unnest($1::text[]) AS its);

-- src/product/people/codes/store.ts: endPrinted
DELETE FROM sign_in_code WHERE email = lower($1) AND browser_sha256 IS NULL;

-- src/product/people/codes/store.ts: isKnownBrowser
SELECT FROM known_browser known JOIN person ON person.id = known.person_id
WHERE lower(person.email) = lower($1) AND known.browser_sha256 = $2
  AND known.signed_in_at > (SELECT clock_timestamp() - interval '90 days');

-- src/product/people/codes/store.ts: putCode
INSERT INTO sign_in_code (id, email, code_hmac, code_sealed, browser_sha256, vouched_by, expires_at)
VALUES ($1, lower($2), $3, $4, $5, $6, clock_timestamp() + interval '10 minutes')
ON CONFLICT (browser_sha256) WHERE browser_sha256 IS NOT NULL DO UPDATE
SET id = excluded.id, email = excluded.email, code_hmac = excluded.code_hmac, code_sealed = excluded.code_sealed, tries = 0,
  vouched_by = excluded.vouched_by, expires_at = excluded.expires_at
RETURNING expires_at;

-- src/product/people/codes/store.ts: putCode
INSERT INTO sign_in_code (id, email, code_hmac, code_sealed, browser_sha256, vouched_by, expires_at)
VALUES ($1, lower($2), $3, $4, $5, $6, clock_timestamp() + interval '10 minutes')
ON CONFLICT (email) WHERE browser_sha256 IS NULL DO UPDATE
SET id = excluded.id, email = excluded.email, code_hmac = excluded.code_hmac, code_sealed = excluded.code_sealed, tries = 0,
  vouched_by = excluded.vouched_by, expires_at = excluded.expires_at
RETURNING expires_at;

-- src/product/people/codes/store.ts: takeTries
UPDATE sign_in_code SET tries = tries + 1
WHERE id IN (SELECT id FROM sign_in_code WHERE browser_sha256 = $2 AND email = lower($1)
    UNION ALL SELECT id FROM sign_in_code WHERE browser_sha256 IS NULL AND email = lower($1))
  AND tries < 5 AND expires_at > (SELECT clock_timestamp())
RETURNING id, code_hmac;

-- src/product/people/codes/store.ts: useCode
WITH used AS (DELETE FROM sign_in_code WHERE id = $1 RETURNING email, vouched_by)
SELECT person.id AS person_id, used.vouched_by FROM used JOIN person ON lower(person.email) = used.email FOR NO KEY UPDATE OF person;

-- src/product/people/desk/pin/store.ts: deletePin
WITH gone AS (DELETE FROM person_pin WHERE person_id = $1 RETURNING person_id),
  ended AS (UPDATE session SET ended_at = clock_timestamp() FROM gone
    WHERE session.person_id = gone.person_id AND session.put_aside_at IS NOT NULL
      AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
          AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')))
SELECT true FROM gone;

-- src/product/people/desk/pin/store.ts: deleteVouchedPin
WITH gone AS (DELETE FROM person_pin WHERE person_id = $1 AND vouched_by IS NOT NULL AND vouched_by IS DISTINCT FROM $2::uuid
    RETURNING person_id),
  ended AS (UPDATE session SET ended_at = clock_timestamp() FROM gone
    WHERE session.person_id = gone.person_id AND session.put_aside_at IS NOT NULL
      AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
          AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')))
SELECT true FROM gone;

-- src/product/people/desk/pin/store.ts: findPinDate
SELECT set_at FROM person_pin WHERE person_id = $1;

-- src/product/people/desk/pin/store.ts: putPin
INSERT INTO person_pin (person_id, sealed, vouched_by, set_at) VALUES ($1, $2, $3, clock_timestamp())
ON CONFLICT (person_id) DO UPDATE SET sealed = excluded.sealed, vouched_by = excluded.vouched_by, set_at = excluded.set_at;

-- src/product/people/desk/pin/store.ts: resealPin
UPDATE person_pin SET sealed = $3 WHERE person_id = $1 AND sealed = $2;

-- src/product/people/desk/rule/store.ts: findDeskRule
SELECT ask_again_minutes, version FROM desk_rule WHERE workshop_id = $1;

-- src/product/people/desk/rule/store.ts: putDeskRule
INSERT INTO desk_rule AS rule (workshop_id, ask_again_minutes) SELECT $1, $2
WHERE $3::int = 0 OR EXISTS (SELECT FROM desk_rule WHERE workshop_id = $1)
ON CONFLICT (workshop_id) DO UPDATE SET ask_again_minutes = excluded.ask_again_minutes, version = rule.version + 1
WHERE rule.version = $3::int
RETURNING true;

-- src/product/people/desk/store.ts: countDesk
SELECT FROM session WHERE browser_sha256 = $1 AND (session.ended_at IS NULL
      AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days'));

-- src/product/people/desk/store.ts: endDesk
UPDATE session SET ended_at = clock_timestamp() WHERE browser_sha256 = $1
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) RETURNING person_id;

-- src/product/people/desk/store.ts: endGuessed
UPDATE session SET ended_at = clock_timestamp()
WHERE id = $1 AND pin_tries >= 5 AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) RETURNING true;

-- src/product/people/desk/store.ts: leaveDesk
WITH there AS MATERIALIZED (
    SELECT id, (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
          AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) AS is_open,
      person_id <> $3 AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
          AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days'))
      AND EXISTS (SELECT FROM person_pin pin WHERE pin.person_id = session.person_id) AS stays
    FROM session
    WHERE browser_sha256 = $1 AND id <> $2 AND ended_at IS NULL AND (put_aside_at IS NULL OR person_id = $3))
UPDATE session
SET put_aside_at = CASE WHEN stays THEN clock_timestamp() ELSE put_aside_at END,
  token_sha256 = CASE WHEN stays THEN sha256(uuid_send(gen_random_uuid())) ELSE token_sha256 END,
  ended_at = CASE WHEN stays THEN NULL WHEN is_open THEN clock_timestamp()
  ELSE least(used_at + interval '30 days', signed_in_at + interval '90 days') END
FROM there WHERE session.id = there.id
RETURNING session.id AS session_id, session.person_id, stays AS is_put_aside;

-- src/product/people/desk/store.ts: listDesk
SELECT session.id AS session_id, person.id AS person_id, person.name, session.signed_in_at
FROM session JOIN person ON person.id = session.person_id JOIN person_pin pin ON pin.person_id = person.id
WHERE session.browser_sha256 = $1 AND session.pin_tries < 5
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days'))
ORDER BY person.name, session.id LIMIT 8;

-- src/product/people/desk/store.ts: lockDesk
SELECT pg_advisory_xact_lock($1::bigint);

-- src/product/people/desk/store.ts: resumeSession
UPDATE session SET token_sha256 = $3, put_aside_at = NULL, pin_tries = 0, switched_at = clock_timestamp(), used_at = clock_timestamp(),
  vouched_by = coalesce(vouched_by, $4)
WHERE id = $1 AND browser_sha256 = $2 AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) RETURNING true;

-- src/product/people/desk/store.ts: takePinTry
UPDATE session SET pin_tries = pin_tries + 1 FROM person_pin pin
WHERE session.id = $1 AND browser_sha256 = $2 AND pin.person_id = session.person_id AND pin_tries < 5
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days'))
RETURNING session.person_id, pin_tries AS tries, pin.sealed, pin.vouched_by;

-- src/product/people/email-change/store.ts: deleteEmailChange
WITH gone AS (
    DELETE FROM email_change WHERE person_id = $1 AND ($2::uuid IS NULL OR new_code_id = $2) RETURNING present_code_id, new_code_id),
  codes AS (DELETE FROM sign_in_code USING gone WHERE sign_in_code.id IN (gone.present_code_id, gone.new_code_id))
SELECT true FROM gone;

-- src/product/people/email-change/store.ts: findNewEmail
SELECT email FROM email_change WHERE person_id = $1 AND tries < 5 AND expires_at > (SELECT clock_timestamp());

-- src/product/people/email-change/store.ts: putEmailChange
INSERT INTO email_change AS change (person_id, email, present_code_id, new_code_id, expires_at)
VALUES ($1, $2, $3, $4, clock_timestamp() + interval '10 minutes')
ON CONFLICT (person_id) DO UPDATE SET email = excluded.email, present_code_id = excluded.present_code_id,
  new_code_id = excluded.new_code_id, expires_at = excluded.expires_at, tries = 0;

-- src/product/people/email-change/store.ts: takeEmailTry
WITH tried AS (
    UPDATE email_change SET tries = tries + 1
    WHERE person_id = $1 AND tries < 5 AND expires_at > (SELECT clock_timestamp()) RETURNING *)
SELECT tried.email, tried.present_code_id, tried.new_code_id, tried.tries,
  present.code_hmac AS present_hmac, fresh.code_hmac AS new_hmac
FROM tried JOIN sign_in_code present ON present.id = tried.present_code_id
JOIN sign_in_code fresh ON fresh.id = tried.new_code_id;

-- src/product/people/email-change/store.ts: updateEmail
UPDATE person SET email = $2, version = version + 1, updated_at = $3 WHERE id = $1;

-- src/product/people/emails/store.ts: claimAccountEmails
WITH due AS (SELECT id FROM account_email WHERE due_at <= (SELECT clock_timestamp())
      AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'sendAccountEmail' AND f.subject_id = account_email.id)
    ORDER BY due_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE account_email e SET tries = e.tries + 1, due_at = clock_timestamp() + make_interval(secs => $2)
    FROM due WHERE e.id = due.id RETURNING e.*)
SELECT c.id, c.kind, c.what, c.tries,
  CASE WHEN c.kind IN ('emailChangeCode', 'emailChanged') THEN c.email
  WHEN c.kind = 'signInCode' THEN person.email ELSE coalesce(person.email, c.email) END AS to,
  c.queued_at <= clock_timestamp() - interval '24 hours' AS is_late,
  code.id AS code_id, code.code_sealed,
  coalesce(workshop.name, partner.name) AS place_name, workshop.slug, workshop.colour
FROM claimed c
LEFT JOIN person ON lower(person.email) = c.email
LEFT JOIN sign_in_code code ON code.id = c.code_id AND code.expires_at > (SELECT clock_timestamp())
LEFT JOIN workshop ON workshop.id = c.workshop_id
LEFT JOIN partner ON partner.id = c.partner_id;

-- src/product/people/emails/store.ts: claimAccountEmails
WITH due AS (SELECT id FROM account_email WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE account_email e SET tries = e.tries + 1, due_at = clock_timestamp() + make_interval(secs => $2)
    FROM due WHERE e.id = due.id RETURNING e.*)
SELECT c.id, c.kind, c.what, c.tries,
  CASE WHEN c.kind IN ('emailChangeCode', 'emailChanged') THEN c.email
  WHEN c.kind = 'signInCode' THEN person.email ELSE coalesce(person.email, c.email) END AS to,
  c.queued_at <= clock_timestamp() - interval '24 hours' AS is_late,
  code.id AS code_id, code.code_sealed,
  coalesce(workshop.name, partner.name) AS place_name, workshop.slug, workshop.colour
FROM claimed c
LEFT JOIN person ON lower(person.email) = c.email
LEFT JOIN sign_in_code code ON code.id = c.code_id AND code.expires_at > (SELECT clock_timestamp())
LEFT JOIN workshop ON workshop.id = c.workshop_id
LEFT JOIN partner ON partner.id = c.partner_id;

-- src/product/people/emails/store.ts: deleteAccountEmail
WITH gone AS (DELETE FROM account_email WHERE id = $1 RETURNING code_id)
UPDATE sign_in_code SET code_sealed = NULL FROM gone WHERE sign_in_code.id = gone.code_id;

-- src/product/people/emails/store.ts: insertAccountEmail
INSERT INTO account_email (id, kind, email, code_id, workshop_id, partner_id, what, due_at)
VALUES ($1, $2, lower($3), $4, $5, $6, $7, clock_timestamp());

-- src/product/people/emails/store.ts: keepAccountEmail
UPDATE account_email SET due_at = 'infinity' WHERE id = $1 RETURNING true;

-- src/product/people/emails/store.ts: moveInvitations
WITH moved AS (
    UPDATE account_email SET email = lower($2), due_at = clock_timestamp(), queued_at = clock_timestamp(), tries = 0 WHERE email = lower($1)
      AND kind = 'invitation' RETURNING id)
DELETE FROM dead_letter USING moved
WHERE job = 'sendAccountEmail' AND payload = jsonb_build_object('accountEmailId', moved.id);

-- src/product/people/emails/store.ts: postponeAccountEmail
UPDATE account_email SET due_at = clock_timestamp() + $2::float8 * interval '1 millisecond', tries = tries - $3::int WHERE id = $1;

-- src/product/people/emails/store.ts: requeueAccountEmail
UPDATE account_email SET due_at = clock_timestamp(), queued_at = clock_timestamp(), tries = 0 WHERE id = $1 RETURNING true;

-- src/product/people/factors/passkeys/challenges/store.ts: putChallenge
INSERT INTO passkey_challenge (held_by, challenge, expires_at) VALUES ($1, $2, clock_timestamp() + interval '5 minutes')
ON CONFLICT (held_by) DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at;

-- src/product/people/factors/passkeys/challenges/store.ts: takeChallenge
WITH taken AS (DELETE FROM passkey_challenge WHERE held_by = $1 RETURNING challenge, expires_at)
SELECT challenge FROM taken WHERE expires_at > (SELECT clock_timestamp());

-- src/product/people/factors/passkeys/store.ts: countPasskeysElsewhere
SELECT count(*)::int AS count FROM passkey WHERE host <> $1;

-- src/product/people/factors/passkeys/store.ts: deletePasskey
DELETE FROM passkey WHERE person_id = $1 AND id = $2 RETURNING true;

-- src/product/people/factors/passkeys/store.ts: findPasskey
SELECT id, person_id, public_key, counter::float8 AS counter, vouched_by FROM passkey WHERE credential_id = $1;

-- src/product/people/factors/passkeys/store.ts: insertPasskey
INSERT INTO passkey (id, person_id, credential_id, public_key, counter, transports, host, name, vouched_by, created_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp()
WHERE (SELECT count(*) FROM passkey WHERE person_id = $2) < 10
ON CONFLICT (credential_id) DO NOTHING RETURNING true;

-- src/product/people/factors/passkeys/store.ts: listPasskeys
SELECT id AS passkey_id, credential_id, name, host, created_at, used_at
FROM passkey WHERE person_id = $1 ORDER BY id LIMIT 10;

-- src/product/people/factors/passkeys/store.ts: usePasskey
UPDATE passkey SET counter = $2, used_at = clock_timestamp()
WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING true;

-- src/product/people/factors/recovery-codes/store.ts: countCodes
SELECT count(*)::int AS count FROM recovery_code WHERE person_id = $1;

-- src/product/people/factors/recovery-codes/store.ts: deleteCodes
DELETE FROM recovery_code WHERE person_id = $1;

-- src/product/people/factors/recovery-codes/store.ts: replaceCodes
INSERT INTO recovery_code (person_id, code_sha256) SELECT $1, unnest($2::bytea[]);

-- src/product/people/factors/recovery-codes/store.ts: useCode
DELETE FROM recovery_code WHERE person_id = $1 AND code_sha256 = $2 RETURNING true;

-- src/product/people/factors/store.ts: deleteFactors
WITH app AS (DELETE FROM totp WHERE person_id = $1 RETURNING true),
  keys AS (DELETE FROM passkey WHERE person_id = $1 RETURNING true),
  codes AS (DELETE FROM recovery_code WHERE person_id = $1)
SELECT FROM app UNION ALL SELECT FROM keys;

-- src/product/people/factors/store.ts: deleteVouchedFactors
WITH app AS (DELETE FROM totp
    WHERE person_id = $1 AND vouched_by IS NOT NULL AND vouched_by IS DISTINCT FROM $2 RETURNING true),
  keys AS (DELETE FROM passkey
    WHERE person_id = $1 AND vouched_by IS NOT NULL AND vouched_by IS DISTINCT FROM $2 RETURNING true)
SELECT FROM app UNION ALL SELECT FROM keys;

-- src/product/people/factors/store.ts: hasFactor
SELECT (EXISTS (SELECT FROM totp WHERE totp.person_id = $1)
      OR EXISTS (SELECT FROM passkey WHERE passkey.person_id = $1)) AS has;

-- src/product/people/factors/store.ts: requiringWorkshops
SELECT workshop.name FROM membership its JOIN workshop ON workshop.id = its.workshop_id
WHERE its.person_id = $1 AND workshop.second_factor_required ORDER BY workshop.name LIMIT 3;

-- src/product/people/factors/totp/store.ts: deleteTotp
DELETE FROM totp WHERE person_id = $1 RETURNING true;

-- src/product/people/factors/totp/store.ts: findTotp
SELECT seed_sealed, vouched_by, created_at, used_at FROM totp WHERE person_id = $1;

-- src/product/people/factors/totp/store.ts: listSeeds
SELECT person_id, seed_sealed AS sealed FROM totp
WHERE person_id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'resealSeeds' AND f.subject_id = totp.person_id) ORDER BY person_id LIMIT $2;

-- src/product/people/factors/totp/store.ts: listSeeds
SELECT person_id, seed_sealed AS sealed FROM totp WHERE person_id = $1;

-- src/product/people/factors/totp/store.ts: putTotp
INSERT INTO totp (person_id, seed_sealed, last_step, vouched_by, created_at) VALUES ($1, $2, $3, $4, clock_timestamp())
ON CONFLICT (person_id) DO UPDATE
SET seed_sealed = excluded.seed_sealed, last_step = excluded.last_step, vouched_by = excluded.vouched_by,
  created_at = excluded.created_at, used_at = NULL;

-- src/product/people/factors/totp/store.ts: replaceSeed
UPDATE totp SET seed_sealed = $3 WHERE person_id = $1 AND seed_sealed = $2 RETURNING true;

-- src/product/people/factors/totp/store.ts: useStep
UPDATE totp SET last_step = $3, used_at = clock_timestamp()
WHERE person_id = $1 AND seed_sealed = $2 AND last_step < $3 RETURNING true;

-- src/product/people/members/store.ts: deleteMember
DELETE FROM membership WHERE person_id = $1 AND workshop_id = $2 RETURNING true;

-- src/product/people/members/store.ts: findMember
SELECT its.person_id, person.email, person.name, its.role, its.may_text, its.sees_phones, its.version FROM membership its JOIN person
  ON person.id = its.person_id
WHERE its.workshop_id = $1 AND its.person_id = $2;

-- src/product/people/members/store.ts: listMembers
SELECT its.person_id, person.email, person.name, its.role, its.may_text, its.sees_phones, its.version FROM membership its JOIN person
  ON person.id = its.person_id
WHERE its.workshop_id = $1 AND its.person_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY its.person_id LIMIT $3;

-- src/product/people/members/store.ts: lockOnlyOwned
SELECT FROM membership
WHERE role = 'owner' AND workshop_id IN (SELECT workshop_id FROM membership WHERE person_id = $1 AND role = 'owner')
ORDER BY workshop_id, person_id FOR NO KEY UPDATE;

-- src/product/people/members/store.ts: lockOnlyOwned
SELECT workshop.slug FROM membership its JOIN workshop ON workshop.id = its.workshop_id
WHERE its.person_id = $1 AND its.role = 'owner'
  AND NOT EXISTS (SELECT FROM membership other
    WHERE other.workshop_id = its.workshop_id AND other.role = 'owner' AND other.person_id <> $1)
ORDER BY workshop.slug;

-- src/product/people/members/store.ts: lockOwners
SELECT person_id FROM membership WHERE workshop_id = $1 AND role = 'owner' ORDER BY person_id FOR NO KEY UPDATE;

-- src/product/people/members/store.ts: putMember
INSERT INTO membership (person_id, workshop_id, role, may_text, sees_phones, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (person_id, workshop_id) DO UPDATE
SET role = excluded.role, may_text = excluded.may_text, sees_phones = excluded.sees_phones, version = membership.version + 1;

-- src/product/people/names/store.ts: namesOf
SELECT id, name FROM person WHERE id = ANY ($1::uuid[]);

-- src/product/people/sessions/address/store.ts: insertSignInAddress
INSERT INTO sign_in_address (token_sha256, person_id, expires_at) VALUES ($1, $2, clock_timestamp() + interval '10 minutes');

-- src/product/people/sessions/address/store.ts: useSignInAddress
WITH used AS (DELETE FROM sign_in_address WHERE token_sha256 = $1 RETURNING person_id, expires_at)
SELECT person_id FROM used WHERE expires_at > (SELECT clock_timestamp());

-- src/product/people/sessions/half-open/store.ts: endHalfSignIn
DELETE FROM half_sign_in WHERE browser_sha256 = $1;

-- src/product/people/sessions/half-open/store.ts: findHalfSignIn
SELECT half.person_id, person.email, half.vouched_by,
  EXISTS (SELECT FROM totp WHERE totp.person_id = half.person_id) AS has_totp,
  EXISTS (SELECT FROM passkey WHERE passkey.person_id = half.person_id) AS has_passkey
FROM half_sign_in half JOIN person ON person.id = half.person_id
WHERE half.browser_sha256 = $1 AND half.expires_at > (SELECT clock_timestamp())
  AND (EXISTS (SELECT FROM totp WHERE totp.person_id = half.person_id)
      OR EXISTS (SELECT FROM passkey WHERE passkey.person_id = half.person_id));

-- src/product/people/sessions/half-open/store.ts: putHalfSignIn
INSERT INTO half_sign_in (browser_sha256, person_id, vouched_by, expires_at)
VALUES ($1, $2, $3, clock_timestamp() + interval '10 minutes')
ON CONFLICT (browser_sha256) DO UPDATE
SET person_id = excluded.person_id, vouched_by = excluded.vouched_by, expires_at = excluded.expires_at;

-- src/product/people/sessions/half-open/store.ts: takeHalfSignIn
DELETE FROM half_sign_in WHERE browser_sha256 = $1 AND person_id = $2 AND expires_at > (SELECT clock_timestamp()) RETURNING true;

-- src/product/people/sessions/kept-forms/store.ts: deleteKeptForm
DELETE FROM kept_form WHERE session_id = $1;

-- src/product/people/sessions/kept-forms/store.ts: findKeptForm
SELECT sealed FROM kept_form WHERE session_id = $1 AND expires_at > (SELECT clock_timestamp());

-- src/product/people/sessions/kept-forms/store.ts: moveKeptForm
UPDATE kept_form SET session_id = $2 WHERE session_id = $1 AND expires_at > (SELECT clock_timestamp()) RETURNING true;

-- src/product/people/sessions/kept-forms/store.ts: putKeptForm
INSERT INTO kept_form (session_id, sealed, expires_at) VALUES ($1, $2, clock_timestamp() + interval '10 minutes')
ON CONFLICT (session_id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at;

-- src/product/people/sessions/list/store.ts: listSessions
SELECT id AS session_id, signed_in_at, used_at, network, browser, signed_in_by, used_network, used_network_at,
  put_aside_at IS NOT NULL AS is_put_aside,
  CASE WHEN (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) THEN NULL
  ELSE coalesce(ended_at, least(used_at + interval '30 days', signed_in_at + interval '90 days')) END AS ended_at
FROM session WHERE person_id = $1 ORDER BY id DESC LIMIT 200;

-- src/product/people/sessions/state/store.ts: checkSessions
SELECT asked.ordinal::integer AS ordinal
FROM ROWS FROM (jsonb_to_recordset($1::jsonb)
      AS (session_id uuid, workshop_id uuid, role text, may_text boolean, sees_phones boolean))
WITH ORDINALITY AS asked (session_id, workshop_id, role, may_text, sees_phones, ordinal)
JOIN session s ON s.id = asked.session_id AND (s.put_aside_at IS NULL
      AND (s.ended_at IS NULL AND s.used_at > (SELECT clock_timestamp() - interval '30 days')
          AND s.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) AND NOT EXISTS (
        SELECT FROM membership its JOIN desk_rule rule ON rule.workshop_id = its.workshop_id
        WHERE its.person_id = s.person_id
          AND s.used_at < (SELECT clock_timestamp() - make_interval(mins => rule.ask_again_minutes + 1))))
JOIN membership m ON m.person_id = s.person_id AND m.workshop_id = asked.workshop_id
  AND m.role = asked.role AND m.may_text = asked.may_text AND m.sees_phones = asked.sees_phones
WHERE NOT EXISTS (SELECT FROM membership its JOIN workshop ON workshop.id = its.workshop_id
    WHERE its.person_id = s.person_id AND workshop.second_factor_required
      AND NOT (EXISTS (SELECT FROM totp WHERE totp.person_id = s.person_id)
          OR EXISTS (SELECT FROM passkey WHERE passkey.person_id = s.person_id)));

-- src/product/people/sessions/store.ts: endAllSessions
WITH half AS (DELETE FROM half_sign_in WHERE person_id = $1)
UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) RETURNING true;

-- src/product/people/sessions/store.ts: endEverySession
UPDATE session SET ended_at = clock_timestamp()
WHERE (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) RETURNING true;

-- src/product/people/sessions/store.ts: endOtherSessions
WITH half AS (DELETE FROM half_sign_in WHERE person_id = $1)
UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1 AND id IS DISTINCT FROM $2
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days'));

-- src/product/people/sessions/store.ts: endSession
UPDATE session SET ended_at = clock_timestamp() WHERE id = $2 AND person_id = $1
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) RETURNING true;

-- src/product/people/sessions/store.ts: endVouched
WITH half AS (
    DELETE FROM half_sign_in WHERE person_id = $1 AND vouched_by IS DISTINCT FROM $2 AND vouched_by IS NOT NULL)
UPDATE session SET ended_at = clock_timestamp()
WHERE person_id = $1 AND vouched_by IS DISTINCT FROM $2 AND vouched_by IS NOT NULL
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days'));

-- src/product/people/sessions/store.ts: findAnySession
SELECT id AS session_id, person_id FROM session WHERE token_sha256 = $1;

-- src/product/people/sessions/store.ts: insertSession
WITH known AS (
    INSERT INTO known_browser (person_id, browser_sha256, signed_in_at) VALUES ($3, $8, clock_timestamp())
    ON CONFLICT (person_id, browser_sha256) DO UPDATE SET signed_in_at = excluded.signed_in_at)
INSERT INTO session (id, token_sha256, person_id, signed_in_at, used_at, network, browser, vouched_by, signed_in_by, browser_sha256)
VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp(), $4, $5, $6, $7, $8);

-- src/product/people/sessions/store.ts: readSession
WITH open AS MATERIALIZED (
    SELECT id, person_id, signed_in_at, used_at, vouched_by, switched_at, network <> $2 AS is_elsewhere,
      used_network IS DISTINCT FROM $2 AS is_another FROM session
    WHERE token_sha256 = $1 AND (session.put_aside_at IS NULL
          AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
              AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) AND NOT EXISTS (
            SELECT FROM membership its JOIN desk_rule rule ON rule.workshop_id = its.workshop_id
            WHERE its.person_id = session.person_id
              AND session.used_at < (SELECT clock_timestamp() - make_interval(mins => rule.ask_again_minutes + 1))))
),
  -- why a use is what keeps a session open
  used AS (
    UPDATE session SET used_at = CASE WHEN $3::boolean THEN clock_timestamp() ELSE session.used_at END,
      used_network = CASE WHEN is_elsewhere THEN $2 ELSE used_network END,
      used_network_at = CASE WHEN is_elsewhere THEN clock_timestamp() ELSE used_network_at END
    FROM open
    WHERE session.id = open.id
      AND (($3::boolean AND open.used_at < (SELECT clock_timestamp() - interval '1 minute')) OR (is_elsewhere AND is_another))
),
  lacking AS MATERIALIZED (
    SELECT (SELECT workshop.name FROM membership its JOIN workshop ON workshop.id = its.workshop_id
        WHERE its.person_id = open.person_id AND workshop.second_factor_required
          AND NOT (EXISTS (SELECT FROM totp WHERE totp.person_id = open.person_id)
              OR EXISTS (SELECT FROM passkey WHERE passkey.person_id = open.person_id)) ORDER BY workshop.name LIMIT 1) AS name
    FROM open)
SELECT open.id AS session_id, open.signed_in_at, open.switched_at, open.vouched_by, person.id AS person_id, person.email, person.name,
  lacking.name AS lacks_factor_for, person.is_operator, person.undo_seconds, person.single_keys, person.version,
  person.last_workshop_id,
  ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name,
          'timezone', workshop.timezone, 'setupVersion', workshop.setup_version, 'country', workshop.country,
          'colour', workshop.colour, 'role', its.role, 'mayText', its.may_text, 'seesPhones', its.sees_phones)
    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
    WHERE its.person_id = person.id AND lacking.name IS NULL
    ORDER BY workshop.name, workshop.id LIMIT 200) AS memberships,
  ARRAY(SELECT its.partner_id FROM developer its JOIN partner ON partner.id = its.partner_id
    WHERE its.person_id = person.id AND partner.status = 'active' AND lacking.name IS NULL
    ORDER BY its.partner_id LIMIT 200) AS partners
FROM open JOIN person ON person.id = open.person_id CROSS JOIN lacking;

-- src/product/people/sessions/store.ts: renewToken
UPDATE session SET token_sha256 = $2 WHERE id = $1 AND put_aside_at IS NULL
  AND (session.ended_at IS NULL AND session.used_at > (SELECT clock_timestamp() - interval '30 days')
      AND session.signed_in_at > (SELECT clock_timestamp() - interval '90 days')) RETURNING true;

-- src/product/people/sessions/store.ts: setLastWorkshop
UPDATE person SET last_workshop_id = $2 WHERE id = $1;

-- src/product/people/shown/store.ts: countShownTo
SELECT is_let_in, reset_ms FROM count_shown($1, $2, $3::uuid[], $4);

-- src/product/people/store.ts: deleteDeveloper
DELETE FROM developer WHERE person_id = $1 AND partner_id = $2 RETURNING true;

-- src/product/people/store.ts: deletePerson
WITH codes AS (DELETE FROM sign_in_code USING person WHERE person.id = $1 AND sign_in_code.email = lower(person.email)),
  emails AS (DELETE FROM account_email USING person WHERE person.id = $1 AND account_email.email = lower(person.email)
    RETURNING account_email.id),
  letters AS (DELETE FROM dead_letter USING emails
    WHERE job = 'sendAccountEmail' AND payload = jsonb_build_object('accountEmailId', emails.id))
DELETE FROM person WHERE id = $1;

-- src/product/people/store.ts: findIdByEmail
SELECT id FROM person WHERE lower(email) = lower($1);

-- src/product/people/store.ts: findPerson
SELECT
  person.id AS person_id, person.email, person.name, person.is_operator AS operator,
  ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name, 'role', its.role,
          'mayText', its.may_text, 'seesPhones', its.sees_phones)
    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
    WHERE its.person_id = person.id ORDER BY workshop.name, workshop.id) AS workshops,
  ARRAY(SELECT its.partner_id FROM developer its WHERE its.person_id = person.id ORDER BY its.partner_id) AS partners,
  person.created_at FROM person WHERE person.id = $1;

-- src/product/people/store.ts: findPersonByEmail
SELECT
  person.id AS person_id, person.email, person.name, person.is_operator AS operator,
  ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name, 'role', its.role,
          'mayText', its.may_text, 'seesPhones', its.sees_phones)
    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
    WHERE its.person_id = person.id ORDER BY workshop.name, workshop.id) AS workshops,
  ARRAY(SELECT its.partner_id FROM developer its WHERE its.person_id = person.id ORDER BY its.partner_id) AS partners,
  person.created_at FROM person WHERE lower(person.email) = lower($1);

-- src/product/people/store.ts: insertDeveloper
INSERT INTO developer (person_id, partner_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING true;

-- src/product/people/store.ts: insertPerson
INSERT INTO person (id, email, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
ON CONFLICT (lower(email)) DO NOTHING RETURNING true;

-- src/product/people/store.ts: listPeople
SELECT
  person.id AS person_id, person.email, person.name, person.is_operator AS operator,
  ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name, 'role', its.role,
          'mayText', its.may_text, 'seesPhones', its.sees_phones)
    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
    WHERE its.person_id = person.id ORDER BY workshop.name, workshop.id) AS workshops,
  ARRAY(SELECT its.partner_id FROM developer its WHERE its.person_id = person.id ORDER BY its.partner_id) AS partners,
  person.created_at FROM person JOIN developer of ON of.person_id = person.id AND of.partner_id = $3
WHERE person.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY person.id LIMIT $2;

-- src/product/people/store.ts: listPeople
SELECT
  person.id AS person_id, person.email, person.name, person.is_operator AS operator,
  ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name, 'role', its.role,
          'mayText', its.may_text, 'seesPhones', its.sees_phones)
    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
    WHERE its.person_id = person.id ORDER BY workshop.name, workshop.id) AS workshops,
  ARRAY(SELECT its.partner_id FROM developer its WHERE its.person_id = person.id ORDER BY its.partner_id) AS partners,
  person.created_at FROM person JOIN membership of ON of.person_id = person.id AND of.workshop_id = $3
WHERE person.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY person.id LIMIT $2;

-- src/product/people/store.ts: listPeople
SELECT
  person.id AS person_id, person.email, person.name, person.is_operator AS operator,
  ARRAY(SELECT jsonb_build_object('workshopId', workshop.id, 'slug', workshop.slug, 'name', workshop.name, 'role', its.role,
          'mayText', its.may_text, 'seesPhones', its.sees_phones)
    FROM membership its JOIN workshop ON workshop.id = its.workshop_id
    WHERE its.person_id = person.id ORDER BY workshop.name, workshop.id) AS workshops,
  ARRAY(SELECT its.partner_id FROM developer its WHERE its.person_id = person.id ORDER BY its.partner_id) AS partners,
  person.created_at FROM person WHERE person.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY person.id LIMIT $2;

-- src/product/people/store.ts: lockPerson
SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE;

-- src/product/people/store.ts: lockPersonByEmail
SELECT id FROM person WHERE lower(email) = lower($1) FOR NO KEY UPDATE;

-- src/product/people/store.ts: lockVersion
SELECT version FROM person WHERE id = $1 FOR NO KEY UPDATE;

-- src/product/people/store.ts: setOperator
UPDATE person SET is_operator = $2 WHERE id = $1 AND is_operator <> $2 RETURNING true;

-- src/product/people/store.ts: updatePreferences
UPDATE person SET name = $2, undo_seconds = $3, single_keys = $4, version = version + 1, updated_at = $5 WHERE id = $1;

-- src/product/quotes/change/store.ts: expireQuotes
WITH changed_quote AS (
    UPDATE quote AS r SET status = 'expired', version = r.version + 1,
      updated_at = greatest($1::timestamptz, r.updated_at + interval '1 millisecond')
    WHERE r.id IN (SELECT id FROM quote WHERE id = ANY ($2::uuid[]) AND status = 'quoted' AND valid_until <= $1::timestamptz
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING r.*, 'schedule' AS actor, NULL AS request_id,
      jsonb_build_object('status','quoted') AS before_it),
  quote_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object(
          'id', r.id, 'code', r.code, 'workshopId', r.workshop_id, 'customerId', r.customer_id, 'carId', r.car_id,
          'bookingId', r.booking_id, 'externalId', r.external_id, 'car',
          jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', its_car.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', r.status, 'services', r.services, 'notes', r.notes, 'lines', r.lines, 'total', r.total,
          'message', r.message, 'validUntil', to_char(r.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', r.url,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote FROM changed_quote r JOIN car its_car
      ON its_car.id = r.car_id),
  quote_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'quote.expired', r.partner_id, r.workshop_id, r.id, r.version,
      jsonb_build_object('quote', r.quote, 'notifyCustomer', false, 'notifyWorkshop', false), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status)
    FROM quote_snapshot r) SELECT quote, version FROM quote_snapshot;

-- src/product/quotes/change/store.ts: findExpired
SELECT id FROM quote WHERE status = 'quoted' AND valid_until <= $1::timestamptz
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'expireQuote' AND f.subject_id = quote.id) ORDER BY valid_until LIMIT $2;

-- src/product/quotes/change/store.ts: lockQuote
SELECT FROM quote WHERE id = $1 FOR NO KEY UPDATE;

-- src/product/quotes/change/store.ts: lockQuote
SELECT jsonb_build_object(
      'id', q.id, 'code', q.code, 'workshopId', q.workshop_id, 'customerId', q.customer_id, 'carId', q.car_id,
      'bookingId', q.booking_id, 'externalId', q.external_id, 'car',
      jsonb_build_object('id', q.car_id, 'customerId', q.customer_id, 'rego', c.rego, 'year', q.car_year,
          'make', q.car_make, 'model', q.car_model, 'badge', q.car_badge, 'vin', q.car_vin), 'customer',
      jsonb_build_object('id', q.customer_id, 'workshopId', q.workshop_id, 'name', q.contact_name,
          'firstName', q.contact_first_name, 'lastName', q.contact_last_name, 'email', nullif(q.contact_email, ''),
          'phone', nullif(q.contact_phone, ''), 'company', q.contact_company, 'address', null, 'postcode', null, 'suburb', null),
      'status', q.status, 'services', q.services, 'notes', q.notes, 'lines', q.lines, 'total', q.total,
      'message', q.message, 'validUntil', to_char(q.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', q.url,
      'createdAt', to_char(q.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(q.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote, q.version, q.partner_id, q.partner_id IS NULL
  OR (p.status = 'active' AND l.active) AS link_active,
  q.service_minutes, q.contact_phone = '' AS erased
FROM quote q JOIN car c ON c.id = q.car_id LEFT JOIN partner p ON p.id = q.partner_id
LEFT JOIN link l ON l.partner_id = q.partner_id AND l.workshop_id = q.workshop_id
WHERE q.id = $1;

-- src/product/quotes/change/store.ts: writeOne
WITH changed_quote AS (
    UPDATE quote AS r SET status = 'accepted', booking_id = ($1::jsonb ->> 'id')::uuid, version = r.version + 1,
      updated_at = greatest($4::timestamptz, r.updated_at + interval '1 millisecond')
    WHERE r.id = $2::uuid
    RETURNING r.*, $5::text AS actor, $6::text AS request_id,
      jsonb_build_object('status','quoted','bookingId',NULL) AS before_it),
  quote_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object(
          'id', r.id, 'code', r.code, 'workshopId', r.workshop_id, 'customerId', r.customer_id, 'carId', r.car_id,
          'bookingId', r.booking_id, 'externalId', r.external_id, 'car',
          jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', its_car.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', r.status, 'services', r.services, 'notes', r.notes, 'lines', r.lines, 'total', r.total,
          'message', r.message, 'validUntil', to_char(r.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', r.url,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote FROM changed_quote r JOIN car its_car
      ON its_car.id = r.car_id),
  quote_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'quote.accepted', r.partner_id, r.workshop_id, r.id, r.version,
      jsonb_build_object('quote', r.quote, 'booking', $1::jsonb, 'notifyCustomer', false, 'notifyWorkshop', $3::boolean), r.updated_at,
      r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status,'bookingId',r.booking_id)
    FROM quote_snapshot r) SELECT quote, version FROM quote_snapshot;

-- src/product/quotes/change/store.ts: writeOne
WITH changed_quote AS (
    UPDATE quote AS r SET status = 'declined', version = r.version + 1,
      updated_at = greatest($4::timestamptz, r.updated_at + interval '1 millisecond')
    WHERE r.id = $1::uuid
    RETURNING r.*, $5::text AS actor, $6::text AS request_id,
      jsonb_build_object('status',$2::text) AS before_it),
  quote_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object(
          'id', r.id, 'code', r.code, 'workshopId', r.workshop_id, 'customerId', r.customer_id, 'carId', r.car_id,
          'bookingId', r.booking_id, 'externalId', r.external_id, 'car',
          jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', its_car.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', r.status, 'services', r.services, 'notes', r.notes, 'lines', r.lines, 'total', r.total,
          'message', r.message, 'validUntil', to_char(r.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', r.url,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote FROM changed_quote r JOIN car its_car
      ON its_car.id = r.car_id),
  quote_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'quote.declined', r.partner_id, r.workshop_id, r.id, r.version,
      jsonb_build_object('quote', r.quote, 'notifyCustomer', false, 'notifyWorkshop', $3::boolean), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status)
    FROM quote_snapshot r) SELECT quote, version FROM quote_snapshot;

-- src/product/quotes/change/store.ts: writeOne
WITH changed_quote AS (
    UPDATE quote AS r SET status = 'quoted', lines = $1::jsonb, total = $2::text::numeric, message = $3::text,
      valid_until = $4::timestamptz, url = $5::text, version = r.version + 1,
      updated_at = greatest($9::timestamptz, r.updated_at + interval '1 millisecond')
    WHERE r.id = $6::uuid
    RETURNING r.*, $10::text AS actor, $11::text AS request_id,
      $7::jsonb AS before_it),
  quote_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object(
          'id', r.id, 'code', r.code, 'workshopId', r.workshop_id, 'customerId', r.customer_id, 'carId', r.car_id,
          'bookingId', r.booking_id, 'externalId', r.external_id, 'car',
          jsonb_build_object('id', r.car_id, 'customerId', r.customer_id, 'rego', its_car.rego, 'year', r.car_year,
              'make', r.car_make, 'model', r.car_model, 'badge', r.car_badge, 'vin', r.car_vin), 'customer',
          jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id, 'name', r.contact_name,
              'firstName', r.contact_first_name, 'lastName', r.contact_last_name, 'email', nullif(r.contact_email, ''),
              'phone', nullif(r.contact_phone, ''), 'company', r.contact_company, 'address', null, 'postcode', null, 'suburb', null),
          'status', r.status, 'services', r.services, 'notes', r.notes, 'lines', r.lines, 'total', r.total,
          'message', r.message, 'validUntil', to_char(r.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', r.url,
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote FROM changed_quote r JOIN car its_car
      ON its_car.id = r.car_id),
  quote_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'quote.quoted', r.partner_id, r.workshop_id, r.id, r.version,
      jsonb_build_object('quote', r.quote, 'notifyCustomer', $8::boolean, 'notifyWorkshop', false), r.updated_at, r.actor, r.request_id,
      r.before_it,
      jsonb_build_object('status',r.status,'lines',r.lines,'total',r.total,'message',r.message,'validUntil',to_char(r.valid_until AT TIME
              ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM quote_snapshot r) SELECT quote, version FROM quote_snapshot;

-- src/product/quotes/page/store.ts: findPageQuote
SELECT jsonb_build_object(
      'id', q.id, 'code', q.code, 'workshopId', q.workshop_id, 'customerId', q.customer_id, 'carId', q.car_id,
      'bookingId', q.booking_id, 'externalId', q.external_id, 'car',
      jsonb_build_object('id', q.car_id, 'customerId', q.customer_id, 'rego', c.rego, 'year', q.car_year,
          'make', q.car_make, 'model', q.car_model, 'badge', q.car_badge, 'vin', q.car_vin), 'customer',
      jsonb_build_object('id', q.customer_id, 'workshopId', q.workshop_id, 'name', q.contact_name,
          'firstName', q.contact_first_name, 'lastName', q.contact_last_name, 'email', nullif(q.contact_email, ''),
          'phone', nullif(q.contact_phone, ''), 'company', q.contact_company, 'address', null, 'postcode', null, 'suburb', null),
      'status', q.status, 'services', q.services, 'notes', q.notes, 'lines', q.lines, 'total', q.total,
      'message', q.message, 'validUntil', to_char(q.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url', q.url,
      'createdAt', to_char(q.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(q.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote, q.version, q.service_minutes, q.partner_id,
  q.partner_id IS NULL OR (p.status = 'active' AND l.active) AS is_open,
  to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS booked_for,
  jsonb_build_object('workshopId', w.id, 'name', w.name, 'slug', w.slug, 'plainPage', (w.booking_page AND coalesce(w.plain_page, false)),
      'phone', w.phone, 'colour', w.colour, 'logo',
      (SELECT jsonb_build_object('path', '/pages/logos/' || digest || '.' || kind, 'width', width, 'height', height) FROM workshop_logo
        WHERE workshop_id = w.id), 'address', w.address, 'hours', w.opening_hours, 'privacyUrl', w.privacy_url, 'termsUrl', w.terms_url,
      'cancellationText', w.cancellation_text, 'taxLabel', w.tax_label, 'country', w.country, 'timezone', w.timezone,
      'bookingPage', w.booking_page, 'customerMayChange', w.customer_may_change, 'horizonDays', w.horizon_days) AS shop
FROM quote q JOIN car c ON c.id = q.car_id JOIN workshop w ON w.id = q.workshop_id LEFT JOIN partner p ON p.id = q.partner_id
LEFT JOIN link l ON l.partner_id = q.partner_id AND l.workshop_id = q.workshop_id LEFT JOIN booking b ON b.id = q.booking_id
WHERE q.code = $1 AND q.contact_phone <> '';

-- src/product/quotes/staff/store.ts: listWorkshopQuotes
SELECT q.id, q.code, q.customer_id, q.contact_name AS name, car.rego, q.services, q.total::float8 AS total, q.valid_until,
  partner.name AS partner, q.created_at, q.updated_at
FROM (SELECT its.* FROM link CROSS JOIN LATERAL (
        SELECT * FROM quote WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND status = $2
          AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        ORDER BY id DESC LIMIT $4) AS its
    WHERE link.workshop_id = $1
    UNION ALL (
        SELECT * FROM quote WHERE workshop_id = $1 AND partner_id IS NULL AND status = $2
          AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        ORDER BY id DESC LIMIT $4)) AS q
JOIN car ON car.id = q.car_id LEFT JOIN partner ON partner.id = q.partner_id
ORDER BY q.id DESC LIMIT $4;

-- src/product/quotes/staff/store.ts: listWorkshopQuotes
SELECT q.id, q.code, q.customer_id, q.contact_name AS name, car.rego, q.services, q.total::float8 AS total, q.valid_until,
  partner.name AS partner, q.created_at, q.updated_at
FROM (SELECT its.* FROM link CROSS JOIN LATERAL (
        SELECT * FROM quote WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND status = $2
          AND id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
        ORDER BY id ASC LIMIT $4) AS its
    WHERE link.workshop_id = $1
    UNION ALL (
        SELECT * FROM quote WHERE workshop_id = $1 AND partner_id IS NULL AND status = $2
          AND id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
        ORDER BY id ASC LIMIT $4)) AS q
JOIN car ON car.id = q.car_id LEFT JOIN partner ON partner.id = q.partner_id
ORDER BY q.id ASC LIMIT $4;

-- src/product/quotes/staff/store.ts: readQuoteTelling
SELECT q.contact_phone AS phone, q.contact_email AS email,
  coalesce(lower(k.bounced_email) = lower(q.contact_email), false) AS email_bounced,
  w.country, q.contact_phone = '' AS erased, k.opted_out_at IS NOT NULL AS opted_out
FROM quote q JOIN workshop w ON w.id = q.workshop_id JOIN customer own ON own.id = q.customer_id
JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
WHERE q.id = $1;

-- src/product/quotes/store.ts: insertOwnQuote
WITH input AS (
    SELECT given.new_customer_id, given.customer_name, given.customer_first_name, given.customer_last_name, given.customer_email,
      given.customer_phone, given.customer_company, given.new_car_id, given.car_rego, given.car_year, given.car_make, given.car_model,
      given.car_badge, given.car_vin, given.notes, given.external_id, given.services, given.service_minutes, given.setup_version,
      given.quote_id, given.code, given.event_id, given.partner_id, given.workshop_id, given.notify_workshop, given.now, given.actor,
      given.request_id, given.idempotency_key, given.claim_owner, given.customer_id, given.keeps_name, given.is_apart, given.lines,
      given.total, given.message, given.valid_until, given.url, given.notify_customer, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (new_customer_id uuid, customer_name text, customer_first_name text,
              customer_last_name text, customer_email text, customer_phone text, customer_company text, new_car_id uuid, car_rego text,
              car_year integer, car_make text, car_model text, car_badge text, car_vin text, notes text, external_id text, services jsonb,
              service_minutes integer[], setup_version integer, quote_id uuid, code text, event_id uuid, partner_id uuid, workshop_id uuid,
              notify_workshop boolean, now timestamptz, actor text, request_id text, idempotency_key text, claim_owner uuid,
              customer_id uuid, keeps_name boolean, is_apart boolean, lines jsonb, total text, message text, valid_until timestamptz,
              url text, notify_customer boolean)) WITH ORDINALITY AS given (new_customer_id, customer_name, customer_first_name,
          customer_last_name, customer_email, customer_phone, customer_company, new_car_id, car_rego, car_year, car_make, car_model,
          car_badge, car_vin, notes, external_id, services, service_minutes, setup_version, quote_id, code, event_id, partner_id,
          workshop_id, notify_workshop, now, actor, request_id, idempotency_key, claim_owner, customer_id, keeps_name, is_apart, lines,
          total, message, valid_until, url, notify_customer, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, true AS link_active FROM input JOIN workshop ON workshop.id = input.workshop_id),
  held_claim AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN idempotency kept ON kept.partner_id = gate.partner_id AND kept.key = gate.idempotency_key
      AND kept.owner = gate.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS MATERIALIZED (
    SELECT * FROM gate
    WHERE link_active AND (setup_version IS NULL
          OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id))
      AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  the_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at,
          updated_at)
    SELECT open.new_customer_id, workshop_id, coalesce(CASE WHEN open.keeps_name AND EXISTS (
            SELECT FROM customer known WHERE known.phone = open.customer_phone AND known.workshop_id = open.workshop_id
              AND known.name <> known.phone)
          THEN NULL ELSE open.customer_name END, open.customer_phone), open.customer_first_name, open.customer_last_name,
      open.customer_email, open.customer_phone, open.customer_company,
      ARRAY[coalesce(open.partner_id, '00000000-0000-0000-0000-000000000000'::uuid)], open."now", open."now"
    FROM (SELECT * FROM open WHERE open.customer_phone IS NOT NULL AND NOT open.is_apart) AS open ORDER BY workshop_id, open.customer_phone
    ON CONFLICT (workshop_id, phone) DO UPDATE
    SET name = CASE WHEN excluded.name = excluded.phone THEN customer.name ELSE excluded.name END, first_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.first_name ELSE excluded.first_name END, last_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.last_name ELSE excluded.last_name END,
      email = coalesce(nullif(excluded.email, ''), customer.email),
      company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
      details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
      THEN CASE WHEN customer.details_from @> excluded.details_from THEN customer.details_from
      ELSE customer.details_from || excluded.details_from END ELSE excluded.details_from END
    RETURNING id, workshop_id, phone),
  walk_in AS (
    INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, company, details_from, created_at, updated_at)
    SELECT new_customer_id, workshop_id, customer_name, customer_first_name, customer_last_name, customer_email, customer_company,
      ARRAY['00000000-0000-0000-0000-000000000000'::uuid], "now", "now"
    FROM open WHERE customer_phone IS NULL AND customer_id IS NULL ORDER BY ordinal
    RETURNING id),
  owner AS MATERIALIZED (
    SELECT open.*, the_customer.id FROM open JOIN the_customer ON the_customer.workshop_id = open.workshop_id
      AND the_customer.phone = open.customer_phone AND open.customer_phone IS NOT NULL AND NOT open.is_apart
    UNION ALL SELECT open.*, walk_in.id FROM open JOIN walk_in ON walk_in.id = open.new_customer_id
    UNION ALL SELECT open.*, chosen.id FROM open
    JOIN customer chosen ON chosen.id = open.customer_id AND chosen.workshop_id = open.workshop_id AND chosen.erased_at IS NULL
    WHERE NOT (open.customer_phone IS NOT NULL AND NOT open.is_apart)),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT owner.new_car_id, workshop_id, id, owner.car_rego, owner.car_year, owner.car_make, owner.car_model, owner.car_badge,
      owner.car_vin, owner."now", owner."now"
    FROM owner ORDER BY id, owner.car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  content AS MATERIALIZED (
    SELECT ordinal, event_id, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
      quote_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
      NULL::uuid AS booking_id, external_id, 'quoted' AS status, customer_name AS contact_name,
      customer_first_name AS contact_first_name, customer_last_name AS contact_last_name, customer_email AS contact_email,
      customer_phone AS contact_phone, customer_company AS contact_company, coalesce(owner.car_year, the_car.year) AS car_year,
      coalesce(owner.car_make, the_car.make) AS car_make, coalesce(owner.car_model, the_car.model) AS car_model,
      coalesce(owner.car_badge, the_car.badge) AS car_badge, coalesce(owner.car_vin, the_car.vin) AS car_vin, services, service_minutes,
      notes,
      owner.lines, owner.total::numeric AS total, owner.message, owner.valid_until, owner.url, owner.notify_customer,
      1 AS version, now AS created_at, now AS updated_at
    FROM owner JOIN the_car ON the_car.customer_id = owner.id
      AND CASE WHEN owner.car_rego IS NULL THEN the_car.id = owner.new_car_id ELSE the_car.rego = owner.car_rego END ),
  made AS (INSERT INTO quote (id, code, partner_id, workshop_id, customer_id, car_id, booking_id, external_id, status, contact_name,
          contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, car_year, car_make, car_model, car_badge,
          car_vin, services, service_minutes, notes, lines, total, message, valid_until, url, version, created_at, updated_at) SELECT id,
      code, partner_id, workshop_id, customer_id, car_id, booking_id, external_id, status, contact_name,
      contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, car_year, car_make, car_model, car_badge,
      car_vin, services, service_minutes, notes, lines, total, message, valid_until, url, version, created_at, updated_at FROM content),
  snapshot AS MATERIALIZED (SELECT content.*, jsonb_build_object(
          'id', content.id, 'code', content.code, 'workshopId', content.workshop_id, 'customerId', content.customer_id, 'carId',
          content.car_id,
          'bookingId', content.booking_id, 'externalId', content.external_id, 'car',
          jsonb_build_object('id', content.car_id, 'customerId', content.customer_id, 'rego', content.rego, 'year', content.car_year,
              'make', content.car_make, 'model', content.car_model, 'badge', content.car_badge, 'vin', content.car_vin), 'customer',
          jsonb_build_object('id', content.customer_id, 'workshopId', content.workshop_id, 'name', content.contact_name,
              'firstName', content.contact_first_name, 'lastName', content.contact_last_name, 'email', nullif(content.contact_email, ''),
              'phone', nullif(content.contact_phone, ''), 'company', content.contact_company, 'address', null, 'postcode', null, 'suburb',
              null),
          'status', content.status, 'services', content.services, 'notes', content.notes, 'lines', content.lines, 'total', content.total,
          'message', content.message, 'validUntil', to_char(content.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          content.url,
          'createdAt', to_char(content.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(content.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote FROM content),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT event_id, 'quote.quoted', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('quote', quote, 'notifyCustomer', notify_customer, 'notifyWorkshop', notify_workshop), created_at, snapshot.actor,
      snapshot.request_id,
      NULL::jsonb, NULL::jsonb
    FROM snapshot),
  finished_claim AS (UPDATE idempotency kept SET status = 201, body = jsonb_build_object('success', true, 'quote', snapshot.quote)
    FROM snapshot WHERE kept.partner_id = snapshot.partner_id AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT ordinal, true AS link_active, true AS setup_is_current, quote FROM snapshot
UNION ALL SELECT ordinal, link_active, (setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)), NULL FROM gate
WHERE ordinal NOT IN (SELECT ordinal FROM open);

-- src/product/quotes/store.ts: insertOwnRequest
WITH input AS (
    SELECT given.new_customer_id, given.customer_name, given.customer_first_name, given.customer_last_name, given.customer_email,
      given.customer_phone, given.customer_company, given.new_car_id, given.car_rego, given.car_year, given.car_make, given.car_model,
      given.car_badge, given.car_vin, given.notes, given.external_id, given.services, given.service_minutes, given.setup_version,
      given.quote_id, given.code, given.event_id, given.partner_id, given.workshop_id, given.notify_workshop, given.now, given.actor,
      given.request_id, given.idempotency_key, given.claim_owner, given.customer_id, given.keeps_name, given.is_apart,
      given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (new_customer_id uuid, customer_name text, customer_first_name text,
              customer_last_name text, customer_email text, customer_phone text, customer_company text, new_car_id uuid, car_rego text,
              car_year integer, car_make text, car_model text, car_badge text, car_vin text, notes text, external_id text, services jsonb,
              service_minutes integer[], setup_version integer, quote_id uuid, code text, event_id uuid, partner_id uuid, workshop_id uuid,
              notify_workshop boolean, now timestamptz, actor text, request_id text, idempotency_key text, claim_owner uuid,
              customer_id uuid, keeps_name boolean, is_apart boolean)) WITH ORDINALITY AS given (new_customer_id, customer_name,
          customer_first_name, customer_last_name, customer_email, customer_phone, customer_company, new_car_id, car_rego, car_year,
          car_make, car_model, car_badge, car_vin, notes, external_id, services, service_minutes, setup_version, quote_id, code, event_id,
          partner_id, workshop_id, notify_workshop, now, actor, request_id, idempotency_key, claim_owner, customer_id, keeps_name, is_apart,
          ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, true AS link_active FROM input JOIN workshop ON workshop.id = input.workshop_id),
  held_claim AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN idempotency kept ON kept.partner_id = gate.partner_id AND kept.key = gate.idempotency_key
      AND kept.owner = gate.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS MATERIALIZED (
    SELECT * FROM gate
    WHERE link_active AND (setup_version IS NULL
          OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id))
      AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  the_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at,
          updated_at)
    SELECT open.new_customer_id, workshop_id, coalesce(CASE WHEN open.keeps_name AND EXISTS (
            SELECT FROM customer known WHERE known.phone = open.customer_phone AND known.workshop_id = open.workshop_id
              AND known.name <> known.phone)
          THEN NULL ELSE open.customer_name END, open.customer_phone), open.customer_first_name, open.customer_last_name,
      open.customer_email, open.customer_phone, open.customer_company,
      ARRAY[coalesce(open.partner_id, '00000000-0000-0000-0000-000000000000'::uuid)], open."now", open."now"
    FROM (SELECT * FROM open WHERE open.customer_phone IS NOT NULL AND NOT open.is_apart) AS open ORDER BY workshop_id, open.customer_phone
    ON CONFLICT (workshop_id, phone) DO UPDATE
    SET name = CASE WHEN excluded.name = excluded.phone THEN customer.name ELSE excluded.name END, first_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.first_name ELSE excluded.first_name END, last_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.last_name ELSE excluded.last_name END,
      email = coalesce(nullif(excluded.email, ''), customer.email),
      company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
      details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
      THEN CASE WHEN customer.details_from @> excluded.details_from THEN customer.details_from
      ELSE customer.details_from || excluded.details_from END ELSE excluded.details_from END
    RETURNING id, workshop_id, phone),
  walk_in AS (
    INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, company, details_from, created_at, updated_at)
    SELECT new_customer_id, workshop_id, customer_name, customer_first_name, customer_last_name, customer_email, customer_company,
      ARRAY['00000000-0000-0000-0000-000000000000'::uuid], "now", "now"
    FROM open WHERE customer_phone IS NULL AND customer_id IS NULL ORDER BY ordinal
    RETURNING id),
  owner AS MATERIALIZED (
    SELECT open.*, the_customer.id FROM open JOIN the_customer ON the_customer.workshop_id = open.workshop_id
      AND the_customer.phone = open.customer_phone AND open.customer_phone IS NOT NULL AND NOT open.is_apart
    UNION ALL SELECT open.*, walk_in.id FROM open JOIN walk_in ON walk_in.id = open.new_customer_id
    UNION ALL SELECT open.*, chosen.id FROM open
    JOIN customer chosen ON chosen.id = open.customer_id AND chosen.workshop_id = open.workshop_id AND chosen.erased_at IS NULL
    WHERE NOT (open.customer_phone IS NOT NULL AND NOT open.is_apart)),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT owner.new_car_id, workshop_id, id, owner.car_rego, owner.car_year, owner.car_make, owner.car_model, owner.car_badge,
      owner.car_vin, owner."now", owner."now"
    FROM owner ORDER BY id, owner.car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  content AS MATERIALIZED (
    SELECT ordinal, event_id, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
      quote_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
      NULL::uuid AS booking_id, external_id, 'requested' AS status, customer_name AS contact_name,
      customer_first_name AS contact_first_name, customer_last_name AS contact_last_name, customer_email AS contact_email,
      customer_phone AS contact_phone, customer_company AS contact_company, coalesce(owner.car_year, the_car.year) AS car_year,
      coalesce(owner.car_make, the_car.make) AS car_make, coalesce(owner.car_model, the_car.model) AS car_model,
      coalesce(owner.car_badge, the_car.badge) AS car_badge, coalesce(owner.car_vin, the_car.vin) AS car_vin, services, service_minutes,
      notes,
      '[]'::jsonb AS lines, NULL::numeric AS total, NULL::text AS message, NULL::timestamptz AS valid_until, NULL::text AS url,
      1 AS version, now AS created_at, now AS updated_at
    FROM owner JOIN the_car ON the_car.customer_id = owner.id
      AND CASE WHEN owner.car_rego IS NULL THEN the_car.id = owner.new_car_id ELSE the_car.rego = owner.car_rego END ),
  made AS (INSERT INTO quote (id, code, partner_id, workshop_id, customer_id, car_id, booking_id, external_id, status, contact_name,
          contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, car_year, car_make, car_model, car_badge,
          car_vin, services, service_minutes, notes, lines, total, message, valid_until, url, version, created_at, updated_at) SELECT id,
      code, partner_id, workshop_id, customer_id, car_id, booking_id, external_id, status, contact_name,
      contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, car_year, car_make, car_model, car_badge,
      car_vin, services, service_minutes, notes, lines, total, message, valid_until, url, version, created_at, updated_at FROM content),
  snapshot AS MATERIALIZED (SELECT content.*, jsonb_build_object(
          'id', content.id, 'code', content.code, 'workshopId', content.workshop_id, 'customerId', content.customer_id, 'carId',
          content.car_id,
          'bookingId', content.booking_id, 'externalId', content.external_id, 'car',
          jsonb_build_object('id', content.car_id, 'customerId', content.customer_id, 'rego', content.rego, 'year', content.car_year,
              'make', content.car_make, 'model', content.car_model, 'badge', content.car_badge, 'vin', content.car_vin), 'customer',
          jsonb_build_object('id', content.customer_id, 'workshopId', content.workshop_id, 'name', content.contact_name,
              'firstName', content.contact_first_name, 'lastName', content.contact_last_name, 'email', nullif(content.contact_email, ''),
              'phone', nullif(content.contact_phone, ''), 'company', content.contact_company, 'address', null, 'postcode', null, 'suburb',
              null),
          'status', content.status, 'services', content.services, 'notes', content.notes, 'lines', content.lines, 'total', content.total,
          'message', content.message, 'validUntil', to_char(content.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          content.url,
          'createdAt', to_char(content.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(content.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote FROM content),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT event_id, 'quote.requested', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('quote', quote, 'notifyCustomer', false, 'notifyWorkshop', notify_workshop), created_at, snapshot.actor,
      snapshot.request_id,
      NULL::jsonb, NULL::jsonb
    FROM snapshot),
  finished_claim AS (UPDATE idempotency kept SET status = 201, body = jsonb_build_object('success', true, 'quote', snapshot.quote)
    FROM snapshot WHERE kept.partner_id = snapshot.partner_id AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT ordinal, true AS link_active, true AS setup_is_current, quote FROM snapshot
UNION ALL SELECT ordinal, link_active, (setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)), NULL FROM gate
WHERE ordinal NOT IN (SELECT ordinal FROM open);

-- src/product/quotes/store.ts: insertQuote
WITH input AS (
    SELECT given.new_customer_id, given.customer_name, given.customer_first_name, given.customer_last_name, given.customer_email,
      given.customer_phone, given.customer_company, given.new_car_id, given.car_rego, given.car_year, given.car_make, given.car_model,
      given.car_badge, given.car_vin, given.notes, given.external_id, given.services, given.service_minutes, given.setup_version,
      given.quote_id, given.code, given.event_id, given.partner_id, given.workshop_id, given.notify_workshop, given.now, given.actor,
      given.request_id, given.idempotency_key, given.claim_owner, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (new_customer_id uuid, customer_name text, customer_first_name text,
              customer_last_name text, customer_email text, customer_phone text, customer_company text, new_car_id uuid, car_rego text,
              car_year integer, car_make text, car_model text, car_badge text, car_vin text, notes text, external_id text, services jsonb,
              service_minutes integer[], setup_version integer, quote_id uuid, code text, event_id uuid, partner_id uuid, workshop_id uuid,
              notify_workshop boolean, now timestamptz, actor text, request_id text, idempotency_key text,
              claim_owner uuid)) WITH ORDINALITY AS given (new_customer_id, customer_name, customer_first_name, customer_last_name,
          customer_email, customer_phone, customer_company, new_car_id, car_rego, car_year, car_make, car_model, car_badge, car_vin, notes,
          external_id, services, service_minutes, setup_version, quote_id, code, event_id, partner_id, workshop_id, notify_workshop, now,
          actor, request_id, idempotency_key, claim_owner, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, link.active AS link_active FROM input
    JOIN link ON link.partner_id = input.partner_id AND link.workshop_id = input.workshop_id),
  held_claim AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN idempotency kept ON kept.partner_id = gate.partner_id AND kept.key = gate.idempotency_key
      AND kept.owner = gate.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS MATERIALIZED (
    SELECT * FROM gate
    WHERE link_active AND (setup_version IS NULL
          OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id))
      AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  the_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at,
          updated_at)
    SELECT open.new_customer_id, workshop_id, coalesce(open.customer_name, open.customer_phone), open.customer_first_name,
      open.customer_last_name, open.customer_email, open.customer_phone, open.customer_company,
      ARRAY[coalesce(open.partner_id, '00000000-0000-0000-0000-000000000000'::uuid)], open."now", open."now"
    FROM open ORDER BY workshop_id, open.customer_phone
    ON CONFLICT (workshop_id, phone) DO UPDATE
    SET name = CASE WHEN excluded.name = excluded.phone THEN customer.name ELSE excluded.name END, first_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.first_name ELSE excluded.first_name END, last_name = CASE
      WHEN excluded.name = excluded.phone THEN customer.last_name ELSE excluded.last_name END,
      email = coalesce(nullif(excluded.email, ''), customer.email),
      company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
      details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
      THEN CASE WHEN customer.details_from @> excluded.details_from THEN customer.details_from
      ELSE customer.details_from || excluded.details_from END ELSE excluded.details_from END
    RETURNING id, workshop_id, phone),
  owner AS MATERIALIZED (
    SELECT open.*, the_customer.id FROM open JOIN the_customer ON the_customer.workshop_id = open.workshop_id
      AND the_customer.phone = open.customer_phone),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT owner.new_car_id, workshop_id, id, owner.car_rego, owner.car_year, owner.car_make, owner.car_model, owner.car_badge,
      owner.car_vin, owner."now", owner."now"
    FROM owner ORDER BY id, owner.car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  content AS MATERIALIZED (
    SELECT ordinal, event_id, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
      quote_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
      NULL::uuid AS booking_id, external_id, 'requested' AS status, customer_name AS contact_name,
      customer_first_name AS contact_first_name, customer_last_name AS contact_last_name, customer_email AS contact_email,
      customer_phone AS contact_phone, customer_company AS contact_company, coalesce(owner.car_year, earlier.car_year) AS car_year,
      coalesce(owner.car_make, earlier.car_make) AS car_make, coalesce(owner.car_model, earlier.car_model) AS car_model,
      coalesce(owner.car_badge, earlier.car_badge) AS car_badge, coalesce(owner.car_vin, earlier.car_vin) AS car_vin, services,
      service_minutes, notes,
      '[]'::jsonb AS lines, NULL::numeric AS total, NULL::text AS message, NULL::timestamptz AS valid_until, NULL::text AS url,
      1 AS version, now AS created_at, now AS updated_at
    FROM owner JOIN the_car ON the_car.customer_id = owner.id AND the_car.rego = owner.car_rego LEFT JOIN LATERAL (
        SELECT car_vin, car_make, car_model, car_year, car_badge FROM booking
        WHERE booking.car_id = the_car.id AND booking.partner_id = owner.partner_id
          AND num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0
        ORDER BY booking.created_at DESC, booking.id DESC LIMIT 1) AS earlier ON true),
  made AS (INSERT INTO quote (id, code, partner_id, workshop_id, customer_id, car_id, booking_id, external_id, status, contact_name,
          contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, car_year, car_make, car_model, car_badge,
          car_vin, services, service_minutes, notes, lines, total, message, valid_until, url, version, created_at, updated_at) SELECT id,
      code, partner_id, workshop_id, customer_id, car_id, booking_id, external_id, status, contact_name,
      contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, car_year, car_make, car_model, car_badge,
      car_vin, services, service_minutes, notes, lines, total, message, valid_until, url, version, created_at, updated_at FROM content),
  snapshot AS MATERIALIZED (SELECT content.*, jsonb_build_object(
          'id', content.id, 'code', content.code, 'workshopId', content.workshop_id, 'customerId', content.customer_id, 'carId',
          content.car_id,
          'bookingId', content.booking_id, 'externalId', content.external_id, 'car',
          jsonb_build_object('id', content.car_id, 'customerId', content.customer_id, 'rego', content.rego, 'year', content.car_year,
              'make', content.car_make, 'model', content.car_model, 'badge', content.car_badge, 'vin', content.car_vin), 'customer',
          jsonb_build_object('id', content.customer_id, 'workshopId', content.workshop_id, 'name', content.contact_name,
              'firstName', content.contact_first_name, 'lastName', content.contact_last_name, 'email', nullif(content.contact_email, ''),
              'phone', nullif(content.contact_phone, ''), 'company', content.contact_company, 'address', null, 'postcode', null, 'suburb',
              null),
          'status', content.status, 'services', content.services, 'notes', content.notes, 'lines', content.lines, 'total', content.total,
          'message', content.message, 'validUntil', to_char(content.valid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'url',
          content.url,
          'createdAt', to_char(content.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(content.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS quote FROM content),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT event_id, 'quote.requested', snapshot.partner_id, snapshot.workshop_id, snapshot.id, snapshot.version,
      jsonb_build_object('quote', quote, 'notifyCustomer', false, 'notifyWorkshop', notify_workshop), created_at, snapshot.actor,
      snapshot.request_id,
      NULL::jsonb, NULL::jsonb
    FROM snapshot),
  finished_claim AS (UPDATE idempotency kept SET status = 201, body = jsonb_build_object('success', true, 'quote', snapshot.quote)
    FROM snapshot WHERE kept.partner_id = snapshot.partner_id AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT ordinal, true AS link_active, true AS setup_is_current, quote FROM snapshot
UNION ALL SELECT ordinal, link_active, (setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id)), NULL FROM gate
WHERE ordinal NOT IN (SELECT ordinal FROM open);

-- src/product/reminders/schedule/store.ts: endScheduled
WITH changed_service_reminder AS (
    UPDATE service_reminder AS r SET status = $2, taken_at = NULL, version = r.version + 1,
      updated_at = greatest($3::timestamptz, r.updated_at + interval '1 millisecond')
    WHERE r.id = ANY($1::uuid[]) AND r.status = 'scheduled'
    RETURNING r.*, $4 AS actor, $5 AS request_id,
      jsonb_build_object('status','scheduled') AS before_it),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM changed_service_reminder r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.' || r.status, r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status)
    FROM service_reminder_snapshot r)
SELECT;

-- src/product/reminders/schedule/store.ts: findDue
SELECT id FROM service_reminder WHERE status = 'scheduled' AND taken_at IS NULL AND due_at <= $1
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'sendReminder' AND f.subject_id = service_reminder.id) ORDER BY due_at LIMIT $2;

-- src/product/reminders/schedule/store.ts: findDue
SELECT id FROM service_reminder WHERE status = 'scheduled' AND taken_at IS NULL AND due_at <= $1 AND true ORDER BY due_at LIMIT $2;

-- src/product/reminders/schedule/store.ts: findScheduled
SELECT r.id, r.code, r.partner_id, r.workshop_id, r.customer_id,
  r.last_booking_id, r.customer, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car,
  jsonb_build_object('name', w.name, 'phone', w.phone, 'country', w.country) || jsonb_build_object('smsSender', w.sms_sender, 'smsGateways',
      to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS workshop,
  k.phone,
  (p.status = 'active' AND p.messaging_enabled AND l.active AND w.inbox_messaging_enabled) AS is_open,
  r.automatic AND EXISTS (
    SELECT FROM booking last CROSS JOIN LATERAL (SELECT last.car_id UNION SELECT one.id FROM car own
        JOIN car one ON coalesce(nullif(regexp_replace(one.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), one.rego) = coalesce(nullif(regexp_replace(own.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), own.rego)
          AND one.customer_id = ANY (ARRAY(
                SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = own.customer_id AND its_row.merged_into IS NOT NULL
                UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = own.customer_id
                UNION SELECT its_other.id FROM customer its_row
                JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                WHERE its_row.id = own.customer_id)) WHERE own.id = last.car_id) AS one (car_id)
    JOIN booking later ON later.car_id = one.car_id AND later.date > last.date AND later.status <> 'cancelled'
    WHERE last.id = r.last_booking_id AND last.car_id = r.car_id) AS is_needless
FROM service_reminder r JOIN workshop w ON w.id = r.workshop_id JOIN partner p ON p.id = r.partner_id
JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
JOIN customer k ON k.id = r.customer_id
WHERE r.id = $1 AND r.workshop_id = $2 AND r.status = 'scheduled' AND r.taken_at IS NULL;

-- src/product/reminders/schedule/store.ts: insertFollowing
WITH input AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS given ("id" uuid, "code" text, partner_id uuid, workshop_id uuid,
          customer_id uuid, car_id uuid, last_booking_id uuid, last_service_id uuid, "customer" jsonb, "car" jsonb, due_at timestamptz)),
  made AS (
    INSERT INTO service_reminder (id, code, partner_id, workshop_id, customer_id, car_id, last_service_id, last_booking_id, automatic,
          customer, car, status, due_at, created_at, updated_at)
    SELECT id, code, partner_id, workshop_id, customer_id, car_id, last_service_id, last_booking_id, true, customer, car,
      'scheduled', due_at, $2, $2
    FROM input AS its
    WHERE NOT EXISTS (
        SELECT FROM booking last CROSS JOIN LATERAL (SELECT last.car_id UNION SELECT one.id FROM car own
            JOIN car one ON coalesce(nullif(regexp_replace(one.rego,
                          '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                          '', 'g'), ''), one.rego) = coalesce(nullif(regexp_replace(own.rego,
                          '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                          '', 'g'), ''), own.rego)
              AND one.customer_id = ANY (ARRAY(
                    SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = own.customer_id AND its_row.merged_into IS NOT NULL
                    UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = own.customer_id
                    UNION SELECT its_other.id FROM customer its_row
                    JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                    WHERE its_row.id = own.customer_id)) WHERE own.id = last.car_id) AS one (car_id)
        JOIN booking later ON later.car_id = one.car_id AND later.date > last.date AND later.status <> 'cancelled'
        WHERE last.id = its.last_booking_id AND last.car_id = its.car_id) ORDER BY id
    ON CONFLICT (last_booking_id) WHERE automatic DO NOTHING RETURNING *, 'schedule' AS actor, NULL AS request_id),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM made r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.scheduled', r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      NULL::jsonb, NULL::jsonb
    FROM service_reminder_snapshot r)
SELECT;

-- src/product/reminders/schedule/store.ts: readCompleted
SELECT e.partner_id, e.workshop_id, e.payload->'booking' AS booking, w.reminder_months AS months, w.timezone
FROM event e JOIN workshop w ON w.id = e.workshop_id
WHERE e.id = ANY($1::uuid[]) AND e.partner_id IS NOT NULL AND w.reminder_months IS NOT NULL;

-- src/product/reminders/schedule/store.ts: takeDue
WITH due AS MATERIALIZED (SELECT id FROM service_reminder WHERE id = ANY ($2::uuid[]) AND status = 'scheduled' AND taken_at IS NULL
      AND due_at <= $1 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
  taken AS (UPDATE service_reminder r SET taken_at = $1 FROM due WHERE r.id = due.id RETURNING r.*)
SELECT r.id, r.code, r.partner_id, r.workshop_id, r.customer_id,
  r.last_booking_id, r.customer, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car,
  jsonb_build_object('name', w.name, 'phone', w.phone, 'country', w.country) || jsonb_build_object('smsSender', w.sms_sender, 'smsGateways',
      to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS workshop,
  k.phone,
  (p.status = 'active' AND p.messaging_enabled AND l.active AND w.inbox_messaging_enabled) AS is_open,
  r.automatic AND EXISTS (
    SELECT FROM booking last CROSS JOIN LATERAL (SELECT last.car_id UNION SELECT one.id FROM car own
        JOIN car one ON coalesce(nullif(regexp_replace(one.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), one.rego) = coalesce(nullif(regexp_replace(own.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), own.rego)
          AND one.customer_id = ANY (ARRAY(
                SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = own.customer_id AND its_row.merged_into IS NOT NULL
                UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = own.customer_id
                UNION SELECT its_other.id FROM customer its_row
                JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                WHERE its_row.id = own.customer_id)) WHERE own.id = last.car_id) AS one (car_id)
    JOIN booking later ON later.car_id = one.car_id AND later.date > last.date AND later.status <> 'cancelled'
    WHERE last.id = r.last_booking_id AND last.car_id = r.car_id) AS is_needless
FROM taken r JOIN workshop w ON w.id = r.workshop_id JOIN partner p ON p.id = r.partner_id
JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
JOIN customer k ON k.id = r.customer_id;

-- src/product/reminders/schedule/store.ts: takeOne
WITH due AS MATERIALIZED (SELECT id FROM service_reminder
    WHERE id = $2::uuid AND workshop_id = $3::uuid AND status = 'scheduled' AND taken_at IS NULL FOR NO KEY UPDATE),
  taken AS (UPDATE service_reminder r SET taken_at = $1 FROM due WHERE r.id = due.id RETURNING r.*)
SELECT r.id, r.code, r.partner_id, r.workshop_id, r.customer_id,
  r.last_booking_id, r.customer, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car,
  jsonb_build_object('name', w.name, 'phone', w.phone, 'country', w.country) || jsonb_build_object('smsSender', w.sms_sender, 'smsGateways',
      to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS workshop,
  k.phone,
  (p.status = 'active' AND p.messaging_enabled AND l.active AND w.inbox_messaging_enabled) AS is_open,
  r.automatic AND EXISTS (
    SELECT FROM booking last CROSS JOIN LATERAL (SELECT last.car_id UNION SELECT one.id FROM car own
        JOIN car one ON coalesce(nullif(regexp_replace(one.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), one.rego) = coalesce(nullif(regexp_replace(own.rego,
                      '[!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B1\u00B4\u00B6-\u00B8\u00BB\u00BF\u00D7\u00F7\u2010-\u205E\u2190-\u2BFF\u3001-\u3003\u3008-\u3020\u30FB]',
                      '', 'g'), ''), own.rego)
          AND one.customer_id = ANY (ARRAY(
                SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = own.customer_id AND its_row.merged_into IS NOT NULL
                UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = own.customer_id
                UNION SELECT its_other.id FROM customer its_row
                JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id)
                WHERE its_row.id = own.customer_id)) WHERE own.id = last.car_id) AS one (car_id)
    JOIN booking later ON later.car_id = one.car_id AND later.date > last.date AND later.status <> 'cancelled'
    WHERE last.id = r.last_booking_id AND last.car_id = r.car_id) AS is_needless
FROM taken r JOIN workshop w ON w.id = r.workshop_id JOIN partner p ON p.id = r.partner_id
JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
JOIN customer k ON k.id = r.customer_id;

-- src/product/reminders/schedule/store.ts: versionOfReminder
SELECT version FROM service_reminder WHERE id = $1 AND workshop_id = $2;

-- src/product/reminders/settle/store.ts: findForgotten
SELECT m.id FROM service_reminder r
CROSS JOIN LATERAL (
    SELECT id, state FROM message WHERE cause_id = r.id AND kind = 'serviceReminder' ORDER BY id DESC LIMIT 1) AS m
WHERE r.status = 'scheduled' AND r.taken_at <= $1::timestamptz - interval '1 hour' AND m.state <> 'sending'
  AND NOT EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id)
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'settleReminder' AND f.subject_id = m.id)
ORDER BY r.taken_at LIMIT $2;

-- src/product/reminders/settle/store.ts: settleReminders
WITH outcome AS MATERIALIZED (
    SELECT m.cause_id AS id,
      CASE WHEN (m.state IN ('accepted', 'delivered', 'undelivered') OR m.state = 'expired' AND m.handed_over_at IS NOT NULL) THEN 'sent'
      WHEN m.state IN ('failed', 'unknown', 'expired')
      AND NOT EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id AND q.class IS NOT NULL)
      THEN 'failed' END AS status
    FROM message m WHERE m.id = ANY($1::uuid[]) AND m.kind = 'serviceReminder'),
  open AS MATERIALIZED (
    SELECT r.id, outcome.status, r.status AS status_before FROM service_reminder r JOIN outcome ON outcome.id = r.id
    WHERE r.status IN ('scheduled', 'failed') ORDER BY r.id FOR NO KEY UPDATE OF r),
  changed_service_reminder AS (
    UPDATE service_reminder AS r SET status = open.status, sent_at = CASE open.status WHEN 'sent' THEN $2::timestamptz END,
      version = r.version + 1, updated_at = greatest($2, r.updated_at + interval '1 millisecond')
    FROM open WHERE r.id = open.id AND r.status <> open.status AND r.status IN ('scheduled', 'failed')
    RETURNING r.*, $3 AS actor, $4 AS request_id,
      jsonb_build_object('status',open.status_before) AS before_it),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM changed_service_reminder r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.' || r.status, r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status)
    FROM service_reminder_snapshot r)
SELECT;

-- src/product/reminders/store.ts: createScheduledReminder
WITH input AS (
    SELECT given.reminder_id, given.code, given.new_car_id, given.car_rego, given.last_service_id, given.last_booking_id, given.external_id,
      given.reminder_reference, given.customer, given.car, given.customer_name, given.customer_first_name, given.customer_last_name,
      given.due_at, given.partner_id, given.workshop_id, given.customer_id, given.phone, given.new_customer_id, given.now, given.actor,
      given.request_id, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (reminder_id uuid, code text, new_car_id uuid, car_rego text,
              last_service_id uuid, last_booking_id uuid, external_id text, reminder_reference text, customer jsonb, car jsonb,
              customer_name text, customer_first_name text, customer_last_name text, due_at timestamptz, partner_id uuid, workshop_id uuid,
              customer_id uuid, phone text, new_customer_id uuid, now timestamptz, actor text,
              request_id text)) WITH ORDINALITY AS given (reminder_id, code, new_car_id, car_rego, last_service_id, last_booking_id,
          external_id, reminder_reference, customer, car, customer_name, customer_first_name, customer_last_name, due_at, partner_id,
          workshop_id, customer_id, phone, new_customer_id, now, actor, request_id, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  newcomer AS MATERIALIZED (
    SELECT * FROM input WHERE customer_id IS NULL ORDER BY workshop_id, phone),
  made_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, phone, details_from, created_at, updated_at)
    SELECT new_customer_id, workshop_id, coalesce(customer_name, phone), customer_first_name, customer_last_name, phone, CASE
      WHEN customer_name IS NULL THEN '{}'::uuid[] ELSE ARRAY[partner_id] END, now, now
    FROM newcomer
    ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
    RETURNING id, workshop_id, phone),
  recipient AS MATERIALIZED (
    SELECT input.ordinal, input.workshop_id, coalesce(input.customer_id, made_customer.id) AS customer_id
    FROM input LEFT JOIN made_customer ON made_customer.workshop_id = input.workshop_id AND made_customer.phone = input.phone),
  car_owner AS MATERIALIZED (
    SELECT r.customer_id AS id, r.workshop_id, input.new_car_id, input.car_rego, input.now
    FROM recipient r JOIN input ON input.ordinal = r.ordinal WHERE input.car_rego IS NOT NULL),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT new_car_id, workshop_id, id, car_rego, NULL::integer, NULL, NULL, NULL, NULL, now, now
    FROM car_owner ORDER BY id, car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  reminded AS (
    INSERT INTO service_reminder (id, code, partner_id, workshop_id, customer_id, car_id, last_service_id, last_booking_id, external_id,
          reference_id, automatic, customer, car, status, due_at, taken_at, created_at, updated_at)
    SELECT input.reminder_id, input.code, input.partner_id, r.workshop_id, r.customer_id, the_car.id, input.last_service_id,
      input.last_booking_id,
      input.external_id, input.reminder_reference, false, input.customer, input.car, 'scheduled', input.due_at, NULL::timestamptz,
      input.now, input.now
    FROM recipient r JOIN input ON input.ordinal = r.ordinal
    LEFT JOIN the_car ON the_car.customer_id = r.customer_id AND the_car.rego = input.car_rego
    ORDER BY r.ordinal
    ON CONFLICT (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL DO NOTHING
    RETURNING *),
  made AS (SELECT r.*, input.ordinal, input.actor, input.request_id FROM reminded r JOIN input ON input.reminder_id = r.id),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM made r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.scheduled', r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      NULL::jsonb, NULL::jsonb
    FROM service_reminder_snapshot r)
SELECT ordinal, service_reminder FROM service_reminder_snapshot;

-- src/product/reminders/store.ts: createSentReminder
WITH input AS (
    SELECT given.partner_id, given.workshop_id, given.customer_id, given.phone, given.booking_id, given.template_id, given.template_version,
      given.body, given.encoding, given.segments, given.reference_id, given.gateway, given.message_id, given.attempt_id,
      given.new_conversation_id, given.new_customer_id, given.now, given.actor, given.request_id, given.reminder_id, given.code,
      given.new_car_id, given.car_rego, given.last_service_id, given.last_booking_id, given.external_id, given.reminder_reference,
      given.customer, given.car, given.customer_name, given.customer_first_name, given.customer_last_name, given.due_at,
      given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (partner_id uuid, workshop_id uuid, customer_id uuid, phone text,
              booking_id uuid, template_id uuid, template_version integer, body text, encoding text, segments integer, reference_id text,
              gateway text, message_id uuid, attempt_id uuid, new_conversation_id uuid, new_customer_id uuid, now timestamptz, actor text,
              request_id text, reminder_id uuid, code text, new_car_id uuid, car_rego text, last_service_id uuid, last_booking_id uuid,
              external_id text, reminder_reference text, customer jsonb, car jsonb, customer_name text, customer_first_name text,
              customer_last_name text, due_at timestamptz)) WITH ORDINALITY AS given (partner_id, workshop_id, customer_id, phone,
          booking_id, template_id, template_version, body, encoding, segments, reference_id, gateway, message_id, attempt_id,
          new_conversation_id, new_customer_id, now, actor, request_id, reminder_id, code, new_car_id, car_rego, last_service_id,
          last_booking_id, external_id, reminder_reference, customer, car, customer_name, customer_first_name, customer_last_name, due_at,
          ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  gate AS MATERIALIZED (
    SELECT input.*, l.active AS link_active, p.messaging_enabled AS messaging_feature, p.campaigns_enabled AS campaigns_feature,
      w.inbox_messaging_enabled AS inbox_messaging, w.sms_sender, w.sms_gateways
    FROM input JOIN link l ON l.partner_id = input.partner_id AND l.workshop_id = input.workshop_id
    JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id),
  person AS MATERIALIZED (
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL AS opted_out, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END AS rated_as
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.id = gate.customer_id AND c.phone IS NOT NULL
    UNION ALL
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.phone = gate.phone WHERE gate.customer_id IS NULL),
  its_booking AS MATERIALIZED (
    SELECT gate.ordinal, b.id, b.customer_id, b.date FROM gate
    JOIN booking b ON b.id = gate.booking_id AND b.workshop_id = gate.workshop_id AND b.partner_id = gate.partner_id),
  sent_before AS MATERIALIZED (
    SELECT gate.ordinal FROM gate JOIN person ON person.ordinal = gate.ordinal
    JOIN message m ON m.partner_id = gate.partner_id AND m.workshop_id = gate.workshop_id AND m.customer_id = person.id
      AND m.reference_id = gate.reference_id
    WHERE m.state NOT IN ('sending', 'failed', 'unknown')),
  -- The second call of a batch to one customer is held: it needs the customer and the count that the first one makes.
  allowed AS (
    SELECT gate.ordinal, gate.workshop_id, person.id AS customer_id, coalesce(person.phone, gate.phone) AS phone,
      coalesce(person.rated_as, gate.phone) AS rated_as,
      CASE WHEN coalesce(person.opted_out, false) THEN 'optedOut'
      WHEN EXISTS (
        SELECT FROM talk asked
        WHERE asked.customer_id = coalesce(person.merged_into, person.id)
          AND asked.asked_id IS NOT NULL) THEN 'mayHaveOptedOut' END AS stopped,
      row_number() OVER (PARTITION BY gate.workshop_id, coalesce(person.rated_as, gate.phone) ORDER BY gate.ordinal) > 1 AS held
    FROM gate LEFT JOIN person ON person.ordinal = gate.ordinal
    LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal
    WHERE gate.messaging_feature AND gate.link_active AND gate.inbox_messaging AND (gate.customer_id IS NULL OR person.id IS NOT NULL)
      AND (gate.booking_id IS NULL OR its_booking.customer_id = person.id
          OR EXISTS (SELECT FROM sent_before WHERE sent_before.ordinal = gate.ordinal))),
  open AS (SELECT *, clock_timestamp()::text AS asked_at FROM allowed WHERE NOT held),
  stamped AS (
    INSERT INTO message_rate AS old (workshop_id, person, passed)
    SELECT workshop_id, rated_as, ARRAY[clock_timestamp()] FROM open ORDER BY workshop_id, rated_as
    ON CONFLICT (workshop_id, person) DO UPDATE
    SET passed = (SELECT stamps || greatest(clock_timestamp(), stamps[cardinality(stamps)])
        FROM (SELECT ARRAY(SELECT at FROM unnest(old.passed) AS at
                WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second') AS stamps) AS kept)
    WHERE (SELECT count(*) FROM (SELECT at FROM unnest(old.passed) AS at
            WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second') AS counted) < 5
    RETURNING workshop_id, person, passed),
  passed AS (SELECT workshop_id, person AS rated_as, cardinality(passed) AS used FROM stamped),
  -- Within the rate limit.
  let_in AS (
    SELECT open.*, passed.used FROM open JOIN passed ON passed.workshop_id = open.workshop_id AND passed.rated_as = open.rated_as),
  -- In the order of their phones, so that two batches make customers in the same order.
  newcomer AS MATERIALIZED (
    SELECT let_in.workshop_id, let_in.phone, input.new_customer_id, input.now, input.customer_name AS name,
      input.customer_first_name AS first_name, input.customer_last_name AS last_name, input.partner_id
    FROM let_in JOIN input ON input.ordinal = let_in.ordinal WHERE let_in.customer_id IS NULL
    ORDER BY let_in.workshop_id, let_in.phone),
  made_customer AS (INSERT INTO customer (id, workshop_id, name, first_name, last_name, phone, details_from, created_at, updated_at)
    SELECT new_customer_id, workshop_id, coalesce(name, phone), first_name, last_name, phone, CASE WHEN name IS NULL THEN '{}'::uuid[]
      ELSE ARRAY[partner_id] END, now, now
    FROM newcomer
    ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
    RETURNING id, workshop_id, phone),
  recipient AS (
    SELECT let_in.ordinal, let_in.workshop_id, coalesce(let_in.customer_id, made_customer.id) AS customer_id, let_in.phone,
      let_in.stopped,
      let_in.asked_at, let_in.used
    FROM let_in LEFT JOIN made_customer ON made_customer.workshop_id = let_in.workshop_id AND made_customer.phone = let_in.phone),
  car_owner AS MATERIALIZED (
    SELECT r.customer_id AS id, r.workshop_id, input.new_car_id, input.car_rego, input.now
    FROM recipient r JOIN input ON input.ordinal = r.ordinal WHERE input.car_rego IS NOT NULL),
  the_car AS (INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT new_car_id, workshop_id, id, car_rego, NULL::integer, NULL, NULL, NULL, NULL, now, now
    FROM car_owner ORDER BY id, car_rego
    ON CONFLICT (customer_id, rego) DO UPDATE
    SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
      model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
      vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *),
  reminded AS (
    INSERT INTO service_reminder (id, code, partner_id, workshop_id, customer_id, car_id, last_service_id, last_booking_id, external_id,
          reference_id, automatic, customer, car, status, due_at, taken_at, created_at, updated_at)
    SELECT input.reminder_id, input.code, input.partner_id, r.workshop_id, r.customer_id, the_car.id, input.last_service_id,
      input.last_booking_id,
      input.external_id, input.reminder_reference, false, input.customer, input.car, 'scheduled', input.due_at, input.now,
      input.now, input.now
    FROM recipient r JOIN input ON input.ordinal = r.ordinal
    LEFT JOIN the_car ON the_car.customer_id = r.customer_id AND the_car.rego = input.car_rego
    ORDER BY r.ordinal
    ON CONFLICT (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL DO NOTHING
    RETURNING *),
  -- Their conversations, as far as there are some.
  known AS (
    SELECT r.ordinal, r.workshop_id, r.customer_id, v.id FROM recipient r
    LEFT JOIN conversation v ON v.workshop_id = r.workshop_id AND v.customer_id = r.customer_id),
  opened AS (
    INSERT INTO conversation (id, workshop_id, customer_id, created_at)
    SELECT input.new_conversation_id, known.workshop_id, known.customer_id, input.now
    FROM known JOIN input ON input.ordinal = known.ordinal WHERE known.id IS NULL ORDER BY known.customer_id
    ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id RETURNING id, customer_id),
  -- The conversation, found or opened.
  talk AS (
    SELECT known.ordinal, coalesce(known.id, opened.id) AS id FROM known LEFT JOIN opened ON opened.customer_id = known.customer_id),
  -- A reference that was used makes no second message.
  taken AS (
    INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, booking_id, template_id, template_version,
          direction, kind,
          cause_id, recipient, body, encoding, segments, reference_id, state, reason, attempt_id, attempts, created_at, updated_at)
    SELECT input.message_id, r.workshop_id, talk.id, r.customer_id, input.partner_id, input.booking_id,
      input.template_id, input.template_version, 'outbound', 'serviceReminder', input.reminder_id, r.phone, input.body,
      input.encoding, input.segments, input.reference_id,
      CASE WHEN r.stopped IS NULL THEN 'sending' ELSE 'failed' END, r.stopped,
      CASE WHEN r.stopped IS NULL THEN input.attempt_id END, CASE WHEN r.stopped IS NULL THEN 1 ELSE 0 END, input.now, input.now
    FROM recipient r JOIN talk ON talk.ordinal = r.ordinal JOIN input ON input.ordinal = r.ordinal
    WHERE EXISTS (SELECT FROM reminded WHERE reminded.id = input.reminder_id) ORDER BY r.ordinal
    ON CONFLICT (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL DO NOTHING
    RETURNING *),
  attempted AS (
    INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at, business_started_at)
    SELECT taken.attempt_id, taken.id, 1, coalesce(array_to_string(gate.sms_gateways, ','), gate.gateway), 'sending', clock_timestamp(),
      taken.created_at
    FROM taken JOIN gate ON gate.message_id = taken.id WHERE taken.attempt_id IS NOT NULL),
  leased AS (INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient,
          created_at)
    SELECT id, workshop_id, channel, NULL, clock_timestamp() + interval '20 seconds', attempt_id, true, 1, recipient,
      clock_timestamp()
    FROM taken WHERE attempt_id IS NOT NULL
    ON CONFLICT (message_id) DO UPDATE SET due_at = excluded.due_at, attempt_id = excluded.attempt_id, in_flight = true),
  recorded AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.failed', taken.partner_id, taken.workshop_id, taken.id,
      taken.version,
      jsonb_build_object('message', jsonb_build_object('id', taken.id, 'workshopId', taken.workshop_id, 'conversationId',
              taken.conversation_id,
              'customerId', taken.customer_id, 'bookingId', taken.booking_id, 'templateId', taken.template_id,
              'templateVersion', CASE WHEN taken.template_id IS NOT NULL THEN coalesce(taken.template_version, 1) END,
              'referenceId', taken.reference_id, 'direction', taken.direction, 'phone', taken.recipient, 'body', taken.body,
              'encoding', taken.encoding, 'segments', taken.segments, 'state', taken.state, 'reason', taken.reason, 'detail', CASE
              WHEN taken.reason IS DISTINCT FROM 'gatewayUnavailable' THEN taken.detail END,
              'createdAt', to_char(taken.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(taken.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), taken.created_at, input.actor,
      input.request_id,
      NULL::jsonb, NULL::jsonb
    FROM taken JOIN input ON input.message_id = taken.id WHERE taken.state = 'failed')
SELECT gate.ordinal, coalesce(allowed.held, false) AS held, gate.link_active, gate.messaging_feature, gate.campaigns_feature,
  gate.inbox_messaging, gate.sms_sender, gate.sms_gateways,
  person.id IS NOT NULL AS customer_found, its_booking.id IS NOT NULL AS booking_found,
  coalesce(its_booking.customer_id = person.id, false) AS booking_is_theirs, sent_before.ordinal IS NOT NULL AS sent_before,
  recipient.used AS rate_used, recipient.customer_id, recipient.phone, recipient.asked_at AS requested_at,
  talk.id AS conversation_id, taken.id AS message_id, taken.state, taken.reason
FROM gate LEFT JOIN person ON person.ordinal = gate.ordinal
LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal
LEFT JOIN sent_before ON sent_before.ordinal = gate.ordinal LEFT JOIN allowed ON allowed.ordinal = gate.ordinal
LEFT JOIN recipient ON recipient.ordinal = gate.ordinal LEFT JOIN talk ON talk.ordinal = gate.ordinal
LEFT JOIN taken ON taken.id = gate.message_id;

-- src/product/reminders/store.ts: readRemindContext
WITH input AS (
    SELECT 1 AS ordinal, $1::uuid AS partner_id, $2::uuid AS workshop_id, $3::uuid AS customer_id, $4::text AS phone,
      $5::uuid AS booking_id),
  gate AS MATERIALIZED (
    SELECT input.*, l.active AS link_active, p.messaging_enabled AS messaging_feature, p.campaigns_enabled AS campaigns_feature,
      w.inbox_messaging_enabled AS inbox_messaging, w.sms_sender, w.sms_gateways
    FROM input JOIN link l ON l.partner_id = input.partner_id AND l.workshop_id = input.workshop_id
    JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id),
  person AS MATERIALIZED (
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL AS opted_out, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END AS rated_as
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.id = gate.customer_id AND c.phone IS NOT NULL
    UNION ALL
    SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL, CASE WHEN c.merged_into IS NULL THEN c.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = c.merged_into) END
    FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.phone = gate.phone WHERE gate.customer_id IS NULL),
  its_booking AS MATERIALIZED (
    SELECT gate.ordinal, b.id, b.customer_id, b.date FROM gate
    JOIN booking b ON b.id = gate.booking_id AND b.workshop_id = gate.workshop_id AND b.partner_id = gate.partner_id)
SELECT gate.link_active, gate.messaging_feature, gate.campaigns_feature, gate.inbox_messaging, gate.sms_sender, gate.sms_gateways,
  person.id IS NOT NULL AS customer_found, its_booking.id IS NOT NULL AS booking_found,
  coalesce(its_booking.customer_id = person.id, false) AS booking_is_theirs, r.id IS NOT NULL AS sent_before,
  jsonb_build_object('name', w.name, 'phone', w.phone, 'country', w.country) || jsonb_build_object('smsSender', w.sms_sender, 'smsGateways',
      to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS workshop,
  k.id AS customer_id, k.phone,
  CASE WHEN k.id IS NOT NULL THEN coalesce(
      (SELECT jsonb_build_object('name', own.contact_name,
              'firstName', own.contact_first_name, 'lastName', own.contact_last_name, 'email', own.contact_email,
              'phone', k.phone, 'company', own.contact_company) FROM booking own WHERE own.customer_id = k.id AND own.partner_id = $1::uuid
        ORDER BY own.created_at DESC, own.id DESC LIMIT 1),
      CASE WHEN $1::uuid IS NOT NULL AND NOT k.details_from <@ ARRAY[$1::uuid] THEN jsonb_build_object('phone', k.phone)
      ELSE jsonb_build_object('name', k.name,
          'firstName', k.first_name, 'lastName', k.last_name, 'email', k.email,
          'phone', k.phone, 'company', k.company) END) END AS customer,
  last.booking AS last_booking, CASE WHEN r.id IS NOT NULL THEN jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id,
      'customerId', r.customer_id,
      'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
      'newBookingId', r.new_booking_id, 'externalId', r.external_id,
      'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
      'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
      'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
      to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
      to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS reminder,
  EXISTS (SELECT FROM message m WHERE m.cause_id = r.id AND m.kind = 'serviceReminder') AS is_begun
FROM gate JOIN workshop w ON w.id = gate.workshop_id LEFT JOIN person ON person.ordinal = gate.ordinal
LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal
LEFT JOIN customer k ON k.id = person.id
LEFT JOIN service_reminder r ON r.partner_id = $1::uuid AND r.workshop_id = gate.workshop_id
  AND r.customer_id = k.id AND r.reference_id = $7::text
LEFT JOIN LATERAL (
    SELECT jsonb_build_object(
          'id', b.id, 'code', b.code, 'carId', b.car_id, 'customerId', b.customer_id, 'workshopId', b.workshop_id,
          'status', b.status, 'date', to_char(b.date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'serviceCategory',
          b.service_category, 'services', b.services, 'pickupTime',
          to_char(b.pickup_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'servicePackageType', b.service_package_type, 'notes',
          b.notes, 'customerCompany', b.contact_company, 'jobNotes', to_jsonb(b.job_notes), 'productNotes', to_jsonb(b.product_notes),
          'tyreQuantities', b.tyre_quantities, 'externalId', b.external_id, 'interval', b.interval, 'cancelReason', b.cancel_reason,
          'createdAt', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'car', jsonb_build_object('id', b.car_id, 'customerId', b.customer_id, 'rego', c.rego, 'year', b.car_year,
              'make', b.car_make, 'model', b.car_model, 'badge', b.car_badge, 'vin', b.car_vin), 'customer',
          jsonb_build_object('id', b.customer_id, 'workshopId', b.workshop_id, 'name', b.contact_name,
              'firstName', b.contact_first_name, 'lastName', b.contact_last_name, 'email', nullif(b.contact_email, ''),
              'phone', nullif(b.contact_phone, ''), 'company', b.contact_company, 'address', null, 'postcode', null, 'suburb',
              null)) AS booking FROM booking b JOIN car c ON c.id = b.car_id
    WHERE b.customer_id = k.id AND b.partner_id = $1::uuid
      AND CASE WHEN $5::uuid IS NULL THEN b.status <> 'cancelled' AND ($6::text IS NULL OR c.rego = $6::text) ELSE b.id = $5::uuid END
    ORDER BY b.date DESC, b.id DESC LIMIT 1) AS last ON true;

-- src/product/reminders/store.ts: writeCancelled
WITH named AS MATERIALIZED (
    SELECT r.id, r.version, l.active FROM service_reminder r JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
    WHERE r.code = $1 AND r.partner_id = $2),
  changed_service_reminder AS (
    UPDATE service_reminder AS r SET status = 'cancelled', version = r.version + 1,
      updated_at = greatest($3::timestamptz, r.updated_at + interval '1 millisecond')
    FROM named WHERE r.id = named.id AND named.active AND r.status = 'scheduled' AND r.taken_at IS NULL
    RETURNING r.*, $4 AS actor, $5 AS request_id,
      jsonb_build_object('status','scheduled') AS before_it),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM changed_service_reminder r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.cancelled', r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status)
    FROM service_reminder_snapshot r)
SELECT named.active AS link_active, named.version, (SELECT service_reminder FROM service_reminder_snapshot) AS service_reminder
FROM named;

-- src/product/reminders/store.ts: writeCancelled
WITH named AS MATERIALIZED (
    SELECT r.id, r.version, l.active FROM service_reminder r JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
    WHERE r.id = $1 AND r.partner_id = $2),
  changed_service_reminder AS (
    UPDATE service_reminder AS r SET status = 'cancelled', version = r.version + 1,
      updated_at = greatest($3::timestamptz, r.updated_at + interval '1 millisecond')
    FROM named WHERE r.id = named.id AND named.active AND r.status = 'scheduled' AND r.taken_at IS NULL
    RETURNING r.*, $4 AS actor, $5 AS request_id,
      jsonb_build_object('status','scheduled') AS before_it),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM changed_service_reminder r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.cancelled', r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status)
    FROM service_reminder_snapshot r)
SELECT named.active AS link_active, named.version, (SELECT service_reminder FROM service_reminder_snapshot) AS service_reminder
FROM named;

-- src/product/reminders/store.ts: writeStopped
WITH named AS MATERIALIZED (
    SELECT r.id, r.version, l.active FROM service_reminder r JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
    WHERE r.id = $1 AND r.workshop_id = $2),
  changed_service_reminder AS (
    UPDATE service_reminder AS r SET status = 'cancelled', version = r.version + 1,
      updated_at = greatest($3::timestamptz, r.updated_at + interval '1 millisecond')
    FROM named WHERE r.id = named.id AND r.version = coalesce($6::integer, r.version) AND r.status = 'scheduled' AND r.taken_at IS NULL
    RETURNING r.*, $4 AS actor, $5 AS request_id,
      jsonb_build_object('status','scheduled') AS before_it),
  service_reminder_snapshot AS MATERIALIZED (
    SELECT r.*, jsonb_build_object('id', r.id, 'code', r.code, 'carId', r.car_id, 'customerId', r.customer_id,
          'workshopId', r.workshop_id, 'lastServiceId', r.last_service_id, 'lastBookingId', r.last_booking_id,
          'newBookingId', r.new_booking_id, 'externalId', r.external_id,
          'car', CASE WHEN r.car_id IS NOT NULL THEN r.car || jsonb_build_object('id', r.car_id, 'customerId', r.customer_id) END,
          'customer', r.customer || jsonb_build_object('id', r.customer_id, 'workshopId', r.workshop_id),
          'status', r.status, 'dueDate', to_char(r.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sentAt',
          to_char(r.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'createdAt', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS service_reminder FROM changed_service_reminder r ),
  service_reminder_event AS (
    INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'serviceReminder.cancelled', r.partner_id, r.workshop_id, r.id,
      r.version,
      jsonb_build_object('serviceReminder', r.service_reminder), r.updated_at, r.actor, r.request_id,
      r.before_it, jsonb_build_object('status',r.status)
    FROM service_reminder_snapshot r)
SELECT named.active AS link_active, named.version, (SELECT service_reminder FROM service_reminder_snapshot) AS service_reminder
FROM named;

-- src/product/reports/store.ts: listReportWorkshops
SELECT w.id, w.timezone FROM link l JOIN workshop w ON w.id = l.workshop_id
WHERE l.partner_id = $1 AND ($2::uuid IS NULL OR l.workshop_id = $2) ORDER BY w.id;

-- src/product/reports/store.ts: readCounts
SELECT * FROM (SELECT its_booking.* FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
    JOIN LATERAL (SELECT workshop_id::text AS key, count(*) AS bookings_created,
          count(*) FILTER (WHERE status = 'pending') AS bookings_pending,
          count(*) FILTER (WHERE status = 'confirmed') AS bookings_confirmed,
          count(*) FILTER (WHERE status = 'completed') AS bookings_completed,
          count(*) FILTER (WHERE status = 'cancelled') AS bookings_cancelled FROM booking
        WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND created_at >= since AND created_at < until
        GROUP BY workshop_id) AS its_booking) AS of_booking FULL
JOIN (SELECT its_call_lead.* FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
    JOIN LATERAL (SELECT workshop_id::text AS key, count(*) AS call_leads, count(booked.id) AS call_leads_booked
        FROM unnest(ARRAY['answered', 'missed', 'voicemail']) AS wanted (outcome) JOIN call_lead AS lead ON lead.outcome = wanted.outcome
        CROSS JOIN LATERAL (
            SELECT coalesce(lead.customer_id,
                  (SELECT id FROM customer WHERE customer.phone = lead.caller_phone
                      AND customer.workshop_id = lead.workshop_id)) AS customer_id
        ) AS caller
        LEFT JOIN LATERAL (
            SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
            WHERE own.partner_id = lead.partner_id
              AND own.created_at BETWEEN lead.called_at AND lead.called_at + interval '30 days'
            ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
        WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND called_at >= since AND called_at < until
        GROUP BY workshop_id) AS its_call_lead) AS of_call_lead USING (key) FULL
JOIN (SELECT its_quote.* FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
    JOIN LATERAL (SELECT workshop_id::text AS key, count(*) AS quotes_requested,
          count(*) FILTER (WHERE status = 'accepted') AS quotes_accepted FROM quote
        WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND created_at >= since AND created_at < until
        GROUP BY workshop_id) AS its_quote) AS of_quote USING (key) FULL
JOIN (SELECT its_service_reminder.* FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
    JOIN LATERAL (SELECT workshop_id::text AS key, count(*) AS reminders_sent, count(*) FILTER (WHERE status = 'booked') AS reminders_booked
        FROM service_reminder
        WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND sent_at >= since AND sent_at < until
        GROUP BY workshop_id) AS its_service_reminder) AS of_service_reminder USING (key) FULL
JOIN (SELECT its_message.* FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
    JOIN LATERAL (SELECT workshop_id::text AS key,
          count(*) FILTER (WHERE direction = 'outbound'
              AND (message.state IN ('accepted', 'delivered', 'undelivered') OR message.state = 'expired'
                  AND message.handed_over_at IS NOT NULL)) AS messages_sent,
          count(*) FILTER (WHERE state = 'delivered') AS messages_delivered,
          count(*) FILTER (WHERE state IN ('failed', 'undelivered', 'expired')) AS messages_failed,
          count(*) FILTER (WHERE direction = 'inbound') AS messages_received,
          coalesce(sum(segments) FILTER (WHERE direction = 'outbound'
                  AND (message.state IN ('accepted', 'delivered', 'undelivered') OR message.state = 'expired'
                      AND message.handed_over_at IS NOT NULL)), 0) AS sms_segments FROM message
        WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND created_at >= since AND created_at < until
        GROUP BY workshop_id) AS its_message) AS of_message USING (key);

-- src/product/reports/store.ts: readCounts
SELECT period.number::text AS key, its_booking.*, its_call_lead.*, its_quote.*, its_service_reminder.*, its_message.*
FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
JOIN LATERAL (SELECT count(*) AS bookings_created, count(*) FILTER (WHERE status = 'pending') AS bookings_pending,
      count(*) FILTER (WHERE status = 'confirmed') AS bookings_confirmed,
      count(*) FILTER (WHERE status = 'completed') AS bookings_completed, count(*) FILTER (WHERE status = 'cancelled') AS bookings_cancelled
    FROM booking
    WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND created_at >= since AND created_at < until ) AS its_booking CROSS
JOIN LATERAL (SELECT count(*) AS call_leads, count(booked.id) AS call_leads_booked
    FROM unnest(ARRAY['answered', 'missed', 'voicemail']) AS wanted (outcome) JOIN call_lead AS lead ON lead.outcome = wanted.outcome
    CROSS JOIN LATERAL (
        SELECT coalesce(lead.customer_id,
              (SELECT id FROM customer WHERE customer.phone = lead.caller_phone AND customer.workshop_id = lead.workshop_id)) AS customer_id
    ) AS caller
    LEFT JOIN LATERAL (
        SELECT own.id FROM (SELECT id, partner_id, created_at FROM booking WHERE customer_id = caller.customer_id OFFSET 0) AS own
        WHERE own.partner_id = lead.partner_id
          AND own.created_at BETWEEN lead.called_at AND lead.called_at + interval '30 days'
        ORDER BY own.created_at, own.id LIMIT 1) AS booked ON true
    WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND called_at >= since AND called_at < until ) AS its_call_lead CROSS
JOIN LATERAL (SELECT count(*) AS quotes_requested, count(*) FILTER (WHERE status = 'accepted') AS quotes_accepted FROM quote
    WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND created_at >= since AND created_at < until ) AS its_quote CROSS
JOIN LATERAL (SELECT count(*) AS reminders_sent, count(*) FILTER (WHERE status = 'booked') AS reminders_booked FROM service_reminder
    WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND sent_at >= since AND sent_at < until ) AS its_service_reminder
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE direction = 'outbound'
          AND (message.state IN ('accepted', 'delivered', 'undelivered') OR message.state = 'expired'
              AND message.handed_over_at IS NOT NULL)) AS messages_sent, count(*) FILTER (WHERE state = 'delivered') AS messages_delivered,
      count(*) FILTER (WHERE state IN ('failed', 'undelivered', 'expired')) AS messages_failed,
      count(*) FILTER (WHERE direction = 'inbound') AS messages_received,
      coalesce(sum(segments) FILTER (WHERE direction = 'outbound'
              AND (message.state IN ('accepted', 'delivered', 'undelivered') OR message.state = 'expired'
                  AND message.handed_over_at IS NOT NULL)), 0) AS sms_segments FROM message
    WHERE partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2) AND created_at >= since AND created_at < until ) AS its_message;

-- src/product/reports/workshop/store.ts: countWorkshop
SELECT period.number::int AS number, its_booking.*
FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
JOIN LATERAL (SELECT partner_id::text AS key, count(*) AS bookings, count(*) FILTER (WHERE status = 'pending') AS pending,
      count(*) FILTER (WHERE status = 'confirmed') AS confirmed, count(*) FILTER (WHERE status = 'completed') AS completed,
      count(*) FILTER (WHERE status = 'cancelled') AS cancelled,
      count(*) FILTER (WHERE came_not OR status <> 'cancelled' AND date < $4) AS due, count(*) FILTER (WHERE came_not) AS not_come
    FROM booking LEFT JOIN LATERAL (
        SELECT true AS came_not FROM attendance WHERE booking_id = booking.id AND state = 'didNotCome' OFFSET 0) AS absent ON true
    WHERE workshop_id = $1 AND date >= since AND date < until GROUP BY partner_id) AS its_booking;

-- src/product/reports/workshop/store.ts: countWorkshop
SELECT period.number::int AS number, its_message.*
FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
JOIN LATERAL (SELECT kind::text AS key, count(*) FILTER (WHERE direction = 'outbound'
          AND (message.state IN ('accepted', 'delivered', 'undelivered') OR message.state = 'expired'
              AND message.handed_over_at IS NOT NULL)) AS messages_sent, count(*) FILTER (WHERE state = 'delivered') AS messages_delivered,
      count(*) FILTER (WHERE state IN ('failed', 'undelivered', 'expired')) AS messages_failed,
      count(*) FILTER (WHERE direction = 'inbound') AS messages_received,
      coalesce(sum(segments) FILTER (WHERE direction = 'outbound'
              AND (message.state IN ('accepted', 'delivered', 'undelivered') OR message.state = 'expired'
                  AND message.handed_over_at IS NOT NULL)), 0) AS sms_segments FROM message
    WHERE workshop_id = $1 AND channel = 'sms' AND created_at >= since AND created_at < until GROUP BY kind) AS its_message;

-- src/product/reports/workshop/store.ts: countWorkshop
SELECT period.number::int AS number, its_quote.*
FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS period (since, until, number) CROSS
JOIN LATERAL (SELECT workshop_id::text AS key, count(*) AS asked, count(*) FILTER (WHERE total IS NOT NULL) AS priced,
      coalesce(sum(total), 0) AS priced_value, count(*) FILTER (WHERE status = 'accepted') AS won,
      coalesce(sum(total) FILTER (WHERE status = 'accepted'), 0) AS won_value,
      count(*) FILTER (WHERE status = 'declined' AND total IS NOT NULL) AS lost,
      count(*) FILTER (WHERE (status = 'expired' OR status = 'quoted' AND valid_until <= $4)) AS expired,
      count(*) FILTER (WHERE status IN ('requested', 'quoted')
          AND NOT (status = 'expired' OR status = 'quoted' AND valid_until <= $4)) AS waiting,
      count(*) FILTER (WHERE status = 'declined' AND total IS NULL) AS turned_down FROM quote
    WHERE workshop_id = $1 AND created_at >= since AND created_at < until GROUP BY workshop_id) AS its_quote;

-- src/product/reports/workshop/store.ts: namesOfPartners
SELECT id, name FROM partner WHERE id = ANY ($1::uuid[]);

-- src/product/sending/bounce/store.ts: bounceCounts
SELECT coalesce((SELECT jsonb_agg(jsonb_build_object('outcome', outcome, 'count', count)) FROM bounce_count), '[]') AS by_outcome,
  (SELECT count(*)::int FROM customer WHERE bounced_email IS NOT NULL AND lower(email) = lower(bounced_email)) AS addresses;

-- src/product/sending/bounce/store.ts: countBounce
INSERT INTO bounce_count AS c (outcome, count) VALUES ($1, 1) ON CONFLICT (outcome) DO UPDATE SET count = c.count + 1;

-- src/product/sending/bounce/store.ts: findEmailAttempt
SELECT a.gateway, a.state IN ('sending', 'unknown', 'accepted') AS is_open FROM message_attempt a JOIN message m ON m.id = a.message_id
WHERE a.id = $1 AND m.channel = 'email';

-- src/product/sending/bounce/store.ts: markInvalidAddress
UPDATE customer AS c SET bounced_email = m.recipient, email_bounced_at = $4, email_bounce = $3, updated_at = $4
FROM message_attempt a JOIN message m ON m.id = a.message_id
WHERE a.id = $1 AND a.state IN ('sending', 'unknown', 'accepted') AND m.channel = 'email' AND m.audience = 'customer' AND m.recipient <> ''
  AND (c.workshop_id, c.id) = (m.workshop_id, m.customer_id) AND c.erased_at IS NULL
  AND (cardinality($2::text[]) = 0 OR lower(m.recipient) = ANY($2::text[]));

-- src/product/sending/claim/store.ts: claimEntries
WITH clock AS (SELECT clock_timestamp() AS at),
  -- Queues of these routes and classes that are due, class by class: more than are needed, since others may hold some.
  candidate AS (
    SELECT q.workshop_id, q.channel, q.class, q.next_at, q.version
    FROM clock, unnest($1::text[]) AS r (route), unnest($7::smallint[]) AS c (class),
      LATERAL (SELECT * FROM send_queue WHERE route = r.route AND class = c.class AND next_at <= clock.at
        ORDER BY next_at LIMIT $2::int * 2) AS q
    ORDER BY q.class, q.next_at LIMIT $2::int * 2),
  -- Those that nobody else holds. One that has changed since this statement began is not known: its entries may be newer.
  chosen AS (
    SELECT candidate.workshop_id, candidate.channel, candidate.class, candidate.next_at,
      own.version = candidate.version AS is_known
    FROM candidate CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT version FROM send_queue AS own
        WHERE own.workshop_id = candidate.workshop_id AND own.channel = candidate.channel AND own.class = candidate.class
          AND own.next_at <= clock.at FOR NO KEY UPDATE SKIP LOCKED) AS own
    LIMIT $2::int),
  -- How many entries each queue of a class may have of the room.
  share AS MATERIALIZED (SELECT class, ceil($2::float8 / count(*))::int AS size FROM chosen GROUP BY class),
  -- The first entries of each, one more than it may have: the next turn is when the first one left over is due.
  seen AS (
    SELECT chosen.workshop_id, chosen.channel, chosen.class, chosen.next_at, e.message_id, e.due_at, 0 + e.place AS place,
      e.due_at <= clock.at AND e.place <= share.size AS is_wanted
    FROM chosen JOIN share ON share.class = chosen.class CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT message_id, due_at, row_number() OVER (ORDER BY due_at, message_id) AS place FROM queued_message AS own
        WHERE own.workshop_id = chosen.workshop_id AND own.channel = chosen.channel AND own.class = chosen.class AND due_at IS NOT NULL
        ORDER BY due_at, message_id LIMIT share.size + 1) AS e
    WHERE chosen.is_known),
  -- As many as there is room for, the first of each queue before the second ones.
  wanted AS MATERIALIZED (
    SELECT * FROM seen WHERE is_wanted ORDER BY class, place, next_at LIMIT $2::int),
  -- Those that are as they were seen, and that nobody else holds.
  locked AS (
    SELECT own.* FROM wanted CROSS JOIN LATERAL (
        SELECT * FROM queued_message AS e WHERE e.message_id = wanted.message_id AND e.due_at = wanted.due_at
        FOR NO KEY UPDATE SKIP LOCKED) AS own),
  -- The next state of each: the first rule that applies.
  judged AS (
    SELECT locked.*, clock.at, m.kind, m.audience, coalesce(m.partner_id, b.partner_id) AS partner_id, m.cause_id, m.subject,
      m.body, m.template_id,
      w.sms_sender, w.sms_gateways, coalesce(array_to_string(w.sms_gateways, ','), $3::text) AS sms_route,
      CASE
      WHEN m.id IS NULL OR m.state NOT IN ('sending', 'failed', 'unknown') THEN 'settled'
      WHEN locked.attempt_id IS NOT NULL THEN 'reconcile'
      WHEN m.recipient = '' OR m.audience = 'customer' AND c.erased_at IS NOT NULL THEN 'erased'
      WHEN coalesce(m.channel = 'sms' AND m.audience = 'customer' AND c.opted_out_at IS NOT NULL
          AND (m.kind IN ('partnerMessage', 'reply', 'helpAnswer', 'quoteNotice', 'serviceReminder', 'automation', 'blast')
              OR m.kind IN ('confirmation') AND NOT m.despite_opt_out
              OR m.kind IN ('bookingNotice', 'carReady') AND w.country <> ALL($5::text[])), false) THEN 'optedOut'
      WHEN (m.kind IN ('serviceReminder', 'automation', 'blast') AND m.channel = 'sms' AND m.audience = 'customer' AND EXISTS (
            SELECT FROM talk asked
            WHERE asked.customer_id = coalesce(c.merged_into, c.id) AND asked.asked_id IS NOT NULL)) THEN 'mayHaveOptedOut'
      WHEN m.channel = 'email' AND m.audience = 'customer'
      AND coalesce(lower(c.bounced_email) = lower(m.recipient), false) THEN 'invalidAddress'
      WHEN h.state = 'cancelled' OR m.kind = 'blast' AND EXISTS (
        SELECT FROM (SELECT c.merged_into AS id WHERE c.merged_into IS NOT NULL
            UNION ALL SELECT its_other.id FROM customer its_other
            WHERE its_other.merged_into = coalesce(c.merged_into, c.id) AND its_other.id <> c.id) AS other JOIN message twin
          ON twin.customer_id = other.id AND twin.cause_id = m.cause_id
        WHERE twin.kind = 'blast' AND (twin.state NOT IN ('sending', 'failed')
              OR twin.id < m.id AND EXISTS (SELECT FROM queued_message e WHERE e.message_id = twin.id))) THEN 'cancelled'
      WHEN locked.expires_at <= clock.at THEN 'expired'
      WHEN h.state = 'paused' OR (locked.quiet_from IS NOT NULL AND CASE WHEN locked.quiet_from < locked.quiet_until
          THEN ($6::timestamptz AT TIME ZONE known_zone(w.timezone))::time >= locked.quiet_from
          AND ($6::timestamptz AT TIME ZONE known_zone(w.timezone))::time < locked.quiet_until
          ELSE ($6::timestamptz AT TIME ZONE known_zone(w.timezone))::time >= locked.quiet_from
          OR ($6::timestamptz AT TIME ZONE known_zone(w.timezone))::time < locked.quiet_until END) THEN 'held'
      WHEN newer.handed_over THEN 'superseded'
      WHEN older.is_first OR newer.in_flight THEN 'blocked'
      ELSE 'send' END AS action,
      CASE WHEN h.state = 'paused' THEN 'infinity' WHEN locked.quiet_from IS NOT NULL
      THEN clock.at + greatest((((($6::timestamptz AT TIME ZONE known_zone(w.timezone))::date + CASE
                      WHEN locked.quiet_until <= ($6::timestamptz AT TIME ZONE known_zone(w.timezone))::time THEN 1
                      ELSE 0 END) + locked.quiet_until) AT TIME ZONE known_zone(w.timezone) - $6::timestamptz), interval '0')
      + interval '1 seconds' END AS held_until,
      CASE WHEN locked.attempt_id IS NULL THEN (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125),
                  15, '0') PLACING '7' FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid ELSE locked.attempt_id END AS reference
    FROM locked CROSS JOIN clock
    LEFT JOIN message m ON m.id = locked.message_id
    LEFT JOIN workshop w ON w.id = locked.workshop_id
    LEFT JOIN booking b ON b.id = m.booking_id
    LEFT JOIN send_hold h ON h.cause_id = m.cause_id
    LEFT JOIN customer c ON c.workshop_id = m.workshop_id AND c.id = m.customer_id
    LEFT JOIN LATERAL (
        SELECT bool_or(n.handed_over_at IS NOT NULL) AS handed_over,
          bool_or(coalesce((SELECT e.in_flight FROM queued_message e WHERE e.message_id = n.id), false)) AS in_flight
        FROM message n
        WHERE n.series_id = locked.series_id AND n.series_number > locked.series_number AND n.channel = locked.channel
          AND n.recipient = locked.recipient AND n.audience = m.audience) AS newer ON locked.series_id IS NOT NULL
    LEFT JOIN LATERAL (
        SELECT bool_or(o.tries = 0 OR o.in_flight OR o.due_at <= clock.at
              OR o.first_tried_at > clock.at - interval '60 seconds') AS is_first
        FROM queued_message o
        WHERE o.series_id = locked.series_id AND o.series_number < locked.series_number AND o.channel = locked.channel
          AND o.recipient = locked.recipient
          AND (SELECT om.audience FROM message om WHERE om.id = o.message_id) = m.audience) AS older ON locked.series_id IS NOT NULL),
  attempted AS (
    INSERT INTO message_attempt (id, message_id, number, gateway, state, repeats_unknown, started_at, business_started_at)
    SELECT reference, message_id, (SELECT coalesce(max(number), 0) + 1 FROM message_attempt a WHERE a.message_id = judged.message_id),
      CASE channel WHEN 'sms' THEN sms_route ELSE $4::text END, 'sending', repeats_unknown, at, $6::timestamptz
    FROM judged WHERE action = 'send'),
  -- Also those that may not go yet: they come back when they may.
  leased AS (
    UPDATE queued_message AS e
    SET due_at = CASE action WHEN 'held' THEN judged.held_until WHEN 'blocked' THEN judged.at + interval '2 seconds'
      ELSE judged.at + interval '20 seconds' END,
      attempt_id = CASE action WHEN 'send' THEN reference ELSE e.attempt_id END, in_flight = action NOT IN ('blocked', 'held'),
      tries = CASE WHEN action IN ('send', 'reconcile') THEN least(e.tries, 32766::smallint) + 1 ELSE e.tries END,
      first_tried_at = CASE action WHEN 'send' THEN coalesce(e.first_tried_at, judged.at) ELSE e.first_tried_at END
    FROM judged WHERE e.message_id = judged.message_id AND e.message_id = ANY (ARRAY(SELECT message_id FROM judged))
    RETURNING e.message_id, e.workshop_id, e.channel, e.class, e.due_at),
  -- When the first one that is left in each is due.
  left_over AS (
    SELECT seen.workshop_id, seen.channel, seen.class, min(coalesce(leased.due_at, seen.due_at)) AS due_at,
      count(leased.message_id) AS taken
    FROM seen LEFT JOIN leased ON leased.message_id = seen.message_id GROUP BY seen.workshop_id, seen.channel, seen.class),
  -- When each queue has its next turn; at once where it could not be judged.
  next AS (
    SELECT chosen.workshop_id, chosen.channel, chosen.class,
      CASE WHEN chosen.is_known THEN greatest(left_over.due_at, CASE WHEN left_over.due_at IS NOT NULL THEN clock.at END)
      ELSE clock.at END AS next_at
    FROM clock CROSS JOIN chosen LEFT JOIN left_over ON left_over.workshop_id = chosen.workshop_id AND left_over.channel = chosen.channel
      AND left_over.class = chosen.class),
  turned AS (
    UPDATE send_queue AS own SET next_at = next.next_at, version = own.version + 1
    FROM next WHERE own.workshop_id = next.workshop_id AND own.channel = next.channel AND own.class = next.class AND (true))
SELECT judged.message_id AS id, action, kind, channel, audience, judged.workshop_id, cause_id, recipient, subject, body, template_id,
  CASE WHEN action = 'send' OR judged.attempt_id IS NOT NULL THEN reference END AS attempt_id, unknown_attempt.gateway,
  extract(epoch FROM judged.at - unknown_attempt.started_at)::float8 * 1000 AS attempt_age_ms,
  extract(epoch FROM judged.expires_at - judged.at)::float8 * 1000 AS valid_for_ms,
  CASE WHEN action = 'send' THEN judged.repeats_unknown ELSE coalesce(unknown_attempt.repeats_unknown, false) END AS repeats_unknown,
  tries + 1 AS tries,
  coalesce((SELECT bool_or(next.next_at <= clock.at) FROM next), false)
  OR (SELECT count(*) FROM chosen) < (SELECT count(*) FROM candidate) AS more_due, partner_id, sms_sender, sms_gateways
FROM clock LEFT JOIN judged ON action NOT IN ('blocked', 'held')
LEFT JOIN message_attempt unknown_attempt ON unknown_attempt.id = judged.attempt_id;

-- src/product/sending/finish/store.ts: messageOfAttempt
SELECT message_id FROM message_attempt WHERE id = $1;

-- src/product/sending/finish/store.ts: shared
WITH input AS (
    SELECT given.message_id, given.attempt_id, given.state, given.reason, given.detail, given.gateway_id, given.gateway, given.segments,
      given.next, given.in_ms, given.withdrawn, given.unspent, given.repeats_unknown, given.given_up, given.now, given.actor,
      given.request_id, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (message_id uuid, attempt_id uuid, state text, reason text, detail text,
              gateway_id text, gateway text, segments text[], next text, in_ms float8, withdrawn boolean, unspent boolean,
              repeats_unknown boolean, given_up boolean, now timestamptz, actor text,
              request_id text)) WITH ORDINALITY AS given (message_id, attempt_id, state, reason, detail, gateway_id, gateway, segments,
          next, in_ms, withdrawn, unspent, repeats_unknown, given_up, now, actor, request_id, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  -- Locked in the order of their ids, as every statement that changes attempts does.
  attempt AS (
    SELECT a.id, a.message_id, a.number, a.state AS was, input.*, coalesce(input.gateway, a.gateway) AS its_gateway
    FROM input JOIN message_attempt a ON a.id = input.attempt_id
    ORDER BY a.id FOR NO KEY UPDATE OF a),
  segment AS (
    INSERT INTO sms_segment AS s (gateway, segment_id, reference, segments, created_at, shared_at)
    SELECT gateway, key, CASE WHEN attempts = 1 THEN reference END, segments, clock_timestamp(),
      CASE WHEN attempts > 1 THEN clock_timestamp() END
    FROM (SELECT its_gateway AS gateway, key, (array_agg(id))[1] AS reference,
          max(cardinality(segments)) AS segments, count(DISTINCT id) AS attempts
        FROM attempt, unnest(segments) AS key GROUP BY its_gateway, key) AS given ORDER BY gateway, key
    ON CONFLICT (gateway, segment_id) DO UPDATE SET
      reference = CASE WHEN NOT (s.shared_at IS NOT NULL AND NOT (s.created_at < excluded.created_at - interval '2 days')
          OR excluded.shared_at IS NOT NULL
          OR s.reference <> excluded.reference AND s.state IS NULL
          AND s.created_at > excluded.created_at - interval '1 day') IS TRUE THEN excluded.reference END, segments = excluded.segments,
      shared_at = CASE WHEN (s.shared_at IS NOT NULL AND NOT (s.created_at < excluded.created_at - interval '2 days')
          OR excluded.shared_at IS NOT NULL
          OR s.reference <> excluded.reference AND s.state IS NULL
          AND s.created_at > excluded.created_at - interval '1 day') IS TRUE THEN excluded.created_at END,
      created_at = excluded.created_at, state = CASE
      WHEN (s.reference IS NULL OR s.reference = excluded.reference OR s.created_at < excluded.created_at - interval '2 days'
          AND s.reported_at > excluded.created_at - interval '1 minute')
      AND NOT (s.shared_at IS NOT NULL AND NOT (s.created_at < excluded.created_at - interval '2 days') OR excluded.shared_at IS NOT NULL
          OR s.reference <> excluded.reference AND s.state IS NULL
          AND s.created_at > excluded.created_at - interval '1 day') IS TRUE THEN s.state END, detail = CASE
      WHEN (s.reference IS NULL OR s.reference = excluded.reference OR s.created_at < excluded.created_at - interval '2 days'
          AND s.reported_at > excluded.created_at - interval '1 minute')
      AND NOT (s.shared_at IS NOT NULL AND NOT (s.created_at < excluded.created_at - interval '2 days') OR excluded.shared_at IS NOT NULL
          OR s.reference <> excluded.reference AND s.state IS NULL
          AND s.created_at > excluded.created_at - interval '1 day') IS TRUE THEN s.detail END, reported_at = CASE
      WHEN (s.reference IS NULL OR s.reference = excluded.reference OR s.created_at < excluded.created_at - interval '2 days'
          AND s.reported_at > excluded.created_at - interval '1 minute')
      AND NOT (s.shared_at IS NOT NULL AND NOT (s.created_at < excluded.created_at - interval '2 days') OR excluded.shared_at IS NOT NULL
          OR s.reference <> excluded.reference AND s.state IS NULL
          AND s.created_at > excluded.created_at - interval '1 day') IS TRUE THEN s.reported_at END
    RETURNING reference, segment_id, segments, state, detail, reported_at),
  verdict AS (
    SELECT reference, coalesce((array_agg(state ORDER BY reported_at, segment_id) FILTER (WHERE state <> 'delivered'))[1],
          CASE WHEN count(*) FILTER (WHERE state = 'delivered') >= max(segments) THEN 'delivered' END) AS state,
      (array_agg(detail ORDER BY reported_at, segment_id) FILTER (WHERE state <> 'delivered'))[1] AS detail
    FROM segment GROUP BY reference),
  -- Reports of segments may have come before the acceptance that names them: then they decide.
  judged AS MATERIALIZED (
    SELECT attempt.*, (SELECT verdict.state FROM verdict WHERE verdict.reference = attempt.id) AS said,
      (SELECT verdict.detail FROM verdict WHERE verdict.reference = attempt.id) AS said_why
    FROM attempt),
  -- No gateway was asked: the attempt never was.
  withdrawn AS (
    DELETE FROM message_attempt a USING attempt WHERE a.id = attempt.id AND attempt.withdrawn AND attempt.was = 'sending'),
  -- An outcome counts once: not over a later report, and an unknown one not over any other.
  finished AS (
    UPDATE message_attempt a
    SET state = coalesce(said, attempt.state, 'unknown'), gateway_id = attempt.gateway_id, gateway = its_gateway,
      reason = CASE WHEN attempt.state IS NULL THEN 'unknownOutcome' ELSE attempt.reason END,
      detail = coalesce(said_why, attempt.detail), finished_at = clock_timestamp(), business_finished_at = attempt.now
    FROM judged AS attempt
    WHERE a.id = attempt.id AND NOT attempt.withdrawn
      AND (a.state = 'sending' OR a.state = 'unknown' AND coalesce(said, attempt.state, 'unknown') <> 'unknown'
          OR a.state = 'accepted' AND a.gateway_id IS NULL AND attempt.state = 'accepted')
    RETURNING attempt.ordinal, a.id, a.number, a.state, a.reason, a.detail, attempt.state IS NULL AND said IS NULL AS is_quiet),
  -- The outcome of the messages: by their attempt, or, where none was made, by the outcome itself.
  change AS (
    SELECT finished.id, input.message_id, finished.number, coalesce(finished.state, input.state) AS state,
      CASE WHEN finished.id IS NULL THEN input.reason ELSE finished.reason END AS reason,
      CASE WHEN finished.id IS NULL THEN input.detail ELSE finished.detail END AS detail, input.now, input.actor, input.request_id
    FROM input LEFT JOIN finished ON finished.ordinal = input.ordinal
    WHERE NOT finished.is_quiet OR input.attempt_id IS NULL AND input.state IS NOT NULL
    ORDER BY input.message_id),
  changed AS (
    UPDATE message AS m
    SET state = change.state, reason = change.reason, detail = change.detail, attempt_id = coalesce(change.id, m.attempt_id),
      attempts = greatest(m.attempts, change.number), version = m.version + 1, updated_at = change.now,
      handed_over_at = CASE WHEN change.state IN ('accepted', 'unknown', 'delivered', 'undelivered') OR change.state = 'expired'
      AND change.id IS NOT NULL
      THEN clock_timestamp() ELSE m.handed_over_at END
    FROM change
    WHERE m.id = change.message_id AND m.state IN ('sending', 'failed', 'unknown')
      AND (change.id IS NULL OR (m.attempt_id = change.id OR change.number > m.attempts AND m.state IN ('sending', 'failed', 'unknown')
              OR change.state IN ('accepted', 'delivered') AND m.state IN ('sending', 'failed', 'unknown')))
      AND (m.state <> change.state OR m.attempt_id IS DISTINCT FROM change.id)
    RETURNING m.*, change.actor, change.request_id),
  -- Nothing more is tried, and nothing is known: the state stays, and what follows from the message is told.
  given_up AS (
    UPDATE message AS m SET detail = input.detail, version = m.version + 1, updated_at = input.now
    FROM input
    WHERE m.id = input.message_id AND m.attempt_id = input.attempt_id AND m.state = 'unknown'
      AND input.state = 'unknown' AND input.next = 'done'
      AND NOT EXISTS (SELECT FROM change WHERE change.message_id = input.message_id)
      -- OFFSET 0: looked up for each message, also by a plan from when the queue was empty.
      AND EXISTS (
        SELECT FROM queued_message q WHERE q.message_id = input.message_id AND q.attempt_id = input.attempt_id OFFSET 0)
    RETURNING m.*, input.actor, input.request_id),
  told AS (SELECT * FROM changed UNION ALL SELECT * FROM given_up),
  events AS (INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before,
          after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, CASE told.state WHEN 'accepted' THEN 'message.accepted'
      WHEN 'delivered' THEN 'message.delivered'
      ELSE 'message.failed' END, told.partner_id, told.workshop_id, told.id, told.version,
      jsonb_build_object('message', jsonb_build_object('id', told.id, 'workshopId', told.workshop_id, 'conversationId',
              told.conversation_id,
              'customerId', told.customer_id, 'bookingId', told.booking_id, 'templateId', told.template_id,
              'templateVersion', CASE WHEN told.template_id IS NOT NULL THEN coalesce(told.template_version, 1) END,
              'referenceId', told.reference_id, 'direction', told.direction, 'phone', told.recipient, 'body', told.body,
              'encoding', told.encoding, 'segments', told.segments, 'state', told.state, 'reason', told.reason, 'detail', CASE
              WHEN told.reason IS DISTINCT FROM 'gatewayUnavailable' THEN told.detail END,
              'createdAt', to_char(told.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(told.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), told.updated_at, told.actor, told.request_id,
      NULL::jsonb, NULL::jsonb
    FROM told WHERE kind IN ('partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'serviceReminder')
    UNION ALL
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.noticeFailed', told.partner_id, told.workshop_id,
      told.id, told.version,
      jsonb_build_object('message', jsonb_build_object('customerId', told.customer_id, 'conversationId', told.conversation_id)),
      told.updated_at, told.actor, told.request_id,
      NULL::jsonb, NULL::jsonb
    FROM told WHERE kind IN ('bookingNotice', 'quoteNotice', 'carReady', 'inboxDigest') AND audience = 'customer'
      AND state NOT IN ('accepted', 'delivered')),
  -- The messages themselves, and those behind them in their series.
  touched AS MATERIALIZED (
    SELECT message_id FROM input
    UNION
    SELECT next.message_id
    FROM input CROSS JOIN LATERAL (
        SELECT series_id, series_number FROM queued_message WHERE message_id = input.message_id AND series_id IS NOT NULL LIMIT 1) AS own
    CROSS JOIN LATERAL (
        SELECT message_id FROM queued_message WHERE series_id = own.series_id AND series_number > own.series_number) AS next
    WHERE input.next = 'done'
    ORDER BY message_id),
  -- All entries that are changed below, locked in one order, before any is.
  entry AS (
    SELECT q.* FROM touched CROSS JOIN LATERAL (
        SELECT * FROM queued_message own WHERE own.message_id = touched.message_id FOR UPDATE) AS q),
  -- Nothing more is done for these.
  settled AS (
    SELECT q.message_id, q.series_id, q.series_number, q.channel, q.recipient, q.tries, input.reason, input.detail, input.now,
      input.given_up
    FROM input JOIN entry q ON q.message_id = input.message_id
    WHERE input.next = 'done' AND (q.attempt_id IS NULL OR q.attempt_id = input.attempt_id)),
  deleted AS (
    DELETE FROM queued_message q WHERE q.message_id = ANY (ARRAY(SELECT message_id FROM settled))),
  rescheduled AS (
    UPDATE queued_message q
    SET attempt_id = CASE input.next WHEN 'reconcile' THEN q.attempt_id END, in_flight = false,
      due_at = clock_timestamp() + input.in_ms * interval '1 millisecond', repeats_unknown = input.repeats_unknown,
      tries = q.tries - CASE WHEN input.unspent THEN 1 ELSE 0 END,
      first_tried_at = CASE WHEN input.withdrawn AND q.tries <= 1 THEN NULL ELSE q.first_tried_at END
    FROM input JOIN entry ON entry.message_id = input.message_id
    WHERE q.message_id = input.message_id AND input.next <> 'done' AND q.attempt_id = input.attempt_id
      AND q.message_id = ANY (ARRAY(SELECT message_id FROM input WHERE next <> 'done'))
    RETURNING q.workshop_id, q.channel, q.class, q.due_at),
  -- Later messages of the series, of the same audience: they waited for one that is settled.
  unblocked AS MATERIALIZED (
    SELECT next.id
    FROM settled s JOIN message ended ON ended.id = s.message_id
    JOIN message next ON next.series_id = s.series_id AND next.series_number > s.series_number AND next.channel = s.channel
      AND next.recipient = s.recipient AND next.audience = ended.audience
    WHERE s.series_id IS NOT NULL),
  released AS (
    UPDATE queued_message q SET due_at = clock_timestamp()
    WHERE q.message_id = ANY (ARRAY(SELECT id FROM unblocked)) AND q.attempt_id IS NULL
    RETURNING q.workshop_id, q.channel, q.class, q.due_at),
  woken AS (
    INSERT INTO send_wake (workshop_id, channel, class, due_at)
    SELECT workshop_id, channel, class, min(due_at) FROM (SELECT * FROM rescheduled UNION ALL SELECT * FROM released) AS due
    WHERE class IS NOT NULL GROUP BY workshop_id, channel, class),
  -- Locked in the order of their ids before they are written.
  conversation_row AS (
    SELECT v.id FROM conversation v
    WHERE v.id = ANY (ARRAY(SELECT conversation_id FROM changed WHERE channel = 'sms'
              AND state IN ('accepted', 'unknown', 'delivered', 'undelivered')))
    ORDER BY v.id FOR NO KEY UPDATE),
  spoken AS (
    UPDATE conversation SET last_sent_at = clock_timestamp() WHERE id = ANY (ARRAY(SELECT id FROM conversation_row)))
INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'send', jsonb_build_object('messageId', s.message_id),
  coalesce(s.reason, 'unknownOutcome'), s.detail, s.tries, s.now
FROM settled s
WHERE s.given_up AND (SELECT m.state FROM message m WHERE m.id = s.message_id) IN ('sending', 'failed', 'unknown')
ON CONFLICT (job, payload) DO UPDATE
SET reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts, created_at = excluded.created_at;

-- src/product/sending/gateway-opt-out/store.ts: recipientOf
SELECT m.customer_id, m.workshop_id
FROM message_attempt a JOIN message m ON m.id = a.message_id
WHERE a.id = $1 AND m.channel = 'sms' AND m.audience = 'customer' AND m.customer_id IS NOT NULL
  AND $2 = ANY(string_to_array(a.gateway, ','));

-- src/product/sending/hold/store.ts: cancel
WITH held AS (
    INSERT INTO send_hold (cause_id, state, created_at) SELECT unnest($1::uuid[]), 'cancelled', clock_timestamp()
    ON CONFLICT (cause_id) DO UPDATE SET state = excluded.state, created_at = excluded.created_at),
  entry AS (
    UPDATE queued_message q SET expires_at = clock_timestamp() + $2::float8 * interval '1 millisecond',
      due_at = CASE WHEN q.in_flight THEN greatest(q.due_at, clock_timestamp()) ELSE clock_timestamp() END
    FROM message m WHERE m.cause_id = ANY($1::uuid[]) AND q.message_id = m.id
    RETURNING q.workshop_id, q.channel, q.class)
INSERT INTO send_wake (workshop_id, channel, class, due_at)
SELECT workshop_id, channel, class, clock_timestamp() FROM entry WHERE class IS NOT NULL GROUP BY workshop_id, channel, class;

-- src/product/sending/hold/store.ts: pause
WITH held AS (
    INSERT INTO send_hold (cause_id, state, created_at) SELECT unnest($1::uuid[]), 'paused', clock_timestamp()
    ON CONFLICT (cause_id) DO UPDATE SET state = excluded.state, created_at = excluded.created_at)
UPDATE queued_message q SET expires_at = NULL,
  due_at = CASE WHEN q.in_flight OR q.attempt_id IS NOT NULL THEN q.due_at ELSE 'infinity' END
FROM message m WHERE m.cause_id = ANY($1::uuid[]) AND q.message_id = m.id;

-- src/product/sending/hold/store.ts: purgeHolds
WITH gone AS (
    DELETE FROM send_hold
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM send_hold WHERE state = 'cancelled'
              AND created_at < (SELECT clock_timestamp() - interval '3 days') LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/sending/hold/store.ts: release
WITH gone AS (DELETE FROM send_hold WHERE cause_id = ANY($1::uuid[])), entry AS (
    UPDATE queued_message q SET expires_at = clock_timestamp() + $2::float8 * interval '1 millisecond',
      due_at = CASE WHEN q.in_flight THEN greatest(q.due_at, clock_timestamp()) ELSE clock_timestamp() END
    FROM message m WHERE m.cause_id = ANY($1::uuid[]) AND q.message_id = m.id
    RETURNING q.workshop_id, q.channel, q.class)
INSERT INTO send_wake (workshop_id, channel, class, due_at)
SELECT workshop_id, channel, class, clock_timestamp() FROM entry WHERE class IS NOT NULL GROUP BY workshop_id, channel, class;

-- src/product/sending/lease/store.ts: abandonedEntries
SELECT q.message_id, q.attempt_id, q.class IS NULL AS in_request
FROM queued_message q LEFT JOIN message_attempt a ON a.id = q.attempt_id
WHERE q.in_flight AND q.due_at <= (SELECT clock_timestamp())
  AND (q.class IS NULL OR a.state = 'sending' AND q.due_at <= (SELECT clock_timestamp() - interval '2 seconds'))
  AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'settleAbandoned' AND f.subject_id = q.message_id) ORDER BY q.due_at LIMIT $1;

-- src/product/sending/lease/store.ts: abandonedEntries
SELECT q.message_id, q.attempt_id, q.class IS NULL AS in_request
FROM queued_message q LEFT JOIN message_attempt a ON a.id = q.attempt_id
WHERE q.in_flight AND q.due_at <= (SELECT clock_timestamp())
  AND (q.class IS NULL OR a.state = 'sending' AND q.due_at <= (SELECT clock_timestamp() - interval '2 seconds'))
  AND q.message_id = $1;

-- src/product/sending/lease/store.ts: claimExpired
UPDATE queued_message q SET in_flight = true, due_at = clock_timestamp() + interval '20 seconds'
FROM (SELECT message_id FROM queued_message
    WHERE expires_at <= (SELECT clock_timestamp()) AND (NOT in_flight OR due_at <= (SELECT clock_timestamp()))
      AND (attempt_id IS NULL OR expires_at <= (SELECT clock_timestamp() - interval '3600 seconds'))
      AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'settleExpired' AND f.subject_id = queued_message.message_id)
    ORDER BY expires_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) AS old
JOIN message m ON m.id = old.message_id
WHERE q.message_id = old.message_id
RETURNING q.message_id, q.attempt_id, m.kind;

-- src/product/sending/lease/store.ts: claimExpired
UPDATE queued_message q SET in_flight = true, due_at = clock_timestamp() + interval '20 seconds'
FROM (SELECT message_id FROM queued_message
    WHERE expires_at <= (SELECT clock_timestamp()) AND true
      AND (attempt_id IS NULL OR expires_at <= (SELECT clock_timestamp() - interval '3600 seconds'))
      AND queued_message.message_id = $1 FOR NO KEY UPDATE SKIP LOCKED) AS old
JOIN message m ON m.id = old.message_id
WHERE q.message_id = old.message_id
RETURNING q.message_id, q.attempt_id, m.kind;

-- src/product/sending/limits/store.ts: purgeDays
DELETE FROM sms_day WHERE day < (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date - 1);

-- src/product/sending/limits/store.ts: returnQuota
WITH held AS (
    SELECT subject, subject_id FROM sms_day
    WHERE day = $1 AND subject = ANY($2::text[]) AND subject_id = CASE subject WHEN 'partner' THEN $3::uuid ELSE $4 END
    ORDER BY subject FOR UPDATE)
UPDATE sms_day AS d SET sent = greatest(sent - 1, 0) FROM held
WHERE d.day = $1 AND d.subject = held.subject AND d.subject_id = held.subject_id;

-- src/product/sending/limits/store.ts: takeQuota
WITH today AS (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
  -- The ceilings that there are.
  wanted AS (
    SELECT subject, id FROM (VALUES ('partner', $1::uuid, $3::integer), ('workshop', $2, $4)) AS v (subject, id, ceiling)
    WHERE id IS NOT NULL AND ceiling IS NOT NULL),
  -- One that is reached takes nothing, and the caller gives the other back.
  taken AS (
    INSERT INTO sms_day AS old (day, subject, subject_id, sent)
    SELECT day, subject, id, 1 FROM wanted CROSS JOIN today ORDER BY subject
    ON CONFLICT (day, subject, subject_id) DO UPDATE SET sent = old.sent + 1
    WHERE old.sent < CASE old.subject WHEN 'partner' THEN $3 ELSE $4 END
    RETURNING subject)
SELECT today.day::text AS day, ARRAY(SELECT subject FROM taken) AS subjects, (SELECT count(*)::integer FROM wanted) AS wanted
FROM today;

-- src/product/sending/provider-opt-in/store.ts: claimOptIns
WITH due AS MATERIALIZED (SELECT id FROM provider_opt_in WHERE due_at <= (SELECT clock_timestamp())
      AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'tellOptIn' AND f.subject_id = provider_opt_in.id)
    ORDER BY due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED),
  taken AS (
    UPDATE provider_opt_in o SET attempts = o.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
    FROM due WHERE o.id = due.id RETURNING o.*)
SELECT taken.id, taken.workshop_id, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  taken.agreed_on::timestamp AT TIME ZONE known_zone(w.timezone) AS agreed_at, taken.attempts, w.sms_sender, w.sms_gateways
FROM taken JOIN customer k ON k.id = taken.customer_id JOIN workshop w ON w.id = taken.workshop_id;

-- src/product/sending/provider-opt-in/store.ts: claimOptIns
WITH due AS MATERIALIZED (SELECT id FROM provider_opt_in WHERE id = $2::uuid AND state = 'waiting' FOR NO KEY UPDATE SKIP LOCKED),
  taken AS (
    UPDATE provider_opt_in o SET attempts = o.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
    FROM due WHERE o.id = due.id RETURNING o.*)
SELECT taken.id, taken.workshop_id, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
  taken.agreed_on::timestamp AT TIME ZONE known_zone(w.timezone) AS agreed_at, taken.attempts, w.sms_sender, w.sms_gateways
FROM taken JOIN customer k ON k.id = taken.customer_id JOIN workshop w ON w.id = taken.workshop_id;

-- src/product/sending/provider-opt-in/store.ts: deferOptIn
UPDATE provider_opt_in SET due_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1 AND state = 'waiting';

-- src/product/sending/provider-opt-in/store.ts: endOptIn
UPDATE provider_opt_in SET state = $2, detail = $3, due_at = NULL WHERE id = $1 AND state = 'waiting';

-- src/product/sending/provider-opt-in/store.ts: holdBackOptIns
UPDATE provider_opt_in SET state = 'refused', detail = $1, due_at = NULL WHERE due_at IS NOT NULL;

-- src/product/sending/provider-opt-in/store.ts: purgeOptIns
WITH gone AS (
    DELETE FROM provider_opt_in
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM provider_opt_in WHERE due_at IS NULL AND created_at < $1 LIMIT 5000 FOR UPDATE SKIP LOCKED))
    RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/sending/queue/store.ts: insertStep
WITH input AS (
    SELECT * FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (id uuid, kind text, class smallint, workshop_id uuid, channel text,
              audience text, customer_id uuid, booking_id uuid,
              template_id uuid, template_version integer, cause_id uuid, recipient text, subject text, body text, encoding text,
              segments integer, series_id uuid, series_number integer,
              waits_ms float8, partner_id uuid, quiet_from time, quiet_until time, refusal text, refusal_detail text)) WITH ORDINALITY
      AS input (id, kind, class, workshop_id, channel, audience, customer_id, booking_id,
          template_id, template_version, cause_id, recipient, subject, body, encoding,
          segments, series_id, series_number,
          waits_ms, partner_id, quiet_from, quiet_until, refusal, refusal_detail, place)
    -- The planner takes it for one row then, and looks rows up by their index, also in a plan that is kept from when a table was empty.
    WHERE place BETWEEN 1 AND 64),
  -- A confirmation of an opt-out goes to a customer who has opted out.
  judged AS (
    SELECT marked.*, c.opted_out_at IS NOT NULL AS opted_out, CASE
      WHEN coalesce(marked.channel = 'sms' AND marked.audience = 'customer' AND c.opted_out_at IS NOT NULL
          AND (marked.kind IN ('partnerMessage', 'reply', 'helpAnswer', 'quoteNotice', 'serviceReminder', 'automation', 'blast')
              OR marked.kind IN ('confirmation') AND NOT marked.despite_opt_out
              OR marked.kind IN ('bookingNotice', 'carReady') AND w.country <> ALL($3::text[])), false) THEN 'optedOut'
      WHEN (marked.kind IN ('serviceReminder', 'automation', 'blast') AND marked.channel = 'sms' AND marked.audience = 'customer'
          AND EXISTS (
            SELECT FROM talk asked
            WHERE asked.customer_id = coalesce(c.merged_into, c.id) AND asked.asked_id IS NOT NULL)) THEN 'mayHaveOptedOut' END AS stopped
    FROM (SELECT *, kind = 'confirmation' AS despite_opt_out FROM input) AS marked
    JOIN workshop w ON w.id = marked.workshop_id
    LEFT JOIN customer c ON c.workshop_id = marked.workshop_id AND c.id = marked.customer_id),
  -- Their conversations, as far as there are some.
  talks AS (
    SELECT t.workshop_id, t.customer_id, v.id
    FROM (SELECT DISTINCT workshop_id, customer_id FROM input WHERE channel = 'sms' AND audience = 'customer') AS t
    LEFT JOIN conversation v ON v.workshop_id = t.workshop_id AND v.customer_id = t.customer_id),
  -- Two that open one at the same time get the same row.
  opened AS (
    INSERT INTO conversation (id, workshop_id, customer_id, created_at)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, workshop_id, customer_id, $2 FROM talks WHERE id IS NULL
    ORDER BY customer_id
    ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id
    RETURNING workshop_id, customer_id, id),
  -- What would not be handed over fails at once, and has no entry. A repeat of its cause makes none.
  made AS (
    INSERT INTO message (id, workshop_id, conversation_id, customer_id, booking_id, template_id, template_version, direction, channel,
          kind, audience, cause_id, recipient, subject, body, encoding, segments, series_id, series_number, partner_id, state,
          reason, detail, despite_opt_out, created_at, updated_at)
    SELECT j.id, j.workshop_id, coalesce(talks.id, opened.id), j.customer_id, j.booking_id, j.template_id, j.template_version,
      'outbound', j.channel, j.kind, j.audience, j.cause_id, j.recipient, j.subject, j.body, j.encoding, j.segments,
      j.series_id, j.series_number, j.partner_id,
      CASE WHEN coalesce(stopped, refusal) IS NOT NULL THEN 'failed' ELSE 'sending' END, coalesce(stopped, refusal),
      CASE WHEN stopped IS NULL THEN refusal_detail END, opted_out AND stopped IS NULL AND j.channel = 'sms', $2, $2
    FROM judged j
    LEFT JOIN talks ON j.channel = 'sms' AND j.audience = 'customer' AND talks.workshop_id = j.workshop_id
      AND talks.customer_id = j.customer_id
    LEFT JOIN opened ON j.channel = 'sms' AND j.audience = 'customer' AND opened.workshop_id = j.workshop_id
      AND opened.customer_id = j.customer_id
    ORDER BY j.place
    ON CONFLICT (cause_id, kind, audience, channel, recipient) WHERE cause_id IS NOT NULL DO NOTHING
    RETURNING *),
  queued AS (
    INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, series_id, series_number, recipient, quiet_from,
          quiet_until, created_at, expires_at)
    SELECT made.id, made.workshop_id, made.channel, j.class, clock_timestamp(), made.series_id, made.series_number, made.recipient,
      j.quiet_from, j.quiet_until, clock_timestamp(), clock_timestamp() + waits_ms * interval '1 millisecond'
    FROM made JOIN judged j ON j.id = made.id WHERE made.state = 'sending'
    ORDER BY j.place
    RETURNING workshop_id, channel, class),
  woken AS (
    INSERT INTO send_wake (workshop_id, channel, class, due_at)
    SELECT workshop_id, channel, class, clock_timestamp() FROM queued GROUP BY workshop_id, channel, class),
  failed AS (SELECT * FROM made WHERE state = 'failed'),
  recorded AS (INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before,
          after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, CASE failed.state WHEN 'accepted' THEN 'message.accepted'
      WHEN 'delivered' THEN 'message.delivered'
      ELSE 'message.failed' END, failed.partner_id, failed.workshop_id, failed.id, failed.version,
      jsonb_build_object('message', jsonb_build_object('id', failed.id, 'workshopId', failed.workshop_id, 'conversationId',
              failed.conversation_id,
              'customerId', failed.customer_id, 'bookingId', failed.booking_id, 'templateId', failed.template_id,
              'templateVersion', CASE WHEN failed.template_id IS NOT NULL THEN coalesce(failed.template_version, 1) END,
              'referenceId', failed.reference_id, 'direction', failed.direction, 'phone', failed.recipient, 'body', failed.body,
              'encoding', failed.encoding, 'segments', failed.segments, 'state', failed.state, 'reason', failed.reason, 'detail', CASE
              WHEN failed.reason IS DISTINCT FROM 'gatewayUnavailable' THEN failed.detail END,
              'createdAt', to_char(failed.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(failed.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), failed.updated_at, $4, $5,
      NULL::jsonb, NULL::jsonb
    FROM failed WHERE kind IN ('partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'serviceReminder')
    UNION ALL
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.noticeFailed', failed.partner_id, failed.workshop_id,
      failed.id, failed.version,
      jsonb_build_object('message', jsonb_build_object('customerId', failed.customer_id, 'conversationId', failed.conversation_id)),
      failed.updated_at, $4, $5,
      NULL::jsonb, NULL::jsonb
    FROM failed WHERE kind IN ('bookingNotice', 'quoteNotice', 'carReady', 'inboxDigest') AND audience = 'customer'
      AND state NOT IN ('accepted', 'delivered'))
SELECT id, reason FROM made;

-- src/product/sending/queue/store.ts: requeueMessage
WITH its AS (
    SELECT m.id, m.workshop_id, m.channel, r.class, m.series_id, m.series_number, m.recipient, r.waits_ms,
      CASE a.state WHEN 'unknown' THEN a.id END AS unknown_attempt_id
    FROM message m JOIN jsonb_to_recordset($2::jsonb) AS r (kind text, class smallint, waits_ms float8) ON r.kind = m.kind
    LEFT JOIN message_attempt a ON a.id = m.attempt_id
    WHERE m.id = $1 AND m.state IN ('sending', 'failed', 'unknown', 'expired')),
  -- Still to be sent, as far as is known.
  open AS (
    UPDATE message SET state = 'failed', version = version + 1 FROM its WHERE message.id = its.id AND message.state = 'expired'),
  queued AS (
    INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, series_id, series_number, recipient,
          created_at, expires_at)
    SELECT id, workshop_id, channel, class, clock_timestamp(), unknown_attempt_id, series_id, series_number, recipient,
      clock_timestamp(),
      clock_timestamp() + waits_ms * interval '1 millisecond'
    FROM its
    ON CONFLICT (message_id) DO NOTHING
    RETURNING workshop_id, channel, class)
INSERT INTO send_wake (workshop_id, channel, class, due_at)
SELECT workshop_id, channel, class, clock_timestamp() FROM queued RETURNING true;

-- src/product/sending/queue/store.ts: setAsideQueued
WITH aside AS MATERIALIZED (DELETE FROM queued_message WHERE class IS NOT NULL RETURNING message_id, attempt_id, tries),
  open AS MATERIALIZED (
    SELECT aside.*, m.kind FROM aside JOIN message m ON m.id = aside.message_id WHERE m.state IN ('sending', 'failed', 'unknown')),
  ended AS (
    UPDATE message_attempt a SET state = 'unknown', reason = 'unknownOutcome', detail = $2, finished_at = clock_timestamp(),
      business_finished_at = $3
    FROM open WHERE a.id = open.attempt_id AND a.state = 'sending'),
  changed AS (
    UPDATE message m
    SET state = 'unknown', reason = 'unknownOutcome', detail = $2, attempt_id = coalesce(open.attempt_id, m.attempt_id),
      attempts = greatest(m.attempts, open.tries), version = m.version + 1, updated_at = $3, handed_over_at = clock_timestamp()
    FROM open WHERE m.id = open.message_id
    RETURNING m.*),
  events AS (INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before,
          after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, CASE changed.state WHEN 'accepted' THEN 'message.accepted'
      WHEN 'delivered' THEN 'message.delivered'
      ELSE 'message.failed' END, changed.partner_id, changed.workshop_id, changed.id, changed.version,
      jsonb_build_object('message', jsonb_build_object('id', changed.id, 'workshopId', changed.workshop_id, 'conversationId',
              changed.conversation_id,
              'customerId', changed.customer_id, 'bookingId', changed.booking_id, 'templateId', changed.template_id,
              'templateVersion', CASE WHEN changed.template_id IS NOT NULL THEN coalesce(changed.template_version, 1) END,
              'referenceId', changed.reference_id, 'direction', changed.direction, 'phone', changed.recipient, 'body', changed.body,
              'encoding', changed.encoding, 'segments', changed.segments, 'state', changed.state, 'reason', changed.reason, 'detail', CASE
              WHEN changed.reason IS DISTINCT FROM 'gatewayUnavailable' THEN changed.detail END,
              'createdAt', to_char(changed.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(changed.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), changed.updated_at, 'operator', NULL,
      NULL::jsonb, NULL::jsonb
    FROM changed WHERE kind IN ('partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'serviceReminder')
    UNION ALL
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.noticeFailed', changed.partner_id, changed.workshop_id,
      changed.id, changed.version,
      jsonb_build_object('message', jsonb_build_object('customerId', changed.customer_id, 'conversationId', changed.conversation_id)),
      changed.updated_at, 'operator', NULL,
      NULL::jsonb, NULL::jsonb
    FROM changed WHERE kind IN ('bookingNotice', 'quoteNotice', 'carReady', 'inboxDigest') AND audience = 'customer'
      AND state NOT IN ('accepted', 'delivered')),
  letters AS (
    INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'send', jsonb_build_object('messageId', message_id), $1, $2,
      tries, $3 FROM open WHERE kind = ANY ($4::text[])
    ON CONFLICT (job, payload) DO NOTHING)
SELECT message_id FROM open;

-- src/product/sending/report/segments/store.ts: attemptWith
SELECT a.id FROM customer c JOIN message m ON m.customer_id = c.id JOIN message_attempt a ON a.message_id = m.id
WHERE c.phone = $1 AND m.recipient = $1 AND m.channel = 'sms' AND $2 = ANY(string_to_array(a.gateway, ','))
  AND right(a.id::text, 4) = lpad(to_hex($3::int), 4, '0')
  AND a.started_at > (SELECT clock_timestamp() - interval '3 days') LIMIT 2;

-- src/product/sending/report/segments/store.ts: knownIds
SELECT given.id FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (id, key, number)
JOIN sms_segment s ON s.gateway = $1 AND s.segment_id = given.key
WHERE s.reference IS NOT NULL ORDER BY right(s.reference::text, 4) = lpad(to_hex($4::int), 4, '0') IS TRUE DESC, given.number;

-- src/product/sending/report/segments/store.ts: sharedIds
SELECT gateway, segment_id AS id, shared_at AS at FROM sms_segment WHERE shared_at IS NOT NULL
ORDER BY created_at DESC LIMIT 10;

-- src/product/sending/report/segments/store.ts: upsertSegment
WITH input AS (
    SELECT given.gateway, given.key, given.reference, given.segments, given.state, given.detail, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (gateway text, key text, reference uuid, segments integer, state text,
              detail text)) WITH ORDINALITY AS given (gateway, key, reference, segments, state, detail, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32), kept AS (
    INSERT INTO sms_segment AS s (gateway, segment_id, reference, segments, state, detail, reported_at, created_at)
    SELECT gateway, key, reference, segments, state, detail, clock_timestamp(), clock_timestamp() FROM input ORDER BY gateway, key
    ON CONFLICT (gateway, segment_id) DO UPDATE SET reference = CASE WHEN excluded.reference IS NULL AND s.state IS NOT NULL
      AND s.created_at < excluded.created_at - interval '2 days' THEN excluded.reference ELSE coalesce(s.reference, excluded.reference) END,
      segments = CASE WHEN excluded.reference IS NULL AND s.state IS NOT NULL
      AND s.created_at < excluded.created_at - interval '2 days' THEN excluded.segments ELSE coalesce(s.segments, excluded.segments) END,
      created_at = CASE WHEN excluded.reference IS NULL AND s.state IS NOT NULL
      AND s.created_at < excluded.created_at - interval '2 days' THEN excluded.created_at
      ELSE coalesce(s.created_at, excluded.created_at) END,
      state = CASE WHEN s.state IS NULL OR excluded.reference IS NULL AND s.state IS NOT NULL
      AND s.created_at < excluded.created_at - interval '2 days' THEN excluded.state ELSE s.state END, detail = CASE WHEN s.state IS NULL
      OR excluded.reference IS NULL AND s.state IS NOT NULL AND s.created_at < excluded.created_at - interval '2 days' THEN excluded.detail
      ELSE s.detail END, reported_at = CASE WHEN s.state IS NULL OR excluded.reference IS NULL AND s.state IS NOT NULL
      AND s.created_at < excluded.created_at - interval '2 days' THEN excluded.reported_at ELSE s.reported_at END
    WHERE s.shared_at IS NULL
    RETURNING gateway, segment_id, reference)
SELECT input.ordinal, kept.reference FROM input JOIN kept ON kept.gateway = input.gateway AND kept.segment_id = input.key;

-- src/product/sending/report/store.ts: followOriginal
WITH original AS MATERIALIZED (SELECT * FROM message_attempt WHERE id = $2 FOR NO KEY UPDATE),
  followed AS (
    UPDATE message m SET attempt_id = o.id, state = o.state, detail = o.detail,
      version = m.version + CASE o.state WHEN m.state THEN 0 ELSE 1 END,
      updated_at = CASE o.state WHEN m.state THEN m.updated_at ELSE $3 END
    FROM original o WHERE m.id = o.message_id AND m.attempt_id = $1 AND m.state = 'accepted'
    RETURNING m.*),
  changed AS (SELECT * FROM followed WHERE state <> 'accepted')
INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after)
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, CASE changed.state WHEN 'accepted' THEN 'message.accepted'
  WHEN 'delivered' THEN 'message.delivered'
  ELSE 'message.failed' END, changed.partner_id, changed.workshop_id, changed.id, changed.version,
  jsonb_build_object('message', jsonb_build_object('id', changed.id, 'workshopId', changed.workshop_id, 'conversationId',
          changed.conversation_id,
          'customerId', changed.customer_id, 'bookingId', changed.booking_id, 'templateId', changed.template_id,
          'templateVersion', CASE WHEN changed.template_id IS NOT NULL THEN coalesce(changed.template_version, 1) END,
          'referenceId', changed.reference_id, 'direction', changed.direction, 'phone', changed.recipient, 'body', changed.body,
          'encoding', changed.encoding, 'segments', changed.segments, 'state', changed.state, 'reason', changed.reason, 'detail', CASE
          WHEN changed.reason IS DISTINCT FROM 'gatewayUnavailable' THEN changed.detail END,
          'createdAt', to_char(changed.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
          to_char(changed.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), changed.updated_at, 'gateway', NULL,
  NULL::jsonb, NULL::jsonb
FROM changed WHERE kind IN ('partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'serviceReminder')
UNION ALL
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.noticeFailed', changed.partner_id, changed.workshop_id,
  changed.id, changed.version,
  jsonb_build_object('message', jsonb_build_object('customerId', changed.customer_id, 'conversationId', changed.conversation_id)),
  changed.updated_at, 'gateway', NULL,
  NULL::jsonb, NULL::jsonb
FROM changed WHERE kind IN ('bookingNotice', 'quoteNotice', 'carReady', 'inboxDigest') AND audience = 'customer'
  AND state NOT IN ('accepted', 'delivered');

-- src/product/sending/report/store.ts: originalOf
SELECT e.id FROM message_attempt a JOIN message_attempt e ON e.message_id = a.message_id AND e.number < a.number
WHERE a.id = $1 AND $2 = ANY(string_to_array(a.gateway, ',')) AND $2 = ANY(string_to_array(e.gateway, ','))
  AND e.state IN ('sending', 'unknown', 'accepted', 'delivered')
ORDER BY array_position(ARRAY['delivered', 'accepted'], e.state), e.number DESC LIMIT 1;

-- src/product/sending/report/store.ts: shared
WITH input AS (
    SELECT given.reference, given.gateway, given.state, given.detail, given.now, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (reference uuid, gateway text, state text, detail text,
              now timestamptz)) WITH ORDINALITY AS given (reference, gateway, state, detail, now, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  -- A report of a part counts by what all parts say together.
  verdict AS MATERIALIZED (
    SELECT input.ordinal, input.reference, input.gateway, input.now, coalesce(input.state, its.state) AS state,
      CASE WHEN input.state IS NULL THEN its.detail WHEN input.state <> 'delivered' THEN input.detail END AS detail,
      its.delivered, CASE WHEN input.state IS NULL THEN its.reported ELSE 1 END AS reported, its.segments
    FROM input LEFT JOIN LATERAL (SELECT (array_agg(state ORDER BY reported_at,
                  segment_id) FILTER (WHERE state <> 'delivered'))[1] AS state,
          (array_agg(detail ORDER BY reported_at, segment_id) FILTER (WHERE state <> 'delivered'))[1] AS detail,
          count(*) FILTER (WHERE state = 'delivered') AS delivered,
          count(state) AS reported, max(segments) AS segments
        FROM sms_segment WHERE reference = input.reference AND gateway = input.gateway) AS its ON input.state IS NULL),
  -- Locked in the order of their ids, as every statement that changes attempts does.
  attempt AS (
    SELECT a.id, v.ordinal, v.gateway, v.now, a.state IN ('sending', 'unknown') AS was_open,
      coalesce(v.state, CASE WHEN v.delivered >= coalesce(v.segments, m.segments) THEN 'delivered'
          WHEN v.reported > 0 THEN 'accepted' END) AS state,
      v.detail
    FROM verdict v JOIN message_attempt a ON a.id = v.reference JOIN message m ON m.id = a.message_id
    ORDER BY a.id FOR NO KEY UPDATE OF a),
  -- A report is also the acceptance where none was recorded; a state that is final stays.
  reported AS (
    UPDATE message_attempt AS a SET state = attempt.state, reason = NULL, detail = attempt.detail,
      gateway = CASE a.state WHEN 'accepted' THEN a.gateway ELSE attempt.gateway END,
      finished_at = coalesce(a.finished_at, clock_timestamp()),
      business_finished_at = coalesce(a.business_finished_at, attempt.now)
    FROM attempt
    WHERE a.id = attempt.id AND attempt.state IS NOT NULL AND attempt.gateway = ANY(string_to_array(a.gateway, ','))
      AND (a.state IN ('sending', 'unknown') OR a.state = 'accepted' AND attempt.state <> 'accepted')
    RETURNING a.id, a.message_id, a.number, a.state, a.detail, attempt.now, attempt.was_open),
  changed AS (
    UPDATE message AS m SET state = reported.state, reason = NULL, detail = reported.detail, attempt_id = reported.id,
      attempts = greatest(m.attempts, reported.number), version = m.version + 1, updated_at = reported.now,
      handed_over_at = coalesce(m.handed_over_at, clock_timestamp())
    FROM reported WHERE m.id = reported.message_id AND m.state <> reported.state
      AND (m.attempt_id = reported.id OR reported.number > m.attempts AND m.state IN ('sending', 'failed', 'unknown')
          OR reported.state IN ('accepted', 'delivered') AND m.state IN ('sending', 'failed', 'unknown'))
    RETURNING m.*, was_open),
  events AS (INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before,
          after)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, CASE changed.state WHEN 'accepted' THEN 'message.accepted'
      WHEN 'delivered' THEN 'message.delivered'
      ELSE 'message.failed' END, changed.partner_id, changed.workshop_id, changed.id, changed.version,
      jsonb_build_object('message', jsonb_build_object('id', changed.id, 'workshopId', changed.workshop_id, 'conversationId',
              changed.conversation_id,
              'customerId', changed.customer_id, 'bookingId', changed.booking_id, 'templateId', changed.template_id,
              'templateVersion', CASE WHEN changed.template_id IS NOT NULL THEN coalesce(changed.template_version, 1) END,
              'referenceId', changed.reference_id, 'direction', changed.direction, 'phone', changed.recipient, 'body', changed.body,
              'encoding', changed.encoding, 'segments', changed.segments, 'state', changed.state, 'reason', changed.reason, 'detail', CASE
              WHEN changed.reason IS DISTINCT FROM 'gatewayUnavailable' THEN changed.detail END,
              'createdAt', to_char(changed.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt',
              to_char(changed.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), changed.updated_at, 'gateway', NULL,
      NULL::jsonb, NULL::jsonb
    FROM changed WHERE kind IN ('partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'serviceReminder')
    UNION ALL
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, 'message.noticeFailed', changed.partner_id, changed.workshop_id,
      changed.id, changed.version,
      jsonb_build_object('message', jsonb_build_object('customerId', changed.customer_id, 'conversationId', changed.conversation_id)),
      changed.updated_at, 'gateway', NULL,
      NULL::jsonb, NULL::jsonb
    FROM changed WHERE kind IN ('bookingNotice', 'quoteNotice', 'carReady', 'inboxDigest') AND audience = 'customer'
      AND state NOT IN ('accepted', 'delivered')),
  -- A retry that waits is needless now; one that is under way ends by itself.
  settled AS (
    DELETE FROM queued_message q USING reported
    WHERE q.message_id = reported.message_id AND q.attempt_id = reported.id AND NOT q.in_flight
      AND q.message_id = ANY (ARRAY(SELECT message_id FROM reported))),
  -- Locked in the order of their ids before they are written.
  conversation_row AS (
    SELECT v.id FROM conversation v WHERE v.id = ANY (ARRAY(SELECT conversation_id FROM changed WHERE was_open))
    ORDER BY v.id FOR NO KEY UPDATE),
  spoken AS (
    UPDATE conversation SET last_sent_at = clock_timestamp() WHERE id = ANY (ARRAY(SELECT id FROM conversation_row)))
SELECT ordinal FROM attempt;

-- src/product/sending/retention/store.ts: purgeMessages
WITH seen AS (
    SELECT id, kind, reference_id FROM message
    WHERE id > coalesce((SELECT purged_to FROM retention WHERE name = $1), '00000000-0000-0000-0000-000000000000')
      AND id < (SELECT first_id(clock_timestamp() - make_interval(days => $3)))
    ORDER BY id LIMIT $4),
  -- With those that earlier steps have passed over, since they were queued then.
  candidate AS (
    SELECT * FROM seen WHERE kind = ANY($2::text[])
    UNION ALL SELECT id, kind, reference_id FROM message WHERE id = ANY((SELECT skipped FROM retention WHERE name = $1)::uuid[])),
  old AS (
    SELECT id, reference_id FROM candidate WHERE NOT EXISTS (SELECT FROM queued_message q WHERE q.message_id = candidate.id)),
  -- Passed over, and remembered.
  queued AS MATERIALIZED (SELECT id FROM candidate EXCEPT SELECT id FROM old),
  gone AS (
    DELETE FROM message m USING old WHERE m.id = old.id AND old.reference_id IS NULL RETURNING m.id),
  letters AS (
    DELETE FROM dead_letter d USING gone WHERE d.job = 'send' AND d.payload = jsonb_build_object('messageId', gone.id)),
  copies AS (
    DELETE FROM sandbox_message s USING old WHERE s.message_id = old.id),
  -- The row is the response to a repeat; its text goes.
  emptied AS (
    UPDATE message m SET body = '', detail = NULL FROM old WHERE m.id = old.id AND old.reference_id IS NOT NULL AND m.body <> ''),
  noted AS (
    INSERT INTO retention (name, purged_to, skipped)
    SELECT $1, id, ARRAY(SELECT id FROM queued) FROM (SELECT id FROM seen UNION ALL SELECT id FROM candidate) AS any_of
    ORDER BY id DESC LIMIT 1
    ON CONFLICT (name) DO UPDATE SET purged_to = greatest(retention.purged_to, excluded.purged_to),
      skipped = ARRAY(SELECT unnest(retention.skipped || excluded.skipped) EXCEPT SELECT id FROM old))
SELECT count(*)::int AS seen FROM seen;

-- src/product/sending/unauthenticated/store.ts: countUnauthenticated
INSERT INTO mail_refusal AS old (kind, detail, count, first_at, last_at, told_at) VALUES ($1, $2, 1, $3, $3, $3)
ON CONFLICT (kind) DO UPDATE
SET detail = excluded.detail, last_at = excluded.last_at,
  count = CASE WHEN old.last_at < $4 THEN 1 ELSE old.count + 1 END,
  first_at = CASE WHEN old.last_at < $4 THEN excluded.first_at ELSE old.first_at END,
  told_at = CASE WHEN old.told_at < $5 THEN excluded.told_at ELSE old.told_at END
RETURNING told_at = $3 AS is_news;

-- src/product/sending/unauthenticated/store.ts: readUnauthenticated
SELECT count, first_at, last_at, detail FROM mail_refusal
WHERE kind = $1 AND last_at > (SELECT clock_timestamp() - make_interval(days => $2));

-- src/product/sending/wake/store.ts: takeWakes
WITH RECURSIVE route AS (
      (SELECT route FROM send_queue WHERE next_at IS NOT NULL ORDER BY route LIMIT 1)
    UNION ALL
    SELECT (SELECT q.route FROM send_queue q WHERE q.next_at IS NOT NULL AND q.route > route.route ORDER BY q.route LIMIT 1)
    FROM route WHERE route.route IS NOT NULL),
  gone AS (
    DELETE FROM send_wake WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM send_wake WHERE queued_at >= (SELECT CASE WHEN $1::boolean THEN '-infinity'::timestamptz
                  ELSE least(clock_timestamp() - interval '30 seconds', $2::timestamptz) END)
            ORDER BY queued_at LIMIT 10000 FOR UPDATE SKIP LOCKED))
    RETURNING workshop_id, channel, class, due_at, queued_at),
  -- One turn for all wakes of a queue.
  woken AS (
    SELECT workshop_id, channel, class, min(due_at) AS due_at FROM gone GROUP BY workshop_id, channel, class),
  turned AS (
    INSERT INTO send_queue AS q (workshop_id, channel, class, route, next_at)
    SELECT woken.workshop_id, channel, class,
      CASE WHEN channel = 'sms' THEN 'sms' || coalesce(':' || array_to_string(w.sms_gateways, ','), '') ELSE channel END, due_at
    FROM woken JOIN workshop w ON w.id = woken.workshop_id
    ORDER BY woken.workshop_id, woken.channel, woken.class
    ON CONFLICT (workshop_id, channel, class) DO UPDATE
    SET next_at = least(q.next_at, excluded.next_at), route = excluded.route, version = q.version + 1
    RETURNING q.route)
SELECT (SELECT min(queued_at)::text FROM gone) AS oldest,
  ARRAY(SELECT route FROM route WHERE route IS NOT NULL UNION SELECT route FROM turned ORDER BY route) AS routes;

-- src/product/templates/store.ts: findTemplate
SELECT
  id, workshop_id, purpose, name, subject, body, placeholders,
  requires_booking, status, version, created_at, updated_at FROM template WHERE id = $1;

-- src/product/templates/store.ts: findTemplateNamed
SELECT
  id, workshop_id, purpose, name, subject, body, placeholders,
  requires_booking, status, version, created_at, updated_at FROM template WHERE workshop_id = $1 AND id = $2::uuid;

-- src/product/templates/store.ts: findTemplateNamed
SELECT
  id, workshop_id, purpose, name, subject, body, placeholders,
  requires_booking, status, version, created_at, updated_at FROM template WHERE workshop_id = $1 AND lower(name) = lower($2);

-- src/product/templates/store.ts: findVersion
SELECT template_id, number AS version, name, subject, body, placeholders,
  requires_booking, created_at FROM template_version WHERE template_id = $1 AND number = $2;

-- src/product/templates/store.ts: insertTemplate
INSERT INTO template (id, workshop_id, purpose, name, subject, body, placeholders, requires_booking, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
ON CONFLICT (lower(name), workshop_id) DO NOTHING RETURNING true;

-- src/product/templates/store.ts: listPublishedTemplates
SELECT
  id, workshop_id, purpose, name, subject, body, placeholders,
  requires_booking, status, version, created_at, updated_at FROM template
WHERE workshop_id = $1 AND purpose = 'inbox' AND status = 'published' AND id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
ORDER BY id LIMIT $3;

-- src/product/templates/store.ts: listTemplates
SELECT
  id, workshop_id, purpose, name, subject, body, placeholders,
  requires_booking, status, version, created_at, updated_at FROM template WHERE workshop_id = $1 ORDER BY created_at, id;

-- src/product/templates/store.ts: listVersions
SELECT template_id, number AS version, name, subject, body, placeholders,
  requires_booking, created_at FROM template_version WHERE template_id = $1 ORDER BY number DESC LIMIT $2;

-- src/product/templates/store.ts: unpublishOthers
UPDATE template SET status = 'draft', updated_at = $4
WHERE workshop_id = $1 AND purpose = $2 AND id <> $3 AND status = 'published'
RETURNING id;

-- src/product/templates/store.ts: updateTemplateStatus
UPDATE template SET status = $2, updated_at = $3 WHERE id = $1 AND status <> $2;

-- src/product/templates/store.ts: updateTexts
UPDATE template SET name = coalesce($2, name), body = coalesce($3, body), placeholders = coalesce($4, placeholders),
  requires_booking = coalesce($5, requires_booking), subject = CASE WHEN NOT $7::boolean THEN coalesce($6, subject) END,
  version = version + 1, updated_at = $8
WHERE id = $1 AND (name, body, subject) IS DISTINCT
FROM (coalesce($2, name), coalesce($3, body), CASE WHEN NOT $7::boolean THEN coalesce($6, subject) END)
RETURNING version;

-- src/product/way-out/store.ts: deleteWayOuts
DELETE FROM way_out WHERE workshop_id = $1 AND phone = ANY($2::text[]);

-- src/product/way-out/store.ts: findWayOut
SELECT o.workshop_id, c.id AS customer_id, right(o.phone, 2) AS last_digits, c.opted_out_at IS NOT NULL AS is_opted_out, c.version
FROM way_out o JOIN customer c ON c.workshop_id = o.workshop_id AND c.phone = o.phone
WHERE o.code = $1 AND o.expires_at > $2 AND c.erased_at IS NULL;

-- src/product/way-out/store.ts: keepWayOuts
INSERT INTO way_out (code, workshop_id, phone, expires_at)
SELECT code, workshop_id, phone, $2 FROM jsonb_to_recordset($1::jsonb) AS way (code text, workshop_id uuid, phone text);

-- src/product/way-out/store.ts: purgeWayOuts
WITH gone AS (
    DELETE FROM way_out
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM way_out WHERE expires_at <= $1 LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING true)
SELECT count(*)::int AS count FROM gone;

-- src/product/webhooks/deliveries/claim/store.ts: claimDeliveries
WITH clock AS (SELECT clock_timestamp() AS at),
  -- How many of each partner this process has under way.
  load AS (SELECT * FROM unnest($3::uuid[], $4::integer[]) AS load (partner_id, running)),
  -- Endpoints of partners that have all their places taken.
  full_lane AS (
    SELECT own.id FROM load CROSS JOIN LATERAL (SELECT id FROM webhook WHERE partner_id = load.partner_id LIMIT 1000) AS own
    WHERE load.running >= least(50, $1::integer)),
  wake AS (
    SELECT webhook_id, queued_at, ctid AS row FROM webhook_wake
    WHERE queued_at >= (SELECT CASE WHEN $5::boolean THEN '-infinity'::timestamptz
          ELSE least(clock_timestamp() - interval '30 seconds', $6::timestamptz) END) AND webhook_id NOT IN (SELECT id FROM full_lane)
    ORDER BY queued_at LIMIT 10000),
  -- Lanes that are due, and those with a wake.
  candidate AS (
    SELECT due.webhook_id, coalesce(l.next_at, clock.at) AS next_at, l.version
    FROM clock CROSS JOIN (
          (SELECT webhook_id FROM webhook_lane
            WHERE next_at <= (SELECT at FROM clock) AND webhook_id NOT IN (SELECT id FROM full_lane) ORDER BY next_at LIMIT $1::integer)
        UNION SELECT webhook_id FROM wake) AS due
    CROSS JOIN LATERAL (SELECT next_at, version FROM webhook_lane WHERE webhook_id = due.webhook_id LIMIT 1) AS l),
  -- Those that nobody else holds. One that has changed since this statement began is not known: its entries may be newer.
  chosen AS (
    SELECT candidate.webhook_id, own.failures, own.probe_at, candidate.next_at,
      own.version = candidate.version AS is_known
    FROM candidate CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT version, failures, probe_at FROM webhook_lane AS own
        WHERE own.webhook_id = candidate.webhook_id AND true FOR NO KEY UPDATE SKIP LOCKED) AS own
    LIMIT ALL),
  -- How many more each may have at once; a failing one gets a single probe.
  lane AS (
    SELECT chosen.webhook_id, chosen.next_at, chosen.probe_at, w.status = 'enabled' AS is_enabled, p.status = 'active' AS is_active,
      w.partner_id, w.url, w.method, busy.count AS busy,
      CASE WHEN w.status = 'enabled' AND p.status = 'active' AND coalesce(chosen.probe_at <= clock.at, true)
      THEN greatest(0, CASE WHEN chosen.failures >= 10 THEN 1 ELSE w.max_concurrent END - busy.count)::integer
      ELSE 0 END AS free
    FROM chosen CROSS JOIN clock
    CROSS JOIN LATERAL (SELECT * FROM webhook WHERE id = chosen.webhook_id LIMIT 1) AS w
    CROSS JOIN LATERAL (SELECT status FROM partner WHERE id = w.partner_id LIMIT 1) AS p
    CROSS JOIN LATERAL (
        SELECT count(*) AS count FROM webhook_delivery d WHERE d.webhook_id = chosen.webhook_id AND d.in_flight
          AND d.due_at > clock.at) AS busy
    WHERE chosen.is_known),
  -- How many deliveries each lane may have of the room.
  share AS MATERIALIZED (SELECT ceil($1::float8 / greatest(count(*), 1))::integer AS size FROM lane WHERE free > 0),
  -- The first entries of each, one more than it may have: the next turn is when the first one left over is due.
  seen AS (
    SELECT lane.webhook_id, lane.partner_id, lane.next_at, e.id, e.due_at, lane.busy + e.place AS place,
      e.due_at <= clock.at AND e.place <= least(share.size, lane.free) AS is_wanted
    FROM lane CROSS JOIN share CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT id, due_at, row_number() OVER (ORDER BY due_at, id) AS place FROM webhook_delivery AS own
        WHERE own.webhook_id = lane.webhook_id AND due_at IS NOT NULL ORDER BY due_at, id LIMIT least(share.size, lane.free) + 1) AS e
    WHERE lane.free > 0),
  -- The order within each partner: the first delivery of each of its lanes before the second ones.
  ranked AS (
    SELECT seen.id, seen.due_at, seen.next_at, coalesce(load.running, 0) + row_number() OVER (
          PARTITION BY seen.partner_id ORDER BY seen.place, seen.next_at) AS partner_place
    FROM seen LEFT JOIN load ON load.partner_id = seen.partner_id WHERE seen.is_wanted),
  -- As many as there is room for, partner by partner in turn.
  wanted AS MATERIALIZED (
    SELECT id, due_at FROM (SELECT *, row_number() OVER (ORDER BY partner_place, next_at) AS turn FROM ranked) AS queued
    WHERE partner_place <= least(50, $1::integer + 1 - turn)),
  -- Those that are as they were seen, and that nobody else holds.
  locked AS (
    SELECT own.* FROM wanted CROSS JOIN LATERAL (
        SELECT * FROM webhook_delivery AS e WHERE e.id = wanted.id AND e.due_at = wanted.due_at
        FOR NO KEY UPDATE SKIP LOCKED) AS own),
  leased AS (
    UPDATE webhook_delivery d
    SET in_flight = true, due_at = clock.at + interval '20 seconds', tries = least(d.tries, 32766::smallint) + 1,
      attempt_id = (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid,
      attempted_at = $2::timestamptz,
      attempts = CASE WHEN d.in_flight THEN jsonb_path_query_array(d.attempts || jsonb_build_array(jsonb_build_object('at',
                  to_char(d.attempted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'responseStatus', NULL, 'durationMs', NULL,
                  'error', 'the outcome is unknown: the service stopped during the attempt')), '$[last - 49 to last]') ELSE d.attempts END
    FROM locked CROSS JOIN clock WHERE d.id = locked.id
    RETURNING d.id, d.webhook_id, d.event_id, d.action, d.tries, d.attempt_id, d.due_at),
  -- When the first one that is left in each is due.
  left_over AS (
    SELECT seen.webhook_id, min(coalesce(leased.due_at, seen.due_at)) AS due_at, count(leased.id) AS taken
    FROM seen LEFT JOIN leased ON leased.id = seen.id GROUP BY seen.webhook_id),
  -- When each lane has its next turn.
  next AS (
    SELECT lane.webhook_id, CASE
      WHEN NOT lane.is_enabled THEN NULL
      WHEN NOT lane.is_active THEN clock.at + interval '5 seconds'
      WHEN lane.probe_at > clock.at THEN lane.probe_at
      WHEN lane.free <= coalesce(left_over.taken, 0) THEN clock.at + interval '20 seconds'
      ELSE left_over.due_at END AS next_at, coalesce(left_over.taken, 0) > 0 AS has_taken
    FROM lane CROSS JOIN clock LEFT JOIN left_over ON left_over.webhook_id = lane.webhook_id),
  -- Wakes of lanes that were looked at are done; the others stay.
  woken AS (DELETE FROM webhook_wake WHERE ctid = ANY (ARRAY(SELECT row FROM wake WHERE webhook_id IN (SELECT webhook_id FROM lane)))),
  turned AS (
    UPDATE webhook_lane AS own SET next_at = next.next_at, version = own.version + 1
    FROM next WHERE own.webhook_id = next.webhook_id AND (next.has_taken OR own.next_at IS DISTINCT FROM next.next_at))
SELECT leased.id, lane.partner_id, leased.webhook_id, leased.attempt_id, leased.event_id, leased.action, leased.tries,
  lane.url, lane.method, e.payload, e.version,
  ARRAY(SELECT s.sealed FROM webhook_secret s
    WHERE s.webhook_id = leased.webhook_id AND coalesce(s.expires_at > clock.at, true) ORDER BY s.id DESC) AS sealed_secrets,
  coalesce((SELECT bool_or(next.next_at <= clock.at) FROM next), false)
  OR (SELECT count(*) FROM lane) < (SELECT count(*) FROM candidate) AS more_due,
  (SELECT min(queued_at)::text FROM wake) AS oldest_wake
FROM clock LEFT JOIN leased ON true LEFT JOIN lane ON lane.webhook_id = leased.webhook_id
LEFT JOIN LATERAL (SELECT payload, version FROM event WHERE id = leased.event_id LIMIT 1) AS e ON true;

-- src/product/webhooks/deliveries/finish/store.ts: shared
WITH input AS (
    SELECT given.delivery_id, given.webhook_id, given.attempt_id, given.delivered, given.gone, given.counts, given.attempt, given.in_ms,
      given.now, given.ordinal::int AS ordinal
    FROM (SELECT set_config('lock_timeout', coalesce($2::integer || 'ms', current_setting('lock_timeout')), true)) AS wait
    CROSS JOIN ROWS FROM (jsonb_to_recordset($1::jsonb) AS (delivery_id uuid, webhook_id uuid, attempt_id uuid, delivered boolean,
              gone boolean, counts boolean, attempt jsonb, in_ms float8, now timestamptz)) WITH ORDINALITY AS given (delivery_id,
          webhook_id, attempt_id, delivered, gone, counts, attempt, in_ms, now, ordinal)
    WHERE given.ordinal BETWEEN 1 AND 32),
  clock AS (SELECT clock_timestamp() AS at),
  -- Only what the attempt still holds: a lease that ended belongs to another.
  own AS (
    SELECT input.* FROM input JOIN webhook_delivery d ON d.id = input.delivery_id AND d.attempt_id = input.attempt_id AND d.in_flight
    ORDER BY d.id FOR NO KEY UPDATE OF d),
  finished AS (
    UPDATE webhook_delivery d
    SET status = CASE WHEN own.delivered THEN 'delivered' WHEN own.in_ms IS NULL THEN 'failed' ELSE 'waiting' END,
      due_at = CASE WHEN NOT own.delivered THEN clock.at + own.in_ms * interval '1 millisecond' END,
      in_flight = false, attempt_id = NULL, attempts = jsonb_path_query_array(d.attempts || jsonb_build_array(own.attempt),
          '$[last - 49 to last]')
    FROM own CROSS JOIN clock WHERE d.id = own.delivery_id),
  -- All outcomes of an endpoint together: one that works ends the failures in a row.
  result AS (
    SELECT webhook_id, bool_or(delivered) AS works, bool_or(gone) AS gone,
      count(*) FILTER (WHERE counts AND NOT delivered) AS failed, max(now) AS now
    FROM own GROUP BY webhook_id),
  -- Lanes whose count of failures changes, locked in the order of their ids.
  held AS (
    SELECT l.webhook_id, result.works, result.failed, result.gone, result.now, l.failures + result.failed AS failures
    FROM result JOIN webhook_lane l ON l.webhook_id = result.webhook_id
    WHERE result.failed > 0 OR result.works AND (l.failures > 0 OR l.failing_since IS NOT NULL)
    ORDER BY l.webhook_id FOR NO KEY UPDATE OF l),
  -- Lanes that go on as they were.
  woken AS (
    INSERT INTO webhook_wake (webhook_id)
    SELECT l.webhook_id FROM result JOIN webhook_lane l ON l.webhook_id = result.webhook_id
    WHERE l.webhook_id NOT IN (SELECT webhook_id FROM held)),
  turned AS (
    UPDATE webhook_lane l
    SET version = l.version + 1,
      failures = CASE WHEN held.works THEN 0 ELSE held.failures END,
      failed_at = CASE WHEN held.works THEN NULL WHEN held.failed > 0 THEN clock.at ELSE l.failed_at END,
      failing_since = CASE WHEN held.works THEN NULL WHEN held.failed = 0 THEN l.failing_since
      WHEN l.failed_at > clock.at - interval '2 days' THEN l.failing_since ELSE clock.at END,
      probe_at = CASE WHEN held.works OR held.failures < 10 THEN NULL
      ELSE clock.at + make_interval(secs => least(60,
              1 * power(2, least(held.failures - 10, 20)))) END,
      next_at = CASE WHEN held.works OR held.failures < 10 THEN clock.at
      ELSE clock.at + make_interval(secs => least(60,
              1 * power(2, least(held.failures - 10, 20)))) END
    FROM held CROSS JOIN clock WHERE l.webhook_id = held.webhook_id
    RETURNING l.webhook_id, held.gone, held.now, l.failing_since <= clock.at - interval '5 days' AS is_failing),
  disabled AS (
    UPDATE webhook w
    SET status = 'disabled', disabled_reason = CASE WHEN turned.gone THEN 'gone' ELSE 'failing' END, updated_at = turned.now,
      notice_id = gen_random_uuid(), notice_due_at = clock_timestamp(), notice_tries = 0
    FROM turned WHERE w.id = turned.webhook_id AND w.status = 'enabled' AND (turned.gone OR turned.is_failing)
    RETURNING w.id, w.workshop_id, w.partner_id, w.disabled_reason, turned.now)
INSERT INTO audit_entry (id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after,
      version)
SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
        FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, disabled.now, disabled.workshop_id, disabled.partner_id, 'schedule',
  NULL, 'webhook', disabled.id, 'webhook.disabled',
  '{"status": "enabled"}', jsonb_build_object('status', 'disabled', 'reason', disabled.disabled_reason), NULL
FROM disabled;

-- src/product/webhooks/deliveries/log/store.ts: insertTestCall
WITH made AS (
    INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, attempts, attempted_at, created_at)
    VALUES ($1, $2, $1, 'test', CASE WHEN $3::boolean THEN 'delivered' ELSE 'failed' END, jsonb_build_array($4::jsonb), $5, $5)
    RETURNING *),
  -- A receiver that answers has no failures in a row any more.
  works AS (
    UPDATE webhook_lane SET failures = 0, failing_since = NULL, failed_at = NULL, probe_at = NULL, next_at = clock_timestamp(),
      version = version + 1
    WHERE webhook_id = $2 AND $3::boolean)
SELECT jsonb_build_object('id', made.id, 'eventId', made.event_id, 'action', made.action,
      'status', made.status, 'attempts', made.attempts, 'createdAt',
      to_char(made.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'nextAttemptAt', CASE WHEN NOT made.in_flight THEN to_char((made.due_at + interval '0') AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END) AS delivery FROM made;

-- src/product/webhooks/deliveries/log/store.ts: listDeliveries
SELECT page.id, own.delivery
FROM (
    SELECT found.id, found.created_at FROM unnest($3::text[]) AS wanted (status) CROSS JOIN LATERAL (
        SELECT d.id, d.created_at FROM webhook_delivery d
        WHERE d.webhook_id = $1::uuid AND d.status = wanted.status AND d.created_at >= $4::timestamptz
          AND (d.created_at, d.id) < ($5::timestamptz, $6::uuid) AND d.action = coalesce($7::text, d.action)
        ORDER BY d.created_at DESC, d.id DESC LIMIT $8::integer) AS found
    ORDER BY found.created_at DESC, found.id DESC LIMIT $8::integer) AS page
CROSS JOIN LATERAL (
    SELECT jsonb_build_object('id', d.id, 'eventId', d.event_id, 'action', d.action,
          'status', d.status, 'attempts', d.attempts, 'createdAt',
          to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'nextAttemptAt', CASE WHEN NOT d.in_flight THEN to_char((d.due_at + make_interval(secs => $2::float8)) AT TIME ZONE 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END) AS delivery FROM webhook_delivery d WHERE d.id = page.id
    LIMIT 1) AS own
ORDER BY page.created_at DESC, page.id DESC;

-- src/product/webhooks/deliveries/log/store.ts: replayDeliveries
WITH old AS (
    SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_delivery d
        WHERE d.webhook_id = $1 AND d.status = wanted.status AND d.created_at >= $3 AND d.created_at <= $4 AND NOT d.in_flight
          AND coalesce(d.replayed_at <= (SELECT clock_timestamp() - interval '1 minute'), true)
          AND coalesce(d.attempted_at < $4, true) AND coalesce(d.due_at > (SELECT clock_timestamp()), true)
          AND d.action <> 'test'
        LIMIT $5 FOR NO KEY UPDATE SKIP LOCKED) AS own
    LIMIT $5),
  again AS (UPDATE webhook_delivery d SET status = 'waiting', due_at = clock_timestamp(), tries = 0, replayed_at = clock_timestamp()
    FROM old WHERE d.id = old.id RETURNING d.webhook_id),
  woken AS (INSERT INTO webhook_wake (webhook_id) SELECT DISTINCT webhook_id FROM again)
SELECT count(*)::int AS queued FROM again;

-- src/product/webhooks/deliveries/log/store.ts: replayDelivery
WITH own AS (
    SELECT id, NOT d.in_flight AND coalesce(d.replayed_at <= (SELECT clock_timestamp() - interval '1 minute'), true) AS may
    FROM webhook_delivery d WHERE id = $2 AND webhook_id = $1 AND action <> 'test'
    FOR NO KEY UPDATE),
  again AS (UPDATE webhook_delivery d SET status = 'waiting', due_at = clock_timestamp(), tries = 0, replayed_at = clock_timestamp()
    FROM own WHERE d.id = own.id AND own.may RETURNING d.webhook_id),
  -- Who claims takes them up at once.
  woken AS (INSERT INTO webhook_wake (webhook_id) SELECT webhook_id FROM again)
SELECT (SELECT count(*)::int FROM again) AS queued FROM own;

-- src/product/webhooks/disablement/store.ts: claimNotices
WITH due AS (SELECT id FROM webhook WHERE id = $1 AND notice_due_at IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE webhook w SET notice_tries = least(w.notice_tries, 32766::smallint) + 1,
      notice_due_at = clock_timestamp() + make_interval(secs => $2)
    FROM due WHERE w.id = due.id RETURNING w.*)
SELECT c.notice_id, c.id AS webhook_id, c.url, c.disabled_reason AS reason, c.notice_tries AS tries, p.email, p.id AS partner_id,
  (SELECT count(*)::int FROM (
        SELECT FROM webhook_delivery d WHERE d.webhook_id = c.id AND d.due_at IS NOT NULL LIMIT 10000) AS waits) AS waiting
FROM claimed c JOIN partner p ON p.id = c.partner_id;

-- src/product/webhooks/disablement/store.ts: claimNotices
WITH due AS (SELECT id FROM webhook WHERE notice_due_at <= (SELECT clock_timestamp())
      AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'notifyOfDisablement' AND f.subject_id = webhook.id)
    ORDER BY notice_due_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE webhook w SET notice_tries = least(w.notice_tries, 32766::smallint) + 1,
      notice_due_at = clock_timestamp() + make_interval(secs => $2)
    FROM due WHERE w.id = due.id RETURNING w.*)
SELECT c.notice_id, c.id AS webhook_id, c.url, c.disabled_reason AS reason, c.notice_tries AS tries, p.email, p.id AS partner_id,
  (SELECT count(*)::int FROM (
        SELECT FROM webhook_delivery d WHERE d.webhook_id = c.id AND d.due_at IS NOT NULL LIMIT 10000) AS waits) AS waiting
FROM claimed c JOIN partner p ON p.id = c.partner_id;

-- src/product/webhooks/disablement/store.ts: settleNotice
UPDATE webhook SET notice_due_at = clock_timestamp() + $3::float8 * interval '1 millisecond' WHERE id = $1 AND notice_id = $2;

-- src/product/webhooks/disablement/store.ts: skipNotice
UPDATE webhook SET notice_due_at = NULL WHERE id = $1;

-- src/product/webhooks/disablement/store.ts: skipNotices
UPDATE webhook SET notice_due_at = NULL WHERE notice_due_at IS NOT NULL RETURNING true;

-- src/product/webhooks/feed/store.ts: publishEvents
WITH source AS MATERIALIZED (
    SELECT e.id, e.partner_id, e.workshop_id, e.subject_id, e.occurred_at
    FROM unnest($1::uuid[]) AS input (id) CROSS JOIN LATERAL (SELECT * FROM event WHERE id = input.id LIMIT 1) AS e
    WHERE e.payload ? $3::text),
  published AS (
    INSERT INTO partner_event (id, partner_id, workshop_id, action, updated_at)
    SELECT source.id, its.partner_id, source.workshop_id, $2::text, source.occurred_at
    FROM source CROSS JOIN LATERAL (SELECT partner_id FROM booking WHERE customer_id = source.subject_id AND partner_id IS NOT NULL
        UNION SELECT partner_id FROM message WHERE customer_id = source.subject_id AND partner_id IS NOT NULL) AS its ORDER BY source.id,
      its.partner_id
    ON CONFLICT DO NOTHING
    RETURNING id, partner_id, workshop_id),
  queued AS (
    INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, due_at, created_at)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, w.id, published.id, $2::text, 'waiting', clock_timestamp(),
      $4::timestamptz
    FROM published JOIN webhook w ON w.partner_id = published.partner_id AND w.status = 'enabled' AND $2::text = ANY (w.actions)
      AND coalesce(w.workshop_id, published.workshop_id) = published.workshop_id
    RETURNING webhook_id)
INSERT INTO webhook_wake (webhook_id) SELECT DISTINCT webhook_id FROM queued;

-- src/product/webhooks/feed/store.ts: publishEvents
WITH source AS MATERIALIZED (
    SELECT e.id, e.partner_id, e.workshop_id, e.subject_id, e.occurred_at
    FROM unnest($1::uuid[]) AS input (id) CROSS JOIN LATERAL (SELECT * FROM event WHERE id = input.id LIMIT 1) AS e
    WHERE e.payload ? $3::text),
  published AS (
    INSERT INTO partner_event (id, partner_id, workshop_id, action, updated_at)
    SELECT source.id, its.partner_id, source.workshop_id, $2::text, source.occurred_at
    FROM source CROSS JOIN LATERAL (SELECT source.partner_id WHERE source.partner_id IS NOT NULL) AS its ORDER BY source.id, its.partner_id
    ON CONFLICT DO NOTHING
    RETURNING id, partner_id, workshop_id),
  queued AS (
    INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, due_at, created_at)
    SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7'
            FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid, w.id, published.id, $2::text, 'waiting', clock_timestamp(),
      $4::timestamptz
    FROM published JOIN webhook w ON w.partner_id = published.partner_id AND w.status = 'enabled' AND $2::text = ANY (w.actions)
      AND coalesce(w.workshop_id, published.workshop_id) = published.workshop_id
    RETURNING webhook_id)
INSERT INTO webhook_wake (webhook_id) SELECT DISTINCT webhook_id FROM queued;

-- src/product/webhooks/feed/store.ts: rewritePartnerEvents
WITH batch AS (SELECT DISTINCT id FROM (SELECT id FROM partner_event WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
        ORDER BY id LIMIT 1000) AS first),
  rewritten AS (UPDATE partner_event SET changed_in = pg_current_xact_id() FROM batch WHERE partner_event.id = batch.id)
SELECT max(id::text) AS last FROM batch;

-- src/product/webhooks/operator/store.ts: findEndpoint
SELECT w.id AS webhook_id, w.partner_id, p.name AS partner, w.url, w.method, w.actions,
  w.workshop_id, w.description, w.status, w.disabled_reason, w.max_concurrent,
  (SELECT count(*)::int FROM (
        SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL LIMIT 100000) AS waits) AS waiting,
  l.failures, l.failing_since, w.created_at FROM webhook w JOIN partner p ON p.id = w.partner_id JOIN webhook_lane l ON l.webhook_id = w.id
WHERE w.id = $1;

-- src/product/webhooks/operator/store.ts: listEndpoints
SELECT w.id AS webhook_id, w.partner_id, p.name AS partner, w.url, w.method, w.actions,
  w.workshop_id, w.description, w.status, w.disabled_reason, w.max_concurrent,
  (SELECT count(*)::int FROM (
        SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL LIMIT 100000) AS waits) AS waiting,
  l.failures, l.failing_since, w.created_at
FROM (SELECT * FROM webhook WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $2) AS w
JOIN partner p ON p.id = w.partner_id JOIN webhook_lane l ON l.webhook_id = w.id ORDER BY w.id DESC;

-- src/product/webhooks/operator/store.ts: listEndpoints
SELECT w.id AS webhook_id, w.partner_id, p.name AS partner, w.url, w.method, w.actions,
  w.workshop_id, w.description, w.status, w.disabled_reason, w.max_concurrent,
  (SELECT count(*)::int FROM (
        SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL LIMIT 100000) AS waits) AS waiting,
  l.failures, l.failing_since, w.created_at
FROM (SELECT * FROM webhook WHERE partner_id = $3::uuid AND id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY id DESC LIMIT $2) AS w
JOIN partner p ON p.id = w.partner_id JOIN webhook_lane l ON l.webhook_id = w.id ORDER BY w.id DESC;

-- src/product/webhooks/operator/store.ts: listLogged
SELECT d.id AS delivery_id, d.event_id, d.action, d.status, d.attempts,
  to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at
FROM unnest(ARRAY['waiting', 'delivered', 'failed']) AS its (status) CROSS JOIN LATERAL (
    SELECT * FROM webhook_delivery WHERE webhook_id = $1 AND status = its.status
      AND (created_at, id) < (coalesce((SELECT created_at FROM webhook_delivery WHERE id = $2::uuid), 'infinity'),
          coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    ORDER BY created_at DESC, id DESC LIMIT $3) AS d
ORDER BY d.created_at DESC, d.id DESC LIMIT $3;

-- src/product/webhooks/operator/store.ts: setEndpointStatus
WITH changed AS (
    UPDATE webhook SET status = $2, disabled_reason = CASE WHEN $2 = 'disabled' THEN 'operator' END, notice_due_at = NULL,
      updated_at = greatest($3, updated_at + interval '1 millisecond')
    WHERE id = $1 RETURNING id)
UPDATE webhook_lane l SET next_at = clock_timestamp(), version = l.version + 1, failures = 0, failing_since = NULL,
  failed_at = NULL, probe_at = NULL
FROM changed WHERE l.webhook_id = changed.id RETURNING l.webhook_id;

-- src/product/webhooks/store.ts: deleteWebhook
DELETE FROM webhook WHERE id = $1 AND partner_id = $2 RETURNING id;

-- src/product/webhooks/store.ts: findWebhook
SELECT jsonb_build_object('id', w.id, 'url', w.url, 'method', w.method, 'actions', to_jsonb(w.actions),
      'workshopId', w.workshop_id, 'description', w.description, 'status', w.status, 'disabledReason', w.disabled_reason,
      'maxConcurrent', w.max_concurrent, 'createdAt', to_char(w.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updatedAt', to_char(w.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS webhook FROM webhook w WHERE w.id = $1
  AND w.partner_id = $2;

-- src/product/webhooks/store.ts: findWebhook
SELECT jsonb_build_object('id', w.id, 'url', w.url, 'method', w.method, 'actions', to_jsonb(w.actions),
      'workshopId', w.workshop_id, 'description', w.description, 'status', w.status, 'disabledReason', w.disabled_reason,
      'maxConcurrent', w.max_concurrent, 'createdAt', to_char(w.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updatedAt', to_char(w.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS webhook FROM webhook w WHERE w.id = $1
  AND w.partner_id = $2 FOR NO KEY UPDATE;

-- src/product/webhooks/store.ts: holdPartner
SELECT FROM partner WHERE id = $1 FOR NO KEY UPDATE;

-- src/product/webhooks/store.ts: insertWebhook
WITH input AS (
    SELECT 1 AS ordinal, $1::uuid AS partner_id, $2::text AS idempotency_key, $3::uuid AS claim_owner,
      (SELECT count(*) FROM webhook WHERE partner_id = $1::uuid) < $4::integer AS has_room),
  held_claim AS MATERIALIZED (
    SELECT input.ordinal FROM input JOIN idempotency kept ON kept.partner_id = input.partner_id AND kept.key = input.idempotency_key
      AND kept.owner = input.claim_owner AND kept.status IS NULL
    ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept),
  open AS (
    SELECT * FROM input WHERE has_room AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim))),
  made AS (
    INSERT INTO webhook (id, partner_id, workshop_id, url, method, actions, description, created_at, updated_at)
    SELECT $5::uuid, partner_id, $6::uuid, $7::text, $8::text, $9::text[], $10::text,
      $11::timestamptz, $11::timestamptz
    FROM open RETURNING *),
  keyed AS (
    INSERT INTO webhook_secret (webhook_id, id, sealed) SELECT id, $12::uuid, $13::text FROM made),
  -- Whose turn it is in the queue of deliveries.
  its_lane AS (INSERT INTO webhook_lane (webhook_id) SELECT id FROM made),
  snapshot AS (SELECT open.*, jsonb_build_object('id', made.id, 'url', made.url, 'method', made.method, 'actions', to_jsonb(made.actions),
          'workshopId', made.workshop_id, 'description', made.description, 'status', made.status, 'disabledReason', made.disabled_reason,
          'maxConcurrent', made.max_concurrent, 'createdAt', to_char(made.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'updatedAt', to_char(made.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS webhook FROM open CROSS JOIN made),
  finished_claim AS (UPDATE idempotency kept SET status = 201, body = jsonb_build_object('success', true, 'webhook', snapshot.webhook)
    FROM snapshot WHERE kept.partner_id = snapshot.partner_id AND kept.key = snapshot.idempotency_key
      AND kept.owner = snapshot.claim_owner AND kept.status IS NULL)
SELECT input.has_room, snapshot.webhook FROM input LEFT JOIN snapshot ON true;

-- src/product/webhooks/store.ts: listSecrets
SELECT s.id, s.webhook_id, s.sealed
FROM (SELECT $1::uuid AS id) AS w JOIN webhook_secret s ON s.webhook_id = w.id ORDER BY s.webhook_id, s.id;

-- src/product/webhooks/store.ts: listSecrets
SELECT s.id, s.webhook_id, s.sealed
FROM (SELECT id FROM webhook WHERE id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
      AND NOT EXISTS (SELECT FROM failed_work f WHERE f.job = 'resealSecrets' AND f.subject_id = webhook.id) ORDER BY id LIMIT $2) AS w
JOIN webhook_secret s ON s.webhook_id = w.id ORDER BY s.webhook_id, s.id;

-- src/product/webhooks/store.ts: listWebhooks
SELECT w.id, jsonb_build_object('id', w.id, 'url', w.url, 'method', w.method, 'actions', to_jsonb(w.actions),
      'workshopId', w.workshop_id, 'description', w.description, 'status', w.status, 'disabledReason', w.disabled_reason,
      'maxConcurrent', w.max_concurrent, 'createdAt', to_char(w.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updatedAt', to_char(w.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS webhook FROM webhook w
WHERE w.partner_id = $1 AND w.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY w.id DESC LIMIT $3;

-- src/product/webhooks/store.ts: readSealedSecrets
SELECT sealed FROM webhook_secret WHERE webhook_id = $1 AND coalesce(expires_at > (SELECT clock_timestamp()), true) ORDER BY id DESC;

-- src/product/webhooks/store.ts: replaceSealed
UPDATE webhook_secret SET sealed = $4 WHERE webhook_id = $1 AND id = $2 AND sealed = $3 RETURNING id;

-- src/product/webhooks/store.ts: replaceSecret
DELETE FROM webhook_secret WHERE webhook_id = $1 AND (expires_at <= (SELECT clock_timestamp()) OR id IN (
        SELECT id FROM webhook_secret WHERE webhook_id = $1 ORDER BY id DESC OFFSET $2));

-- src/product/webhooks/store.ts: replaceSecret
WITH ending AS (
    UPDATE webhook_secret SET expires_at = clock_timestamp() + make_interval(hours => $4) WHERE webhook_id = $1 AND expires_at IS NULL),
  added AS (INSERT INTO webhook_secret (webhook_id, id, sealed) VALUES ($1, $2, $3)),
  changed AS (
    UPDATE webhook SET updated_at = greatest($5, updated_at + interval '1 millisecond') WHERE id = $1 RETURNING *)
SELECT jsonb_build_object('id', changed.id, 'url', changed.url, 'method', changed.method, 'actions', to_jsonb(changed.actions),
      'workshopId', changed.workshop_id, 'description', changed.description, 'status', changed.status, 'disabledReason',
      changed.disabled_reason,
      'maxConcurrent', changed.max_concurrent, 'createdAt', to_char(changed.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updatedAt', to_char(changed.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS webhook FROM changed;

-- src/product/webhooks/store.ts: writeWebhook
WITH changed AS (
    UPDATE webhook SET url = $2, method = $3, actions = $4, workshop_id = $5, description = $6, status = $7, disabled_reason = $8,
      max_concurrent = $9, notice_due_at = CASE WHEN $7 = 'disabled' THEN notice_due_at END,
      updated_at = greatest($11, updated_at + interval '1 millisecond')
    WHERE id = $1 RETURNING *),
  turned AS (
    UPDATE webhook_lane SET next_at = clock_timestamp(), version = version + 1,
      failures = CASE WHEN $10 THEN 0 ELSE failures END, failing_since = CASE WHEN NOT $10 THEN failing_since END,
      failed_at = CASE WHEN NOT $10 THEN failed_at END, probe_at = CASE WHEN NOT $10 THEN probe_at END
    WHERE webhook_id = $1)
SELECT jsonb_build_object('id', changed.id, 'url', changed.url, 'method', changed.method, 'actions', to_jsonb(changed.actions),
      'workshopId', changed.workshop_id, 'description', changed.description, 'status', changed.status, 'disabledReason',
      changed.disabled_reason,
      'maxConcurrent', changed.max_concurrent, 'createdAt', to_char(changed.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updatedAt', to_char(changed.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS webhook FROM changed;

-- src/product/workshops/access/store.ts: findCountry
SELECT w.country FROM link l JOIN workshop w ON w.id = l.workshop_id WHERE l.partner_id = $1 AND l.workshop_id = $2;

-- src/product/workshops/access/store.ts: listLinkedWorkshops
SELECT w.id, w.name, w.slug, w.country, w.timezone, w.phone, l.active AS partner_integration_enabled,
  w.inbox_messaging_enabled, w.enforce_availability
FROM link l CROSS JOIN LATERAL (SELECT * FROM workshop WHERE id = l.workshop_id LIMIT 1) w
WHERE l.partner_id = $1 AND l.workshop_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
ORDER BY l.workshop_id LIMIT $3;

-- src/product/workshops/access/store.ts: readGate
WITH gate AS (
    SELECT w.id AS workshop_id, l.active AS link_active, p.messaging_enabled AS messaging_feature, p.campaigns_enabled AS campaigns_feature,
      w.inbox_messaging_enabled AS inbox_messaging, w.sms_sender, w.sms_gateways
    FROM link l JOIN workshop w ON w.id = l.workshop_id JOIN partner p ON p.id = l.partner_id
    WHERE l.partner_id = $1::uuid AND l.workshop_id = $2::uuid) SELECT gate.link_active, gate.messaging_feature, gate.campaigns_feature,
  gate.inbox_messaging, gate.sms_sender, gate.sms_gateways FROM gate;

-- src/product/workshops/day-notes/store.ts: purgeDayNotes
DELETE FROM day_note WHERE date < $1::date;

-- src/product/workshops/day-notes/store.ts: readDayNotes
SELECT date::text AS date, text, version, actor, updated_at FROM day_note
WHERE workshop_id = $1 AND date BETWEEN $2::date AND $3::date ORDER BY date;

-- src/product/workshops/day-notes/store.ts: writeDayNote
WITH made AS (
    INSERT INTO day_note (workshop_id, date, text, version, actor, updated_at)
    SELECT $1, $2::date, $3, 1, $5, $6 WHERE $4::integer = 0
    ON CONFLICT (workshop_id, date) DO NOTHING RETURNING version
), changed AS (
    UPDATE day_note SET text = $3, version = version + 1, actor = $5, updated_at = $6
    WHERE workshop_id = $1 AND date = $2::date AND version = $4::integer RETURNING version
)
SELECT version FROM made UNION ALL SELECT version FROM changed;

-- src/product/workshops/links/store.ts: listLinks
WITH given AS (SELECT $4::uuid, $5::uuid)
SELECT l.partner_id, p.name AS partner, l.workshop_id, w.name AS workshop, l.active, l.created_at
FROM (SELECT * FROM link l WHERE (l.partner_id, l.workshop_id) > ($1::uuid, $2::uuid) AND l.partner_id = $4::uuid
      AND l.workshop_id = $5::uuid AND l.partner_id >= $1::uuid ORDER BY l.partner_id, l.workshop_id LIMIT $3) AS l
CROSS JOIN LATERAL (SELECT name FROM partner WHERE id = l.partner_id LIMIT 1) AS p
CROSS JOIN LATERAL (SELECT name FROM workshop WHERE id = l.workshop_id LIMIT 1) AS w ORDER BY l.partner_id, l.workshop_id;

-- src/product/workshops/links/store.ts: listLinks
WITH given AS (SELECT $4::uuid, $5::uuid)
SELECT l.partner_id, p.name AS partner, l.workshop_id, w.name AS workshop, l.active, l.created_at
FROM (SELECT * FROM link l WHERE (l.partner_id, l.workshop_id) > ($1::uuid, $2::uuid) AND l.partner_id = $4::uuid ORDER BY l.partner_id,
      l.workshop_id LIMIT $3) AS l
CROSS JOIN LATERAL (SELECT name FROM partner WHERE id = l.partner_id LIMIT 1) AS p
CROSS JOIN LATERAL (SELECT name FROM workshop WHERE id = l.workshop_id LIMIT 1) AS w ORDER BY l.partner_id, l.workshop_id;

-- src/product/workshops/links/store.ts: listLinks
WITH given AS (SELECT $4::uuid, $5::uuid)
SELECT l.partner_id, p.name AS partner, l.workshop_id, w.name AS workshop, l.active, l.created_at
FROM (SELECT * FROM link l WHERE (l.partner_id, l.workshop_id) > ($1::uuid, $2::uuid) AND l.workshop_id = $5::uuid
      AND l.partner_id >= $1::uuid ORDER BY l.partner_id, l.workshop_id LIMIT $3) AS l
CROSS JOIN LATERAL (SELECT name FROM partner WHERE id = l.partner_id LIMIT 1) AS p
CROSS JOIN LATERAL (SELECT name FROM workshop WHERE id = l.workshop_id LIMIT 1) AS w ORDER BY l.partner_id, l.workshop_id;

-- src/product/workshops/links/store.ts: listLinks
WITH given AS (SELECT $4::uuid, $5::uuid)
SELECT l.partner_id, p.name AS partner, l.workshop_id, w.name AS workshop, l.active, l.created_at
FROM (SELECT * FROM link l WHERE (l.partner_id, l.workshop_id) > ($1::uuid, $2::uuid) ORDER BY l.partner_id, l.workshop_id LIMIT $3) AS l
CROSS JOIN LATERAL (SELECT name FROM partner WHERE id = l.partner_id LIMIT 1) AS p
CROSS JOIN LATERAL (SELECT name FROM workshop WHERE id = l.workshop_id LIMIT 1) AS w ORDER BY l.partner_id, l.workshop_id;

-- src/product/workshops/logo/store.ts: findLogo
SELECT content FROM workshop_logo WHERE digest = $2 AND kind = $1 LIMIT 1;

-- src/product/workshops/logo/store.ts: readStoredLogo
SELECT kind, content FROM workshop_logo WHERE workshop_id = $1;

-- src/product/workshops/logo/store.ts: replaceLogo
DELETE FROM workshop_logo WHERE workshop_id = $1;

-- src/product/workshops/logo/store.ts: replaceLogo
INSERT INTO workshop_logo (workshop_id, digest, kind, width, height, content, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workshop_id) DO UPDATE SET digest = excluded.digest, kind = excluded.kind, width = excluded.width,
  height = excluded.height, content = excluded.content, updated_at = excluded.updated_at;

-- src/product/workshops/queues/store.ts: judgeQuietAnew
WITH entry AS (
    UPDATE queued_message e SET due_at = clock_timestamp()
    FROM send_queue q
    WHERE ($1::uuid IS NULL OR q.workshop_id = $1) AND (e.workshop_id, e.channel, e.class) = (q.workshop_id, q.channel, q.class)
      AND e.quiet_from IS NOT NULL AND e.attempt_id IS NULL AND NOT e.in_flight
      AND e.due_at > (SELECT clock_timestamp()) AND e.due_at < 'infinity'
    RETURNING e.workshop_id, e.channel, e.class)
INSERT INTO send_wake (workshop_id, channel, class, due_at)
SELECT DISTINCT workshop_id, channel, class, clock_timestamp() FROM entry;

-- src/product/workshops/queues/store.ts: wakeQueuesOf
INSERT INTO send_wake (workshop_id, channel, class, due_at)
SELECT workshop_id, channel, class, clock_timestamp() FROM send_queue WHERE workshop_id = $1;

-- src/product/workshops/second-factor/store.ts: readRequirement
SELECT second_factor_required AS required FROM workshop WHERE id = $1;

-- src/product/workshops/second-factor/store.ts: setRequirement
UPDATE workshop SET second_factor_required = $2 WHERE id = $1 AND second_factor_required <> $2 RETURNING true;

-- src/product/workshops/senders/registered/store.ts: deleteRegistered
DELETE FROM sms_name_registered WHERE workshop_id = $1 AND gateway = $2;

-- src/product/workshops/senders/registered/store.ts: listRegistered
SELECT workshop_id, gateway, name FROM sms_name_registered WHERE workshop_id = $1 ORDER BY gateway;

-- src/product/workshops/senders/registered/store.ts: putRegistered
INSERT INTO sms_name_registered (workshop_id, gateway, name, said_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (workshop_id, gateway) DO UPDATE SET name = excluded.name, said_at = excluded.said_at;

-- src/product/workshops/senders/store.ts: findSenders
SELECT jsonb_build_object('smsSender', w.sms_sender, 'smsGateways', to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS senders
FROM workshop w WHERE w.id = $1;

-- src/product/workshops/senders/store.ts: sendersAfter
SELECT w.id AS workshop_id, w.slug, w.phone, w.country,
  jsonb_build_object('smsSender', w.sms_sender, 'smsGateways', to_jsonb(w.sms_gateways),
      'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = w.id)) AS senders,
  ARRAY(SELECT said.gateway FROM sms_name_registered said
    WHERE said.workshop_id = w.id AND lower(said.name) = lower(w.sms_sender)) AS registered_with
FROM workshop w WHERE w.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY w.id LIMIT $2;

-- src/product/workshops/sms-accounts/store.ts: deleteSmsAccount
DELETE FROM sms_account WHERE workshop_id = $1 AND gateway = $2;

-- src/product/workshops/sms-accounts/store.ts: listSmsAccounts
SELECT workshop_id, gateway, account FROM sms_account ORDER BY workshop_id, gateway;

-- src/product/workshops/sms-accounts/store.ts: putSmsAccount
INSERT INTO sms_account (workshop_id, gateway, account) VALUES ($1, $2, $3)
ON CONFLICT (workshop_id, gateway) DO UPDATE SET account = excluded.account;

-- src/product/workshops/store.ts: countNotifyPhones
SELECT count(DISTINCT told.phone)::int AS count
FROM workshop w CROSS JOIN LATERAL unnest(coalesce(w.notify_phones, ARRAY[w.phone])) AS told (phone)
WHERE w.id = $1 AND told.phone <> '';

-- src/product/workshops/store.ts: findWorkshop
SELECT id AS workshop_id, name, slug, country, timezone, phone, email, address, notify_phones, notify_emails, sms_sender, sms_gateways,
  inbox_messaging_enabled, inbox_notices, colour,
  (workshop.booking_page AND coalesce(workshop.plain_page, false)) AS plain_page, created_at, updated_at FROM workshop WHERE id = $1;

-- src/product/workshops/store.ts: findWorkshopBySlug
SELECT id AS workshop_id, name, slug, country, timezone, phone, email, address, notify_phones, notify_emails, sms_sender, sms_gateways,
  inbox_messaging_enabled, inbox_notices, colour,
  (workshop.booking_page AND coalesce(workshop.plain_page, false)) AS plain_page, created_at, updated_at FROM workshop WHERE slug = $1;

-- src/product/workshops/store.ts: holdUpPlaces
SELECT pg_advisory_xact_lock(hashtextextended('places of ' || $1::uuid, 0));

-- src/product/workshops/store.ts: insertWorkshop
INSERT INTO workshop (id, name, slug, country, timezone, phone, email, address, notify_phones, notify_emails, sms_sender, sms_gateways,
      inbox_messaging_enabled, inbox_notices, colour, created_at, updated_at)
VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text[], $10::text[], $11::text, $12::text[],
      $13::boolean, $14::text, $15::text, $16::timestamptz, $16::timestamptz)
ON CONFLICT (slug) DO NOTHING
RETURNING id;

-- src/product/workshops/store.ts: listSlugsLike
SELECT slug FROM workshop WHERE slug = $1 OR starts_with(slug, $1 || '-');

-- src/product/workshops/store.ts: listWorkshops
SELECT id AS workshop_id, name, slug, country, timezone, phone, email, address, notify_phones, notify_emails, sms_sender, sms_gateways,
  inbox_messaging_enabled, inbox_notices, colour,
  (workshop.booking_page AND coalesce(workshop.plain_page, false)) AS plain_page, created_at, updated_at,
  ARRAY(SELECT l.partner_id::text FROM link l WHERE l.workshop_id = workshop.id AND l.active
    ORDER BY l.created_at, l.partner_id) AS partner_ids
FROM workshop WHERE workshop.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY id LIMIT $2;

-- src/product/workshops/store.ts: listWorkshops
SELECT id AS workshop_id, name, slug, country, timezone, phone, email, address, notify_phones, notify_emails, sms_sender, sms_gateways,
  inbox_messaging_enabled, inbox_notices, colour,
  (workshop.booking_page AND coalesce(workshop.plain_page, false)) AS plain_page, created_at, updated_at,
  ARRAY(SELECT l.partner_id::text FROM link l WHERE l.workshop_id = workshop.id AND l.active
    ORDER BY l.created_at, l.partner_id) AS partner_ids
FROM workshop WHERE workshop.id IN (SELECT workshop_id FROM link WHERE partner_id = $3
      AND workshop_id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY workshop_id LIMIT $2) ORDER BY id LIMIT $2;

-- src/product/workshops/store.ts: lockWorkshop
SELECT id AS workshop_id, name, slug, country, timezone, phone, email, address, notify_phones, notify_emails, sms_sender, sms_gateways,
  inbox_messaging_enabled, inbox_notices, colour,
  (workshop.booking_page AND coalesce(workshop.plain_page, false)) AS plain_page, created_at, updated_at FROM workshop
WHERE id = $1 FOR NO KEY UPDATE;

-- src/product/workshops/store.ts: switchLinkOff
UPDATE link SET active = false WHERE partner_id = $1 AND workshop_id = $2 RETURNING active;

-- src/product/workshops/store.ts: updateWorkshop
UPDATE workshop SET name = $1::text, slug = $2::text, country = $3::text, timezone = $4::text, phone = $5::text, email = $6::text,
  address = $7::text, notify_phones = $8::text[], notify_emails = $9::text[], sms_sender = $10::text, sms_gateways = $11::text[],
  inbox_messaging_enabled = $12::boolean, inbox_notices = $13::text, colour = $14::text,
  updated_at = $15::timestamptz, setup_version = setup_version + (timezone <> $4::text)::integer
WHERE id = $16::uuid;

-- src/product/workshops/store.ts: upsertLink
INSERT INTO link (partner_id, workshop_id, active, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (partner_id, workshop_id) DO UPDATE SET active = excluded.active;

-- src/product/workshops/store.ts: workshopName
SELECT name FROM workshop WHERE id = $1;

-- src/product/workshops/zone-data/store.ts: usedZones
SELECT timezone, workshops, workshop_id,
  (SELECT array_agg(extract(epoch FROM (at AT TIME ZONE timezone) - (at AT TIME ZONE 'UTC'))::int ORDER BY at)
    FROM unnest($1::timestamptz[]) AS at) AS offsets
FROM (SELECT timezone, count(*)::int AS workshops, (array_agg(id ORDER BY id))[1] AS workshop_id
    FROM workshop GROUP BY timezone) AS used
WHERE lower(timezone) IN (SELECT lower(name) FROM pg_timezone_names) AND ($2::text[] IS NULL OR timezone = ANY($2))
ORDER BY timezone;

-- src/warm-up/store.ts: hasWaiting
SELECT EXISTS (SELECT FROM event WHERE relayed_at IS NULL) OR EXISTS (SELECT FROM queued_message)
  OR EXISTS (SELECT FROM held_event) AS waits;

-- src/warm-up/warm-up.ts: warmUp
SELECT set_config('statement_timeout', '1500', true), set_config('lock_timeout', '200', true);
