/** The studio in a browser for tests: opening it, dropping files, and what it asked the gateway for. */
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestGateway } from '../harness.ts'
import { type OpenedPage, openPage, served } from '../hmi.ts'
import { buildPage } from '../web-page.ts'

/** The gateway's address with a key; it has the studio of the sources. @param key of a gateway started before */
export async function serveStudio(t: TestContext, { gateway }: TestGateway, key?: string): ReturnType<typeof served> {
  await buildPage('studio')
  return served(t, gateway, key)
}

/**
 * The page of somebody with a key, or with the token of the link that the gateway prints at its start. Its first view
 * is shown, so that what a test goes to stays.
 */
export async function signedIn(
  t: TestContext,
  { url, ...entry }: { readonly url: string } & ({ readonly key: string } | { readonly token: string }),
): Promise<OpenedPage> {
  const opened = await openPage(t, url, 'token' in entry ? `/#token=${entry.token}` : '/')
  const { page } = opened
  if ('key' in entry) {
    await page.getByLabel('API key').fill(entry.key)
    await page.keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByRole('tree').waitFor()
  return opened
}

/** Drops files onto the view. */
export async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  // As text: it runs in the page, whose types are not those of the tests.
  const transfer = await page.evaluateHandle(`(() => {
    const made = new DataTransfer()
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) made.items.add(new File([text], name))
    return made
  })()`)
  await page.dispatchEvent('.split', 'drop', { dataTransfer: transfer })
}

/** A gateway's address with a key. */
interface Server {
  readonly url: string
  readonly key: string
}

/** What a gateway answers to a key. */
export async function read<T>({ url, key }: Server, path: string): Promise<T> {
  return (await (await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } })).json()) as T
}

/** The calls of operations that the OpenAPI document of a gateway does not have. @param calls as `GET /api/jobs` */
export async function undocumented(server: Server, calls: Iterable<string>): Promise<string[]> {
  const { paths } = await read<{ paths: Record<string, object> }>(server, '/openapi.json')
  const known = Object.entries(paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`),
    methods: Object.keys(methods).map((method) => method.toUpperCase()),
  }))
  return [...calls].filter((one) => {
    const [method = '', path = ''] = one.split(' ')
    if (!/^\/(api|mcp)\//.test(path)) return false
    return !known.some(({ pattern, methods }) => methods.includes(method) && pattern.test(path))
  })
}
