-- An event says what its change changed: the fields before and after it. Null: it made its subject, or a release before this one recorded it.
ALTER TABLE event ADD COLUMN before jsonb, ADD COLUMN after jsonb;

-- Who did what, for the workshop's people and the operator. Entries are only added; erasure and retention alone change them.
CREATE TABLE audit_entry (
  -- Of an event: the event's own. Its time is when it happened, by the machine's clock.
  id uuid PRIMARY KEY,
  -- By the business clock.
  occurred_at timestamptz NOT NULL,
  workshop_id uuid,
  -- Whom it concerns; where a partner did it, that partner.
  partner_id uuid,
  -- As in an event: `person <id>`, an app key, `operator`.
  actor text NOT NULL,
  request_id text,
  subject_kind text NOT NULL,
  subject_id uuid,
  action text NOT NULL,
  before jsonb,
  after jsonb,
  -- Of the subject, after it; null where it has none.
  version integer
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
CREATE INDEX audit_entry_subject ON audit_entry (subject_id, id);
CREATE INDEX audit_entry_workshop ON audit_entry (workshop_id, id);
CREATE INDEX audit_entry_person ON audit_entry (actor, id) WHERE actor LIKE 'person %';
