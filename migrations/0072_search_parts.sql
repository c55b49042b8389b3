-- Parts of words are found by an index whose keys are of one workshop: a search reads the terms of its workshop with these parts, however
-- many other workshops there are. No extension is needed.

-- Each three consecutive characters of a term, with the workshop, as a number; null where there are fewer. Not in SQL, as a function that
-- cannot be written into its caller's plan takes five times as long.
CREATE FUNCTION search_parts(workshop uuid, term text) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  seed bigint := uuid_hash_extended(workshop, 0);
  parts bigint[];
BEGIN
  FOR at IN 1 .. length(term) - 2 LOOP
    parts[at] := hashtextextended(substr(term, at, 3), seed);
  END LOOP;
  RETURN parts;
END $$;

-- A short list of what waits: every search reads all of it. IS TRUE: so that the same condition in a search does not fit the primary key.
CREATE INDEX search_term_parts ON search_term USING gin (search_parts(workshop_id, term)) WITH (gin_pending_list_limit = 256)
  WHERE (kind IN ('name', 'rego', 'email')) IS TRUE AND length(term) >= 3;
