-- What is said to other servers of an account's followers there (FEP-8fcf, docs/design/inbox.md): the XOR of
-- the SHA-256 of their addresses, kept by triggers on follows and accounts, so that no way to follow can be forgotten.

CREATE TABLE follower_digests (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  origin text NOT NULL,                   -- of the followers' addresses, as they are written: https://other.example
  digest bit(256) NOT NULL,
  followers integer NOT NULL,             -- none: there is no row
  PRIMARY KEY (account_id, origin)
);

CREATE FUNCTION uri_origin(uri text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT substring(uri FROM '^https?://[^/?#]+') $$;

CREATE FUNCTION uri_digest(uri text) RETURNS bit(256) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT ('x' || encode(sha256(convert_to(uri, 'UTF8')), 'hex'))::bit(256) $$;

-- Both lock the rows in one order. The n-th uri is that of a follower of the n-th target.
CREATE FUNCTION add_follower_digests(targets bigint[], uris text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO follower_digests AS d (account_id, origin, digest, followers)
  SELECT target, uri_origin(uri), bit_xor(uri_digest(uri)), count(*)
  FROM unnest(targets, uris) AS f (target, uri)
  WHERE uri_origin(uri) IS NOT NULL
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, origin) DO UPDATE SET
    digest = d.digest # excluded.digest, followers = d.followers + excluded.followers
$$;

CREATE FUNCTION remove_follower_digests(targets bigint[], uris text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM follower_digests d
  WHERE (d.account_id, d.origin) IN (
    SELECT f.target, uri_origin(f.uri) FROM unnest(targets, uris) AS f (target, uri)
  )
  ORDER BY d.account_id, d.origin FOR UPDATE;
  UPDATE follower_digests d SET digest = d.digest # gone.digest, followers = d.followers - gone.followers
  FROM (
    SELECT target, uri_origin(uri) AS origin, bit_xor(uri_digest(uri)) AS digest, count(*) AS followers
    FROM unnest(targets, uris) AS f (target, uri) GROUP BY 1, 2
  ) AS gone
  WHERE d.account_id = gone.target AND d.origin = gone.origin;
  DELETE FROM follower_digests d
  WHERE d.account_id = ANY(targets) AND d.followers <= 0
    AND d.origin = ANY(SELECT uri_origin(uri) FROM unnest(uris) AS uri);
END
$$;

-- The share lock waits for a suspension or deletion of the follower that goes on, and holds up a later one: each follow
-- is counted out by one of the two.
CREATE FUNCTION follows_change_digests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  targets bigint[];
  uris text[];
BEGIN
  WITH elsewhere AS MATERIALIZED (
    SELECT f.target_account_id AS target, a.uri FROM changed f JOIN accounts a ON a.id = f.account_id
    WHERE NOT f.local AND a.suspended_at IS NULL
    ORDER BY a.id FOR SHARE OF a
  )
  SELECT array_agg(target), array_agg(uri) INTO targets, uris FROM elsewhere;
  IF targets IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN PERFORM add_follower_digests(targets, uris);
  ELSE PERFORM remove_follower_digests(targets, uris);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER follows_digests_added AFTER INSERT ON follows
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follows_change_digests();
CREATE TRIGGER follows_digests_removed AFTER DELETE ON follows
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follows_change_digests();

-- Suspended accounts do not count, and an address may change.
CREATE FUNCTION account_changes_digests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  targets bigint[] := (SELECT array_agg(target_account_id) FROM follows WHERE account_id = OLD.id);
BEGIN
  IF targets IS NOT NULL AND OLD.suspended_at IS NULL THEN
    PERFORM remove_follower_digests(targets, array_fill(OLD.uri, ARRAY[cardinality(targets)]));
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF targets IS NOT NULL AND NEW.suspended_at IS NULL THEN
    PERFORM add_follower_digests(targets, array_fill(NEW.uri, ARRAY[cardinality(targets)]));
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER accounts_change_digests AFTER UPDATE OF suspended_at, uri ON accounts FOR EACH ROW
  WHEN (OLD.domain IS NOT NULL AND ((OLD.suspended_at IS NULL) <> (NEW.suspended_at IS NULL) OR OLD.uri <> NEW.uri))
  EXECUTE FUNCTION account_changes_digests();
-- Before, because afterwards nobody knows the address of the follower whose follows go with the account.
CREATE TRIGGER accounts_leave_digests BEFORE DELETE ON accounts FOR EACH ROW
  WHEN (OLD.domain IS NOT NULL) EXECUTE FUNCTION account_changes_digests();

INSERT INTO follower_digests (account_id, origin, digest, followers)
SELECT f.target_account_id, uri_origin(a.uri), bit_xor(uri_digest(a.uri)), count(*)
FROM follows f JOIN accounts a ON a.id = f.account_id
WHERE NOT f.local AND a.suspended_at IS NULL AND uri_origin(a.uri) IS NOT NULL
GROUP BY 1, 2;
