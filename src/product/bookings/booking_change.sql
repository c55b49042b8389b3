-- Edition 1.
-- The function is in src/platform/records/note_change.sql.
CREATE OR REPLACE TRIGGER booking_change BEFORE UPDATE ON booking FOR EACH ROW EXECUTE FUNCTION note_change();
