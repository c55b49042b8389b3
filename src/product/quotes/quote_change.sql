-- Edition 1.
-- The function is in src/platform/records/note_change.sql.
CREATE OR REPLACE TRIGGER quote_change BEFORE UPDATE ON quote FOR EACH ROW EXECUTE FUNCTION note_change();
