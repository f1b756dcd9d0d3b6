/**
 * The tools and prompts that the official conformance suite of MCP calls, as far as a plugin can make them: an operation
 * answers with JSON or with text of one type, a prompt with text.
 */
import {
  command,
  definePlugin,
  extend,
  get,
  type McpPrompt,
  mcpPrompts,
  post,
  problem,
  query,
} from '../../../../core/index.ts'

const toolset = 'conformance'

const text = query({
  id: 'test.simple-text',
  title: 'Answer with a simple text',
  input: (t) => t.Object({}),
  output: (t) => t.String(),
  produces: 'text/plain',
  http: [get('/api/test/simple-text')],
  mcp: { toolset },
  run: () => 'This is a simple text response for testing.',
})

const failing = query({
  id: 'test.error-handling',
  title: 'Answer with an error',
  input: (t) => t.Object({}),
  output: (t) => t.Object({}),
  http: [get('/api/test/error-handling')],
  mcp: { toolset },
  run: () => {
    throw problem('unacceptable_content', 'This tool intentionally returns an error for testing')
  },
})

const progress = command({
  id: 'test.tool-with-progress',
  title: 'Report progress',
  input: (t) => t.Object({}),
  output: (t) => t.Object({ reports: t.Integer() }),
  http: [post('/api/test/progress')],
  mcp: { toolset },
  async run(_input, ctx) {
    for (const percent of [0, 50, 99]) {
      ctx.progress(percent)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return { reports: 3 }
  },
})

const prompt = (name: string, names: readonly string[], of: McpPrompt['text']): McpPrompt => ({
  name,
  title: name.replaceAll('_', ' '),
  description: 'A prompt of the conformance suite',
  arguments: names.map((one) => ({ name: one, title: one, description: `The argument ${one}`, required: true })),
  uses: [],
  text: of,
})

export default definePlugin({
  name: 'conformance',
  version: '1.0.0',
  operations: [text, failing, progress],
  extensions: [
    extend(
      mcpPrompts,
      prompt('test_simple_prompt', [], () => 'This is a simple prompt for testing.'),
    ),
    extend(
      mcpPrompts,
      prompt(
        'test_prompt_with_arguments',
        ['arg1', 'arg2'],
        ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
      ),
    ),
  ],
})
