-- A customer's bookings by date, a page at a time. By itself, so that other tables are written meanwhile. It covers no further column: an index
-- that covers what other statements ask of a booking is read as a whole by plans that were made while there were few.
SET LOCAL lock_timeout = '10s';
CREATE INDEX booking_customer_history ON booking (customer_id, date, id);
DROP INDEX booking_customer;
ALTER INDEX booking_customer_history RENAME TO booking_customer;
