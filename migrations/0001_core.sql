-- The core: partners and their sign-ins, workshops and their people, bookings, the inbox, notices, and what carries them.
--
-- Times called *_at on domain rows are the business clock's (a parameter of each statement); those that say "machine
-- clock" are the database's own. Every row below a workshop names its workshop, and composite foreign keys keep a
-- row from pointing into another workshop.

CREATE TABLE business_clock (
  single          boolean PRIMARY KEY DEFAULT true CHECK (single),
  advance_seconds bigint NOT NULL DEFAULT 0 CHECK (advance_seconds >= 0)
);
INSERT INTO business_clock DEFAULT VALUES;

-- Partners ----------------------------------------------------------------------------------------------------------

CREATE TABLE partner (
  id                uuid PRIMARY KEY,
  name              text NOT NULL,
  status            text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  messaging_enabled boolean NOT NULL DEFAULT true,
  is_demo           boolean NOT NULL DEFAULT false,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL
);

CREATE TABLE app_key (
  id          text PRIMARY KEY,
  partner_id  uuid NOT NULL REFERENCES partner,
  secret_hash text NOT NULL,
  created_at  timestamptz NOT NULL
);
CREATE INDEX app_key_partner ON app_key (partner_id);

-- One sign-in is one exchange of an app key; its tokens live and die with it.
CREATE TABLE sign_in (
  id         uuid PRIMARY KEY,
  partner_id uuid NOT NULL REFERENCES partner,
  app_key_id text NOT NULL REFERENCES app_key ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX sign_in_app_key ON sign_in (app_key_id);
CREATE INDEX sign_in_partner ON sign_in (partner_id);

CREATE TABLE access_token (
  hash         bytea PRIMARY KEY,
  sign_in_id   uuid NOT NULL REFERENCES sign_in ON DELETE CASCADE,
  number       integer NOT NULL,
  expires_at   timestamptz NOT NULL,
  exchanged_at timestamptz,
  UNIQUE (sign_in_id, number)
);

CREATE TABLE refresh_token (
  hash         bytea PRIMARY KEY,
  sign_in_id   uuid NOT NULL REFERENCES sign_in ON DELETE CASCADE,
  expires_at   timestamptz NOT NULL,
  exchanged_at timestamptz
);
CREATE INDEX refresh_token_sign_in ON refresh_token (sign_in_id);
CREATE INDEX refresh_token_expiry ON refresh_token (expires_at);

-- Which pair was exchanged when, and how many further pairs that one pair was given.
CREATE TABLE token_exchange (
  access_hash  bytea NOT NULL REFERENCES access_token ON DELETE CASCADE,
  refresh_hash bytea NOT NULL REFERENCES refresh_token ON DELETE CASCADE,
  first_at     timestamptz NOT NULL,
  repeats      integer NOT NULL DEFAULT 0,
  PRIMARY KEY (access_hash, refresh_hash)
);
CREATE INDEX token_exchange_refresh ON token_exchange (refresh_hash);

-- Sign-ins under way or failed in the last minute, by partner and address (a hash of both). Machine clock.
CREATE UNLOGGED TABLE sign_in_attempt (
  source   bytea PRIMARY KEY,
  attempts timestamptz[] NOT NULL
);

-- Workshops ---------------------------------------------------------------------------------------------------------

CREATE TABLE workshop (
  id                      uuid PRIMARY KEY,
  name                    text NOT NULL,
  slug                    text NOT NULL UNIQUE,
  country                 text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  timezone                text NOT NULL,
  phone                   text NOT NULL,
  email                   text NOT NULL,
  notify_phones           text[],
  notify_emails           text[],
  sms_sender              text,
  opening_hours           jsonb,
  inbox_messaging_enabled boolean NOT NULL DEFAULT true,
  enforce_availability    boolean NOT NULL DEFAULT false,
  created_at              timestamptz NOT NULL,
  updated_at              timestamptz NOT NULL
);

CREATE TABLE link (
  partner_id  uuid NOT NULL REFERENCES partner,
  workshop_id uuid NOT NULL REFERENCES workshop,
  active      boolean NOT NULL DEFAULT true,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (partner_id, workshop_id)
);
CREATE INDEX link_workshop ON link (workshop_id);

-- Customers and cars ------------------------------------------------------------------------------------------------

CREATE TABLE customer (
  id           uuid PRIMARY KEY,
  workshop_id  uuid NOT NULL REFERENCES workshop,
  name         text NOT NULL,
  first_name   text,
  last_name    text,
  email        text,
  phone        text,
  company      text,
  address      text,
  postcode     text,
  suburb       text,
  opted_out_at timestamptz,
  erased_at    timestamptz,
  -- The partners whose details the row holds, besides the workshop's own: no other partner is told them.
  details_from uuid[] NOT NULL DEFAULT '{}',
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  UNIQUE (workshop_id, id),
  UNIQUE (workshop_id, phone)
);

CREATE TABLE car (
  id          uuid PRIMARY KEY,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  rego        text NOT NULL,
  year        integer,
  make        text,
  model       text,
  badge       text,
  vin         text,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id),
  UNIQUE (customer_id, rego),
  UNIQUE (workshop_id, customer_id, id)
);

-- Bookings ----------------------------------------------------------------------------------------------------------

CREATE TABLE booking (
  id                   uuid PRIMARY KEY,
  code                 text NOT NULL CONSTRAINT booking_code UNIQUE,
  partner_id           uuid NOT NULL,
  workshop_id          uuid NOT NULL,
  customer_id          uuid NOT NULL,
  car_id               uuid NOT NULL,
  external_id          text,
  status               text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'confirmed', 'completed', 'cancelled')),
  date                 timestamptz NOT NULL,
  pickup_time          timestamptz,
  service_category     text,
  service_package_type text,
  services             jsonb NOT NULL DEFAULT '[]',
  -- Contact details as this partner sent them: another partner's booking never changes them.
  contact_name         text NOT NULL,
  contact_first_name   text,
  contact_last_name    text,
  contact_email        text NOT NULL,
  contact_phone        text NOT NULL,
  contact_company      text,
  notes                text,
  "interval"           integer,
  job_notes            text[] NOT NULL DEFAULT '{}',
  product_notes        text[] NOT NULL DEFAULT '{}',
  tyre_quantities      integer,
  cancel_reason        text,
  version              integer NOT NULL DEFAULT 1,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  FOREIGN KEY (partner_id, workshop_id) REFERENCES link (partner_id, workshop_id),
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id),
  FOREIGN KEY (workshop_id, customer_id, car_id) REFERENCES car (workshop_id, customer_id, id)
);
CREATE INDEX booking_partner ON booking (partner_id, created_at, id);
CREATE INDEX booking_customer ON booking (customer_id);
CREATE INDEX booking_car ON booking (car_id);

-- What happened -----------------------------------------------------------------------------------------------------

CREATE TABLE event (
  id          uuid PRIMARY KEY,
  kind        text NOT NULL,
  partner_id  uuid REFERENCES partner,
  workshop_id uuid NOT NULL REFERENCES workshop,
  subject_id  uuid NOT NULL,
  version     integer NOT NULL,
  payload     jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  relayed_at  timestamptz
);
CREATE INDEX event_waiting ON event (id) WHERE relayed_at IS NULL;
CREATE INDEX event_relayed ON event (relayed_at) WHERE relayed_at IS NOT NULL;
CREATE INDEX event_subject ON event (subject_id);

-- Results of requests that carried an Idempotency-Key.
CREATE TABLE idempotency (
  partner_id   uuid NOT NULL REFERENCES partner,
  key          text NOT NULL,
  fingerprint  bytea NOT NULL,
  owner        uuid NOT NULL,
  leased_until timestamptz NOT NULL, -- machine clock
  status       integer,
  body         jsonb,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (partner_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- The inbox ---------------------------------------------------------------------------------------------------------

CREATE TABLE template (
  id               uuid PRIMARY KEY,
  workshop_id      uuid NOT NULL REFERENCES workshop,
  purpose          text NOT NULL DEFAULT 'inbox',
  name             text NOT NULL,
  subject          text,
  body             text NOT NULL,
  placeholders     text[] NOT NULL DEFAULT '{}',
  requires_booking boolean NOT NULL DEFAULT false,
  status           text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published')),
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  UNIQUE (workshop_id, id)
);
CREATE INDEX template_published ON template (workshop_id, purpose, id) WHERE status = 'published';
-- A notice has one text at a time.
CREATE UNIQUE INDEX template_notice ON template (workshop_id, purpose) WHERE status = 'published' AND purpose <> 'inbox';

CREATE TABLE conversation (
  id          uuid PRIMARY KEY,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id),
  UNIQUE (workshop_id, customer_id),
  UNIQUE (workshop_id, id)
);

CREATE TABLE message (
  id              uuid PRIMARY KEY,
  workshop_id     uuid NOT NULL,
  conversation_id uuid NOT NULL,
  customer_id     uuid NOT NULL,
  partner_id      uuid REFERENCES partner,
  booking_id      uuid REFERENCES booking,
  template_id     uuid,
  direction       text NOT NULL CHECK (direction IN ('inbound', 'outbound')),
  recipient       text NOT NULL,
  body            text NOT NULL,
  encoding        text NOT NULL CHECK (encoding IN ('gsm7', 'ucs2')),
  segments        integer NOT NULL,
  reference_id    text,
  state           text NOT NULL CHECK (state IN ('sending', 'accepted', 'failed', 'unknown', 'delivered', 'undelivered', 'expired', 'received')),
  reason          text,
  detail          text,
  attempt_id      uuid, -- the attempt that `state` speaks of
  attempts        integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  FOREIGN KEY (workshop_id, conversation_id) REFERENCES conversation (workshop_id, id),
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id),
  FOREIGN KEY (workshop_id, template_id) REFERENCES template (workshop_id, id)
);
CREATE UNIQUE INDEX message_reference ON message (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL;
CREATE INDEX message_conversation ON message (conversation_id, id);
CREATE INDEX message_customer ON message (customer_id);

CREATE TABLE message_attempt (
  id              uuid PRIMARY KEY, -- our reference at the gateway
  message_id      uuid NOT NULL REFERENCES message ON DELETE CASCADE,
  number          integer NOT NULL,
  gateway         text NOT NULL,
  gateway_id      text,
  state           text NOT NULL CHECK (state IN ('sending', 'accepted', 'failed', 'unknown', 'delivered', 'undelivered', 'expired')),
  reason          text,
  detail          text,
  repeats_unknown boolean NOT NULL DEFAULT false, -- sent again although the attempt before it may have arrived
  started_at      timestamptz NOT NULL,           -- machine clock
  asked_at        timestamptz,                    -- machine clock: when it was taken over, to ask the gateway about it
  finished_at     timestamptz,                    -- machine clock
  UNIQUE (message_id, number)
);
CREATE INDEX message_attempt_sending ON message_attempt (started_at) WHERE state = 'sending';

-- The last five requests that passed, per workshop and person (their phone). Machine clock.
CREATE UNLOGGED TABLE message_rate (
  workshop_id uuid NOT NULL,
  person      text NOT NULL,
  passed      timestamptz[] NOT NULL,
  PRIMARY KEY (workshop_id, person)
);

-- Notices of bookings, and what became of each ----------------------------------------------------------------------

CREATE TABLE notification (
  id          uuid PRIMARY KEY,
  event_id    uuid NOT NULL,
  workshop_id uuid NOT NULL REFERENCES workshop,
  booking_id  uuid NOT NULL REFERENCES booking,
  audience    text NOT NULL CHECK (audience IN ('customer', 'workshop')),
  channel     text NOT NULL CHECK (channel IN ('sms', 'email')),
  recipient   text NOT NULL,
  state       text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sending', 'accepted', 'failed', 'unknown', 'delivered', 'undelivered', 'expired')),
  reason      text,
  detail      text,
  gateway     text,
  gateway_id  text,
  attempt_id  uuid, -- our reference at the gateway
  attempts    integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  UNIQUE (event_id, audience, channel, recipient)
);
CREATE INDEX notification_attempt ON notification (attempt_id);
CREATE INDEX notification_booking ON notification (booking_id);

-- Background work ---------------------------------------------------------------------------------------------------

CREATE TABLE worker (
  id         text PRIMARY KEY,
  started_at timestamptz NOT NULL, -- machine clock
  seen_at    timestamptz NOT NULL  -- machine clock
);

CREATE TABLE dead_letter (
  id         uuid PRIMARY KEY,
  job        text NOT NULL,
  payload    jsonb NOT NULL,
  reason     text NOT NULL,
  detail     text,
  attempts   integer NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (job, payload) -- payloads hold ids only
);

-- The sandbox -------------------------------------------------------------------------------------------------------

CREATE TABLE sandbox_message (
  id          uuid PRIMARY KEY,
  reference   uuid NOT NULL,
  message_id  uuid NOT NULL,
  channel     text NOT NULL CHECK (channel IN ('sms', 'email')),
  outcome     text NOT NULL CHECK (outcome IN ('accepted', 'refused')),
  recipient   text NOT NULL,
  sender      text NOT NULL,
  subject     text,
  body        text NOT NULL,
  html        text,
  calendar    text,
  report      text, -- the delivery report that is still to come
  created_at  timestamptz NOT NULL,
  UNIQUE (reference, recipient)
);
CREATE INDEX sandbox_message_message ON sandbox_message (message_id);
CREATE INDEX sandbox_message_recipient ON sandbox_message (recipient, id);
CREATE INDEX sandbox_message_report ON sandbox_message (created_at) WHERE report IS NOT NULL;
