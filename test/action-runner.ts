/**
 * Runs a composite action as a runner of GitHub Actions does: inputs with their defaults, expressions in `env` and
 * `working-directory`, then each step in bash. Steps with `uses` are other actions and are left out.
 * https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parse } from 'yaml'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

export interface ActionRun {
  /** Of the last step that ran: a step that fails is the last. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Names of the steps that ran. */
  readonly steps: readonly string[]
}

/**
 * @param file the `action.yml`
 * @param inputs what a workflow has in `with`
 * @param workspace where the repository of the workflow is checked out
 * @param env of the runner, beside what it sets itself
 */
export async function runAction(
  file: string,
  inputs: Readonly<Record<string, string>>,
  workspace: string,
  env: NodeJS.ProcessEnv,
): Promise<ActionRun> {
  const action = parse(await readFile(file, 'utf8')) as Action
  assert.equal(action.runs.using, 'composite')
  for (const name of Object.keys(inputs)) assert.ok(action.inputs[name], `the action has no input "${name}"`)
  const values = Object.entries(action.inputs).map(([name, one]) => {
    const value = inputs[name] ?? one.default
    assert.ok(value !== undefined || one.required !== true, `the input "${name}" is required`)
    return [`inputs.${name}`, value ?? ''] as const
  })
  const known = new Map<string, string>([...values, ['github.action_path', dirname(file)]])
  const filled = (text: string) =>
    String(text).replace(/\$\{\{\s*(.+?)\s*\}\}/g, (_all, expression: string) => {
      const value = known.get(expression)
      assert.ok(value !== undefined, `the expression ${expression}`)
      return value
    })
  const result = { code: 0, stdout: '', stderr: '', steps: [] as string[] }
  for (const step of action.runs.steps) {
    if (step.uses !== undefined) continue
    assert.equal(step.shell, 'bash', 'a step of a composite action names its shell')
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)])
    const runner = { ...env, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace, GITHUB_ACTION_PATH: dirname(file) }
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', filled(step.run ?? '')], {
      cwd: filled(step['working-directory'] ?? workspace),
      env: { ...runner, ...Object.fromEntries(own) },
    })
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        result[name] += text
      })
    result.steps.push(step.name ?? '')
    result.code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject).once('close', (code) => resolve(code ?? 1))
    })
    if (result.code !== 0) break
  }
  return result
}
