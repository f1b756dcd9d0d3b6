/** Pages of the documentation: each is a file in `docs/`, read on request. */
import { readFile } from 'node:fs/promises'
import type { DocsPage } from '../../core/index.ts'

const page = (name: string, title: string): DocsPage => ({
  name,
  title,
  text: () => readFile(new URL(`./docs/${name}.md`, import.meta.url), 'utf8'),
})

/** The pages of this plugin. */
export const systemPages: readonly DocsPage[] = [
  page('first-project', 'A first project'),
  page('following-jobs', 'Following jobs and events'),
  page('audit-and-replay', 'Audit and replay'),
  page('security', 'Security'),
  page('existing-clients', 'Clients that expect an envelope'),
  page('plugin-guide', 'A complete plugin'),
  page('plugin-points', 'What plugins add to, by example'),
]
