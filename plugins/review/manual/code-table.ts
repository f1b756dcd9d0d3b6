/** The codes of findings, for `GET /api/errors/{code}` and the manual. */
import type { CodeDefinition, CodeTable } from '../../../core/index.ts'

export const reviewCodes: CodeTable = {
  title: 'Findings of the review',
  async codes() {
    const [{ folderCodes }, { describedRules }] = await Promise.all([
      import('../folder/folder-codes.ts'),
      import('./described-rule.ts'),
    ])
    const rules = describedRules().filter(({ group }) => group !== 'compiler')
    const all: [string, CodeDefinition][] = [
      ...rules.map(({ code, severity, title, why, passes }): [string, CodeDefinition] => [
        code,
        {
          ...{ severity, title, meaning: why, example: passes },
          remedy: `Do as the example does. Where the program is right as it is, accept the finding with a reason in a comment (gantry-ignore ${code}: why), or set the rule in gantry.yml.`,
        },
      ]),
      ...Object.entries(folderCodes).map(([code, [title, meaning, severity, remedy]]): [string, CodeDefinition] => [
        code,
        { severity, title, meaning, remedy },
      ]),
    ]
    return new Map(all)
  },
}
