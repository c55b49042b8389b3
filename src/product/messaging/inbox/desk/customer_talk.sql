-- Edition 1.
-- Two customers turn out to be one, or one is erased.
CREATE OR REPLACE TRIGGER customer_talk AFTER UPDATE OF merged_into, erased_at ON customer FOR EACH ROW
  WHEN (OLD.merged_into IS DISTINCT FROM NEW.merged_into OR OLD.erased_at IS DISTINCT FROM NEW.erased_at)
  EXECUTE FUNCTION customer_talk_changed();
