-- Edition 1.
-- The least id of those that were made at that time.
-- In TypeScript: src/base/values/id.ts.
CREATE OR REPLACE FUNCTION first_id(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
