-- Edition 1.
-- Counts what a statement has changed of the recipients of blasts, once for each blast.
CREATE OR REPLACE FUNCTION blast_recipient_counted() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER blast_recipient_added AFTER INSERT ON blast_recipient REFERENCING NEW TABLE AS now_there
  FOR EACH STATEMENT EXECUTE FUNCTION blast_recipient_counted();

CREATE OR REPLACE TRIGGER blast_recipient_changed AFTER UPDATE ON blast_recipient REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there
  FOR EACH STATEMENT EXECUTE FUNCTION blast_recipient_counted();
