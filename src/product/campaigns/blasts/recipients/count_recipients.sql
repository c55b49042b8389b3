-- Edition 1.
-- Adds to the counts of a blast: to the row of this connection, which is made as long as there are few; else to any that is free.
-- In TypeScript: src/product/campaigns/blasts/store.ts.
CREATE OR REPLACE FUNCTION count_recipients(delta blast_count) RETURNS void LANGUAGE plpgsql AS $$
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
