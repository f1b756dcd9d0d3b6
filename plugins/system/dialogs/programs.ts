import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The programs that show a native dialog, as data: program, arguments, meaning of the exit codes. */

/** Kind of dialog. */
export type BrowseKind = 'file' | 'folder' | 'project'

/** A named group of file name patterns, for example `{ name: 'CSV files', patterns: ['*.csv'] }`. */
export interface DialogFilter {
  readonly name: string
  readonly patterns: readonly string[]
}

/** A checked request: title in one line, absolute start directory or undefined. */
export interface DialogQuestion {
  readonly kind: BrowseKind
  readonly title: string
  readonly startIn: string | undefined
  readonly filters: readonly DialogFilter[]
}

/** The machine that shows the dialog; replaced in tests. */
export interface DesktopHost {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
}

/** Exit code and output of a program. */
export interface ProgramEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A program to start without a shell, and the meaning of its exit code and output. */
export interface DialogProgram {
  readonly file: string
  readonly args: readonly string[]
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv
  outcome(end: ProgramEnd): 'chosen' | 'cancelled' | 'no-desktop' | 'failed'
}

/** The programs that were searched for when none can be used. */
export interface NoDesktop {
  readonly missing: string
}

/** Returns the program for this machine and dialog, or why there is none. */
export async function findDialogProgram(
  question: DialogQuestion,
  host: DesktopHost,
): Promise<DialogProgram | NoDesktop> {
  switch (host.platform) {
    case 'darwin':
      return osascript(question)
    case 'win32':
      return powershell(question)
    default:
      return freedesktop(question, host.env)
  }
}

async function freedesktop(question: DialogQuestion, env: NodeJS.ProcessEnv): Promise<DialogProgram | NoDesktop> {
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return { missing: 'neither DISPLAY nor WAYLAND_DISPLAY is set' }
  const programs = [
    { name: 'zenity', make: zenity },
    { name: 'kdialog', make: kdialog },
  ]
  if (/\bKDE\b/i.test(env.XDG_CURRENT_DESKTOP ?? '')) programs.reverse()
  for (const { name, make } of programs) {
    const file = await onPath(name, env.PATH ?? '')
    if (file) return make(file, question)
  }
  return { missing: `neither zenity nor kdialog is on the PATH (${env.PATH || 'empty'}); install one of them` }
}

async function onPath(name: string, path: string): Promise<string | undefined> {
  for (const directory of path.split(delimiter)) {
    if (directory === '') continue
    const file = join(directory, name)
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return undefined
}

/**
 * zenity(1): 0 chosen, 1 cancelled or closed. It also exits with 1 when there is no display, then with a line on
 * stderr.
 */
function zenity(file: string, q: DialogQuestion): DialogProgram {
  const args = ['--file-selection', `--title=${q.title}`]
  if (q.kind === 'folder') args.push('--directory')
  // With a final slash it is the directory to start in; without, the proposed name.
  if (q.startIn) args.push(`--filename=${q.startIn.replace(/\/*$/, '/')}`)
  for (const filter of q.filters) args.push(`--file-filter=${filter.name} | ${filter.patterns.join(' ')}`)
  return { file, args, outcome: freedesktopOutcome }
}

/** kdialog: `--getopenfilename <start> <filter>`, filters one per line as `patterns|name`; 0 chosen, 1 cancelled. */
function kdialog(file: string, q: DialogQuestion): DialogProgram {
  const args = [
    '--title',
    q.title,
    q.kind === 'folder' ? '--getexistingdirectory' : '--getopenfilename',
    q.startIn ?? '.',
  ]
  if (q.filters.length > 0) args.push(q.filters.map((f) => `${f.patterns.join(' ')}|${f.name}`).join('\n'))
  return { file, args, outcome: freedesktopOutcome }
}

function freedesktopOutcome({ code, stderr }: ProgramEnd) {
  if (code === 0) return 'chosen'
  if (
    /(cannot|could not|failed to|unable to) (open|connect to) (the )?display|could not load the Qt platform plugin/i.test(
      stderr,
    )
  ) {
    return 'no-desktop'
  }
  return code === 1 ? 'cancelled' : 'failed'
}

/** `choose file|folder` (Standard Additions). Values arrive as `argv`, never inside the script. */
const APPLESCRIPT = `on run argv
  set thePrompt to item 1 of argv
  set theStart to item 2 of argv
  set theKind to item 3 of argv
  set theTypes to {}
  if (count of argv) > 3 then set theTypes to items 4 thru -1 of argv
  if theKind is "folder" then
    if theStart is "" then
      set theChoice to choose folder with prompt thePrompt
    else
      set theChoice to choose folder with prompt thePrompt default location (POSIX file theStart)
    end if
  else if theStart is "" then
    if theTypes is {} then
      set theChoice to choose file with prompt thePrompt
    else
      set theChoice to choose file with prompt thePrompt of type theTypes
    end if
  else
    if theTypes is {} then
      set theChoice to choose file with prompt thePrompt default location (POSIX file theStart)
    else
      set theChoice to choose file with prompt thePrompt of type theTypes default location (POSIX file theStart)
    end if
  end if
  return POSIX path of theChoice
end run`

function osascript(q: DialogQuestion): DialogProgram {
  // "of type" accepts extensions only; any other pattern (such as *) allows all files.
  const patterns = q.filters.flatMap((f) => f.patterns)
  const extensions = patterns.map((pattern) => /^\*\.([A-Za-z0-9_-]+)$/.exec(pattern)?.[1])
  const types = extensions.every((e) => e !== undefined) ? extensions : []
  return {
    file: '/usr/bin/osascript',
    args: ['-e', APPLESCRIPT, q.title, q.startIn ?? '', q.kind, ...types],
    // -128: user cancelled; -1713: no user interaction allowed; -10810: no window server (MacErrors.h).
    outcome: ({ code, stderr }) => {
      if (code === 0) return 'chosen'
      if (stderr.includes('(-128)')) return 'cancelled'
      return /\(-(1713|10810)\)/.test(stderr) ? 'no-desktop' : 'failed'
    },
  }
}

/** Exit codes of the script below that PowerShell itself does not use. */
const PS_CANCELLED = 3
const PS_NO_DESKTOP = 4

/** Values arrive in the environment, never inside the script. The owner form keeps the dialog in front. */
const POWERSHELL = `$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false
if (-not [Environment]::UserInteractive) { exit ${PS_NO_DESKTOP} }
Add-Type -AssemblyName System.Windows.Forms
$owner = New-Object System.Windows.Forms.Form -Property @{ TopMost = $true; ShowInTaskbar = $false }
if ($env:GANTRY_DIALOG_KIND -eq 'folder') {
  $dialog = New-Object System.Windows.Forms.FolderBrowserDialog
  $dialog.Description = $env:GANTRY_DIALOG_TITLE
  if ($env:GANTRY_DIALOG_START) { $dialog.SelectedPath = $env:GANTRY_DIALOG_START }
} else {
  $dialog = New-Object System.Windows.Forms.OpenFileDialog
  $dialog.Title = $env:GANTRY_DIALOG_TITLE
  if ($env:GANTRY_DIALOG_START) { $dialog.InitialDirectory = $env:GANTRY_DIALOG_START }
  if ($env:GANTRY_DIALOG_FILTER) { $dialog.Filter = $env:GANTRY_DIALOG_FILTER }
}
if ($dialog.ShowDialog($owner) -ne [System.Windows.Forms.DialogResult]::OK) { exit ${PS_CANCELLED} }
if ($env:GANTRY_DIALOG_KIND -eq 'folder') { [Console]::Out.Write($dialog.SelectedPath) } else { [Console]::Out.Write($dialog.FileName) }
exit 0`

function powershell(q: DialogQuestion): DialogProgram {
  return {
    file: 'powershell.exe',
    // -EncodedCommand takes base64 of UTF-16LE; so the script needs no quoting at all.
    args: ['-NoLogo', '-NoProfile', '-STA', '-EncodedCommand', Buffer.from(POWERSHELL, 'utf16le').toString('base64')],
    env: {
      GANTRY_DIALOG_KIND: q.kind,
      GANTRY_DIALOG_TITLE: q.title,
      GANTRY_DIALOG_START: q.startIn ?? '',
      GANTRY_DIALOG_FILTER: q.filters.map((f) => `${f.name}|${f.patterns.join(';')}`).join('|'),
    },
    outcome: ({ code }) => {
      if (code === 0) return 'chosen'
      if (code === PS_CANCELLED) return 'cancelled'
      return code === PS_NO_DESKTOP ? 'no-desktop' : 'failed'
    },
  }
}
