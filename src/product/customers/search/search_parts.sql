-- Edition 1.
-- Each three consecutive characters of a term, with the workshop, as a number; null where there are fewer. Not in SQL, as a function that
-- cannot be written into its caller's plan takes five times as long.
-- In TypeScript: src/product/customers/search/found/store.ts.
CREATE OR REPLACE FUNCTION search_parts(workshop uuid, term text) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  seed bigint := uuid_hash_extended(workshop, 0);
  parts bigint[];
BEGIN
  FOR at IN 1 .. length(term) - 2 LOOP
    parts[at] := hashtextextended(substr(term, at, 3), seed);
  END LOOP;
  RETURN parts;
END $$;
