/**
 * What system blocks do over time, word by word (fixtures/*.yaml; plc/testing/traces.ts says how they are written).
 */
import { testTraces } from '../../testing/traces.ts'

for (const name of ['jobs', 'synchronous', 'process', 'profiles', 'safety']) testTraces(import.meta.url, `${name}.yaml`)
