-- People who sign in to the console, what they may do where, their sessions, and the keys of forms they have sent.
CREATE TABLE person (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  is_operator boolean NOT NULL DEFAULT false,
  -- How long a change can be taken back by Undo.
  undo_seconds smallint NOT NULL DEFAULT 10 CHECK (undo_seconds IN (10, 60)),
  -- Whether keys without a modifier act, such as / for the search box.
  single_keys boolean NOT NULL DEFAULT true,
  last_workshop_id uuid REFERENCES workshop,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX person_email ON person (lower(email));

CREATE TABLE membership (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  workshop_id uuid NOT NULL REFERENCES workshop,
  role text NOT NULL CHECK (role IN ('owner', 'adviser', 'technician', 'viewer')),
  may_text boolean NOT NULL,
  sees_phones boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, workshop_id)
);
CREATE INDEX membership_workshop ON membership (workshop_id, person_id);

CREATE TABLE developer (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  partner_id uuid NOT NULL REFERENCES partner,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, partner_id)
);
CREATE INDEX developer_partner ON developer (partner_id, person_id);

-- All times by the machine's clock. What is ended stays for its list, and goes 30 days later.
CREATE TABLE session (
  id uuid PRIMARY KEY,
  token_sha256 bytea NOT NULL UNIQUE,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  signed_in_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- /24 or /64.
  network text NOT NULL,
  browser text NOT NULL,
  -- The workshop whose owner printed the code that it began with: it ends once the person gets a place elsewhere too.
  vouched_by uuid REFERENCES workshop
);
CREATE INDEX session_person ON session (person_id, id);
CREATE INDEX session_used ON session (used_at);
CREATE INDEX session_signed_in ON session (signed_in_at);
CREATE INDEX session_ended ON session (ended_at) WHERE ended_at IS NOT NULL;

-- Browsers in which somebody has signed in: others can't use up the codes that these may ask for.
CREATE TABLE known_browser (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  browser_sha256 bytea NOT NULL,
  signed_in_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, browser_sha256)
);
CREATE INDEX known_browser_old ON known_browser (signed_in_at);

-- Codes to sign in with, of addresses that somebody has and of those that nobody has alike. Unlogged: no backup and no WAL has them.
CREATE UNLOGGED TABLE sign_in_code (
  id uuid PRIMARY KEY,
  -- In lower case.
  email text NOT NULL,
  code_hmac bytea NOT NULL,
  -- Until it is handed over to the mail server.
  code_sealed text,
  -- Null: it was printed, and holds in any browser.
  browser_sha256 bytea,
  tries smallint NOT NULL DEFAULT 0,
  -- The workshop whose owner printed it.
  vouched_by uuid REFERENCES workshop,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX sign_in_code_browser ON sign_in_code (browser_sha256) WHERE browser_sha256 IS NOT NULL;
CREATE UNIQUE INDEX sign_in_code_printed ON sign_in_code (email) WHERE browser_sha256 IS NULL;
CREATE INDEX sign_in_code_old ON sign_in_code (expires_at);

-- E-mails to people about their sign-in that are still to be handed over. They stand in no outbox, and in no backup.
CREATE TABLE account_email (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('signInCode', 'invitation')),
  email text NOT NULL,
  -- Of a code: its id.
  code_id uuid,
  -- Of an invitation: where to; neither for an operator.
  workshop_id uuid REFERENCES workshop,
  partner_id uuid REFERENCES partner,
  due_at timestamptz NOT NULL,
  tries smallint NOT NULL DEFAULT 0
);
CREATE INDEX account_email_due ON account_email (due_at);

-- Addresses that sign the demo's owner in, once.
CREATE UNLOGGED TABLE sign_in_address (
  token_sha256 bytea PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);

-- What was sent with the cookie of a session that had ended, until that person has signed in again.
CREATE UNLOGGED TABLE kept_form (
  session_id uuid PRIMARY KEY REFERENCES session ON DELETE CASCADE,
  sealed text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX kept_form_old ON kept_form (expires_at);

-- The first answer to a form that may be sent again: a double click, the back button, a reload. Written in the commit of what the form does.
CREATE TABLE form_key (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  key text NOT NULL,
  location text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, key)
);
CREATE INDEX form_key_old ON form_key (created_at);
