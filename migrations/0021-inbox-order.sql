-- What an activity in progress is about: later activities of the same actor about the same subjects wait
-- for it. Null: none has to wait.
ALTER TABLE incoming_activities ADD COLUMN subjects jsonb;

CREATE INDEX incoming_activities_holding ON incoming_activities (actor_uri)
  WHERE subjects IS NOT NULL;
