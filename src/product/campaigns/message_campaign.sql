-- Edition 1.
-- The outcome of a message of a campaign is that of its run or recipient.
CREATE OR REPLACE TRIGGER message_campaign AFTER UPDATE OF state, reason ON message FOR EACH ROW
  WHEN (NEW.kind IN ('automation', 'blast')) EXECUTE FUNCTION campaign_message_changed();
