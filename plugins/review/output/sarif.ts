/** Findings as SARIF 2.1.0 (OASIS Standard, 27 March 2020), as code scanning services read them. */

import { diagnosticCodes } from '../../../plc/diagnostics/codes.ts'
import type { Severity } from '../../../plc/diagnostics/diagnostic-code.ts'
import type { PlacedFinding } from '../../../plc/review/check.ts'
import { rulesByCode } from '../../../plc/review/rules.ts'
import { fingerprintOf } from '../check/baseline.ts'
import type { Outcome } from '../check/outcome.ts'
import type { ReportBase } from '../check/report-base.ts'
import { folderCodes } from '../folder/folder-codes.ts'
import { placeOf } from './text.ts'

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', information: 'note' }

/** The name that code scanning services give to the root of the repository. */
const baseId = '%SRCROOT%'

/**
 * The log of one run. Paths count from the root of the repository. Without a repository they count from the folder
 * whose URI is in `originalUriBaseIds` (SARIF 2.1.0, 3.14.14); with one the URI is left out, since it would be that
 * of one machine.
 * @param version of the tool
 */
export function sarifOf({ shown, result }: Outcome, version: string, { prefix, uri }: ReportBase): unknown {
  const all = [...shown, ...result.suppressed]
  const codes = [...new Set(all.map(({ code }) => code))].sort()
  const indices = new Map(codes.map((code, index) => [code, index]))
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Gantry', semanticVersion: version, rules: codes.map((code) => ruleOf(code, result)) },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          [baseId]: uri === undefined ? { description: { text: 'The root of the repository.' } } : { uri },
        },
        results: all.map((one) => resultOf(one, indices.get(one.code)!, artifactOf(prefix + one.file))),
      },
    ],
  }
}

function ruleOf(code: string, { rules = [] }: Outcome['result']): unknown {
  const rule = rulesByCode.get(code) ?? rules.find((one) => one.code === code)
  const compiler = diagnosticCodes.get(code)
  const [title, text, severity] = rule
    ? [rule.title, rule.why, rule.severity]
    : compiler
      ? [compiler.title, compiler.explanation, compiler.severity]
      : folderCodes[code]!
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text },
    defaultConfiguration: severity === 'off' ? { enabled: false } : { level: levels[severity] },
    ...(rule ? { properties: { tags: [rule.group] } } : {}),
  }
}

function resultOf(one: PlacedFinding, ruleIndex: number, artifactLocation: object): unknown {
  const { code, severity, message, hint, line, column, reason, fix, object, kind } = one
  const place = placeOf(one)
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: `${place === '' ? '' : `${place}: `}${message}${hint === undefined ? '' : ` ${hint}`}` },
    locations: [
      {
        physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } },
        ...(object === undefined
          ? {}
          : { logicalLocations: [{ name: object, kind: kind?.endsWith('DB') ? 'variable' : 'function' }] }),
      },
    ],
    partialFingerprints: { 'gantry/v1': fingerprintOf(one) },
    ...(reason === undefined ? {} : { suppressions: [{ kind: 'inSource', justification: reason }] }),
    ...(fix
      ? {
          fixes: [
            {
              description: { text: fix.description },
              artifactChanges: [
                {
                  artifactLocation,
                  replacements: fix.edits.map((edit) => ({
                    deletedRegion: {
                      startLine: edit.line,
                      startColumn: edit.column,
                      endLine: edit.endLine,
                      endColumn: edit.endColumn,
                    },
                    insertedContent: { text: edit.text },
                  })),
                },
              ],
            },
          ],
        }
      : {}),
  }
}

/** Signs that a URI does not take are percent-encoded. */
function artifactOf(path: string): object {
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: baseId }
}
