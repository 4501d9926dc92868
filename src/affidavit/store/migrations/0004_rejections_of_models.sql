-- Which language model proposed what was refused, or failed at the episode; none where none took part.

ALTER TABLE rejection ADD COLUMN model TEXT;
