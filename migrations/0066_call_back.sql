-- What staff say of a call that nobody took: that they have called back. The workshop's own record, apart from the partner's call.
SET LOCAL lock_timeout = '10s';

-- A call without a row waits.
CREATE TABLE call_back (
  call_lead_id uuid PRIMARY KEY REFERENCES call_lead ON DELETE CASCADE,
  state        text NOT NULL CHECK (state IN ('waiting', 'called')),
  version      integer NOT NULL,
  note         text,
  actor        text NOT NULL,
  at           timestamptz NOT NULL
);

-- Whether a later call of a number came; the index before it began alike.
CREATE INDEX call_lead_caller_called ON call_lead (caller_phone, workshop_id, called_at, id);
DROP INDEX call_lead_caller;

-- A workshop's reminders of one status, by when they are due.
CREATE INDEX service_reminder_workshop_due ON service_reminder (workshop_id, status, due_at, id);
