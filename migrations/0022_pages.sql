-- Pages that customers open: links to book and to manage a booking, and what bounds wrong guesses at their codes.
SET LOCAL lock_timeout = '10s';

-- Attempts that fail, or may still fail: sign-ins, and codes that people type or guess. `source` is a digest of what is counted.
-- It takes over from sign_in_attempt, which processes of the release before this one still use.
CREATE UNLOGGED TABLE attempt (
  source     bytea PRIMARY KEY,
  attempts   timestamptz[] NOT NULL,
  -- When the last of them leaves the window.
  expires_at timestamptz NOT NULL
);

-- A sealed link to the booking page names the version of its time; revoking the links counts it up.
ALTER TABLE link ADD COLUMN booking_page_version integer NOT NULL DEFAULT 0;

-- The short link with which a customer manages a booking: /b/{code}. Made when the first notice, or the page, shows it.
CREATE TABLE manage_link (
  code       text PRIMARY KEY,
  booking_id uuid NOT NULL UNIQUE REFERENCES booking ON DELETE CASCADE
);
