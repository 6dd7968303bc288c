-- The role that servers and workers use: it reads and writes rows, and can change no table.
-- Run by the owner after `parley store init`; then give the role its password, e.g. with \password parley in psql.
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'parley') THEN CREATE ROLE parley LOGIN; END IF;
END $$;
GRANT USAGE ON SCHEMA parley, parley_queue TO parley;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA parley, parley_queue TO parley;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA parley, parley_queue TO parley;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA parley, parley_queue TO parley;
-- What a later `parley store init` of the same owner adds is covered, too.
ALTER DEFAULT PRIVILEGES IN SCHEMA parley, parley_queue GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO parley;
ALTER DEFAULT PRIVILEGES IN SCHEMA parley, parley_queue GRANT USAGE ON SEQUENCES TO parley;
ALTER DEFAULT PRIVILEGES IN SCHEMA parley, parley_queue GRANT EXECUTE ON FUNCTIONS TO parley;
REVOKE INSERT, UPDATE, DELETE ON parley.layout FROM parley;
