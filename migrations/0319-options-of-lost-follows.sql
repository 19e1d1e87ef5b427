-- Of follows that ended with a blocked server, so that they can be begun again as they were.
ALTER TABLE severed_relationships
  ADD COLUMN show_replies boolean NOT NULL DEFAULT true,
  ADD COLUMN daily_limit smallint;
