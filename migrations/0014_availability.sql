-- What a workshop offers and when: its settings, custom days and catalogue; and what each booking occupies.
--
-- Locks: workshop and booking are neither read nor written while this runs, which reads each booking three times: some
-- seconds for 1,000,000. What can't have its lock within ten seconds gives up and changes nothing.
SET LOCAL lock_timeout = '10s';

-- opening_hours is there from the beginning, and was never written: null says that hours were never set.
ALTER TABLE workshop
  ADD COLUMN slot_minutes        integer NOT NULL DEFAULT 30 CHECK (slot_minutes BETWEEN 5 AND 1440),
  ADD COLUMN bays                integer NOT NULL DEFAULT 1 CHECK (bays BETWEEN 0 AND 1000),
  ADD COLUMN lead_time_minutes   integer NOT NULL DEFAULT 0 CHECK (lead_time_minutes >= 0),
  ADD COLUMN horizon_days        integer NOT NULL DEFAULT 365 CHECK (horizon_days >= 0),
  ADD COLUMN booking_page        boolean NOT NULL DEFAULT true,
  ADD COLUMN customer_may_change boolean NOT NULL DEFAULT true,
  ADD COLUMN colour              text,
  ADD COLUMN reminder_months     integer CHECK (reminder_months > 0),
  ADD COLUMN pickup_times        jsonb NOT NULL DEFAULT '{}',
  -- Counts what changes slots or limits, so that what was made of an older state is known.
  ADD COLUMN setup_version       integer NOT NULL DEFAULT 0;

-- A date that differs from its weekday. Null bays are the workshop's, null pickup times the weekday's.
CREATE TABLE custom_day (
  workshop_id  uuid NOT NULL REFERENCES workshop (id),
  day          date NOT NULL,
  hours        jsonb NOT NULL,
  bays         integer CHECK (bays BETWEEN 0 AND 1000),
  pickup_times jsonb,
  note         text,
  PRIMARY KEY (workshop_id, day)
);

CREATE TABLE category_limit (
  workshop_id uuid NOT NULL REFERENCES workshop (id),
  category    text NOT NULL,
  daily_limit integer NOT NULL CHECK (daily_limit >= 0),
  PRIMARY KEY (workshop_id, category)
);

-- A service keeps its row, and so its id, for ever: bookings name it.
CREATE TABLE catalogue_service (
  id               uuid PRIMARY KEY,
  workshop_id      uuid NOT NULL REFERENCES workshop (id),
  catalog_code     text NOT NULL,
  -- Its place in the last import that listed it.
  position         integer NOT NULL,
  active           boolean NOT NULL,
  title            text NOT NULL,
  category         text NOT NULL CHECK (category IN ('service', 'tyres', 'repair', 'others')),
  cost             numeric(9, 2) CHECK (cost >= 0),
  max_cost         numeric(9, 2) CHECK (max_cost >= 0),
  icon             text,
  color            text,
  daily_limit      integer CHECK (daily_limit >= 0),
  duration_minutes integer CHECK (duration_minutes > 0),
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  UNIQUE (workshop_id, catalog_code)
);

-- All null: it occupies nothing (cancelled, or its date was past when it was made). The two lists go together, one entry for
-- each of its services: the catalogue's id, or null for an item of the partner's own, and the category. Without services
-- there is one entry for its service_category, if it has one.
ALTER TABLE booking
  ADD COLUMN occupied_from      timestamptz,
  ADD COLUMN occupied_until     timestamptz,
  ADD COLUMN counted_services   uuid[],
  ADD COLUMN counted_categories text[],
  ADD CONSTRAINT booking_occupied_whole CHECK (num_nonnulls(occupied_from, occupied_until, counted_services, counted_categories) IN (0, 4)
    AND occupied_until > occupied_from AND cardinality(counted_services) = cardinality(counted_categories));

-- Those that overlap a time begin within the day before it, or are among the few that are longer than a day. Each index holds one
-- sort alone, so that no plan reads the one for the other.
CREATE INDEX booking_occupied ON booking (workshop_id, occupied_from) INCLUDE (occupied_until)
  WHERE occupied_until - occupied_from <= interval '24 hours';
CREATE INDEX booking_occupied_long ON booking (workshop_id, occupied_until)
  WHERE occupied_until - occupied_from > interval '24 hours';
