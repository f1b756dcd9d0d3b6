/** The operations on branches, and what a client asks of the repository. */
import { command, del, get, noInput, type Operation, post, query, type SchemaBuilder } from '../../core/index.ts'
import { base, lasting, mcp } from './operations.ts'

const branchName = (t: SchemaBuilder) => t.String({ minLength: 1, maxLength: 200 })
const aliases = { branchName: ['name', 'branch'] }
const repository = async (ctx: Parameters<Operation['run']>[1]) => (await import('./git.ts')).repositoryOf(ctx)

const list = query({
  id: 'version-control.list-branches',
  title: 'List the branches of the repository of the project',
  live: true,
  tagged: true,
  input: noInput,
  output: (t) =>
    t.Object({
      branches: t.Array(
        t.Object({
          name: t.String(),
          isCurrentBranch: t.Boolean(),
          isRemote: t.Boolean({ description: 'As a remote had it when it was last asked.' }),
          lastCommitSha: t.String(),
          lastCommitMessage: t.String(),
        }),
      ),
      total: t.Integer(),
    }),
  http: [get(`${base}/branches`)],
  mcp,
  async run(_, ctx) {
    const branches = await (await import('./branches.ts')).branchesOf(await repository(ctx))
    return { branches, total: branches.length }
  },
})

const create = command({
  id: 'version-control.create-branch',
  title: 'Make a branch at the last commit',
  description: 'The branch that is checked out stays so.',
  live: true,
  lasting,
  input: (t) => t.Object({ branchName: branchName(t) }),
  output: (t) => t.Object({ name: t.String(), lastCommitSha: t.String() }),
  http: [post(`${base}/branches`)],
  mcp,
  aliases,
  example: { branchName: 'speed-limit' },
  async run({ branchName: name }, ctx) {
    const { createBranch } = await import('./branches.ts')
    return { name, lastCommitSha: await createBranch(await repository(ctx), name, ctx.dryRun) }
  },
})

const checkout = command({
  id: 'version-control.checkout',
  title: 'Check a branch out and open the project as it is there',
  description:
    'The project must have no changes since the last commit (409 names them). When the branch cannot be opened, the project stays as it was.',
  live: true,
  lasting,
  input: (t) => t.Object({ branchName: branchName(t) }),
  output: (t) => t.Object({ branch: t.String(), warnings: t.Array(t.String()) }),
  http: [post(`${base}/branches/checkout`)],
  asks: ['switch to another branch', 'git checkout'],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases,
  example: { branchName: 'speed-limit' },
  async run({ branchName: branch }, ctx) {
    const { checkOut } = await import('./switch.ts')
    return { branch, warnings: [...(await checkOut(ctx, await repository(ctx), branch))] }
  },
})

const remove = command({
  id: 'version-control.delete-branch',
  title: 'Delete a branch',
  description: 'One with commits that no other branch has only with `force`.',
  live: true,
  lasting,
  input: (t) =>
    t.Object({
      branchName: branchName(t),
      force: t.Optional(t.Boolean({ description: 'Also with commits that would be lost.' })),
    }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean(), lastCommitSha: t.String() }),
  http: [del(`${base}/branches/{branchName*}`)],
  mcp: { ...mcp, destructive: true },
  aliases,
  async run({ branchName: name, force = false }, ctx) {
    const { deleteBranch } = await import('./branches.ts')
    const lastCommitSha = await deleteBranch(await repository(ctx), name, { force, dryRun: ctx.dryRun })
    return { name, deleted: true, lastCommitSha }
  },
})

const merge = command({
  id: 'version-control.merge',
  title: 'Merge a branch into the one that is checked out',
  description:
    'The project must have no changes since the last commit. With conflicts nothing is merged; the 409 names the files. `gantry git` sets the repository up so that programs are merged by their networks.',
  live: true,
  lasting,
  changes: `${base}/status`,
  input: (t) => t.Object({ branchName: branchName(t) }),
  output: (t) =>
    t.Object({
      message: t.String(),
      commitSha: t.String(),
      merged: t.Boolean({ description: 'False: there was nothing to merge.' }),
      warnings: t.Array(t.String()),
    }),
  http: [post(`${base}/merge`)],
  mcp: { ...mcp, destructive: true },
  needsInstance: true,
  aliases,
  example: { branchName: 'speed-limit' },
  async run(input, ctx) {
    const { merge } = await import('./switch.ts')
    const merged = await merge(ctx, await repository(ctx), input.branchName)
    return { ...merged, warnings: [...merged.warnings] }
  },
})

const config = query({
  id: 'version-control.config',
  title: 'Show who the author of a commit would be',
  live: true,
  input: noInput,
  output: (t) => t.Object({ enabled: t.Boolean(), authorName: t.String(), authorEmail: t.String() }),
  http: [get(`${base}/config`)],
  mcp,
  async run(_, ctx) {
    const { gitOf, isRepository } = await import('./git.ts')
    const git = gitOf(ctx)
    const { authorOf } = await import('./commit.ts')
    return { enabled: await isRepository(git), ...(await authorOf(ctx, git)) }
  },
})

const remotes = query({
  id: 'version-control.list-remotes',
  title: 'List the remotes of the repository of the project',
  description:
    'Their addresses, without user names and passwords. The gateway does not send to them or fetch from them: that is done in the folder, with the rights of a person.',
  live: true,
  input: noInput,
  output: (t) => t.Object({ remotes: t.Array(t.Object({ name: t.String(), url: t.String() })), total: t.Integer() }),
  http: [get(`${base}/remotes`)],
  mcp,
  async run(_, ctx) {
    const found = await (await import('./branches.ts')).remotesOf(await repository(ctx))
    return { remotes: found, total: found.length }
  },
})

export const branchOperations: readonly Operation[] = [list, create, checkout, remove, merge, config, remotes]
