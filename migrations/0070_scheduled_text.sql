-- Texts of a workshop's people that go later. A row is here while its text waits: the commit that queues the text, or says in the talk why it
-- did not go, deletes it.
SET LOCAL lock_timeout = '10s';

CREATE TABLE scheduled_text (
  id          uuid PRIMARY KEY,
  workshop_id uuid NOT NULL REFERENCES workshop (id),
  customer_id uuid NOT NULL REFERENCES customer (id),
  -- Who wrote it, and in whose name it goes. No foreign key: whoever is removed meanwhile is named by the text that did not go.
  person_id   uuid NOT NULL,
  body        text NOT NULL,
  -- The newest message of the talk that its writer had seen; null: there was none.
  seen        uuid,
  -- Business time.
  due_at      timestamptz NOT NULL,
  created_at  timestamptz NOT NULL
);
CREATE INDEX scheduled_text_due ON scheduled_text (due_at);
CREATE INDEX scheduled_text_customer ON scheduled_text (customer_id);
-- How many wait of a workshop, and of a person.
CREATE INDEX scheduled_text_workshop ON scheduled_text (workshop_id);
CREATE INDEX scheduled_text_person ON scheduled_text (person_id);
