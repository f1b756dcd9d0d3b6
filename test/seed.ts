/**
 * The seed of all random tests, preloaded by scripts/test.ts: the same code gives the same result, so that a change is
 * judged by what it changes. `GANTRY_SEED=random` takes a new one for each file, as `npm run test:random` does, a
 * number that one; a failing test names its own.
 */
import fc from 'fast-check'

const { GANTRY_SEED: given = '20261121' } = process.env
if (given !== 'random') fc.configureGlobal({ seed: Number(given) })
