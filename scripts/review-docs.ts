/**
 * Writes docs/review.md: the rules of the review, and how often each has findings in the public programs of the corpus.
 * `node --import tsx scripts/review-docs.ts > docs/review.md`; test/review-docs.test.ts keeps the rules current.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkContent, configOf } from '../plugins/review/check/check.ts'
import { readFolderContent } from '../plugins/review/folder/folder.ts'
import { localFiles } from '../plugins/review/folder/local-files.ts'
import { describedRules } from '../plugins/review/manual/described-rule.ts'
import { reviewPage, ruleTable } from '../plugins/review/manual/docs.ts'
import { publicDir } from '../test/corpus.ts'

const counts = new Map<string, number>()
let [blocks, objects] = [0, 0]
for (const name of readdirSync(publicDir).sort()) {
  const content = await readFolderContent(localFiles, join(publicDir, name))
  if (content.program.length === 0) continue
  const { findings, devices } = await checkContent(content, configOf(undefined))
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  for (const device of devices) {
    blocks += device.blocks
    objects += device.objects
  }
}
const others = [...counts].filter(([code]) => !describedRules().some((rule) => rule.code === code))
process.stdout.write(`${reviewPage}
## Rules

\`off\` rules are switched on in \`gantry.yml\`. The last column counts the findings in the public programs of the test corpus
(${objects} objects, ${blocks} of them code blocks), at the default settings.

${ruleTable(counts)}
Beside these the check reports what keeps a block from being compiled, and what is wrong with the folder:
${others
  .sort()
  .map(([code, count]) => `\`${code}\` ${count}`)
  .join(', ')}.
`)
