-- Edition 2.
-- What became of a text, for whoever works through the inbox. A customer who opted out can't be answered, and one who was erased neither, so
-- nothing is left to do; but to a question that was there before, a text that was called off is no answer.
-- In TypeScript: src/product/messaging/inbox/desk/talk-sql.ts.
-- Beside the previous release: src/product/messaging/inbound/marks/marks.test.ts.
CREATE OR REPLACE FUNCTION text_fate(state text, reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN state IN ('undelivered', 'expired') THEN 'failed'
    WHEN state = 'failed' AND reason IN ('erased', 'cancelled') THEN 'called off'
    WHEN state = 'failed' AND reason IN ('optedOut', 'mayHaveOptedOut') THEN 'fine'
    WHEN state = 'failed' THEN 'failed'
    WHEN state = 'unknown' THEN 'unknown'
    ELSE 'fine' END
$$;
