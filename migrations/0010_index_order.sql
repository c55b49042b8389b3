-- The order of index columns, and fewer foreign-key checks a booking.
--
-- A plan that is made on an empty table is kept until the table's first ANALYZE, and on an empty table any index is as good
-- as another. So no second index may begin with a column that a foreign key refers to: the check would read all of a
-- workshop's customers to find one. test/house/schema.ts holds the rule.
--
-- Locks: customer, car, conversation, booking, link and event are neither read nor written while this runs. On 1,000,000
-- customers and cars that is some seconds (docs/operations.md, upgrading). What can't have them within ten seconds gives up
-- and changes nothing: a backup that reads for hours must not hold up everybody who comes after the wait for it.
SET LOCAL lock_timeout = '10s';

-- A booking's customer is its car's, and a car's is a customer of its workshop: the other check is implied. An event names
-- what its own statement has just read, and outlives nothing: partners and workshops are never deleted.
ALTER TABLE booking
  DROP CONSTRAINT booking_workshop_id_customer_id_fkey,
  DROP CONSTRAINT booking_workshop_id_customer_id_car_id_fkey;
ALTER TABLE event
  DROP CONSTRAINT event_partner_id_fkey,
  DROP CONSTRAINT event_workshop_id_fkey;
-- No query goes by it, and a look-up by id and partner read all of a partner's entries in it.
DROP INDEX booking_partner;

ALTER TABLE customer
  DROP CONSTRAINT customer_workshop_id_phone_key,
  ADD CONSTRAINT customer_phone_workshop_id_key UNIQUE (phone, workshop_id);
DROP INDEX customer_phone;

ALTER TABLE conversation
  DROP CONSTRAINT conversation_workshop_id_customer_id_key,
  ADD CONSTRAINT conversation_customer_id_workshop_id_key UNIQUE (customer_id, workshop_id);

-- The first finds the cars of a customer too.
ALTER TABLE car
  DROP CONSTRAINT car_workshop_id_customer_id_id_key,
  ADD CONSTRAINT car_customer_id_workshop_id_id_key UNIQUE (customer_id, workshop_id, id),
  DROP CONSTRAINT car_customer_id_rego_key,
  ADD CONSTRAINT car_rego_customer_id_key UNIQUE (rego, customer_id);
-- Holds for what is written from now on; the next migration looks at what is there.
ALTER TABLE booking ADD CONSTRAINT booking_workshop_id_customer_id_car_id_fkey
  FOREIGN KEY (workshop_id, customer_id, car_id) REFERENCES car (workshop_id, customer_id, id) NOT VALID;

DROP INDEX link_workshop;
CREATE INDEX link_workshop ON link (workshop_id, partner_id);
