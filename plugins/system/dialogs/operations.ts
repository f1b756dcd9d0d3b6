/** Dialogs on the host, for clients on the same desktop that let the user choose a path. */

import { defined, get, type Operation, problem, type QueryContext, query } from '../../../core/index.ts'
import { runsInLane } from '../shared.ts'
import type { BrowseKind } from './browse.ts'

interface Question {
  readonly title?: string
  readonly startIn?: string
  /** For example `*.csv;*.txt`. */
  readonly filter?: string
}

async function choose(kind: BrowseKind, id: string, { title, startIn, filter }: Question, ctx: QueryContext) {
  if (runsInLane(ctx, id)) {
    throw problem('conflict', 'A dialog cannot be a job: it would keep every command waiting for its user.', {
      suggestion: 'Leave out Prefer: respond-async.',
    })
  }
  // The dialog would look there, with the rights of whoever started the gateway.
  if (startIn !== undefined) ctx.gateway.workspace.absolute(startIn)
  const { browse } = await import('./browse.ts')
  const patterns = filter?.split(';').map((pattern) => pattern.trim())
  try {
    const path = await browse(
      {
        kind,
        startIn: startIn ?? ctx.gateway.workspace.roots[0]!,
        ...defined({ title }),
        ...(patterns ? { filters: [{ name: patterns.join(', '), patterns }] } : {}),
      },
      ctx.signal,
    )
    if (path === null) return { cancelled: true }
    return { path, cancelled: false, inWorkspace: await isInWorkspace(ctx, path) }
  } catch (error) {
    throw asProblem(error)
  }
}

/** A user can choose a path outside the workspace, but operations refuse it, so the response reports it. */
function isInWorkspace(ctx: QueryContext, path: string): Promise<boolean> {
  return ctx.files.resolve(path).then(
    () => true,
    () => false,
  )
}

/** Checks the shape of the error: the module of the dialogs is loaded only when a dialog is opened. */
function asProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'DialogError') return error
  switch ((error as Error & { code: string }).code) {
    case 'no_desktop':
      return problem('no_desktop', error.message, { cause: error })
    case 'invalid_request':
      return problem('invalid_input', error.message, { cause: error })
    case 'aborted':
      return problem('request_cancelled', error.message, { cause: error })
    default:
      return problem('conflict', error.message, { cause: error })
  }
}

function browseOperation(kind: BrowseKind, title: string, description: string): Operation {
  const id = `system.browse-${kind}`
  return query({
    id,
    title,
    description: `${description} The answer comes when the user has chosen. 409 \`no_desktop\` on a host without one.`,
    live: true,
    access: 'engineer',
    input: (t) =>
      t.Object({
        title: t.Optional(t.String({ maxLength: 200, description: 'Title of the dialog.' })),
        startIn: t.Optional(
          t.String({ description: 'Absolute path to start in; the first workspace root by default.' }),
        ),
        ...(kind === 'folder'
          ? {}
          : {
              filter: t.Optional(t.String({ maxLength: 500, description: 'File name patterns, e.g. `*.csv;*.txt`.' })),
            }),
      }),
    output: (t) =>
      t.Object({
        path: t.Optional(t.String({ description: 'Absolute path of what was chosen.' })),
        cancelled: t.Boolean(),
        inWorkspace: t.Optional(t.Boolean({ description: 'false: other operations will refuse this path.' })),
      }),
    aliases: { startIn: ['initialDirectory', 'directory'], ...(kind === 'folder' ? {} : { filter: ['filters'] }) },
    http: [get(`/api/system/browse-${kind}`)],
    mcp: false,
    run: (input, ctx) => choose(kind, id, input as Question, ctx),
  })
}

export const dialogOperations: readonly Operation[] = [
  browseOperation('file', 'Open a file dialog on the host', 'Lets the user at the host choose a file.'),
  browseOperation(
    'project',
    'Open a project browser dialog on the host',
    'Lets the user at the host choose a project file or an archive.',
  ),
  browseOperation('folder', 'Open a folder dialog on the host', 'Lets the user at the host choose a folder.'),
]
