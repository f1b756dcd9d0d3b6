/** Answers of the service and of checks in the terms of the protocol. */
import {
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type SignatureHelp,
  SymbolKind,
} from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Completion, OutlineEntry, Signature } from '../../plc/language-service/service.ts'
import type { CheckAnswer } from './check-thread.ts'

export const completionKinds: Readonly<Record<Completion['items'][number]['kind'], CompletionItemKind>> = {
  OB: CompletionItemKind.Module,
  FB: CompletionItemKind.Class,
  FC: CompletionItemKind.Function,
  DB: CompletionItemKind.Variable,
  UDT: CompletionItemKind.Struct,
  Tag: CompletionItemKind.Variable,
  Constant: CompletionItemKind.Constant,
  Member: CompletionItemKind.Field,
  System: CompletionItemKind.Struct,
  Keyword: CompletionItemKind.Keyword,
  Function: CompletionItemKind.Function,
  Type: CompletionItemKind.TypeParameter,
}

export const symbolKinds: Readonly<Record<OutlineEntry['kind'], SymbolKind>> = {
  OB: SymbolKind.Module,
  FB: SymbolKind.Class,
  FC: SymbolKind.Function,
  DB: SymbolKind.Object,
  UDT: SymbolKind.Struct,
  Tag: SymbolKind.Variable,
  Constant: SymbolKind.Constant,
  Member: SymbolKind.Field,
  System: SymbolKind.Struct,
}

/** An entry of the outline with its children. */
export function symbolOf(entry: OutlineEntry, document: TextDocument): DocumentSymbol {
  const range = ([start, end]: readonly [number, number]) => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  })
  return {
    ...{ name: entry.name, detail: entry.detail, kind: symbolKinds[entry.kind] },
    ...{ range: range(entry.range), selectionRange: range(entry.nameRange) },
    children: entry.children.map((child) => symbolOf(child, document)),
  }
}

/**
 * The parameters of a call.
 * @param hasOffsets the editor finds a parameter in the label by its place; else by its text
 */
export function signatureHelp({ label, comment, parameters, active }: Signature, hasOffsets: boolean): SignatureHelp {
  const shown = parameters.map(({ start, end, comment: own }) => ({
    label: hasOffsets ? ([start, end] as [number, number]) : label.slice(start, end),
    ...(own === '' ? {} : { documentation: own }),
  }))
  // An index behind the last parameter: none of them.
  const activeParameter = active ?? parameters.length
  const signature = { label, ...(comment === '' ? {} : { documentation: comment }), parameters: shown }
  return { signatures: [signature], activeSignature: 0, activeParameter }
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const

/** The findings of a check by file. A finding reaches over the word at its place. */
export function diagnosticsOf(
  { findings = [], faults = [], configFile = 'gantry.yml' }: CheckAnswer,
  textOf: (path: string) => string | undefined,
): Map<string, Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>()
  const lines = new Map<string, readonly string[]>()
  const add = (file: string, line: number, column: number, rest: Omit<Diagnostic, 'range' | 'source'>) => {
    const known = lines.get(file) ?? (textOf(file) ?? '').split(/\r\n|\r|\n/)
    lines.set(file, known)
    const start = { line: Math.max(0, line - 1), character: Math.max(0, column - 1) }
    const word =
      /^(?:#?"[^"]*"?|#?[\p{L}\p{N}_]+|\S)/u.exec((known[start.line] ?? '').slice(start.character))?.[0] ?? ''
    const end = { line: start.line, character: start.character + word.length }
    const list = files.get(file) ?? []
    list.push({ ...rest, source: 'gantry', range: { start, end } })
    files.set(file, list)
  }
  for (const { file, line, column, code, severity, message, hint } of findings)
    if (file !== '')
      add(file, line, column, {
        ...{ code, severity: severities[severity] },
        message: hint === undefined ? message : `${message}\n${hint}`,
      })
  for (const { line, column, message } of faults)
    add(configFile, line, column, { code: 'settings-fault', severity: DiagnosticSeverity.Error, message })
  return files
}
