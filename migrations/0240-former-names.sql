-- The names that this server had: what others know under them is answered, and what they say of them is
-- understood as of the present ones (docs/design/moving.md).
CREATE TABLE former_names (
  web_domain text PRIMARY KEY,
  local_domain text NOT NULL,
  https boolean NOT NULL,
  until timestamptz NOT NULL              -- what was made later never had an address under it
);
