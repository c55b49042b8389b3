-- A shared desk: several people's sessions on one browser, of which one is in use; PINs by which they switch; when a session asks again; where else it
-- was used; and changes of an e-mail address, which are confirmed at both.
SET LOCAL lock_timeout = '10s';

ALTER TABLE session
  -- The browser that it began in: all open sessions of one are a desk. Null: a release before began it.
  ADD COLUMN browser_sha256 bytea,
  -- Null: it is in use. Else somebody else is at the browser, no token leads to it, and its person's PIN brings it back.
  ADD COLUMN put_aside_at timestamptz,
  -- When a PIN brought it back for the last time: it is no fresh sign-in any more.
  ADD COLUMN switched_at timestamptz,
  -- Wrong PINs in a row, counted before they are judged.
  ADD COLUMN pin_tries smallint NOT NULL DEFAULT 0,
  -- The last network other than that of the sign-in: /24 or /64.
  ADD COLUMN used_network text,
  ADD COLUMN used_network_at timestamptz;
CREATE INDEX session_browser ON session (browser_sha256) WHERE ended_at IS NULL;
-- At most one of a desk is in use.
CREATE UNIQUE INDEX session_desk ON session (browser_sha256) WHERE ended_at IS NULL AND put_aside_at IS NULL;

-- What people switch by at a desk. An argon2id hash, sealed under the installation's key: a million PINs are soon tried.
CREATE TABLE person_pin (
  person_id uuid PRIMARY KEY REFERENCES person ON DELETE CASCADE,
  sealed text NOT NULL,
  -- The workshop whose owner printed the code of the session in which it was set.
  vouched_by uuid REFERENCES workshop,
  set_at timestamptz NOT NULL
);

-- What a workshop asks of the sessions of its people.
CREATE TABLE desk_rule (
  workshop_id uuid PRIMARY KEY REFERENCES workshop,
  -- Minutes without use after which a session asks again who is there; null: never.
  ask_again_minutes smallint CHECK (ask_again_minutes BETWEEN 1 AND 240),
  version integer NOT NULL DEFAULT 1
);

-- Changes of an e-mail address that wait for both codes. Unlogged, as the codes are.
CREATE UNLOGGED TABLE email_change (
  person_id uuid PRIMARY KEY REFERENCES person ON DELETE CASCADE,
  -- The new one, as it was typed.
  email text NOT NULL,
  present_code_id uuid NOT NULL,
  new_code_id uuid NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX email_change_old ON email_change (expires_at);

ALTER TABLE account_email DROP CONSTRAINT account_email_kind_check;
ALTER TABLE account_email ADD CONSTRAINT account_email_kind_check
  CHECK (kind IN ('signInCode', 'signInChange', 'invitation', 'emailChangeCode', 'emailChanged'));
