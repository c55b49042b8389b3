-- Templates have versions: each change of a text makes one, and a message says which of them it was rendered from.
SET LOCAL lock_timeout = '10s';

ALTER TABLE template ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE TABLE template_version (
  template_id uuid NOT NULL REFERENCES template (id),
  number integer NOT NULL,
  name text NOT NULL,
  subject text,
  body text NOT NULL,
  placeholders text[] NOT NULL,
  requires_booking boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (template_id, number)
);

-- A workshop's names differ, whatever their case. Of templates that have one name by now all but the oldest get a number.
DO $$
DECLARE
  twin record;
  suffix integer;
BEGIN
  FOR twin IN
    SELECT id, workshop_id, name FROM (
      SELECT *, row_number() OVER (PARTITION BY workshop_id, lower(name) ORDER BY created_at, id) AS place FROM template) AS placed
     WHERE place > 1 ORDER BY created_at, id
  LOOP
    suffix := 2;
    WHILE EXISTS (SELECT FROM template WHERE workshop_id = twin.workshop_id AND lower(name) = lower(twin.name || ' (' || suffix || ')')) LOOP
      suffix := suffix + 1;
    END LOOP;
    UPDATE template SET name = twin.name || ' (' || suffix || ')' WHERE id = twin.id;
  END LOOP;
END $$;
-- The name first: an index that began like the one of message's foreign key could be taken for its checks.
CREATE UNIQUE INDEX template_name ON template (lower(name), workshop_id);

INSERT INTO template_version (template_id, number, name, subject, body, placeholders, requires_booking, created_at)
SELECT id, version, name, subject, body, placeholders, requires_booking, created_at FROM template;

-- By a trigger, so that also the release before, while its processes are replaced, creates no template without its version.
CREATE FUNCTION keep_template_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO template_version (template_id, number, name, subject, body, placeholders, requires_booking, created_at)
  VALUES (NEW.id, NEW.version, NEW.name, NEW.subject, NEW.body, NEW.placeholders, NEW.requires_booking, NEW.updated_at);
  RETURN NULL;
END $$;
CREATE TRIGGER template_created AFTER INSERT ON template FOR EACH ROW EXECUTE FUNCTION keep_template_version();
CREATE TRIGGER template_changed AFTER UPDATE OF version ON template FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION keep_template_version();

-- Null with a template: of the release before, when there was one version.
ALTER TABLE message ADD COLUMN template_version integer;

-- The partner report counts a year of bookings in an index-only scan, and messages by when they were made. That of messages has no column
-- that changes: their updates would no longer be HOT. Its predicates keep other statements away from them, whose plans were made on empty tables.
CREATE INDEX booking_report ON booking (partner_id, created_at) INCLUDE (workshop_id, status)
  WHERE partner_id IS NOT NULL AND created_at IS NOT NULL;
CREATE INDEX message_report ON message (partner_id, created_at) WHERE partner_id IS NOT NULL AND created_at IS NOT NULL;
CREATE INDEX quote_report ON quote (partner_id, created_at) INCLUDE (workshop_id, status) WHERE created_at IS NOT NULL;
CREATE INDEX service_reminder_report ON service_reminder (partner_id, sent_at) INCLUDE (workshop_id, status) WHERE sent_at IS NOT NULL;
