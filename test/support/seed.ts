import fc from "fast-check";

/**
 * Properties are tried with the same values in every run, so that a failure of today fails tomorrow, and a change that
 * passed here passes elsewhere. `PARLEY_SEED=7 npm test` looks elsewhere.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PARLEY_SEED ?? 20_261_116) });
