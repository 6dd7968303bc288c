-- A fleet's tables next to the store and the queues. Calls are charged to slots of a quarter of a second on the
-- database's clock. A call is allowed if the charges of the last minute, plus the life of a share, leave room for it. So
-- no minute exceeds the limit, wherever it begins: see docs/decisions/rate-limits-by-slots.md.
CREATE TABLE workers (id bigint PRIMARY KEY, facts text NOT NULL, seen timestamptz NOT NULL);
CREATE TABLE limits (
  name text PRIMARY KEY,
  last_ms bigint NOT NULL DEFAULT 0,
  paused_until_ms bigint NOT NULL DEFAULT 0
);
CREATE TABLE limit_slots (
  name text NOT NULL,
  slot bigint NOT NULL,
  requests bigint NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (name, slot)
);

CREATE FUNCTION take_call(
  given_name text, most_requests bigint, most_tokens bigint, reach_ms bigint, wanted bigint, at_ms bigint DEFAULT NULL
) RETURNS json LANGUAGE plpgsql AS $function$
DECLARE
  now_ms bigint;
  before_ms bigint;
  pause_ms bigint;
  used_requests bigint;
  used_tokens bigint;
  wait_ms bigint;
  -- A call that never fits has an empty minute for itself.
  want bigint := least(wanted, most_tokens);
BEGIN
  INSERT INTO limits (name) VALUES (given_name) ON CONFLICT DO NOTHING;
  SELECT last_ms, paused_until_ms INTO before_ms, pause_ms FROM limits WHERE name = given_name FOR UPDATE;
  -- A clock that is set back must not open a minute twice.
  now_ms := greatest(before_ms, coalesce(at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint));
  UPDATE limits SET last_ms = now_ms WHERE name = given_name;
  DELETE FROM limit_slots WHERE name = given_name AND (slot + 1) * 250 <= now_ms - reach_ms;
  SELECT coalesce(sum(requests), 0), coalesce(sum(tokens), 0) INTO used_requests, used_tokens
    FROM limit_slots WHERE name = given_name;
  IF pause_ms > now_ms THEN
    RETURN json_build_object('slot', NULL, 'waitMs', pause_ms - now_ms);
  ELSIF used_requests + 1 > most_requests OR used_tokens + want > most_tokens THEN
    SELECT min(leaves_ms) - now_ms INTO wait_ms FROM (
      SELECT (slot + 1) * 250 + reach_ms AS leaves_ms,
        sum(requests) OVER older AS freed_requests, sum(tokens) OVER older AS freed_tokens
      FROM limit_slots WHERE name = given_name WINDOW older AS (ORDER BY slot)
    ) AS leaving
      WHERE (most_requests IS NULL OR used_requests - freed_requests + 1 <= most_requests)
        AND (most_tokens IS NULL OR used_tokens - freed_tokens + want <= most_tokens);
    RETURN json_build_object('slot', NULL, 'waitMs', greatest(1, coalesce(wait_ms, 1000)));
  END IF;
  INSERT INTO limit_slots AS old (name, slot, requests, tokens) VALUES (given_name, now_ms / 250, 1, want)
    ON CONFLICT (name, slot) DO UPDATE
      SET requests = old.requests + excluded.requests, tokens = old.tokens + excluded.tokens;
  RETURN json_build_object('slot', now_ms / 250, 'waitMs', 0);
END
$function$;
