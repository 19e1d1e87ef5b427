-- The names under which other servers know this one, as at its first start (docs/design/commands.md).
CREATE TABLE site (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  local_domain text NOT NULL,
  web_domain text NOT NULL,
  https boolean NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
