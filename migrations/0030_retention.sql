-- What the hourly deletion of reminders and quotes looks for.
SET LOCAL lock_timeout = '10s';

CREATE INDEX service_reminder_old ON service_reminder (updated_at) WHERE status <> 'scheduled';
CREATE INDEX quote_old ON quote (updated_at) WHERE status IN ('requested', 'declined', 'expired');
