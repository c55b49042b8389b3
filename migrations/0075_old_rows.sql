-- Each minute deletes what is over of these two, and finds it by these. Neither table is logged: an entry more is no WAL.
SET LOCAL lock_timeout = '10s';
CREATE INDEX attempt_old ON attempt (expires_at);
CREATE INDEX sign_in_address_old ON sign_in_address (expires_at);
