-- What staff find customers by as they type: terms of their own, filled after the commit of what changes a customer, so that a creation
-- writes no more than before.

-- A customer as the terms have them. Whoever writes a customer's terms holds this row first.
CREATE TABLE search_customer (
  customer_id  uuid PRIMARY KEY,
  workshop_id  uuid NOT NULL,
  ahead_at     timestamptz, -- business clock: the last booking that is pending or confirmed, past or not
  recent_at    timestamptz NOT NULL, -- business clock: the last booking that is not cancelled; without one, when the customer came
  mark         bigint NOT NULL -- of the rows that the terms were read from: another mark, and they have changed since
);
-- In the order in which they are shown: of a common name, most who have it are never looked at.
CREATE INDEX search_customer_ahead ON search_customer (workshop_id, ahead_at) WHERE ahead_at IS NOT NULL;
CREATE INDEX search_customer_recent ON search_customer (workshop_id, recent_at);

-- Names, registrations, phones, codes, in one form: small letters and digits. Compared byte by byte, so that a beginning is a range.
CREATE TABLE search_term (
  workshop_id uuid NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('name', 'rego', 'code', 'phone', 'phoneEnd', 'email')),
  term        text COLLATE "C" NOT NULL,
  customer_id uuid NOT NULL,
  PRIMARY KEY (workshop_id, kind, term, customer_id)
);
CREATE INDEX search_term_customer ON search_term (customer_id);

-- Customers whose terms are to be read anew.
CREATE TABLE search_due (
  customer_id uuid NOT NULL,
  id          uuid NOT NULL,
  PRIMARY KEY (customer_id, id)
);

-- How far the look over all customers has come, which finds what no event told of, and those that were there before this table.
CREATE TABLE search_sweep (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  after      uuid, -- the last customer that was looked at; null: it begins
  is_filled  boolean NOT NULL DEFAULT false -- it has come to the end once
);
INSERT INTO search_sweep DEFAULT VALUES;

-- Parts of words are found by trigrams, where the extension is there or this role may create it. Without it words are found by their
-- beginnings. Returns whether parts are found; may be called again at any time.
CREATE FUNCTION make_search_parts() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  place text;
BEGIN
  IF to_regclass('search_term_part') IS NOT NULL THEN
    RETURN true;
  END IF;
  BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXCEPTION WHEN OTHERS THEN
    -- Not allowed, or not among the server's files.
    RETURN false;
  END;
  SELECT n.nspname INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  -- A short list of what waits: every search reads all of it.
  EXECUTE format(
    'CREATE INDEX search_term_part ON search_term USING gin ((ARRAY[workshop_id]), term %I.gin_trgm_ops)
       WITH (gin_pending_list_limit = 256) WHERE kind IN (''name'', ''rego'', ''email'')', place);
  RETURN true;
END $$;
SELECT make_search_parts();
