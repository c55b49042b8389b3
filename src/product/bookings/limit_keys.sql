-- Edition 1.
-- Services and categories are counted apart: a partner's own word for a category may be the id of a service.
-- In TypeScript: src/product/availability/wish.ts.
CREATE OR REPLACE FUNCTION limit_keys(services uuid[], categories text[], limited uuid[]) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT CASE WHEN service = ANY (limited) THEN 'service ' || service ELSE 'category ' || category END), '{}')
    FROM unnest(services, categories) AS item (service, category)
$$;
