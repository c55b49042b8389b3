-- A customer's bookings by date, a page at a time, and what each of their cars has had, from the index alone. By itself, so that other tables are written meanwhile.
SET LOCAL lock_timeout = '10s';
CREATE INDEX booking_customer_history ON booking (customer_id, date, id) INCLUDE (car_id, status);
DROP INDEX booking_customer;
ALTER INDEX booking_customer_history RENAME TO booking_customer;
