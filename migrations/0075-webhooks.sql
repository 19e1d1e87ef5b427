-- Addresses that are told of what happens on the server.

CREATE TABLE webhooks (
  id bigint PRIMARY KEY DEFAULT snowflake(),
  url text NOT NULL UNIQUE,
  events text[] NOT NULL,
  secret text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  failures integer NOT NULL DEFAULT 0,    -- in a row
  last_result text NOT NULL DEFAULT '',
  last_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
