-- Posts that are an event (domain/events/), and who answered yes, maybe or no.
CREATE TABLE status_events (
  status_id bigint PRIMARY KEY REFERENCES statuses (id) ON DELETE CASCADE,
  name text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz,                    -- null: it does not say
  place text,
  yes_count bigint NOT NULL DEFAULT 0,    -- of an event of another server: people here
  maybe_count bigint NOT NULL DEFAULT 0,
  no_count bigint NOT NULL DEFAULT 0
);

CREATE TABLE event_answers (
  id bigint NOT NULL DEFAULT snowflake(), -- pages the author's list; a changed answer gets a new one
  status_id bigint NOT NULL REFERENCES status_events (status_id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  answer text NOT NULL CHECK (answer IN ('yes', 'maybe', 'no')),
  answered_at timestamptz NOT NULL,
  uri text NOT NULL,                      -- of the activity
  PRIMARY KEY (status_id, account_id)
);

CREATE INDEX event_answers_list ON event_answers (status_id, answer, id);
CREATE INDEX event_answers_account ON event_answers (account_id, status_id);
CREATE INDEX event_answers_uri ON event_answers (uri);

-- Few posts are: the others cost no look at the table.
ALTER TABLE statuses ADD COLUMN has_event boolean NOT NULL DEFAULT false;
