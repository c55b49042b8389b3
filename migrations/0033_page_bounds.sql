-- What visitors of pages can set off is bounded by the hour.
SET LOCAL lock_timeout = '10s';

-- What pages have set off within the hour (machine clock): changes of an address, messages to a phone or an e-mail address, SMS of a workshop. Old rows are deleted.
CREATE TABLE page_use (
  kind text NOT NULL CHECK (kind IN ('address', 'addressAtWorkshop', 'phone', 'email', 'workshop')),
  -- A digest of the address or phone; of a workshop its id.
  subject text NOT NULL,
  uses timestamptz[] NOT NULL,
  -- Of a workshop: when something was last withheld, as its ceiling was reached.
  over_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX page_use_old ON page_use (expires_at);

-- Of an event that a page set off: the notices that are not sent (`customer sms`), as a ceiling was reached; null: of any other event.
ALTER TABLE event ADD COLUMN page_withholds text[];

-- Whether a page set the run off: then it counts under the ceilings of pages when it is due.
ALTER TABLE automation_run ADD COLUMN by_page boolean NOT NULL DEFAULT false;
