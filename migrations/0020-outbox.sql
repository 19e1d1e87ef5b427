-- Events that commit together with the act that caused them; a worker does what follows and deletes
-- them (docs/decisions/0022-outbox.md). They replace the list of posts with unfinished consequences.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL,
  payload jsonb NOT NULL,
  -- Until then a worker has it; null: anybody may take it.
  claimed_until timestamptz
) WITH (fillfactor = 70);

INSERT INTO outbox (type, payload)
SELECT 'status.created', jsonb_build_object('id', status_id::text) FROM unfinished_statuses;

DROP TABLE unfinished_statuses;

-- Statuses take their place in time from `published`, and many are of the same second: they have a
-- sequence of their own, and where an id is taken the next free one is used. After 64 tries in one
-- millisecond the next millisecond is used.
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
