/** Git, as a program that works in the folder of the open project. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { problem, type QueryContext } from '../../core/index.ts'
import { pathBelow } from '../../lib/path-below.ts'
import { type Project, requireProject } from '../projects/index.ts'
import { refusal } from './problems.ts'

/** Longest answer of git that is read, bytes. */
const mostOutput = 64 * 1024 * 1024

/**
 * No programs that a repository names (hooks, watchers, signing, pagers): whoever can write a folder of the workspace
 * would run them with the rights of the gateway. Filters and merge drivers of the repository's own settings stay.
 */
const settings = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.quotePath=false', 'commit.gpgSign=false'],
  ...['gc.auto=0', 'maintenance.auto=false', 'advice.detachedHead=false'],
].flatMap((setting) => ['-c', setting])

/** What git reads, in pieces. */
type Input = AsyncIterable<Buffer> | Iterable<Buffer>

interface Ran {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** The repository that the open project is in. */
export class Repository {
  readonly project: Project
  readonly #ceiling: string
  readonly #signal: AbortSignal

  constructor(project: Project, ceiling: string, signal: AbortSignal) {
    this.project = project
    this.#ceiling = ceiling
    this.#signal = signal
  }

  /**
   * Runs git in the folder of the project.
   * @throws GatewayError `git_failed` when it cannot be started, `payload_too_large` for an answer without end
   */
  async run(
    args: readonly string[],
    { input, env = {} }: { readonly input?: Input; readonly env?: Record<string, string> } = {},
  ): Promise<Ran> {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
    const child = spawn('git', [...settings, ...args], {
      cwd: this.project.path,
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: this.#signal,
      env: {
        ...Object.fromEntries(inherited),
        ...{ LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_CEILING_DIRECTORIES: this.#ceiling },
        ...env,
      },
    })
    const ended = new Promise<number>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? cannotStart(this.project.path) : error),
      )
      child.on('close', (code) => resolve(code ?? 1))
    })
    // It tells of itself below; git may end before it has read all of its input.
    ended.catch(() => {})
    child.stdin.on('error', () => {})
    const [code, stdout, stderr] = await Promise.all([ended, all(child.stdout), all(child.stderr), feed(child, input)])
    return { code, stdout, stderr: stderr.toString('utf8').trim() }
  }

  /** What git answers. @throws GatewayError `git_failed` with its words */
  async text(args: readonly string[], options: Parameters<Repository['run']>[1] = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options)
    if (code !== 0) throw gitSaid(stderr || stdout.toString('utf8'))
    return stdout.toString('utf8')
  }

  /** The same, undefined when git says no. */
  async maybe(args: readonly string[]): Promise<string | undefined> {
    const { code, stdout } = await this.run(args)
    return code === 0 ? stdout.toString('utf8').trim() : undefined
  }

  /** The commit that a version names. @throws GatewayError `not_found` */
  async commit(version: string): Promise<string> {
    // An option cannot be taken for a version.
    const found = await this.maybe(['rev-parse', '--verify', '--quiet', '--end-of-options', `${version}^{commit}`])
    if (found === undefined) throw problem('not_found', `There is no commit "${version}".`)
    return found
  }

  /** The folder of the project below the root of the repository, with a slash at its end; empty: the root. */
  async prefix(): Promise<string> {
    return (await this.text(['rev-parse', '--show-prefix'])).replace(/\n$/, '')
  }

  /** The last commit of the branch; undefined when there is none yet. */
  head(): Promise<string | undefined> {
    return this.maybe(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  }
}

/** Node tells of a missing program and of a missing folder by the same code. */
function cannotStart(folder: string) {
  return existsSync(folder)
    ? refusal('git_failed', 'git is not installed for the gateway.')
    : refusal('no_repository', `The folder of the project (${folder}) is gone.`, { suggestion: 'Save the project.' })
}

/** The words of git as an error. */
export function gitSaid(words: string) {
  const text = words.trim().replace(/^(fatal|error): /, '')
  return refusal('git_failed', `git: ${text === '' ? 'no reason given' : text.slice(0, 2000)}`)
}

async function all(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > mostOutput) throw problem('payload_too_large', `git answers more than ${mostOutput} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function feed({ stdin }: { readonly stdin: NodeJS.WritableStream }, input: Input = []) {
  for await (const chunk of input)
    if (!stdin.write(chunk)) await new Promise((resolve) => stdin.once('drain', resolve).once('close', resolve))
  stdin.end()
}

/**
 * Git in the folder of the open project, whether it is in a repository or not.
 * @throws GatewayError `no_project`
 */
export function gitOf(ctx: QueryContext): Repository {
  const project = requireProject(ctx)
  const { roots } = ctx.gateway.workspace
  const root = roots.find((one) => pathBelow(one, project.path) !== undefined) ?? project.path
  return new Repository(project, dirname(root), ctx.signal)
}

/**
 * The repository of the open project.
 * @throws GatewayError `no_project`, `no_repository`
 */
export async function repositoryOf(ctx: QueryContext): Promise<Repository> {
  const git = gitOf(ctx)
  if (await isRepository(git)) return git
  const { name, path } = git.project
  throw refusal('no_repository', `Project "${name}" (${path}) is in no git repository.`, {
    suggestion: 'POST /api/source-control/init makes one.',
  })
}

/** Whether the project is in a working tree. @throws GatewayError `git_failed` when git does not trust it */
export async function isRepository(git: Repository): Promise<boolean> {
  const { code, stderr } = await git.run(['rev-parse', '--is-inside-work-tree'])
  if (code !== 0 && !/not a git repository/i.test(stderr)) throw gitSaid(stderr)
  return code === 0
}

/**
 * Refuses a path that leads out of the folder of the project: a repository may hold more than that.
 * @throws GatewayError `invalid_input`
 */
export function requireInside(filePath: string): void {
  const isInside = !/[\\\0]/.test(filePath) && !filePath.split('/').some((one) => ['', '.', '..'].includes(one))
  if (isInside) return
  const message = 'must be the path of a file below the folder of the project, with / between the names'
  throw problem('invalid_input', `/filePath: ${message}.`, {
    errors: [{ path: '/filePath', message, value: filePath }],
  })
}
