/** How the editor colours and folds SCL, STL and declarations. Meaning is the gateway's business. */
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language'
import type { EditorState, Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const words = (text: string) => new Set(text.split(' '))
const keywords = words(
  'AND ARRAY AT BEGIN BY CASE CONST CONSTANT CONTINUE DATA_BLOCK DIV DO ELSE ELSIF END_CASE END_CONST END_DATA_BLOCK END_FOR END_FUNCTION END_FUNCTION_BLOCK END_IF END_LABEL END_NAMESPACE END_ORGANIZATION_BLOCK END_REGION END_REPEAT END_STRUCT END_TYPE END_VAR END_WHILE EXIT FOR FUNCTION FUNCTION_BLOCK GOTO IF KNOW_HOW_PROTECT LABEL MOD NAMESPACE NETWORK NON_RETAIN NOT OF OR ORGANIZATION_BLOCK REGION REPEAT RETAIN RETURN STRUCT THEN TITLE TO TYPE UNTIL VAR VAR_INPUT VAR_IN_OUT VAR_OUTPUT VAR_STAT VAR_TEMP VERSION WHILE XOR AUTHOR FAMILY NAME',
)
const types = words(
  'BOOL BYTE WORD DWORD LWORD SINT USINT INT UINT DINT UDINT LINT ULINT REAL LREAL TIME LTIME S5TIME DATE TOD LTOD TIME_OF_DAY DT LDT DTL DATE_AND_TIME CHAR WCHAR STRING WSTRING VARIANT ANY POINTER VOID TIMER COUNTER IEC_TIMER IEC_COUNTER TON_TIME TOF_TIME TP_TIME TONR_TIME CTU_INT CTD_INT CTUD_INT HW_ANY HW_IO DB_ANY',
)
const instructions = words(
  'A AN O ON X XN S R L T CALL CC UC JU JC JCN JCB JNB JBI JNBI JO JOS JZ JN JP JM JPZ JMZ JUO JL LOOP BE BEC BEU SET CLR NOT SAVE FP FN FR SE SD SP SS SF CU CD INC DEC POP PUSH ENT LEAVE TAK CAD CAW TAR TAR1 TAR2 LAR1 LAR2 OPN CDB BLD NOP MCR MCRA MCRD AW OW XOW AD OD XOD SSI SSD SLW SRW SLD SRD RLD RRD RLDA RRDA ITD DTR ITB DTB BTI BTD RND RND+ RND- TRUNC INVI INVD NEGI NEGD NEGR ABS SQR SQRT',
)

interface State {
  inComment: '' | '*)' | '*/'
}

function tokenOf(isStl: boolean) {
  return (stream: StringStream, state: State): string | null => {
    if (state.inComment !== '') {
      if (stream.skipTo(state.inComment)) {
        stream.match(state.inComment)
        state.inComment = ''
      } else stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('(*') || stream.match('(/*') || stream.match('/*')) {
      state.inComment = stream.current() === '(*' ? '*)' : '*/'
      return 'comment'
    }
    if (stream.match(/^'(?:[^'$]|\$.)*'?/)) return 'string'
    if (stream.match(/^#?"[^"]*"?/)) return 'variableName'
    if (stream.match(/^#[\p{L}\p{N}_]+/u)) return 'variableName'
    if (stream.match(/^%[\p{L}]+[\d.]+/u)) return 'literal'
    if (stream.match(/^(?:[\p{L}_]\w*)#[\w.+-]+/u) || stream.match(/^\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?:#[\w]+)?/))
      return 'number'
    if (stream.match(/^[{}]/)) return 'meta'
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) {
      const word = stream.current().toUpperCase()
      if (word === 'TRUE' || word === 'FALSE' || word === 'NULL') return 'number'
      if (types.has(word)) return 'typeName'
      if (keywords.has(word) || (isStl && instructions.has(word))) return 'keyword'
      return stream.match(/^\s*\(/, false) ? 'function' : null
    }
    stream.next()
    return 'operator'
  }
}

const languageOf = (isStl: boolean) =>
  StreamLanguage.define<State>({
    startState: () => ({ inComment: '' }),
    token: tokenOf(isStl),
    languageData: { commentTokens: { line: '//', block: { open: '(*', close: '*)' } } },
    tokenTable: { function: tags.function(tags.variableName) },
  })

export const sclLanguage = languageOf(false)
export const stlLanguage = languageOf(true)

/** Colours are those of the page. */
export const highlighting: Extension = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: 'var(--keyword)', fontWeight: '600' },
    { tag: tags.typeName, color: 'var(--keyword)' },
    { tag: tags.string, color: 'var(--string)' },
    { tag: tags.comment, color: 'var(--comment)', fontStyle: 'italic' },
    { tag: [tags.number, tags.literal], color: 'var(--literal)' },
    { tag: tags.variableName, color: 'var(--text)' },
    { tag: tags.function(tags.variableName), color: 'var(--symbol)' },
    { tag: tags.meta, color: 'var(--quiet)' },
  ]),
)

const opening =
  /^\s*(?:IF|FOR|WHILE|CASE|REPEAT|REGION|VAR(?:_\w+)?|STRUCT|FUNCTION(?:_BLOCK)?|ORGANIZATION_BLOCK|DATA_BLOCK|TYPE|NETWORK)\b|\bSTRUCT\s*$/i
const closing =
  /^\s*(?:END_(?:IF|FOR|WHILE|CASE|REPEAT|REGION|VAR|STRUCT|FUNCTION|FUNCTION_BLOCK|ORGANIZATION_BLOCK|DATA_BLOCK|TYPE)\b|UNTIL\b)/i
/** A block longer than this has its end looked for no further. */
const mostLines = 20_000

/** The lines that belong to the one that begins at `from`. */
export function foldOf(state: EditorState, from: number): { from: number; to: number } | null {
  const first = state.doc.lineAt(from)
  if (!opening.test(first.text) || /\bEND_\w+\s*;?\s*$/i.test(first.text)) return null
  let depth = 1
  const last = Math.min(state.doc.lines, first.number + mostLines)
  for (let number = first.number + 1; number <= last; number++) {
    const line = state.doc.line(number)
    if (closing.test(line.text)) depth--
    else if (opening.test(line.text) && !/\bEND_\w+\s*;?\s*$/i.test(line.text)) depth++
    if (depth === 0) return number === first.number + 1 ? null : { from: first.to, to: line.from - 1 }
  }
  return null
}

/** The editor in the colours of the page. */
export function editorTheme(dark: boolean): Extension {
  return EditorView.theme(
    {
      '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--panel)', fontSize: '13px' },
      '.cm-scroller': { fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace' },
      '.cm-content': { caretColor: 'var(--text)' },
      '.cm-cursor': { borderLeftColor: 'var(--text)' },
      '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
      '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--chosen) !important' },
      '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--warning-ground)' },
      '.cm-tooltip': {
        backgroundColor: 'var(--raised)',
        color: 'var(--text)',
        border: '1px solid var(--line-strong)',
        borderRadius: '4px',
        boxShadow: 'var(--shadow)',
      },
      '.cm-tooltip-autocomplete ul li[aria-selected]': {
        backgroundColor: 'var(--chosen)',
        color: 'var(--chosen-text)',
      },
      '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
      '.cm-panels': { backgroundColor: 'var(--ground)', color: 'var(--text)' },
      '.cm-foldPlaceholder': {
        backgroundColor: 'var(--hover)',
        border: '1px solid var(--line)',
        color: 'var(--quiet)',
      },
      '.cm-diagnostic': { whiteSpace: 'pre-wrap' },
      '.cm-diagnosticSource': { color: 'var(--quiet)' },
    },
    { dark },
  )
}
