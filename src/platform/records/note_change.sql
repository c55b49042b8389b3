-- Edition 1.
-- Notes in which transaction a row was changed, by which lists of changes are ordered.
-- In TypeScript: src/platform/records/record.ts.
CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;
