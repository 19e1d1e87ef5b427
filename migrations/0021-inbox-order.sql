-- What an activity in progress is about: later ones of the same actor about the same wait for it.
-- Null: nobody waits.
ALTER TABLE incoming_activities ADD COLUMN subjects jsonb;

CREATE INDEX incoming_activities_holding ON incoming_activities (actor_uri)
  WHERE subjects IS NOT NULL;
