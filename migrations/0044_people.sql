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
  browser text NOT NULL
);
CREATE INDEX session_person ON session (person_id, id);
CREATE INDEX session_used ON session (used_at);

-- The first answer to a form that may be sent again: a double click, the back button, a reload. Written in the commit of what the form does.
CREATE TABLE form_key (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  key text NOT NULL,
  location text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, key)
);
CREATE INDEX form_key_old ON form_key (created_at);
