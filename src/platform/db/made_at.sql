-- Edition 1.
-- When an id was made: its first 48 bits are the machine's time in milliseconds.
-- In TypeScript: src/base/values/id.ts.
CREATE OR REPLACE FUNCTION made_at(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;
