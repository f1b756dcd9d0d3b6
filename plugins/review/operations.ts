/** The operations of the review. What they do is loaded on first use. */
import {
  defined,
  get,
  notFound,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../core/index.ts'
import type { Formatted } from '../../plc/languages/scl/format.ts'
import { requireProject } from '../projects/index.ts'
import type { CheckAnswer } from './check/check.task.ts'
import { diffOperations } from './compare/diff-operations.ts'
import { sideContent } from './compare/side-content.ts'
import type { Documentation } from './documentation.task.ts'
import { gatewayPlugins } from './folder/gateway-plugins.ts'
import { reviewRule } from './rule-point.ts'

const toolset = 'review'
const severity = (t: SchemaBuilder) => t.Enum(['error', 'warning', 'information'])

const finding = (t: SchemaBuilder) =>
  t.Object({
    code: t.String({
      description: 'A rule (see GET /api/review/rules), a message of the compiler, or about the folder.',
    }),
    severity: severity(t),
    message: t.String(),
    hint: t.Optional(t.String({ description: 'What would be right.' })),
    file: t.String({ description: 'Relative to the folder.' }),
    line: t.Integer({ description: 'In the file, from 1.' }),
    column: t.Integer(),
    lineText: t.Optional(t.String()),
    lineColumn: t.Optional(t.Integer({ description: 'Of the place in `lineText`.' })),
    device: t.Optional(t.String({ description: 'When the folder has several controllers.' })),
    object: t.Optional(t.String()),
    kind: t.Optional(t.String({ description: 'FB, FC, OB, GlobalDB, UDT, TagTable …' })),
    network: t.Optional(t.Integer()),
    uId: t.Optional(t.Integer({ description: 'Element of a LAD or FBD network.' })),
    element: t.Optional(t.String({ description: 'Step or transition of a sequence.' })),
    member: t.Optional(t.String()),
    reason: t.Optional(t.String({ description: 'Why the program accepts it.' })),
    fix: t.Optional(
      t.Object({
        description: t.String(),
        edits: t.Array(
          t.Object({
            line: t.Integer(),
            column: t.Integer(),
            endLine: t.Integer(),
            endColumn: t.Integer({ description: 'Excluded.' }),
            text: t.String(),
          }),
        ),
      }),
    ),
  })

/** What is read: a PLC of the open project, all of it, or a place of the workspace. */
const programFields = (t: SchemaBuilder) => ({
  deviceName: t.Optional(
    t.String({ minLength: 1, maxLength: 200, description: 'A PLC of the open project. Default: all of it.' }),
  ),
  path: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 4096,
      description: 'A folder or file of the workspace, instead of the open project; also a side of `review.diff`.',
    }),
  ),
})

/** @throws GatewayError `invalid_input` when both are given */
function sideOf(deviceName: string | undefined, path: string | undefined): string {
  if (deviceName === undefined) return path ?? 'project:'
  if (path === undefined) return `device:${deviceName}`
  const message = 'cannot be given beside deviceName: the program is that of the project or of a folder'
  throw problem('invalid_input', `path: ${message}`, { errors: [{ path: '/path', code: 'not_allowed', message }] })
}

const check = query({
  id: 'review.check',
  title: 'Check the open project or a folder of exports: compile and review it in memory',
  description:
    'Compiles the program of the open project (or of one of its PLCs), or every SimaticML, SIMATIC SD, source, tag table and hardware file below a folder of the workspace (or a .zapNN or .apNN), and applies the rules of the review. The open project stays as it is. `gantry.yml` in the folder has the settings; files of the project are named as an export has them.',
  input: (t) =>
    t.Object({
      ...programFields(t),
      config: t.Optional(
        t.String({ maxLength: 262_144, description: 'Settings as YAML, in the place of gantry.yml of the folder.' }),
      ),
      failOn: t.Optional(
        t.Enum(['error', 'warning', 'information', 'never'], {
          description: 'The lowest severity that makes `failed` true. Default: that of the settings, else error.',
        }),
      ),
      show: t.Optional(
        t.Enum(['error', 'warning', 'information'], {
          description: 'The lowest severity in `findings`. Default: information.',
        }),
      ),
      mostFindings: t.Optional(
        t.Integer({ minimum: 1, maximum: 100_000, description: 'Most findings in the answer. Default: 1000.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      devices: t.Array(
        t.Object({
          name: t.String(),
          files: t.Integer(),
          objects: t.Integer(),
          blocks: t.Integer({ description: 'Code blocks.' }),
          compiled: t.Integer({ description: 'Code blocks that compile.' }),
        }),
      ),
      findings: t.Array(finding(t), { description: 'By file, line and column.' }),
      suppressed: t.Array(finding(t), { description: 'Findings that the program accepts with a reason.' }),
      counts: t.Object({ error: t.Integer(), warning: t.Integer(), information: t.Integer() }),
      omitted: t.Integer({ description: 'Findings that are not in the answer, because of `show` or `mostFindings`.' }),
      failOn: t.Enum(['error', 'warning', 'information', 'never']),
      rules: t.Optional(
        t.Array(
          t.Object({ code: t.String(), group: t.String(), severity: t.String(), title: t.String(), why: t.String() }),
          { description: 'Rules of plugins that findings name.' },
        ),
      ),
      failed: t.Boolean({ description: 'There are findings of the severity `failOn` or above.' }),
    }),
  http: [post('/api/review/actions/check')],
  asks: ['check a program against rules', 'find mistakes in a program', 'review a project'],
  mcp: { toolset },
  aliases: { deviceName: ['device', 'plc'] },
  example: { path: 'plant/PLC_1' },
  async run({ deviceName, path, config, failOn, show = 'information', mostFindings = 1000 }, ctx) {
    const answer = await checked(ctx, sideOf(deviceName, path), config)
    const { outcomeOf } = await import('./check/outcome.ts')
    const result = { ...answer, ...defined({ failOn }) }
    const { shown, failed } = outcomeOf(result, result.findings, show)
    const count = (wanted: string) => result.findings.filter((one) => one.severity === wanted).length
    const findings = shown.slice(0, mostFindings)
    return {
      ...result,
      findings,
      suppressed: result.suppressed.slice(0, mostFindings),
      counts: { error: count('error'), warning: count('warning'), information: count('information') },
      omitted: result.findings.length - findings.length,
      failed,
    }
  },
})

/**
 * @throws GatewayError `not_found`, `unacceptable_content` for settings with faults or a folder with nothing to check
 */
async function checked(ctx: QueryContext, side: string, config: string | undefined) {
  const content = await sideContent(ctx, side)
  const { checkTask } = await import('./check/check.task.ts')
  const answer = await ctx.engine.run<CheckAnswer>(
    checkTask({ content, plugins: gatewayPlugins(ctx), ...defined({ config }) }),
  )
  if ('nothing' in answer) throw problem('unacceptable_content', answer.nothing)
  if ('configFaults' in answer)
    throw problem('unacceptable_content', 'The settings have faults.', {
      errors: answer.configFaults.map((fault) => ({
        path: (config === undefined && content.configFile) || '/config',
        ...fault,
      })),
      suggestion: 'The fields are devices, ignore, libraries, culture, failOn, missing, format, plugins and rules.',
    })
  return answer.result
}

const optionValue = (t: SchemaBuilder) =>
  t.Union([t.Number(), t.String(), t.Boolean(), t.Array(t.String())], { description: 'Default.' })

const ruleFields = (t: SchemaBuilder) => ({
  code: t.String(),
  group: t.String({ description: 'logic, data, security, structure, documentation, naming or compiler.' }),
  severity: t.String({ description: 'Without a setting: error, warning, information or off.' }),
  title: t.String(),
  why: t.String(),
  hasFixes: t.Boolean({ description: 'Findings have a change that mends them, where one is safe.' }),
  options: t.Array(t.Object({ name: t.String(), value: optionValue(t), description: t.String() })),
})

const listRules = query({
  id: 'review.list-rules',
  title: 'List the rules of the review',
  description:
    'Rules, and the warnings of the compiler, with their default severity and options; `view: short` has code, group, severity and title. `review.get-rule` explains one.',
  input: (t) =>
    t.Object({
      ...t.paging(),
      group: t.Optional(t.String({ maxLength: 100, description: 'Only of this group.' })),
      severity: t.Optional(t.Enum(['error', 'warning', 'information', 'off'])),
      view: t.Optional(t.Enum(['full', 'short'], { description: 'Default of REST: full, of tools: short.' })),
    }),
  output: (t) => {
    const { why, hasFixes, options, ...short } = ruleFields(t)
    return t.Object({
      rules: t.Array(
        t.Object({ ...short, why: t.Optional(why), hasFixes: t.Optional(hasFixes), options: t.Optional(options) }),
      ),
      total: t.Integer(),
      groups: t.Record(t.String(), t.Integer(), { description: 'How many rules each group has, of all there are.' }),
      nextCursor: t.Optional(t.String()),
    })
  },
  http: [get('/api/review/rules')],
  mcp: { toolset, defaults: { view: 'short', limit: 40 } },
  async run({ limit = 500, cursor, q = '', group, severity, view = 'full' }, ctx) {
    const { describedRules } = await import('./manual/described-rule.ts')
    const all = describedRules(ctx.extensions(reviewRule))
    const groups: Record<string, number> = {}
    for (const rule of all) groups[rule.group] = (groups[rule.group] ?? 0) + 1
    if (group !== undefined && !Object.hasOwn(groups, group.toLowerCase()))
      throw notFound('group of rules', group, Object.keys(groups))
    const word = q.toLowerCase()
    const matching = all.filter(
      (rule) =>
        `${rule.code} ${rule.title}`.toLowerCase().includes(word) &&
        (group === undefined || rule.group === group.toLowerCase()) &&
        (severity === undefined || rule.severity === severity),
    )
    const { page, ...rest } = rankedPage(matching, { limit, cursor }, 'rules')
    const rules = page.map(({ fails: _fails, passes: _passes, ...rule }) => {
      if (view === 'full') return rule
      const { code, title } = rule
      return { code, group: rule.group, severity: rule.severity, title }
    })
    return { rules, ...rest, groups }
  },
})

const getRule = query({
  id: 'review.get-rule',
  title: 'Explain a rule of the review, with a failing and a passing program',
  input: (t) => t.Object({ code: t.String({ minLength: 1, maxLength: 100 }) }),
  output: (t) => t.Object({ ...ruleFields(t), fails: t.String(), passes: t.String() }),
  http: [get('/api/review/rules/{code}')],
  mcp: { toolset },
  example: { code: 'case-without-else' },
  async run({ code }, ctx) {
    const { describedRule, describedRules } = await import('./manual/described-rule.ts')
    const more = ctx.extensions(reviewRule)
    const rule = describedRule(code, more)
    if (!rule)
      throw notFound(
        'rule',
        code,
        describedRules(more).map((one) => one.code),
      )
    return rule
  },
})

const format = query({
  id: 'review.format',
  title: 'Format SCL',
  description:
    'Indentation by structure, one form of blanks and keywords; comments, line breaks and the program stay. A text that cannot be parsed comes back as it is, with `faults`.',
  input: (t) =>
    t.Object({
      text: t.String({ maxLength: 4_194_304, description: 'A source, or statements alone.' }),
      indent: t.Optional(
        t.Integer({ minimum: 0, maximum: 8, description: 'Blanks of one level; 0: a tab. Default 4.' }),
      ),
      keywords: t.Optional(t.Enum(['upper', 'keep'], { description: 'Case of keywords. Default upper.' })),
      style: t.Optional(
        t.Enum(['gantry', 'tia'], {
          description: 'tia: as TIA Portal writes sources; `indent` has no effect then. Default gantry.',
        }),
      ),
    }),
  output: (t) =>
    t.Object({
      text: t.String(),
      changed: t.Boolean(),
      faults: t.Array(t.Object({ line: t.Integer(), column: t.Integer(), message: t.String() })),
    }),
  http: [post('/api/review/actions/format')],
  mcp: { toolset },
  aliases: { text: ['code', 'source', 'sourceText'] },
  example: { text: 'if #start then #run:=true; end_if;' },
  async run({ style, ...input }, ctx) {
    const { formatTask } = await import('./format.task.ts')
    const { faults, ...rest } = await ctx.engine.run<Formatted>(
      formatTask({ ...defined(input), ...(style === 'tia' ? { style } : {}) }),
    )
    return { ...rest, faults: [...faults] }
  },
})

/** The last part of a path, or the PLC or object of a side of the gateway; undefined for the project. */
const nameOf = (path = '') =>
  path
    .replace(/^project:.*/s, '')
    .split(/[/\\:]/)
    .findLast((part) => part !== '')

const document = query({
  id: 'review.document',
  title: 'Write the documentation of the open project or of a folder of exports',
  description:
    'Objects, call tree, inputs and outputs, interfaces, cross-references and all networks of the program of the open project (or of one of its PLCs), or of a folder of the workspace (or a .zapNN or .apNN). HTML is one page that loads nothing from elsewhere, with networks drawn; Markdown has them as text.',
  input: (t) =>
    t.Object({
      ...programFields(t),
      format: t.Optional(t.Enum(['html', 'markdown'], { description: 'Default: html.' })),
      title: t.Optional(
        t.String({ maxLength: 200, description: 'Default: the name of the folder, the PLC or the project.' }),
      ),
      culture: t.Optional(t.String({ maxLength: 20, description: 'Language of titles and comments. Default: en-US.' })),
    }),
  output: (t) =>
    t.Object({
      text: t.String({ description: 'The document.' }),
      notes: t.Array(t.String(), { description: 'Files that are not in it, and why.' }),
    }),
  http: [post('/api/review/actions/document')],
  mcp: { toolset },
  asks: ['write the documentation of a project'],
  aliases: { deviceName: ['device', 'plc'] },
  example: { path: 'plant/PLC_1', format: 'markdown' },
  async run({ deviceName, path, format = 'html', title, culture = 'en-US' }, ctx) {
    const content = await sideContent(ctx, sideOf(deviceName, path))
    const { documentTask } = await import('./documentation.task.ts')
    const name = title ?? nameOf(path) ?? deviceName ?? requireProject(ctx).name
    const { text, notes } = await ctx.engine.run<Documentation>(documentTask({ content, format, title: name, culture }))
    return { text, notes: [...notes] }
  },
})

export const reviewOperations: readonly Operation[] = [check, listRules, getRule, format, document, ...diffOperations]
