/** What the runner of tests takes from the virtual controllers. */
import type { GroupTools } from '../../plc/program-tests/group.ts'
import type { TestValue } from '../../plc/program-tests/model.ts'
import { scalarValue } from '../simulation/index.ts'
import { variablesOf } from './variables.ts'

export const groupTools: GroupTools = {
  variablesOf,
  scalarText: (type, bytes) => scalarValue(type, bytes) as TestValue,
  clock: () => performance.now(),
}
