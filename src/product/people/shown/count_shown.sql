-- Edition 1.
-- Counts these customers as shown to the person, unless that makes more than `at_most` within an hour: then none of them is counted.
-- `reset_ms`: until so many have expired that these may be shown. Requests that count anybody new come one after the other, so that many at
-- once see what each has counted. By the indexes, also where a plan was made while there were few rows.
-- In TypeScript: src/product/people/shown/store.ts.
CREATE OR REPLACE FUNCTION count_shown(
  to_person uuid, at_workshop uuid, customers uuid[], at_most integer, OUT is_let_in boolean, OUT reset_ms double precision
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
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
END $$;
