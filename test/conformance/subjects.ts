/** All tables, by subject of the specification, in the order in which they are run. */
import { blocks } from './blocks.ts'
import type { Case } from './case.ts'
import { devices } from './devices.ts'
import { blockGeneration, history } from './history.ts'
import { hmiCases } from './hmi.ts'
import { health, instances } from './instances.ts'
import { libraries } from './libraries.ts'
import { online } from './online.ts'
import { projects } from './projects.ts'
import { jobs, security } from './security.ts'
import { diagnostics, simulation } from './simulation.ts'
import { assistant, designSpec, discovery, mcp, system } from './system.ts'
import { tags } from './tags.ts'
import { types, watchTables } from './types.ts'

export const subjects: Readonly<Record<string, readonly Case[]>> = {
  'Health and status': health,
  'Devices and hardware catalog': devices,
  'Blocks and external sources': blocks,
  'Tags, tag tables and constants': tags,
  'User-defined data types (UDT)': types,
  HMI: hmiCases,
  'PLC simulator': simulation,
  'Online, download, upload, CPU': online,
  Diagnostics: diagnostics,
  'Watch and force tables': watchTables,
  'History and snapshots': history,
  'Block generation': blockGeneration,
  'Security and UMAC': security,
  'Async jobs': jobs,
  Libraries: libraries,
  MCP: mcp,
  'AI assistant': assistant,
  'Design spec': designSpec,
  System: system,
  Discovery: discovery,
  Projects: projects,
  'Engineering-tool instance management': instances,
}

/** The rows that are no operations: the wire of MCP, tested by itself. */
export const wire = ['GET /mcp/sse?sessionId={sessionId}', 'POST /mcp/messages?sessionId={sessionId}']
