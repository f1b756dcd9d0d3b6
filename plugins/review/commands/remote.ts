/** Commands whose work a gateway can do too. */
import type { CliTools } from '../../../core/index.ts'

/** True when the command line or the environment names a gateway that does the work. */
export function isRemote(raw: Readonly<Record<string, unknown>>): boolean {
  return raw.url !== undefined || Boolean(process.env.GANTRY_URL)
}

/**
 * Calls an operation of the gateway. Its refusals have the exit code 1, which says something else for these commands:
 * they end with the code that `codeOf` gives for the message.
 */
export async function callGateway<T>(
  tools: CliTools,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  codeOf: (message: string) => number,
): Promise<T> {
  try {
    return (await tools.call(operation, input)) as T
  } catch (error) {
    const { exitCode, message } = error as Error & { exitCode?: number }
    if (exitCode !== 1) throw error
    return tools.fail(message, codeOf(message))
  }
}
