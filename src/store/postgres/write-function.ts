/**
 * One function makes all writes of a moment, in one round trip and one transaction. It is given a list of runs, each with
 * the writes to make in order, and answers for each run with what its writes returned, or with why none of them was made:
 * one run's trouble does not become another's. An append is fenced: it counts only for the newest epoch, and only after
 * the entry that it follows.
 */
export const writeFunction = `
CREATE OR REPLACE FUNCTION write_runs(given json) RETURNS json LANGUAGE plpgsql AS $function$
DECLARE
  one json;
  work json;
  done json[];
  answers json[] := '{}';
  answer json;
  found_hash text;
BEGIN
  FOR one IN SELECT * FROM json_array_elements(given) LOOP
    BEGIN
      done := '{}';
      FOR work IN SELECT * FROM json_array_elements(one -> 'works') LOOP
        answer := NULL;
        CASE work ->> 'kind'
        WHEN 'create' THEN
          IF (work ->> 'once')::boolean THEN
            -- Two who look at one moment would both see nothing.
            PERFORM pg_advisory_xact_lock(hashtextextended(work ->> 'key', 0));
            SELECT json_build_object('same', id) INTO answer FROM runs
              WHERE key = work ->> 'key' AND batch IS NOT DISTINCT FROM coalesce(work ->> 'within', batch)
              ORDER BY place DESC LIMIT 1;
          END IF;
          IF answer IS NULL THEN
          INSERT INTO runs (id, manifest, pack, case_id, key, batch, created_at)
            VALUES (one ->> 'run', work ->> 'manifest', work ->> 'pack', work ->> 'caseId', work ->> 'key',
              work ->> 'batch', work ->> 'createdAt')
            ON CONFLICT (id) DO NOTHING;
          IF NOT FOUND AND NOT ((one ->> 'again')::boolean AND EXISTS (SELECT 1 FROM runs
              WHERE id = one ->> 'run' AND manifest = work ->> 'manifest' AND created_at = work ->> 'createdAt')) THEN
            RAISE EXCEPTION USING ERRCODE = 'PL001';
          END IF;
          INSERT INTO progress (run_id, place, status, outcome, head_hash, entry_count)
            SELECT id, place, work ->> 'status', work ->> 'outcome', work ->> 'genesis', 0 FROM runs WHERE id = one ->> 'run'
            ON CONFLICT (run_id) DO NOTHING;
          PERFORM add_words(one ->> 'run', -1, work -> 'words');
          END IF;
        WHEN 'append' THEN
          SELECT hash INTO found_hash FROM entries WHERE run_id = one ->> 'run' AND seq = (work ->> 'seq')::integer;
          IF NOT ((one ->> 'again')::boolean AND found_hash IS NOT DISTINCT FROM work ->> 'hash') THEN
            UPDATE progress SET head_hash = work ->> 'hash', entry_count = entry_count + 1,
                status = coalesce(work ->> 'status', status),
                outcome = CASE WHEN work ->> 'status' IS NULL THEN outcome ELSE work ->> 'outcome' END
              WHERE run_id = one ->> 'run' AND epoch = (work ->> 'epoch')::integer
                AND entry_count = (work ->> 'seq')::integer AND head_hash = work ->> 'prev';
            IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'PL002'; END IF;
            INSERT INTO entries (run_id, seq, prev, hash, body, pieces)
              VALUES (one ->> 'run', (work ->> 'seq')::integer, work ->> 'prev', work ->> 'hash', work ->> 'body',
                work ->> 'pieces');
            PERFORM add_words(one ->> 'run', (work ->> 'seq')::integer, work -> 'words');
          END IF;
        WHEN 'status' THEN
          UPDATE progress SET status = work ->> 'status', outcome = work ->> 'outcome'
            WHERE run_id = one ->> 'run' AND epoch = coalesce((work ->> 'epoch')::integer, epoch);
          IF NOT FOUND AND work ->> 'epoch' IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'PL002'; END IF;
        WHEN 'take' THEN
          UPDATE progress SET epoch = epoch + 1, holder = (work ->> 'holder')::bigint
            WHERE run_id = one ->> 'run' AND (
              (work ->> 'takeOver')::boolean OR epoch = (work ->> 'seenEpoch')::integer OR NOT EXISTS (
                SELECT 1 FROM holders WHERE holders.id = progress.holder AND until > clock_timestamp()))
            RETURNING json_build_object('epoch', epoch) INTO answer;
          IF NOT FOUND THEN
            SELECT json_build_object('seenEpoch', epoch, 'holder', holder, 'facts', facts,
                'leftMs', ceil(extract(epoch FROM until - clock_timestamp()) * 1000))
              INTO answer FROM progress JOIN holders ON holders.id = progress.holder WHERE run_id = one ->> 'run';
            IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'PL003'; END IF;
          END IF;
        WHEN 'hold' THEN
          INSERT INTO holders (id, facts, until)
            VALUES ((work ->> 'holder')::bigint, work ->> 'facts',
              clock_timestamp() + make_interval(secs => (work ->> 'leaseMs')::double precision / 1000))
            ON CONFLICT (id) DO UPDATE SET facts = excluded.facts, until = excluded.until;
        WHEN 'leave' THEN
          DELETE FROM holders WHERE id = (work ->> 'holder')::bigint;
        WHEN 'release' THEN
          UPDATE progress SET holder = NULL WHERE run_id = one ->> 'run' AND epoch = (work ->> 'epoch')::integer;
        END CASE;
        done := done || coalesce(answer, 'null'::json);
      END LOOP;
      answers := answers || json_build_object('done', to_json(done));
    EXCEPTION WHEN OTHERS THEN
      answers := answers || json_build_object('code', SQLSTATE, 'message', SQLERRM);
    END;
  END LOOP;
  RETURN to_json(answers);
END
$function$;

CREATE OR REPLACE FUNCTION add_words(run text, place integer, found json) RETURNS void LANGUAGE sql AS $function$
  INSERT INTO search (run_id, seq, words)
    SELECT run, place, array_to_tsvector(array_agg(DISTINCT word)) FROM json_array_elements_text(found) AS word
    HAVING count(*) > 0
    ON CONFLICT (run_id, seq) DO NOTHING
$function$;
`;
