-- A booking keeps its car's details as its partner sent them, as it keeps the contact details: partners share cars.

ALTER TABLE booking
  ADD COLUMN car_year integer,
  ADD COLUMN car_make text,
  ADD COLUMN car_model text,
  ADD COLUMN car_badge text,
  ADD COLUMN car_vin text;

-- Who sent what is on record nowhere. What is known of a car is one partner's own only when nobody else has ever booked
-- that car; bookings of other cars show no details from now on. Those change what they show, so they get another version:
-- no ETag may stand for two bodies.
WITH own_car AS (
  SELECT car_id FROM (
    SELECT car_id, partner_id FROM booking
    UNION
    SELECT (payload->'booking'->>'carId')::uuid, partner_id FROM event WHERE kind IN ('booking.created', 'booking.updated')
  ) AS booked GROUP BY car_id HAVING count(*) = 1
), filled AS (
  UPDATE booking SET car_year = car.year, car_make = car.make, car_model = car.model, car_badge = car.badge, car_vin = car.vin
    FROM car JOIN own_car ON own_car.car_id = car.id WHERE booking.car_id = car.id
)
UPDATE booking SET version = version + 1, updated_at = booking.updated_at + interval '1 millisecond'
  FROM car
 WHERE booking.car_id = car.id AND num_nonnulls(car.year, car.make, car.model, car.badge, car.vin) > 0
   AND NOT EXISTS (SELECT FROM own_car WHERE own_car.car_id = car.id);

-- Finds what a partner itself sent of a car last. Bookings without details are not in it.
CREATE INDEX booking_car_details ON booking (car_id, partner_id, created_at, id)
  WHERE num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0;
