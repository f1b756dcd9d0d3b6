/** Version control of the open project: `/api/source-control`. What runs git is loaded on first use. */
import { command, get, noInput, type Operation, post, problem, query, type SchemaBuilder } from '../../core/index.ts'

export const base = '/api/source-control'
export const mcp = { toolset: 'version-control' } as const
const git = () => import('./git.ts')

/** What commands of this plugin leave behind, for the undo. */
export const lasting = 'The repository keeps it; git takes it back.'

export const version = (t: SchemaBuilder, description: string) =>
  t.String({ minLength: 1, maxLength: 500, description })
const filePath = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 4096, description: 'Below the folder of the project.' })

const changeFields = (t: SchemaBuilder) => ({
  filePath: t.String({ description: 'Below the folder of the project.' }),
  status: t.Enum(['Added', 'Modified', 'Removed']),
  domain: t.String({ description: 'blocks, tags, types, hmi, device, project …' }),
  deviceName: t.String({ description: 'Empty: of no device.' }),
  itemName: t.String(),
})

const status = query({
  id: 'version-control.status',
  title: 'Show what has changed in the project since the last commit',
  description:
    'Compares what a save would write with the last commit: nothing needs to be saved or exported before. Files of the repository that are no part of the project do not count.',
  live: true,
  tagged: true,
  input: noInput,
  output: (t) =>
    t.Object({
      isInitialized: t.Boolean({ description: 'The project is in a git repository.' }),
      branch: t.Optional(t.String({ description: 'Absent: no branch is checked out.' })),
      changedFilesCount: t.Integer(),
      changes: t.Array(t.Object(changeFields(t))),
      contentHash: t.Optional(
        t.String({ description: 'Another one after each change: for a commit of what was looked at (`If-Match`).' }),
      ),
      lastCommitSha: t.Optional(t.String()),
      lastCommitMessage: t.Optional(t.String()),
      lastCommitDate: t.Optional(t.DateTime()),
    }),
  http: [get(`${base}/status`), post(`${base}/export-preview`, 'async')],
  asks: ['show the uncommitted changes of the project', 'git status'],
  mcp,
  async run(_, ctx) {
    const { gitOf, isRepository } = await git()
    const repository = gitOf(ctx)
    if (!(await isRepository(repository))) return { isInitialized: false, changedFilesCount: 0, changes: [] }
    const { workingOf } = await import('./changes.ts')
    const { changes, head, contentHash } = await workingOf(ctx, repository)
    const branch = await repository.maybe(['symbolic-ref', '--quiet', '--short', 'HEAD'])
    const told = { isInitialized: true, ...(branch === undefined ? {} : { branch }) }
    const all = { ...told, changedFilesCount: changes.length, changes: [...changes], contentHash }
    if (head === undefined) return all
    const { lastCommit } = await import('./log.ts')
    return { ...all, ...(await lastCommit(repository, head)) }
  },
})

const init = command({
  id: 'version-control.init',
  title: 'Make a git repository in the folder of the project',
  description: 'Nothing is committed yet. A project that is in a repository of the workspace already needs none (409).',
  live: true,
  lasting,
  changes: `${base}/status`,
  input: (t) =>
    t.Object({
      branchName: t.Optional(
        t.String({ minLength: 1, maxLength: 200, description: 'Of the first branch. Default: main.' }),
      ),
    }),
  output: (t) => t.Object({ path: t.String(), branch: t.String(), message: t.String() }),
  http: [post(`${base}/init`)],
  mcp,
  example: {},
  async run({ branchName = 'main' }, ctx) {
    const { gitOf, isRepository } = await git()
    const repository = gitOf(ctx)
    const { path } = repository.project
    if (await isRepository(repository)) throw problem('conflict', `"${path}" is in a git repository already.`)
    await (await import('./branches.ts')).requireBranchName(repository, branchName)
    if (!ctx.dryRun) await repository.text(['init', '--quiet', `--initial-branch=${branchName}`])
    return { path, branch: branchName, message: `A repository with the branch "${branchName}" is in ${path}.` }
  },
})

const commit = command({
  id: 'version-control.commit',
  title: 'Commit the changes of the project',
  description:
    'Saves the project and makes a commit of its files on the branch that is checked out. The author is the key that calls. Other files of the repository are not committed. Without changes it is a 409.',
  live: true,
  lasting,
  changes: `${base}/status`,
  input: (t) => t.Object({ message: t.String({ minLength: 1, maxLength: 100_000, pattern: '\\S' }) }),
  output: (t) =>
    t.Object({
      sha: t.String(),
      shortSha: t.String(),
      message: t.String(),
      filesChanged: t.Integer(),
      changes: t.Array(t.Object(changeFields(t))),
    }),
  http: [post(`${base}/commit`, 'async'), post(`${base}/commit-sync`)],
  asks: ['commit the project', 'git commit'],
  mcp,
  aliases: { message: ['commitMessage', 'comment'] },
  example: { message: 'Limit the speed of the mixer' },
  async run({ message }, ctx) {
    const repository = await (await git()).repositoryOf(ctx)
    const [{ workingOf }, { commitWorking, requireBranch }, { saveOpenProject }] = await Promise.all([
      import('./changes.ts'),
      import('./commit.ts'),
      import('../projects/index.ts'),
    ])
    const working = await workingOf(ctx, repository)
    await requireBranch(repository)
    if (working.changes.length === 0)
      throw problem('conflict', 'There is nothing to commit: the project has no changes.')
    await saveOpenProject(ctx)
    const told = { message, filesChanged: working.changes.length, changes: [...working.changes] }
    if (ctx.dryRun) return { sha: '', shortSha: '', ...told }
    ctx.progress(90, 'Committing')
    const sha = await commitWorking(ctx, repository, working, message)
    return { sha, shortSha: sha.slice(0, 7), ...told }
  },
})

const log = query({
  id: 'version-control.log',
  title: 'List the commits of the project, the latest first',
  description: 'Those of the branch that is checked out that have changed files of the project.',
  live: true,
  byTime: true,
  input: (t) =>
    t.Object({
      count: t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'Default: 50.' })),
    }),
  output: (t) =>
    t.Object({
      commits: t.Array(
        t.Object({
          sha: t.String(),
          shortSha: t.String(),
          message: t.String(),
          author: t.String(),
          timestamp: t.DateTime(),
          filesChanged: t.Integer(),
        }),
      ),
      total: t.Integer({ description: 'Of all commits.' }),
    }),
  http: [get(`${base}/log`)],
  mcp,
  aliases: { count: ['limit', 'maxCount'] },
  async run({ count = 50 }, ctx) {
    const repository = await (await git()).repositoryOf(ctx)
    if ((await repository.head()) === undefined) return { commits: [], total: 0 }
    const { entriesOf } = await import('./log.ts')
    const commits = await entriesOf(repository, [`-${count}`, 'HEAD'])
    return { commits, total: Number(await repository.text(['rev-list', '--count', 'HEAD', '--', '.'])) }
  },
})

const diff = query({
  id: 'version-control.diff',
  title: 'Compare two versions of the project as text',
  description:
    'A unified patch, and the lines of each file. Without a version: the last commit with the project as it is. `review.diff` compares programs by their objects and networks.',
  live: true,
  input: (t) =>
    t.Object({
      from: t.Optional(version(t, 'A commit, branch or `HEAD~1`. Default: HEAD.')),
      to: t.Optional(
        version(t, 'The same, or WORKING: the project as it is. Default: WORKING without from, else HEAD.'),
      ),
    }),
  output: (t) =>
    t.Object({
      fromSha: t.String(),
      toSha: t.String({ description: 'WORKING: the project as it is.' }),
      patch: t.String(),
      files: t.Array(
        t.Object({
          path: t.String(),
          status: t.String({ description: 'Added, Modified or Removed.' }),
          linesAdded: t.Integer(),
          linesDeleted: t.Integer(),
        }),
      ),
    }),
  http: [get(`${base}/diff`)],
  asks: ['show the difference to the last commit', 'git diff'],
  mcp,
  example: { from: 'HEAD~1', to: 'HEAD' },
  async run({ from, to = from === undefined ? 'WORKING' : 'HEAD' }, ctx) {
    const repository = await (await git()).repositoryOf(ctx)
    const { compare } = await import('./compare.ts')
    const found = await compare(ctx, repository, from ?? 'HEAD', to)
    return { ...found, files: [...found.files] }
  },
})

const file = query({
  id: 'version-control.get-file',
  title: 'Show a file of the project as a commit has it',
  live: true,
  input: (t) =>
    t.Object({
      commitSha: version(t, 'A commit or branch; WORKING: as a save would write it.'),
      filePath: filePath(t),
    }),
  output: (t) =>
    t.Object({
      content: t.Union([t.String(), t.Null()], {
        description: 'Null: that version has no such file, or it is no text.',
      }),
      isBinary: t.Boolean(),
    }),
  http: [get(`${base}/file-content`)],
  mcp,
  aliases: { commitSha: ['sha', 'commit', 'version'], filePath: ['path', 'file'] },
  example: { commitSha: 'HEAD', filePath: 'devices/PLC_1/blocks/Main.scl' },
  async run(input, ctx) {
    const repository = await (await git()).repositoryOf(ctx)
    const { fileAt } = await import('./changes.ts')
    const bytes = await fileAt(ctx, repository, input.commitSha, input.filePath)
    if (bytes === undefined) return { content: null, isBinary: false }
    return bytes.includes(0) ? { content: null, isBinary: true } : { content: bytes.toString('utf8'), isBinary: false }
  },
})

const restore = command({
  id: 'version-control.restore',
  title: 'Bring a file of the project back as a commit has it',
  description:
    'The project is opened again from its files, so it must be saved; other files stay. An object with two files (`Main.scl`, `Main.scl.json`) is restored by both. When the project cannot be opened with it, nothing is changed.',
  live: true,
  lasting,
  changes: `${base}/status`,
  input: (t) =>
    t.Object({
      commitSha: version(t, 'A commit or branch.'),
      filePath: filePath(t),
      deviceName: t.Optional(t.String({ maxLength: 200, description: 'Not needed: the path names the device.' })),
    }),
  output: (t) => t.Object({ filePath: t.String(), commitSha: t.String(), warnings: t.Array(t.String()) }),
  http: [post(`${base}/restore`, 'async'), post(`${base}/restore-sync`)],
  mcp: { ...mcp, destructive: true },
  aliases: { commitSha: ['sha', 'commit', 'version'], filePath: ['path', 'file'] },
  example: { commitSha: 'HEAD~1', filePath: 'devices/PLC_1/blocks/Main.scl' },
  async run(input, ctx) {
    const repository = await (await git()).repositoryOf(ctx)
    const { restore } = await import('./switch.ts')
    const warnings = [...(await restore(ctx, repository, input.commitSha, input.filePath))]
    return { filePath: input.filePath, commitSha: await repository.commit(input.commitSha), warnings }
  },
})

export const versionOperations: readonly Operation[] = [status, init, commit, log, diff, file, restore]
