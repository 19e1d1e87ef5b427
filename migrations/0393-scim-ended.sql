-- When a provider deleted somebody by SCIM: they stay out until it tells of them again.
ALTER TABLE sso_identities ADD COLUMN ended_at timestamptz;

-- Names of groups are equal whatever their case (RFC 7643, 4.2); those that were told of twice are told apart.
UPDATE scim_groups g SET display_name = g.display_name || ' ' || g.id WHERE EXISTS (
  SELECT FROM scim_groups o
  WHERE o.issuer = g.issuer AND lower(o.display_name) = lower(g.display_name) AND o.id < g.id
);
ALTER TABLE scim_groups DROP CONSTRAINT scim_groups_issuer_display_name_key;
CREATE UNIQUE INDEX scim_groups_name ON scim_groups (issuer, lower(display_name));
