/**
 * The seed of all random tests, preloaded by scripts/test.mjs. The same code gives the same result, so that a failure
 * comes from the change under test. `GANTRY_SEED=random` uses a new seed for each process, as `npm run test:random`
 * does; a number uses that seed. A failing test prints its seed.
 */
import fc from 'fast-check'

const { GANTRY_SEED: given = '20261121' } = process.env
if (given !== 'random') fc.configureGlobal({ seed: Number(given) })
