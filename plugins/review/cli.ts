/** The commands of this plugin; what they do is loaded when one runs. */
import type { CliCommand } from '../../core/index.ts'

const checkCodes = `
Exit codes:
  0    nothing at or above --fail-on
  1    findings at or above --fail-on
  2    the command line, gantry.yml or the baseline is wrong
  3    the folder cannot be read, or holds nothing to check; --fix: a file cannot be written
  130  interrupted (128 + signal number)`

const check: CliCommand = {
  name: 'check',
  description:
    'compile and review the exports below a folder, or a TIA Portal project, without TIA Portal and without a gateway',
  arguments: [
    {
      name: '[paths...]',
      description: 'a folder of exports (default: the working directory), a .zapNN or .apNN, or exported files',
      isPath: true,
    },
  ],
  options: [
    {
      name: 'format',
      value: 'format',
      choices: ['text', 'json', 'sarif', 'github', 'gitlab'],
      description: 'of the report',
      defaultText: 'by the name of --out (.json, .sarif), else text',
    },
    { name: 'out', value: 'file', description: 'write the report to a file instead of standard output' },
    {
      name: 'fail-on',
      value: 'severity',
      choices: ['error', 'warning', 'information', 'never'],
      description: 'the lowest severity that makes the exit code 1',
      defaultText: 'failOn of gantry.yml, else error',
    },
    {
      name: 'show',
      value: 'severity',
      choices: ['error', 'warning', 'information'],
      description: 'the lowest severity that is reported',
      defaultText: 'warning; information in json, sarif and gitlab',
    },
    { name: 'all', description: 'in text: each finding by itself; else those of one kind are grouped' },
    { name: 'config', value: 'file', description: 'settings', defaultText: 'gantry.yml in the folder' },
    { name: 'baseline', value: 'file', description: 'leave out the findings that this file knows' },
    { name: 'write-baseline', value: 'file', description: 'write all findings to a file for --baseline, and succeed' },
    { name: 'fix', description: 'change the files where a finding has a safe fix' },
    {
      name: 'cache',
      value: 'dir',
      description: 'where results are kept',
      defaultText: 'the cache directory of the system',
    },
    { name: 'no-cache', description: 'check everything again' },
    { name: 'no-plugins', description: 'do not load the plugins that gantry.yml names: their code is of who wrote it' },
  ],
  help: `
Settings are in gantry.yml: docs/gantry-yml.md, and "gantry schema config" for editors. The rules: docs/review.md.
With --url or GANTRY_URL a gateway does the work: the folder is then one of its workspace.
`,
  exitCodes: checkCodes,
  callsGateway: true,
  run: async (args, options, tools) =>
    (await import('./commands/check-command.ts')).runCheck((args[0] ?? []) as readonly string[], options, tools),
}

const rules: CliCommand = {
  name: 'rules',
  description: 'list the rules of "gantry check", or explain one',
  arguments: [{ name: '[code]', description: 'of a rule' }],
  options: [{ name: 'json', description: 'as JSON' }],
  run: async (args, options, tools) =>
    (await import('./commands/rules-command.ts')).runRules(args[0] as string | undefined, options, tools),
}

const diff: CliCommand = {
  name: 'diff',
  description: 'compare two files, folders, TIA Portal projects, versions of git or devices of a gateway by meaning',
  arguments: [
    {
      name: '<a>',
      description: 'a path, or <version>:<path from the root of the repository>, e.g. main:plc',
      isPath: true,
    },
    { name: '<b>', description: 'the same', isPath: true },
  ],
  options: [
    {
      name: 'format',
      value: 'format',
      choices: ['text', 'json', 'html'],
      description: 'of the report; html is one page with networks drawn side by side',
      defaultText: 'by the name of --out (.json, .html), else text',
    },
    { name: 'out', value: 'file', description: 'write the report to a file instead of standard output' },
  ],
  help: `
With --url or GANTRY_URL a gateway does the work. Its sides are paths of its workspace, and
  project:                  the open project
  device:PLC_1              a device, with its hardware
  device:PLC_1/Motor        a block, type or tag table of it
  device:PLC_1@<time>       the same as it was; also the number of a record, and for project: and objects
  snapshot:<id>             a snapshot of a block or tag table
`,
  exitCodes: `
Exit codes:
  0    both mean the same; notation may differ (16#FF and 255, #a and a)
  1    they differ
  2    the command line is wrong
  3    one side, or a file of it, cannot be read, and nothing else differs`,
  callsGateway: true,
  run: async (args, options, tools) =>
    (await import('./commands/diff-command.ts')).runDiff(args as readonly (string | undefined)[], options, tools),
}

const merge: CliCommand = {
  name: 'merge',
  description: 'merge two changes of one file by meaning: members, networks, tags, texts, lines of sources',
  arguments: [
    { name: '<base>', description: 'the file before both changes', isPath: true },
    { name: '<ours>', description: 'the file with our changes', isPath: true },
    { name: '<theirs>', description: 'the file with their changes', isPath: true },
  ],
  options: [
    { name: 'output', value: 'file', description: 'write the result to a file, also over one of the three' },
    { name: 'path', value: 'path', description: 'name of the file in messages', defaultText: 'that of ours' },
  ],
  help: `
Conflicts are listed on standard error. In sources and other text they are also marked in the result; in SimaticML the
result has our side there.
`,
  exitCodes: `
Exit codes:
  0    merged
  1    merged but for conflicts
  2    the command line is wrong
  3    a file cannot be read`,
  run: async (args, options, tools) =>
    (await import('./commands/merge-command.ts')).runMerge(args as readonly (string | undefined)[], options, tools),
}

const git: CliCommand = {
  name: 'git',
  description: 'make git compare and merge exports of programs by meaning',
  arguments: [
    { name: '<action>', description: 'install, uninstall; git itself calls textconv' },
    { name: '[path]', description: 'of the repository, default: the working directory; of the file for textconv' },
  ],
  options: [
    { name: 'global', description: 'for all repositories of this user' },
    { name: 'command', value: 'command', description: 'what git runs', defaultText: 'this installation of gantry' },
  ],
  exitCodes: `
Exit codes:
  0    done; a second time changes nothing
  2    the command line is wrong
  3    there is no repository, or no git`,
  run: async (args, options, tools) =>
    (await import('./commands/git-command.ts')).runGit(args as readonly (string | undefined)[], options, tools),
}

const init: CliCommand = {
  name: 'init',
  description: 'write gantry.yml and the files that make a pipeline check the program',
  arguments: [
    { name: '[folder]', description: 'root of the repository; default: the working directory', isPath: true },
  ],
  options: [
    {
      name: 'ci',
      value: 'service',
      multiple: true,
      choices: ['github', 'gitlab', 'jenkins', 'azure'],
      description: 'only the pipeline of this service (repeatable)',
      defaultText: 'all',
    },
    {
      name: 'program',
      value: 'folder',
      description: 'folder of the exports in the repository',
      defaultText: 'the first that holds some',
    },
    {
      name: 'package',
      value: 'package',
      description: 'what pipelines install with npm: the file of "npm pack", its address, or name@version',
      defaultText: 'the variable GANTRY_PACKAGE of the service',
    },
    {
      name: 'image',
      value: 'image',
      description: 'pipelines run this container image instead; "variable": GANTRY_IMAGE',
    },
    { name: 'force', description: 'replace files that are there' },
  ],
  run: async (args, options, tools) =>
    (await import('./commands/init-command.ts')).runInit(args[0] as string | undefined, options, tools),
}

const fmt: CliCommand = {
  name: 'fmt',
  description: 'format SCL sources: indentation, blanks, keywords; the program stays the same',
  arguments: [
    {
      name: '[paths...]',
      description: 'files, or folders with .scl, .udt and .db files; default: the working directory',
      isPath: true,
    },
  ],
  options: [
    { name: 'check', description: 'change nothing; exit code 1 when a file would change' },
    {
      name: 'style',
      value: 'style',
      choices: ['gantry', 'tia'],
      description: 'tia: as TIA Portal writes sources, so that an export of the same program changes nothing',
      defaultText: 'format.style of gantry.yml, else gantry',
    },
    {
      name: 'indent',
      value: 'blanks',
      description: 'of one level: 1 to 8, or tab',
      defaultText: 'format.indent of gantry.yml, else 4',
    },
    {
      name: 'keywords',
      value: 'case',
      choices: ['upper', 'keep'],
      description: 'case of keywords',
      defaultText: 'format.keywords of gantry.yml, else upper',
    },
  ],
  help: `
gantry.yml is that of the folder of a file, or of the next one above in the repository. With the style tia, lines of bodies
that begin with a tab are as the editor of TIA Portal has them, and stay.
`,
  exitCodes: `
Exit codes:
  0    done
  1    --check: files would change
  2    the command line is wrong
  3    a file cannot be read, parsed or written, and stays as it is; the others are formatted`,
  run: async (args, options, tools) =>
    (await import('./commands/fmt-command.ts')).runFmt((args[0] ?? []) as readonly string[], options, tools),
}

const readCodes = `
Exit codes:
  0    done
  2    the command line is wrong
  3    the folder cannot be read`

const culture = { name: 'culture', value: 'language', description: 'of titles and comments', defaultText: 'en-US' }

const doc: CliCommand = {
  name: 'doc',
  description:
    'write the documentation of a program, controller by controller: objects, call tree, inputs and outputs, networks drawn',
  arguments: [
    {
      name: '[paths...]',
      description:
        'a folder of exports (default: the working directory), a .zapNN or .apNN, <version of git>:<path>, or exported files',
      isPath: true,
    },
  ],
  options: [
    {
      name: 'format',
      value: 'format',
      choices: ['html', 'markdown'],
      description: 'of the document',
      defaultText: 'by the name of --out (.html, .md), else html',
    },
    { name: 'out', value: 'file', description: 'write to a file instead of standard output' },
    { name: 'title', value: 'text', description: 'of the document', defaultText: 'the name of the folder' },
    culture,
  ],
  help: '\nWith --url or GANTRY_URL a gateway does the work: the folder is then one of its workspace.\n',
  exitCodes: readCodes,
  callsGateway: true,
  run: async (args, options, tools) =>
    (await import('./commands/doc-command.ts')).runDoc((args[0] ?? []) as readonly string[], options, tools),
}

const render: CliCommand = {
  name: 'render',
  description: 'draw a network in LAD or FBD, or a sequence of GRAPH, as SVG; or all networks as a page',
  arguments: [
    { name: '[path]', description: 'an exported file or folder; default: the working directory', isPath: true },
  ],
  options: [
    {
      name: 'format',
      value: 'format',
      choices: ['svg', 'html'],
      description: 'svg: one network; html: a page with all networks of the block, or of all blocks',
      defaultText: 'by the name of --out (.svg, .html), else svg',
    },
    { name: 'block', value: 'name', description: 'of the block', defaultText: 'the only one there is' },
    { name: 'network', value: 'number', description: 'of the network or sequence', defaultText: '1' },
    { name: 'out', value: 'file', description: 'write to a file instead of standard output' },
    culture,
  ],
  exitCodes: readCodes,
  run: async (args, options, tools) =>
    (await import('./commands/doc-command.ts')).runRender(args[0] as string | undefined, options, tools),
}

const schema: CliCommand = {
  name: 'schema',
  description: 'print the JSON Schema of a file that people write, for editors: *.test.yml, or gantry.yml',
  arguments: [{ name: '<file>', description: 'test or config' }],
  options: [{ name: 'out', value: 'file', description: 'write to a file instead of standard output' }],
  help: '\nEditors use it with the line "# yaml-language-server: $schema=<path>" at the beginning of the file.\n',
  run: async (args, options, tools) =>
    (await import('./commands/schema-command.ts')).runSchema(args[0] as string | undefined, options, tools),
}

export const commands: readonly CliCommand[] = [check, rules, diff, merge, git, init, fmt, doc, render, schema]
