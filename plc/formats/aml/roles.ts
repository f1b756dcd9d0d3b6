/**
 * Role classes and interface classes of AR APC, the recommendation for hardware in AutomationML
 * (docs/formats.md#hardware-as-aml).
 */
import type { AmlElement } from './document.ts'

const roles = 'AutomationProjectConfigurationRoleClassLib'
const interfaces = 'AutomationProjectConfigurationInterfaceClassLib'

/** Roles of elements, by their short names. */
export const roleNames = [
  'AutomationProject',
  'DeviceUserFolder',
  'Subnet',
  'Device',
  'DeviceItem',
  'CommunicationInterface',
  'CommunicationPort',
  'Node',
  'IoSystem',
  'TagTable',
] as const
/** A role that is interpreted. */
export type Role = (typeof roleNames)[number]

/** The path of a role class. */
export function rolePath(role: Role): string {
  return `${roles}/${role}`
}

/** The additional role of a node in an Ethernet subnet. */
export const ethernetNode = 'AutomationProjectConfigurationEthernetRoleClassLib/NodeEthernet'

/** Classes of interfaces. */
export const interfaceClass = {
  endPoint: 'CommunicationInterfaceClassLib/LogicalEndPoint',
  channel: `${interfaces}/Channel`,
  tag: `${interfaces}/Tag`,
  port: `${interfaces}/CommunicationPortInterface`,
} as const

const known = new Map<string, Role>(roleNames.map((role) => [rolePath(role), role]))

/** The role of an element. CAEX gives it by SupportedRoleClass; some writers use RoleRequirements. */
export function roleOf({ roles, after }: Pick<AmlElement, 'roles' | 'after'>): Role | undefined {
  for (const path of roles) {
    const role = known.get(path)
    if (role !== undefined) return role
  }
  for (const { name, attributes } of after ?? []) {
    const role = name === 'RoleRequirements' ? known.get(attributes.RefBaseRoleClassPath ?? '') : undefined
    if (role !== undefined) return role
  }
  return undefined
}

/** Whether an interface is of a class: `…/Channel`, or derived from it (`…/Channel/Own`). */
export function isOfClass(path: string | undefined, wanted: string): boolean {
  return path === wanted || path?.startsWith(`${wanted}/`) === true
}
