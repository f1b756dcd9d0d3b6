/** Security: access levels and passwords of CPUs, UMAC users and roles, and who may do what with a controller. */
import { codeTables, definePlugin, extend, type Gateway } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { deviceSecurityOperations } from './device-operations.ts'
import { securityPart } from './files.ts'
import { securityCodes, securityProblems } from './problems.ts'
import { securitySlice } from './security.ts'
import { followUsers } from './user-keys.ts'
import { userOperations } from './user-operations.ts'

export type { ProtectedOperation } from './access-matrix.ts'
export { type Credentials, forgetLegitimations, knowsMasterSecret, present, requireAccess } from './legitimation.ts'
export { securityProblems } from './problems.ts'
export { protectionFor, securityConfigured } from './security.ts'

const following = new WeakMap<Gateway, () => void>()

export default definePlugin({
  name: 'security',
  version: '1.0.0',
  description: 'Access levels and passwords of CPUs, UMAC users and roles, and who may do what with a controller.',
  requires: ['projects', 'devices', 'simulation'],
  slice: securitySlice,
  operations: [...deviceSecurityOperations, ...userOperations],
  problems: securityProblems,
  extensions: [extend(projectSection, securityPart), extend(codeTables, securityCodes)],
  docs: [
    { name: 'cpu-access', title: 'CPU access and users', text: async () => (await import('./docs.ts')).securityPage() },
  ],
  start(gateway) {
    following.set(gateway, followUsers(gateway))
  },
  stop(gateway) {
    following.get(gateway)?.()
    following.delete(gateway)
  },
})
