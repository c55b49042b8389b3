-- Edition 1.
-- The function is in src/platform/records/note_change.sql.
CREATE OR REPLACE TRIGGER service_reminder_change BEFORE UPDATE ON service_reminder FOR EACH ROW EXECUTE FUNCTION note_change();
