-- Edition 1.
-- A booking that is moved, or needs something else, takes its place anew.
CREATE OR REPLACE FUNCTION hold_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_places(ARRAY[NEW], OLD);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER booking_place_changed AFTER UPDATE OF occupied_from, occupied_until, counted_services, counted_categories ON booking
  FOR EACH ROW WHEN (NEW.held_to IS NOT NULL AND NEW.occupied_from IS NOT NULL AND (OLD.occupied_from, OLD.occupied_until, OLD.counted_services, OLD.counted_categories)
    IS DISTINCT FROM (NEW.occupied_from, NEW.occupied_until, NEW.counted_services, NEW.counted_categories))
  EXECUTE FUNCTION hold_place();
