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
\`\`\`

\`gantry init\` writes \`gantry.yml\` and the pipeline files of GitHub Actions, GitLab CI, Jenkins and Azure Pipelines. The same
check is the operation \`review.check\` (\`POST /api/review/actions/check\`, MCP toolset \`review\`) on a folder of the workspace.

**What is read.** SimaticML (\`.xml\`), SIMATIC SD (\`.s7dcl\` with \`.s7res\`), sources (\`.scl\`, \`.awl\`, \`.stl\`, \`.db\`, \`.udt\`), tag tables
(\`.xlsx\`, \`.sdf\`, \`.asc\`, \`.csv\`), hardware (\`.aml\`: its controllers and their tags). Controllers are those of \`gantry.yml\`, else those
of the hardware where folders have their names, else one. Of two objects with one name the first counts, and that is reported
when they differ.

**What is missing.** Blocks, types and tags that the program uses and the folder does not hold are reported once each
(\`missing-block\`, \`missing-type\`, \`missing-name\`), and faults that only follow from them are left out. Names of libraries are
listed under \`libraries\`.

**Exit codes.** 0 nothing at or above \`--fail-on\` (default: error), 1 such findings, 2 the command line or \`gantry.yml\` is wrong, 3
the folder cannot be read.

**Cache.** The result is kept by the content of all files, the settings and the version of the code; when nothing has changed
it is printed again at once. \`--cache <dir>\` says where, \`--no-cache\` checks again.

## Settings

\`gantry.yml\` in the folder, or \`--config\`. Faults are reported with line, column and what is allowed.
\`gantry doc\` follows \`devices\` and \`ignore\` too.

    failOn: warning              # error, warning, information or never
    missing: information         # severity of what is not in the folder
    culture: de-DE               # of texts in sources
    libraries: ["LGF_*", "Log"]  # names that libraries supply; * is any characters
    ignore: ["old/*"]            # paths that are left out
    devices:
      - { name: PLC_1, folder: line1 }
      - { name: PLC_2, folders: [line2, shared] }
    rules:
      case-without-else: error
      naming-block: off
      block-size: { severity: warning, networks: 40 }
      naming-tag: { pattern: "^[a-z][A-Za-z0-9]*$" }

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

## Comparing

\`gantry diff <a> <b>\` compares two files, folders or versions of git (\`main:plc\`) by meaning: members, networks, statements, tags; of
hardware (AML, projects of TIA Portal) subnets, devices, modules by name and slot, addresses, attributes, cables. Of a project with
several controllers each is compared with its own. With \`--url\` a gateway compares: sides are then paths of its workspace, \`project:\`,
\`device:PLC_1\`, \`device:PLC_1/Motor\`, these as they were (\`device:PLC_1@2026-03-01T08:00:00Z\`, or @ and the number of a
record), and \`snapshot:<id>\`. The same is \`review.diff\` (\`POST /api/review/actions/diff\`).
Its exit code is 0 when both mean the same, 1 when they differ. \`--format html --out changes.html\` writes one page with
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
