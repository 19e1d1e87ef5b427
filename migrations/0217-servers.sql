-- Every server that accounts are known of, as it is counted once a day for the pages of the staff.
CREATE TABLE servers (
  domain text COLLATE "C" PRIMARY KEY,    -- of the handles, in lower case
  host text NOT NULL,                     -- where its inboxes are
  media_hosts text[] NOT NULL,            -- where its files are
  accounts integer NOT NULL,              -- as far as they are counted, as all that follows
  followed integer NOT NULL,              -- by people here
  followers integer NOT NULL,             -- of people here
  media_bytes bigint NOT NULL,            -- copies of its files here
  counted_at timestamptz NOT NULL
);

-- A page of the list in each of its orders.
CREATE INDEX servers_by_accounts ON servers (accounts DESC, domain);
CREATE INDEX servers_by_followed ON servers (followed DESC, domain);
CREATE INDEX servers_by_followers ON servers (followers DESC, domain);
CREATE INDEX servers_by_media ON servers (media_bytes DESC, domain);
-- Those that few of many hosts belong to: with a rare software, or failing.
CREATE INDEX servers_host ON servers (host);
-- Search by a part of the name.
CREATE INDEX servers_name ON servers USING gin (domain gin_trgm_ops);
-- Those that do not answer, or get nothing: few of many.
CREATE INDEX remote_hosts_troubled ON remote_hosts (host)
  WHERE failing_since IS NOT NULL OR stopped_at IS NOT NULL;
