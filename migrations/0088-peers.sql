-- What other servers say of their software (NodeInfo), by host.
CREATE TABLE peers (
  host text PRIMARY KEY,
  software text,                          -- null: it does not say
  version text,
  checked_at timestamptz NOT NULL         -- when it was last asked, whether or not it answered
);

-- A server with those below its domain.
CREATE INDEX peers_reversed ON peers (reverse(host) text_pattern_ops);
CREATE INDEX peers_software ON peers (software, host);
CREATE INDEX peers_checked ON peers (checked_at);
