/** The answers of the queries of a project, collected from its parts. */
import type { QueryContext } from '../../core/index.ts'
import { isModified, type Project } from './project.ts'
import { type Infrastructure, type OverviewEntry, projectSection } from './project-section.ts'

/** The wire form of a project. */
export function projectView(project: Project) {
  return {
    name: project.name,
    path: project.path,
    id: project.id,
    version: project.version,
    author: project.author,
    comment: project.comment,
    createdAt: iso(project.createdAt),
    modifiedAt: iso(project.modifiedAt),
    ...(project.savedAt === undefined ? {} : { savedAt: iso(project.savedAt) }),
    isModified: isModified(project),
    simulationSupport: project.simulationSupport,
    cultures: [...project.cultures],
  }
}

/** Devices with the contributions of every plugin. */
export async function overviewOf(ctx: QueryContext, project: Project) {
  const parts = [...ctx.extensions(projectSection)].sort((a, b) => a.order - b.order)
  const devices = parts.flatMap((part) => part.listDevices?.(ctx) ?? [])
  return {
    projectName: project.name,
    projectPath: project.path,
    version: project.version,
    author: project.author,
    comment: project.comment,
    isModified: isModified(project),
    devices: await Promise.all(
      devices.map(async (device) => {
        let entry: OverviewEntry = { ...device, blocks: [], tagTables: [], udts: [], deviceItems: [] }
        for (const part of parts) entry = { ...entry, ...(await part.overview?.(ctx, device.id)) }
        return entry
      }),
    ),
  }
}

/** Networks of all parts. */
export async function infrastructureOf(ctx: QueryContext): Promise<Infrastructure> {
  const parts = await Promise.all(ctx.extensions(projectSection).map((part) => part.infrastructure?.(ctx)))
  const all = parts.filter((one) => one !== undefined)
  return {
    subnets: all.flatMap((one) => one.subnets),
    connections: all.flatMap((one) => one.connections),
    ioSystems: all.flatMap((one) => one.ioSystems),
  }
}

/** RFC 3339 UTC. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
