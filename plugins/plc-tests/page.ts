/** The page about tests with every field of test files. */
import * as schema from '../../plc/program-tests/test-schema.ts'
import { schemaPages } from '../review/index.ts'
import { testsPage } from './docs.ts'

/** Markdown without a title. */
export async function wholePage(): Promise<string> {
  const { fieldTable, inEditors } = await schemaPages()
  const part = (title: string, fields: Readonly<Record<string, object>>) => `### ${title}\n\n${fieldTable(fields)}`
  return `${testsPage}
## All fields

${[
  part('A test file', schema.fileFields),
  part('limits', schema.limitFields),
  part('connect', schema.connectionFields),
  part('A case', schema.caseFields),
  part('A step', schema.stepFields),
  part('A value to compare with', schema.comparisonFields),
].join('\n')}${inEditors('test')}`
}
