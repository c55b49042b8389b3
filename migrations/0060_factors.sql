-- Second factors of people: passkeys, an authenticator app, recovery codes; and that a workshop requires one. Times by the machine's clock.
SET LOCAL lock_timeout = '10s';

CREATE TABLE passkey (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  -- As the authenticator names it, in base64url.
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- Of signatures; authenticators that count none say 0.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  -- The host that it was made for: browsers use it there alone.
  host text NOT NULL,
  name text NOT NULL,
  -- The workshop whose owner printed the code of the session in which it was made.
  vouched_by uuid REFERENCES workshop,
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX passkey_person ON passkey (person_id, id);

-- One authenticator app a person.
CREATE TABLE totp (
  person_id uuid PRIMARY KEY REFERENCES person ON DELETE CASCADE,
  seed_sealed text NOT NULL,
  -- The last step of 30 seconds whose code was accepted: no code of it, or of one before, is accepted again.
  last_step bigint NOT NULL,
  vouched_by uuid REFERENCES workshop,
  created_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE TABLE recovery_code (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  code_sha256 bytea NOT NULL,
  PRIMARY KEY (person_id, code_sha256)
);

-- Challenges that passkeys sign, one of a browser or session. Unlogged: no backup and no WAL has them.
CREATE UNLOGGED TABLE passkey_challenge (
  -- `browser <hash>`: for a sign-in. `session <id>`: for a passkey that is added.
  held_by text PRIMARY KEY,
  challenge text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_old ON passkey_challenge (expires_at);

-- Sign-ins whose code was right, and whose second factor is still asked for. They sign nobody in.
CREATE UNLOGGED TABLE half_sign_in (
  browser_sha256 bytea PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  vouched_by uuid REFERENCES workshop,
  expires_at timestamptz NOT NULL
);
CREATE INDEX half_sign_in_person ON half_sign_in (person_id);
CREATE INDEX half_sign_in_old ON half_sign_in (expires_at);

-- How it began: `code`, `code totp`, `code recoveryCode`, `passkey`, `address`; null: by a release before this one.
ALTER TABLE session ADD COLUMN signed_in_by text;

-- All people of the workshop need a second factor.
ALTER TABLE workshop ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false;

-- What was changed about somebody's sign-in is mailed to them.
ALTER TABLE account_email ADD COLUMN what text, DROP CONSTRAINT account_email_kind_check,
  ADD CONSTRAINT account_email_kind_check CHECK (kind IN ('signInCode', 'invitation', 'signInChange'));
