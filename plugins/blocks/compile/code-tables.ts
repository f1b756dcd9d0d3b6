/** The codes of compiler messages and of faults of files, for `GET /api/errors/{code}` and the manual. */

import type { CodeTable } from '../../../core/index.ts'
import { shortened } from '../../../lib/shortened.ts'

export const compilerCodes: CodeTable = {
  title: 'Messages of the compiler',
  async codes() {
    const { diagnosticCodes } = await import('../../../plc/diagnostics/codes.ts')
    return new Map(
      [...diagnosticCodes].map(([code, { severity, title, explanation, fails }]) => [
        code,
        {
          severity,
          title,
          meaning: explanation,
          remedy: `\`GET /api/diagnostics/codes/${code}\` shows an example with the message and one without.`,
          example: shortened(fails, 600),
        },
      ]),
    )
  },
}

export const fileCodes: CodeTable = {
  title: 'Faults of files',
  async codes() {
    const { faultCodes } = await import('../../../plc/model/fault-codes.ts')
    return new Map(Object.entries(faultCodes).map(([code, row]) => [code, { severity: 'fault', ...row }]))
  },
}
