/** The command of this plugin; what it does is loaded when it runs. */
import type { CliCommand } from '../../core/index.ts'

const test: CliCommand = {
  name: 'test',
  description: 'run the tests (*.test.yml, blocks Test_…) of a program on private virtual controllers, in virtual time',
  arguments: [{ name: '[folder]', description: 'of exports and tests; default: the working directory', isPath: true }],
  options: [
    {
      name: 'format',
      value: 'format',
      choices: ['text', 'junit', 'json', 'tap', 'html'],
      description: 'of the report',
      defaultText: 'by the name of --out (.xml, .json, .tap, .html), else text',
    },
    { name: 'out', value: 'file', description: 'write the report to a file; progress is still shown' },
    {
      name: 'name',
      value: 'pattern',
      multiple: true,
      description: 'only cases whose name has this text, or matches it with * (repeatable)',
    },
    { name: 'tag', value: 'tag', multiple: true, description: 'only cases with this tag (repeatable)' },
    {
      name: 'changed-since',
      value: 'ref',
      description: 'only tests that what changed since a version in git touches: test files, blocks and what uses them',
    },
    { name: 'no-plugins', description: 'do not load the plugins that gantry.yml names: their code is of who wrote it' },
    { name: 'verbose', description: 'list the cases that pass too' },
    { name: 'jobs', value: 'number', description: 'threads that run cases', defaultText: 'one for each core' },
    {
      name: 'mutate',
      description: 'change the program in one place after the other, and list the changes that no test notices',
    },
    {
      name: 'generate',
      value: 'file',
      description:
        'write tests into the folder: from a design spec (each row of the state table of each phase), or from a recorded trace of a controller (CSV)',
    },
    {
      name: 'inputs',
      value: 'pattern',
      multiple: true,
      description: 'tags of the trace that come from outside (repeatable); default: those with an input address',
    },
    { name: 'force', description: 'with --generate: replace test files that are there' },
    { name: 'coverage', description: 'record what the tests run of the program, and print it for each block' },
    { name: 'coverage-html', value: 'file', description: 'write code and drawn networks with what ran' },
    { name: 'coverage-lcov', value: 'file', description: 'write the coverage for tools that read lcov' },
    { name: 'coverage-cobertura', value: 'file', description: 'write the coverage as Cobertura XML' },
  ],
  help: `
The format of test files: docs/test-files.md, and "gantry schema test" for editors. What passes is counted; --verbose lists it.
With --url or GANTRY_URL a gateway runs the tests: the folder is then one of its workspace.
`,
  callsGateway: true,
  exitCodes: `
Exit codes:
  0    all cases passed
  1    cases failed, or could not run; with --mutate: a change was not noticed
  2    the command line or a test file is wrong, or no case is selected
  3    the folder cannot be read
  130  interrupted (128 + signal number)`,
  run: async (args, options, tools) =>
    (await import('./test-command.ts')).runTest(args[0] as string | undefined, options, tools),
}

export const commands: readonly CliCommand[] = [test]
