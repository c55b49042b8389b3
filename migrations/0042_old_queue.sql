-- The queue of releases before 0012_sending.sql goes, and what the program took over from it. Nothing of it is dropped while rows still
-- wait: the last release that takes them over is the one whose newest migration is 0041_plain_page.sql.
DO $$
DECLARE
  jobs bigint := 0;
  waiting bigint;
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    EXECUTE 'SELECT count(*) FROM graphile_worker._private_jobs' INTO jobs;
  END IF;
  SELECT jobs + (SELECT count(*) FROM notification) + (SELECT count(*) FROM answer_notice)
       + (SELECT count(*) FROM dead_letter WHERE job IN ('deliverNotification', 'deliverAnswerNotice', 'sendQueued'))
       + (SELECT count(*) FROM event WHERE kind = 'message.queued' AND relayed_at IS NULL)
    INTO waiting;
  IF waiting > 0 THEN
    RAISE EXCEPTION '% rows of a release before 0012_sending still wait: run the release whose newest migration is 0041_plain_page (pitlane serve) until they are taken over, then this one', waiting;
  END IF;
END $$;

DROP SCHEMA IF EXISTS graphile_worker CASCADE;
DROP TABLE notification, answer_notice;
DROP TRIGGER message_kind ON message;
DROP FUNCTION message_kind();
