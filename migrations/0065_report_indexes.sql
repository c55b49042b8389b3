-- The report of a workshop counts its quotes by when they were asked for, and looks up for each booking whether nobody came: few rows, so that
-- their index stays small however long the history is. Its bookings are counted by their date in the index alone: booking_date has their status
-- too. A change of the status writes to all indexes of its row anyway, since others have it.
SET LOCAL lock_timeout = '10s';
CREATE INDEX quote_workshop_created ON quote (workshop_id, created_at) WHERE created_at IS NOT NULL;
CREATE INDEX attendance_not_come ON attendance (booking_id) WHERE state = 'didNotCome';
CREATE INDEX booking_date_next ON booking (workshop_id, date, id) INCLUDE (partner_id, status) WHERE date IS NOT NULL;
DROP INDEX booking_date;
ALTER INDEX booking_date_next RENAME TO booking_date;
