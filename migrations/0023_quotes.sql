-- Quotes: a customer asks through a partner, the workshop prices, the customer accepts or declines.
SET LOCAL lock_timeout = '10s';

CREATE TABLE quote (
  id                 uuid PRIMARY KEY,
  code               text NOT NULL CONSTRAINT quote_code UNIQUE, -- of the customer's page
  partner_id         uuid NOT NULL,
  workshop_id        uuid NOT NULL,
  customer_id        uuid NOT NULL,
  car_id             uuid NOT NULL,
  booking_id         uuid REFERENCES booking,                    -- what accepting it made
  external_id        text,
  status             text NOT NULL CHECK (status IN ('requested', 'quoted', 'accepted', 'declined', 'expired')),
  contact_name       text NOT NULL,
  contact_first_name text,
  contact_last_name  text,
  contact_email      text NOT NULL,
  contact_phone      text NOT NULL,
  contact_company    text,
  car_year           integer,
  car_make           text,
  car_model          text,
  car_badge          text,
  car_vin            text,
  services           jsonb NOT NULL,
  service_minutes    integer[] NOT NULL,                         -- of each of them, by the catalogue of then
  notes              text,
  lines              jsonb NOT NULL DEFAULT '[]',                -- what the workshop offers; empty until it is priced
  total              numeric(9,2) CHECK (total >= 0),
  message            text,                                       -- of the workshop, to the customer
  valid_until        timestamptz,                                -- business time
  url                text,                                       -- of the page, as it was sent last
  version            integer NOT NULL,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  changed_in         xid8 NOT NULL DEFAULT pg_current_xact_id(), -- the transaction of the last write, for the feed
  FOREIGN KEY (partner_id, workshop_id) REFERENCES link (partner_id, workshop_id),
  FOREIGN KEY (workshop_id, customer_id, car_id) REFERENCES car (workshop_id, customer_id, id),
  CONSTRAINT quote_priced CHECK (num_nonnulls(total, valid_until) IN (0, 2) AND (total IS NOT NULL OR status IN ('requested', 'declined'))),
  CONSTRAINT quote_booked CHECK ((booking_id IS NOT NULL) = (status = 'accepted'))
);
CREATE TRIGGER quote_change BEFORE UPDATE ON quote FOR EACH ROW EXECUTE FUNCTION note_change();

-- A partner's list, all of it or by status, newest first; the same at one workshop; its reference; the feed; as bookings have them.
CREATE INDEX quote_status ON quote (partner_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX quote_workshop_status ON quote (workshop_id, partner_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX quote_external ON quote (partner_id, external_id, id) WHERE external_id IS NOT NULL;
CREATE INDEX quote_feed ON quote (partner_id, changed_in, id) WHERE changed_in IS NOT NULL;
-- The workshop's own list; what ends by itself; what an erasure and a car that changes hands look for.
CREATE INDEX quote_workshop ON quote (workshop_id, id);
CREATE INDEX quote_expiry ON quote (valid_until) WHERE status = 'quoted';
CREATE INDEX quote_customer ON quote (customer_id);
CREATE INDEX quote_car ON quote (car_id);
CREATE INDEX quote_booking ON quote (booking_id) WHERE booking_id IS NOT NULL;
