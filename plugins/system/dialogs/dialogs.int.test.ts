// In a process of its own: its hooks are those of the whole process.
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { becomes, until } from '../../../test/until.ts'
import { type BrowseRequest, browse, DialogError, type DialogErrorCode } from './browse.ts'
import { type DialogProgram, findDialogProgram, type ProgramEnd } from './programs.ts'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'dialogs-'))
})
after(() => rm(root, { recursive: true, force: true }))

/**
 * A PATH with fake dialog programs: each writes its arguments, NUL-separated, to a file next to it and then runs
 * `script`.
 */
async function fakePath(programs: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(root, 'bin-'))
  for (const [name, script] of Object.entries(programs)) {
    const file = join(directory, name)
    await writeFile(
      file,
      `#!/bin/sh\n{ for a in "$@"; do printf '%s\\0' "$a"; done; } > '${directory}/args'\n${script}\n`,
    )
    await chmod(file, 0o755)
  }
  return directory
}

const argsIn = async (directory: string) => (await readFile(join(directory, 'args'), 'utf8')).split('\0').slice(0, -1)

const linux = (PATH: string, env: NodeJS.ProcessEnv = { DISPLAY: ':0' }) => ({
  platform: 'linux' as const,
  env: { PATH, ...env },
})

async function failure(promise: Promise<unknown>, code: DialogErrorCode): Promise<string> {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof DialogError, String(error))
    assert.equal(error.code, code)
    return error.message
  }
  return assert.fail('it did not reject')
}

describe('a desktop with zenity or kdialog', { skip: process.platform === 'win32' }, () => {
  test('zenity: the chosen file, with title, start and filters as single arguments', async () => {
    const bin = await fakePath({ zenity: "printf '%s\\n' '/data/my file.csv'" })
    const start = join(root, 'start here; $(touch x)')
    await mkdir(start, { recursive: true })
    const chosen = await browse(
      {
        kind: 'file',
        title: '--help "quoted"\n$(id)',
        startIn: start,
        filters: [{ name: 'CSV | tables', patterns: ['*.csv', '*.txt'] }],
      },
      undefined,
      linux(bin),
    )
    assert.equal(chosen, '/data/my file.csv')
    assert.deepEqual(await argsIn(bin), [
      '--file-selection',
      '--title=--help "quoted" $(id)',
      `--filename=${start}/`,
      '--file-filter=CSV / tables | *.csv *.txt',
    ])
  })

  test('zenity: folders have no filters; a start that is gone becomes its nearest directory', async () => {
    const bin = await fakePath({ zenity: "printf '%s\\n' '/data/folder'" })
    const request: BrowseRequest = {
      kind: 'folder',
      startIn: join(root, 'gone', 'deeper'),
      filters: [{ name: 'x', patterns: ['*.x'] }],
    }
    assert.equal(await browse(request, undefined, linux(bin, { WAYLAND_DISPLAY: 'wayland-0' })), '/data/folder')
    assert.deepEqual(await argsIn(bin), [
      '--file-selection',
      '--title=Select a folder',
      '--directory',
      `--filename=${root}/`,
    ])
  })

  test('projects offer project files and archives', async () => {
    const bin = await fakePath({ zenity: 'echo /p/a.gantry' })
    assert.equal(await browse({ kind: 'project' }, undefined, linux(bin)), '/p/a.gantry')
    // TIA Portal V13 to V21; V15.1 has an extension of its own.
    const of = (extension: string) =>
      ['13', '14', '15', '15_1', '16', '17', '18', '19', '20', '21'].map((version) => `*.${extension}${version}`)
    assert.deepEqual(await argsIn(bin), [
      '--file-selection',
      '--title=Select a project',
      `--file-filter=Projects | ${['*.gantry', ...['ap', 'zap', 'al', 'zal'].flatMap(of)].join(' ')}`,
      '--file-filter=All files | *',
    ])
  })

  test('kdialog: used when zenity is absent, or first on KDE', async () => {
    const bin = await fakePath({ kdialog: 'echo /data/k.csv' })
    const request: BrowseRequest = {
      kind: 'file',
      startIn: root,
      filters: [
        { name: 'CSV', patterns: ['*.csv'] },
        { name: 'All', patterns: ['*'] },
      ],
    }
    assert.equal(await browse(request, undefined, linux(bin)), '/data/k.csv')
    assert.deepEqual(await argsIn(bin), ['--title', 'Select a file', '--getopenfilename', root, '*.csv|CSV\n*|All'])
    const both = await fakePath({ kdialog: 'echo /from/kdialog', zenity: 'echo /from/zenity' })
    assert.equal(await browse({ kind: 'folder' }, undefined, linux(both)), '/from/zenity')
    const kde = { DISPLAY: ':0', XDG_CURRENT_DESKTOP: 'ubuntu:KDE' }
    assert.equal(await browse({ kind: 'folder' }, undefined, linux(both, kde)), '/from/kdialog')
    assert.deepEqual(await argsIn(both), ['--title', 'Select a folder', '--getexistingdirectory', '.'])
  })

  test('the path is what is printed, without the end of the line and the slash of a folder', async () => {
    const chosen = async (printed: string) => {
      const bin = await fakePath({ zenity: `printf '${printed}'; echo 'a warning' >&2` })
      return browse({ kind: 'folder' }, undefined, linux(bin))
    }
    const paths = ['/data/a b/\\n', '/\\n', '/data/x\\r\\n', '/data/x', '\\n', '', '/two\\nlines\\n'].map(chosen)
    const wanted = ['/data/a b', '/', '/data/x', '/data/x', null, null, '/two\nlines']
    assert.deepEqual(await Promise.all(paths), wanted)
  })

  test('a program that the system does not start is named with the reason', async () => {
    const bin = await mkdtemp(join(root, 'bin-'))
    await mkdir(join(bin, 'zenity'))
    const message = await failure(browse({ kind: 'file' }, undefined, linux(bin)), 'dialog_failed')
    assert.match(message, /^The dialog program \/.*\/zenity cannot be started: .*EACCES/)
    const killed = await fakePath({ zenity: 'kill -9 $$' })
    assert.match(
      await failure(browse({ kind: 'file' }, undefined, linux(killed)), 'dialog_failed'),
      /zenity failed \(signal SIGKILL\): no message$/,
    )
  })

  test('cancelled is null, also with warnings on stderr', async () => {
    const bin = await fakePath({ zenity: 'echo "Gtk-WARNING: theme" >&2; exit 1' })
    assert.equal(await browse({ kind: 'file' }, undefined, linux(bin)), null)
  })

  test('a display that does not answer is no desktop; any other end is a failure', async () => {
    const dead = await fakePath({ zenity: 'echo "Gtk-WARNING **: cannot open display: :0" >&2; exit 1' })
    assert.match(
      await failure(browse({ kind: 'file' }, undefined, linux(dead)), 'no_desktop'),
      /cannot open display: :0/,
    )
    const broken = await fakePath({ zenity: 'echo "no such option" >&2; exit 255' })
    assert.match(
      await failure(browse({ kind: 'file' }, undefined, linux(broken)), 'dialog_failed'),
      /exit code 255\): no such option/,
    )
  })

  test('an aborted signal closes the dialog', async () => {
    const bin = await fakePath({ zenity: `echo $$ > "$(dirname "$0")/pid"\nexec sleep 600` })
    const abort = new AbortController()
    const open = browse({ kind: 'file' }, abort.signal, {
      platform: 'linux',
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0' },
    })
    const pid = async () => Number(await readFile(join(bin, 'pid'), 'utf8').catch(() => '0'))
    const dialog = await until(async () => (await pid()) || undefined, 'the dialog is open')
    abort.abort(new Error('client gone'))
    await failure(open, 'aborted')
    await becomes(() => isAlive(dialog), false)
    await failure(browse({ kind: 'file' }, AbortSignal.abort(), linux(bin)), 'aborted')
  })
})

test('without a desktop the error says what was looked for', async () => {
  const empty = await mkdtemp(join(root, 'empty-'))
  assert.match(
    await failure(browse({ kind: 'file' }, undefined, linux(empty, {})), 'no_desktop'),
    /neither DISPLAY nor WAYLAND_DISPLAY is set/,
  )
  assert.match(
    await failure(browse({ kind: 'file' }, undefined, linux(empty)), 'no_desktop'),
    /neither zenity nor kdialog is on the PATH \(.*empty-/,
  )
  await writeFile(join(empty, 'zenity'), 'not executable', { mode: 0o644 })
  if (process.getuid?.() !== undefined) await failure(browse({ kind: 'file' }, undefined, linux(empty)), 'no_desktop')
})

test('wrong requests are refused before anything is started', async () => {
  const refused = (request: unknown) =>
    failure(browse(request as BrowseRequest, undefined, linux('/nowhere')), 'invalid_request')
  assert.match(await refused({ kind: 'printer' }), /kind is "printer"; allowed are file, folder, project/)
  assert.match(await refused({ kind: 'toString' }), /kind is "toString"/)
  assert.match(await refused({ kind: 'file', startIn: 'relative/path' }), /absolute path, not "relative\/path"/)
  assert.match(
    await refused({ kind: 'file', filters: [{ name: 'x', patterns: ['-rf'] }] }),
    /pattern "-rf" is not allowed/,
  )
  assert.match(await refused({ kind: 'file', filters: [{ name: 'x', patterns: ['*.a|*.b'] }] }), /is not allowed/)
  assert.match(await refused({ kind: 'file', filters: [{ name: 'x', patterns: [] }] }), /has no patterns/)
})

describe('the other systems', () => {
  const question = {
    kind: 'file',
    title: 'Pick "one"',
    startIn: '/start',
    filters: [{ name: 'CSV', patterns: ['*.csv'] }],
  } as const
  const end = (code: number, stderr = ''): ProgramEnd => ({ code, signal: null, stdout: '', stderr })

  test('macOS: osascript gets values as arguments and its errors are understood', async () => {
    const program = (await findDialogProgram(question, { platform: 'darwin', env: {} })) as DialogProgram
    assert.equal(program.file, '/usr/bin/osascript')
    assert.deepEqual(program.args.slice(2), ['Pick "one"', '/start', 'file', 'csv'])
    assert.ok(!program.args[1]?.includes('Pick'))
    assert.equal(program.outcome(end(1, 'execution error: User canceled. (-128)')), 'cancelled')
    assert.equal(program.outcome(end(1, 'execution error: No user interaction allowed. (-1713)')), 'no-desktop')
    assert.equal(program.outcome(end(1, 'syntax error (-2741)')), 'failed')
    const any = { ...question, filters: [...question.filters, { name: 'All', patterns: ['*'] }] }
    const open = (await findDialogProgram(any, { platform: 'darwin', env: {} })) as DialogProgram
    assert.equal(open.args.length, 5)
  })

  test('Windows: PowerShell gets values in the environment and its exit codes are understood', async () => {
    const program = (await findDialogProgram(question, { platform: 'win32', env: {} })) as DialogProgram
    const script = Buffer.from(program.args.at(-1) ?? '', 'base64').toString('utf16le')
    assert.match(script, /System\.Windows\.Forms/)
    assert.ok(!script.includes('Pick'))
    assert.deepEqual(program.env, {
      GANTRY_DIALOG_KIND: 'file',
      GANTRY_DIALOG_TITLE: 'Pick "one"',
      GANTRY_DIALOG_START: '/start',
      GANTRY_DIALOG_FILTER: 'CSV|*.csv',
    })
    assert.deepEqual(
      [0, 1, 3, 4].map((code) => program.outcome(end(code))),
      ['chosen', 'failed', 'cancelled', 'no-desktop'],
    )
  })

  test('a program that does not exist is no desktop', async (t) => {
    if (process.platform === 'darwin') return t.skip('osascript exists here')
    assert.match(
      await failure(browse({ kind: 'file' }, undefined, { platform: 'darwin', env: {} }), 'no_desktop'),
      /osascript does not exist/,
    )
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
