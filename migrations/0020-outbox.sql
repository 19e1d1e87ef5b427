-- Events that commit together with the change that caused them; a worker does the follow-up work and
-- deletes them (docs/design/write-path.md). They replace unfinished_statuses.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL,
  payload jsonb NOT NULL,
  -- Until then a worker has claimed it; null: unclaimed.
  claimed_until timestamptz
) WITH (fillfactor = 70);

INSERT INTO outbox (type, payload)
SELECT 'status.created', jsonb_build_object('id', status_id::text) FROM unfinished_statuses;

DROP TABLE unfinished_statuses;

-- The id of a remote status comes from its `published`, and many are of the same second. So statuses have
-- a sequence of their own, and where an id is taken the next free one is used: after 64 attempts in one
-- millisecond that of the next millisecond.
CREATE SEQUENCE status_id_seq CYCLE MINVALUE 0 MAXVALUE 65535 START 0 CACHE 1;

CREATE FUNCTION status_id(at timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  millisecond bigint := floor(extract(epoch FROM at) * 1000)::bigint;
  found bigint;
BEGIN
  FOR tries IN 1..65536 LOOP
    found := (millisecond << 16) | nextval('status_id_seq');
    IF NOT EXISTS (SELECT FROM statuses WHERE id = found) THEN
      RETURN found;
    END IF;
    IF tries % 64 = 0 THEN
      millisecond := millisecond + 1;
    END IF;
  END LOOP;
  RAISE EXCEPTION 'no free id for a status of %', at;
END
$$;
