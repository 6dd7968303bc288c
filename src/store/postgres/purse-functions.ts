/**
 * Budgets that several processes share. What a call may cost at most is set aside here before it is made, in all purses
 * at once or in none, and replaced with what it cost; what is never settled counts as spent. The purse \`day\` begins
 * anew every day in UTC, on the database's clock.
 */
export const purseFunctions = `
CREATE TABLE purses (name text PRIMARY KEY, calls bigint, tokens bigint, usd numeric);
CREATE TABLE spent (
  name text PRIMARY KEY,
  calls bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  usd numeric NOT NULL DEFAULT 0
);

CREATE FUNCTION settle_spend(names text[], more_calls bigint, more_tokens bigint, more_usd numeric)
RETURNS void LANGUAGE sql AS $function$
  WITH locked AS MATERIALIZED (SELECT name FROM spent WHERE name = ANY(names) ORDER BY name FOR UPDATE)
  UPDATE spent SET calls = calls + more_calls, tokens = tokens + more_tokens, usd = usd + more_usd
    FROM locked WHERE spent.name = locked.name
$function$;

CREATE FUNCTION reserve_spend(names text[], more_calls bigint, more_tokens bigint, more_usd numeric)
RETURNS json LANGUAGE plpgsql AS $function$
DECLARE
  purse purses;
  kept spent;
  kept_name text;
  charged text[] := '{}';
BEGIN
  FOR purse IN SELECT * FROM purses WHERE name = ANY(names) ORDER BY name LOOP
    kept_name := purse.name || CASE purse.name WHEN 'day' THEN to_char(clock_timestamp() AT TIME ZONE 'UTC', ' YYYY-MM-DD') ELSE '' END;
    INSERT INTO spent (name) VALUES (kept_name) ON CONFLICT DO NOTHING;
    SELECT * INTO kept FROM spent WHERE name = kept_name FOR UPDATE;
    IF kept.calls + more_calls > purse.calls THEN
      RETURN json_build_object('purse', kept_name, 'limit', 'calls', 'needed', more_calls, 'left', purse.calls - kept.calls);
    ELSIF kept.tokens + more_tokens > purse.tokens THEN
      RETURN json_build_object('purse', kept_name, 'limit', 'tokens', 'needed', more_tokens, 'left', purse.tokens - kept.tokens);
    ELSIF purse.usd IS NOT NULL AND (more_usd IS NULL OR kept.usd + more_usd > purse.usd) THEN
      RETURN json_build_object('purse', kept_name, 'limit', 'usd', 'needed', more_usd, 'left', purse.usd - kept.usd);
    END IF;
    charged := charged || kept_name;
  END LOOP;
  PERFORM settle_spend(charged, more_calls, more_tokens, coalesce(more_usd, 0));
  RETURN json_build_object('charged', to_json(charged));
END
$function$;
`;
