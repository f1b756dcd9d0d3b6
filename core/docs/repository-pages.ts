/**
 * Pages of the manual that are files of the repository: how Gantry is built, and what an S7-1500 and its files are
 * like. The build copies them into `dist/`, so that a package has them too.
 */
import { readFile } from 'node:fs/promises'

/** A page, and the file that it is. */
export interface RepositoryPage {
  readonly name: string
  readonly title: string
  readonly part: 'Guide' | 'Background'
  /** Path from the root of the repository, with `/`. */
  readonly file: string
}

/** In reading order. */
export const repositoryPages: readonly RepositoryPage[] = [
  { name: 'overview', title: 'Overview', part: 'Guide', file: 'README.md' },
  { name: 'plc-semantics', title: 'What an S7-1500 does', part: 'Background', file: 'docs/plc-semantics.md' },
  { name: 'formats', title: 'Files of TIA Portal', part: 'Background', file: 'docs/formats.md' },
  { name: 'performance', title: 'Performance', part: 'Background', file: 'docs/performance.md' },
  { name: 'architecture', title: 'Architecture', part: 'Background', file: 'docs/architecture.md' },
  { name: 'design', title: 'Design', part: 'Background', file: 'docs/design.md' },
  { name: 'plc-library', title: 'The PLC library', part: 'Background', file: 'plc/README.md' },
  { name: 'controllers', title: 'Virtual controllers', part: 'Background', file: 'plugins/simulation/README.md' },
  {
    name: 'controller-thread',
    title: 'Inside a virtual controller',
    part: 'Background',
    file: 'plugins/simulation/controller/README.md',
  },
  { name: 'contributing', title: 'Contributing', part: 'Background', file: 'CONTRIBUTING.md' },
]

/** The text of a page without its own title, which the manual writes. */
export async function repositoryPageText({ file }: RepositoryPage): Promise<string> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  return text.replace(/^# .*\n/, '')
}
