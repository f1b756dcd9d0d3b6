/** The page on the review in the documentation. */
import { describedRules } from './described-rule.ts'

export const reviewPage = `# Review of PLC programs

\`gantry check <folder>\` reads every exported file below a folder, makes a program of it in memory, compiles it and applies
rules. It needs neither TIA Portal nor a gateway, and writes nothing but its cache. A pipeline has it as one step:

\`\`\`sh
gantry check plant                          # for people
gantry check plant --format sarif --out gantry.sarif
gantry check plant --format github          # annotations in GitHub Actions
gantry check plant --format gitlab --out gl-code-quality-report.json
gantry check Plant.zap19                    # a project of TIA Portal
gantry check "plant/*.scl"                  # single files, as one program with the settings of their folder
\`\`\`

\`gantry init\` writes \`gantry.yml\`, a sample test, the schemas for editors, and the pipeline files of GitHub Actions, GitLab CI, Jenkins
and Azure Pipelines. They install the package (\`--package\`: the file of \`npm pack\`, its address, or name@version; else the variable
\`GANTRY_PACKAGE\` of the service) or run the container image (\`--image\`, of \`docker build\`). In a workflow of GitHub, \`action.yml\` of
Gantry's repository is an action: \`uses: <owner>/<repository>@<version>\` with \`folder\`, \`format\`, \`out\` and, where \`gantry.yml\` does not
decide, \`fail-on\`. The same
check is the operation \`review.check\` (\`POST /api/review/actions/check\`, MCP toolset \`review\`) on the open project, one of its PLCs or a folder of the workspace.

**What is read.** SimaticML (\`.xml\`), SIMATIC SD (\`.s7dcl\` with \`.s7res\`), sources (\`.scl\`, \`.awl\`, \`.stl\`, \`.db\`, \`.udt\`), tag tables
(\`.xlsx\`, \`.sdf\`, \`.asc\`, \`.csv\`), hardware (\`.aml\`: its controllers and their tags). Controllers are those of \`gantry.yml\`, else those
of the hardware where folders have their names, else one. Of two objects with one name the first counts, and that is reported
when they differ.

**What is missing.** Blocks, types and tags that the program uses and the folder does not hold are reported once each
(\`missing-block\`, \`missing-type\`, \`missing-name\`), and faults that only follow from them are left out. Names of libraries are
listed under \`libraries\`; those of types and instructions of the system that are not known here (SINUMERIK) can be too.
In an open project the compiler refuses all of them, as TIA Portal does.

**Report.** As text, more than three findings of one kind are one entry with their count and the first places; \`--all\`
shows each. The other formats hold every finding. \`--show\` gives the lowest severity that is reported.

**Format.** Without \`--format\` the name of \`--out\` says it (\`.sarif\`, \`.json\`, \`.html\`, \`.md\`, \`.xml\`,
\`.tap\`, as far as the command has such a format); a name that contradicts \`--format\` is refused. The file has the usual mode of the account (umask).

**Paths.** Text and JSON name files from the folder that was checked. What services read names them from the root of
the git repository, wherever the command runs: SARIF (\`uriBaseId\` \`%SRCROOT%\`), annotations of GitHub, code quality of GitLab; of
\`gantry test\` JUnit, TAP, lcov and Cobertura. Without a repository they count from the working directory when the folder is
below it, else from the folder, and SARIF has the address of that in \`originalUriBaseIds\`. Findings in a project of TIA Portal are
those of its file.

**Exit codes.** 0 nothing at or above \`--fail-on\` (default: error), 1 such findings, 2 the command line or \`gantry.yml\` is wrong, 3
the folder cannot be read.

**Cache.** The result is kept by the content of all files, the settings and the version of the code; when nothing has changed
it is printed again at once. \`--cache <dir>\` says where, \`--no-cache\` checks again.

## Settings

\`gantry.yml\` in the folder, or \`--config\`: \`docs/gantry-yml.md\` has every field. Faults are reported with line,
column and what is allowed. \`gantry doc\` and \`gantry fmt\` follow it too.

## Accepting a finding

In the program, with a reason: \`gantry-ignore case-without-else: the caller checks the mode\` in a comment of the line or of the line
before, in the title or comment of a network, in the comment of a member, tag or block, or as the attribute \`GantryIgnore\`
of a block or member (\`case-without-else: why\`). \`gantry-ignore-block\` in a comment of the code is of the whole block. Errors of
the compiler cannot be accepted. Without a reason it does not count, and that is reported; so is one that is of nothing.

For old code: \`gantry check --write-baseline known.json\` once, then \`gantry check --baseline known.json\` reports new findings
only. A finding is known by its rule, object and words, not by its line.

## Fixes

Some findings have a change that mends them and does not alter what the program does. \`--fix\` makes it in source files; SARIF has
it as \`fixes\`.

## Formatting

\`gantry fmt\` writes SCL in one form: indentation by structure, one form of blanks and keywords; line breaks, comments and the
program stay. \`format\` of \`gantry.yml\` says how, for editors too (\`gantry lsp\`): \`indent\`, \`keywords\`, and \`style: tia\` for
repositories that hold exports of TIA Portal: declarations are then indented by three blanks, sections, empty lines and tabs
are where TIA Portal puts them, so that exporting the program again changes nothing. Lines of bodies that begin with a tab are
as its editor has them, and stay. \`--style\`, \`--indent\` and \`--keywords\` count more than the settings.

## Comparing

\`gantry diff <a> <b>\` compares two files, folders or versions of git (\`main:plc\`) by meaning: members, networks, statements, tags; of
hardware (AML, projects of TIA Portal) subnets, devices, modules by name and slot, addresses, attributes, cables. Of a project with
several controllers each is compared with its own. With \`--url\` a gateway compares: sides are then paths of its workspace, \`project:\`,
\`device:PLC_1\`, \`device:PLC_1/Motor\`, these as they were (\`device:PLC_1@2026-03-01T08:00:00Z\`, or @ and the number of a
record), and \`snapshot:<id>\`. The same is \`review.diff\` (\`POST /api/review/actions/diff\`).
Its exit code is 0 when both mean the same, 1 when they differ. Notation is no difference: \`#a\` and \`a\`, upper and lower case,
\`16#FF\` and 255, brackets that change nothing. Such objects are listed as written differently. Networks are paired once, by logic,
title and comments: one that is put in or taken out changes nothing of those behind it. \`--format html --out changes.html\` writes one page with
declarations as tables, text side by side, and networks drawn side by side with the changed elements marked. The operation is
\`review.diff\` (\`POST /api/review/actions/diff\`).

\`GET /api/review/jobs/{jobId}/changes\` (\`review.job-changes\`) tells the same of a job: what it changed, and of a dry run what it would
have changed, object by object; what is no program (devices, watch tables, screens …) field by field. With \`pictures=true\` both have
the networks that differ, drawn.

## Merging

\`gantry merge <base> <ours> <theirs> [--output <file>]\` merges two changes of one file. In SimaticML sections, members and their
attributes, networks, titles and comments by language, tags and properties are units: what one side changed is taken from it.
Networks are paired by what is in them, not by their ids. A unit that both sides changed is a conflict; so are two networks
that were added at one place, an order that one side changed while the other changed the list, and a new type of a member that the
other side changed too. Statements in SCL are merged by lines. Conflicts are listed on standard error, the exit code is 1, and
SimaticML has our side there. Sources and other text are merged by lines, declarations by the names of members; conflicts are
marked as git marks them. The result is read again: changes that do not fit together are conflicts too.

\`gantry git install\` in a repository makes git use both: \`git diff\` shows programs as text, \`git difftool --tool=gantry\` compares
them by meaning, and merges go by meaning. It writes \`.gitattributes\` (commit it) and the settings of the repository (each
clone needs the command once); a second time changes nothing. \`--global\` is for all repositories of the user, \`gantry git
uninstall\` takes it back.
`

/**
 * The rules as a table.
 * @param counts findings by code; absent: without the column
 */
export function ruleTable(counts?: ReadonlyMap<string, number>): string {
  const rows = describedRules().map(({ code, group, severity, title, hasFixes, options }) =>
    [
      `\`${code}\``,
      group,
      severity,
      `${title}${hasFixes ? ' (fix)' : ''}`,
      options.map(({ name, value }) => `\`${name}: ${JSON.stringify(value)}\``.replaceAll('|', '\\|')).join(' '),
      ...(counts ? [String(counts.get(code) ?? 0)] : []),
    ].join(' | '),
  )
  const head = ['rule', 'group', 'severity', 'what', 'options', ...(counts ? ['corpus'] : [])]
  return `| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|\n${rows.map((row) => `| ${row} |\n`).join('')}`
}
