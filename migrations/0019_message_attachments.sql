-- What customers send beside the text of an SMS: pictures. Its bytes come with the callback, or are fetched from the provider
-- afterwards; what is not kept is a row without bytes that says why.
CREATE TABLE message_attachment (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  workshop_id uuid NOT NULL,
  ordinal integer NOT NULL,
  gateway text NOT NULL,
  content_type text NOT NULL,
  size_bytes integer,
  content bytea,
  state text NOT NULL CHECK (state IN ('waiting', 'stored', 'refused', 'failed')),
  reason text,
  source_url text,
  attempts integer NOT NULL DEFAULT 0,
  -- Machine time: when it is fetched next, or when the lease of whoever fetches it ends.
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE (message_id, ordinal),
  CONSTRAINT message_attachment_stored CHECK ((state = 'stored') = (content IS NOT NULL)),
  CONSTRAINT message_attachment_waiting CHECK ((state = 'waiting') = (due_at IS NOT NULL) AND (state <> 'waiting' OR source_url IS NOT NULL))
);
-- Pictures are compressed already.
ALTER TABLE message_attachment ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX message_attachment_due ON message_attachment (due_at) WHERE state = 'waiting';

-- What came beside an SMS that matches no workshop yet.
ALTER TABLE unplaced_sms ADD COLUMN attachments jsonb NOT NULL DEFAULT '[]';
