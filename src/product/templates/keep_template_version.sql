-- Edition 1.
-- By a trigger, so that also the previous release, while its processes are replaced, creates no template without its version.
-- In TypeScript: src/product/templates/store.ts.
CREATE OR REPLACE FUNCTION keep_template_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO template_version (template_id, number, name, subject, body, placeholders, requires_booking, created_at)
  VALUES (NEW.id, NEW.version, NEW.name, NEW.subject, NEW.body, NEW.placeholders, NEW.requires_booking, NEW.updated_at);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER template_created AFTER INSERT ON template FOR EACH ROW EXECUTE FUNCTION keep_template_version();

CREATE OR REPLACE TRIGGER template_changed AFTER UPDATE OF version ON template FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION keep_template_version();
