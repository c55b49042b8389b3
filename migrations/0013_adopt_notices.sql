-- Notices that are settled become messages. Those that something is still to be done for need a text, and are adopted by the running
-- program, with the jobs and dead letters that stand for them (src/adoption/). `notification`, `answer_notice` and the
-- tables of the job queue go with a later release: processes of the one before still write to them while they are replaced.

-- When an id was made: its first 48 bits are the machine's time in milliseconds.
CREATE FUNCTION made_at(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;

-- The least id of those that were made at that time.
CREATE FUNCTION first_id(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- How far old messages have been forgotten, by what is kept for the same time.
CREATE TABLE retention (
  name      text PRIMARY KEY,
  purged_to uuid NOT NULL
);

-- What was being sent inside a request is swept like all others, should its process be gone.
INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient, created_at)
SELECT m.id, m.workshop_id, 'sms', NULL, a.started_at + interval '20 seconds', a.id, true, 1, m.recipient, a.started_at
  FROM message_attempt a JOIN message m ON m.attempt_id = a.id
 WHERE a.state = 'sending' AND m.kind = 'partnerMessage'
ON CONFLICT (message_id) DO NOTHING;

DO $adopt$
BEGIN
  -- A new installation never had them.
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN RETURN; END IF;

  CREATE TEMPORARY TABLE open_notice ON COMMIT DROP AS
    SELECT (payload->>'notificationId')::uuid AS id FROM graphile_worker._private_jobs WHERE payload->>'notificationId' IS NOT NULL
    UNION SELECT (payload->>'answerNoticeId')::uuid FROM graphile_worker._private_jobs WHERE payload->>'answerNoticeId' IS NOT NULL
    UNION SELECT (payload->>'notificationId')::uuid FROM dead_letter WHERE payload ? 'notificationId'
    UNION SELECT (payload->>'answerNoticeId')::uuid FROM dead_letter WHERE payload ? 'answerNoticeId';

  -- Whom an SMS went to: who the booking was for, at the time where that is still known.
  CREATE TEMPORARY TABLE told_customer ON COMMIT DROP AS
    SELECT n.id, n.workshop_id, coalesce(c.id, b.customer_id) AS customer_id
      FROM notification n JOIN booking b ON b.id = n.booking_id LEFT JOIN event e ON e.id = n.event_id
      LEFT JOIN customer c ON c.workshop_id = n.workshop_id AND c.id = (e.payload->'booking'->>'customerId')::uuid
     WHERE n.audience = 'customer';
  INSERT INTO conversation (id, workshop_id, customer_id, created_at)
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
           substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid, t.workshop_id, t.customer_id, clock_timestamp()
    FROM (SELECT DISTINCT t.workshop_id, t.customer_id FROM told_customer t JOIN notification n ON n.id = t.id WHERE n.channel = 'sms') AS t
  ON CONFLICT (workshop_id, customer_id) DO NOTHING;

  WITH moved AS (
    DELETE FROM notification WHERE id NOT IN (SELECT id FROM open_notice) AND state NOT IN ('pending', 'sending') RETURNING *),
  stored AS (
    -- Their texts were never kept.
    INSERT INTO message (id, workshop_id, conversation_id, customer_id, booking_id, direction, channel, kind, audience, cause_id, recipient,
      subject, body, encoding, segments, series_id, series_number, state, reason, detail, attempt_id, attempts, despite_opt_out,
      created_at, updated_at, handed_over_at)
    SELECT n.id, n.workshop_id, CASE n.channel WHEN 'sms' THEN v.id END, t.customer_id, n.booking_id, 'outbound', n.channel, 'bookingNotice',
           n.audience, n.event_id, CASE n.recipient WHEN 'erased' THEN '' ELSE n.recipient END,
           CASE n.channel WHEN 'email' THEN '' END, '', CASE n.channel WHEN 'sms' THEN 'gsm7' END,
           CASE n.channel WHEN 'sms' THEN coalesce(n.segments, 1) END, n.booking_id, coalesce(e.version, 1), n.state, n.reason, n.detail,
           n.attempt_id, n.attempts, n.despite_opt_out, n.created_at, n.updated_at,
           CASE WHEN n.state <> 'failed' THEN made_at(n.attempt_id) END
      FROM moved n LEFT JOIN told_customer t ON t.id = n.id LEFT JOIN event e ON e.id = n.event_id
      LEFT JOIN conversation v ON v.workshop_id = t.workshop_id AND v.customer_id = t.customer_id
    ON CONFLICT DO NOTHING)
  INSERT INTO message_attempt (id, message_id, number, gateway, gateway_id, state, reason, detail, repeats_unknown, started_at, finished_at,
    business_started_at, business_finished_at)
  SELECT attempt_id, id, greatest(attempts, 1), coalesce(gateway, ''), gateway_id, state, reason, detail, repeats_unknown,
         made_at(attempt_id), made_at(attempt_id), updated_at, updated_at
    FROM moved WHERE attempt_id IS NOT NULL
  ON CONFLICT DO NOTHING;

  WITH moved AS (
    DELETE FROM answer_notice WHERE id NOT IN (SELECT id FROM open_notice) AND state NOT IN ('pending', 'sending') RETURNING *),
  stored AS (
    INSERT INTO message (id, workshop_id, direction, channel, kind, audience, cause_id, recipient, subject, body, encoding, segments, state,
      reason, detail, attempt_id, attempts, created_at, updated_at, handed_over_at)
    SELECT id, workshop_id, 'outbound', channel, 'inboxDigest', 'workshop', round, recipient, CASE channel WHEN 'email' THEN '' END, '',
           CASE channel WHEN 'sms' THEN 'gsm7' END, CASE channel WHEN 'sms' THEN coalesce(segments, 1) END, state, reason, detail,
           attempt_id, attempts, created_at, updated_at, CASE WHEN state <> 'failed' THEN made_at(attempt_id) END
      FROM moved
    ON CONFLICT DO NOTHING)
  INSERT INTO message_attempt (id, message_id, number, gateway, gateway_id, state, reason, detail, repeats_unknown, started_at, finished_at,
    business_started_at, business_finished_at)
  SELECT attempt_id, id, greatest(attempts, 1), coalesce(gateway, ''), gateway_id, state, reason, detail, repeats_unknown,
         made_at(attempt_id), made_at(attempt_id), updated_at, updated_at
    FROM moved WHERE attempt_id IS NOT NULL
  ON CONFLICT DO NOTHING;
END
$adopt$;

-- Whose STOP it is: when an SMS was last handed over to each customer.
UPDATE conversation SET last_sent_at = latest.at
  FROM (SELECT conversation_id, max(made_at(attempt_id)) AS at FROM message
         WHERE conversation_id IS NOT NULL AND direction = 'outbound' AND attempt_id IS NOT NULL AND state <> 'failed' GROUP BY 1) AS latest
 WHERE conversation.id = latest.conversation_id;
UPDATE message SET handed_over_at = made_at(attempt_id)
 WHERE direction = 'outbound' AND attempt_id IS NOT NULL AND state <> 'failed' AND handed_over_at IS NULL;

-- Whose answer it is: the partner's that sent the conversation's last message before it.
UPDATE message SET partner_id = (
    SELECT m.partner_id FROM message m
     WHERE m.conversation_id = message.conversation_id AND m.kind = 'partnerMessage' AND m.state <> 'failed' AND m.id < message.id
     ORDER BY m.id DESC LIMIT 1)
 WHERE kind = 'inbound';
