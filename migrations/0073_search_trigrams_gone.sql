-- The index of trigrams has a successor. It is dropped by a migration of its own: whoever drops an index lets nobody read its table until the
-- migration ends, and the relay reads this one. The extension is left: others may use it.
DROP INDEX IF EXISTS search_term_part;
DROP FUNCTION make_search_parts();
