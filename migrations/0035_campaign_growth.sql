-- Campaigns that grow: counts of blasts that are kept with each change of a recipient, and runs that are deleted by when they ended.
--
-- Locks: recipients are not written while those of blasts from before are counted, once: a second or two for ten million.
SET LOCAL lock_timeout = '10s';

-- How many recipients of a blast are in each state: the sum of its rows. A transaction writes to a row that no other one holds, so
-- outcomes of one blast do not wait for each other. A row alone says nothing: its numbers may be negative.
CREATE TABLE blast_count (
  blast_id  uuid NOT NULL REFERENCES blast (id) ON DELETE CASCADE,
  part      integer NOT NULL, -- the server's process that made it; a negative number where that one's row was taken
  waiting   integer NOT NULL,
  queued    integer NOT NULL,
  sent      integer NOT NULL,
  delivered integer NOT NULL,
  failed    integer NOT NULL,
  unknown   integer NOT NULL,
  skipped   integer NOT NULL,
  PRIMARY KEY (blast_id, part)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Adds to the counts of a blast: to the row of this connection, which is made as long as there are few; else to any that is free.
CREATE FUNCTION count_recipients(delta blast_count) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;

CREATE FUNCTION blast_recipient_counted() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
CREATE TRIGGER blast_recipient_added AFTER INSERT ON blast_recipient REFERENCING NEW TABLE AS now_there
  FOR EACH STATEMENT EXECUTE FUNCTION blast_recipient_counted();
CREATE TRIGGER blast_recipient_changed AFTER UPDATE ON blast_recipient REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there
  FOR EACH STATEMENT EXECUTE FUNCTION blast_recipient_counted();

INSERT INTO blast_count
SELECT r.blast_id, 0, count(*) FILTER (WHERE r.state = 'waiting'), count(*) FILTER (WHERE r.state = 'queued'),
       count(*) FILTER (WHERE r.state = 'sent'), count(*) FILTER (WHERE r.state = 'delivered'), count(*) FILTER (WHERE r.state = 'failed'),
       count(*) FILTER (WHERE r.state = 'unknown'), count(*) FILTER (WHERE r.state = 'skipped')
  FROM blast_recipient r JOIN blast b ON b.id = r.blast_id WHERE b.counts IS NULL GROUP BY r.blast_id;

-- Business clock. Null: it has not ended, or ended under the release before.
ALTER TABLE automation_run ADD COLUMN ended_at timestamptz;
DROP INDEX automation_run_old;
CREATE INDEX automation_run_old ON automation_run (coalesce(ended_at, greatest(created_at, due_at, sent_at)))
  WHERE reference_id IS NULL AND status NOT IN ('scheduled', 'queued');

CREATE OR REPLACE FUNCTION campaign_message_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  became text := CASE
    WHEN NEW.state = 'accepted' THEN 'sent'
    WHEN NEW.state IN ('delivered', 'unknown') THEN NEW.state
    WHEN NEW.state = 'sending' OR NEW.state = 'failed' AND EXISTS (SELECT FROM queued_message WHERE message_id = NEW.id) THEN 'queued'
    WHEN NEW.reason IN ('optedOut', 'erased', 'cancelled') THEN 'skipped'
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
END $$;
