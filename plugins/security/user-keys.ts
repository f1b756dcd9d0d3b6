/** Lets UMAC users of the open project call with their keys, while the setting `security.umac` is on. */
import { accessLevels, type Gateway, type LogRecord } from '../../core/index.ts'
import { currentProject } from '../projects/index.ts'
import { accessOfRights, findUser, rightsOfRoles, userKeys } from './umac.ts'

/** Records that can change who may call. */
const relevant = /^(security\.(user|role)|projects\.|core\.settings)/

/** The name of a user in the audit; no named key can have it. */
const actorNameOf = (userName: string) => `umac:${userName}`

/** Applies the keys now, and whenever something changes that they depend on. @returns what ends it */
export function followUsers(gateway: Gateway): () => void {
  const apply = () => gateway.keyring.useUsers(workingKeys(gateway))
  apply()
  const onRecords = (records: readonly LogRecord[]) => {
    if (records.some(({ type }) => relevant.test(type))) apply()
  }
  gateway.bus.on('records', onRecords)
  return () => gateway.bus.off('records', onRecords)
}

/** A key gives what the roles of its user give, and never more than what it was issued with. */
function workingKeys(gateway: Gateway) {
  const project = currentProject(gateway.state)
  if (!gateway.settings.security.umac || !project) return []
  return [...gateway.state.read(userKeys).values()].flatMap(({ projectId, userName, digest, access: issued }) => {
    const user = projectId === project.id ? findUser(gateway.state, userName) : undefined
    const access = user && accessOfRights(rightsOfRoles(gateway.state, user.roles))
    if (!user || access === undefined) return []
    const least = accessLevels.indexOf(access) < accessLevels.indexOf(issued) ? access : issued
    return [{ name: actorNameOf(user.name), access: least, hash: digest }]
  })
}
