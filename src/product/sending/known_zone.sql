-- Edition 1.
-- The zone, or UTC where the server does not know it. For statements about many workshops: the zone of one fails nobody else's.
-- In TypeScript: src/product/sending/quiet.ts.
CREATE OR REPLACE FUNCTION known_zone(zone text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM timestamptz 'epoch' AT TIME ZONE zone;
  RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END $$;
