-- Every booking's car is one of its customer's. By itself, so that bookings are read and written meanwhile.
SET LOCAL lock_timeout = '10s';
ALTER TABLE booking VALIDATE CONSTRAINT booking_workshop_id_customer_id_car_id_fkey;
