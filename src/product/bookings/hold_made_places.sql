-- Edition 1.
-- A trigger of the statement has no condition: where nothing is enforced this is all that it costs.
CREATE OR REPLACE FUNCTION hold_made_places() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  places booking[] := (SELECT array_agg(made::booking) FROM made WHERE held_to IS NOT NULL AND occupied_from IS NOT NULL);
BEGIN
  IF places IS NOT NULL THEN
    PERFORM hold_places(places, NULL);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER booking_place_made AFTER INSERT ON booking REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION hold_made_places();
