/** Paths that a client may send by mistake or on purpose: rows of what Windows takes for something else, and mixtures. */
import fc from 'fast-check'

/** In every path that leads to another computer: whoever looks there can be found by it. */
export const otherComputer = 'not-to-be-contacted'

/** What one row must get: on Windows, and elsewhere. */
export interface PathRow {
  readonly path: string
  readonly onWindows: 'invalid_input' | 'path_outside_workspace'
  /** Undefined: it is a path like any other there. */
  readonly elsewhere?: 'invalid_input' | 'path_outside_workspace'
}

const place = (path: string): PathRow => ({
  path,
  onWindows: 'path_outside_workspace',
  elsewhere: 'path_outside_workspace',
})
const name = (path: string): PathRow => ({ path, onWindows: 'invalid_input' })

/** @param workspace absolute path of the first root, which gives the paths inside of it in other forms */
export function pathRows(workspace: string): readonly PathRow[] {
  const slashed = workspace.replaceAll('\\', '/')
  return [
    place(`\\\\${otherComputer}\\share\\a.xml`),
    place(`//${otherComputer}/share/a.xml`),
    place(`\\\\${otherComputer}@SSL\\DavWWWRoot\\a.xml`),
    place(`\\\\?\\UNC\\${otherComputer}\\share\\a.xml`),
    place('\\\\.\\pipe\\gantry'),
    place('//./pipe/gantry'),
    place('\\\\.\\COM1'),
    place(`\\\\?\\${workspace}`),
    place(`\\\\.\\${workspace}`),
    place('\\\\?\\GLOBALROOT\\Device\\Null'),
    place(`file://${slashed.startsWith('/') ? '' : '/'}${slashed}/a.xml`),
    place('file:///C:/plant/a.xml'),
    place(`file://${otherComputer}/share/a.xml`),
    place(`https://${otherComputer}/a.xml`),
    { ...name(`${workspace}/x.xml::$DATA`), elsewhere: 'invalid_input' },
    { ...name('x.xml::$DATA'), elsewhere: 'invalid_input' },
    { ...name('sub\0.xml'), elsewhere: 'invalid_input' },
    name('x:y.xml'),
    name('x.xml:stream'),
    name('C:a.xml'),
    name('CON'),
    name('sub/NUL'),
    name('aux.xml'),
    name('COM1.scl'),
    name('lpt9'),
    name('CONIN$'),
    name('tr.xml.'),
    name('tr.xml '),
    name(`${workspace}/PRN.xml`),
    name('a*.xml'),
    name('a|b<c>"d".xml'),
  ]
}

const separators = fc.constantFrom('/', '\\', '/', '\\', '//', '\\\\', '')
const beginnings = [
  ...['', '', '', '', '/', '\\', '//', '\\\\', './', '../', '..\\', '../../../../', 'C:\\', 'c:/', 'C:', 'Q:\\'],
  ...['\\\\?\\', '\\\\.\\', '//?/', '//./', '\\??\\', '\\\\?\\UNC\\', '\\\\.\\pipe\\', '\\\\.\\GLOBALROOT\\Device\\'],
  ...[`\\\\${otherComputer}\\share\\`, `//${otherComputer}/share/`, `\\/${otherComputer}\\c$\\`],
  ...[`file://${otherComputer}/`, 'file:///', 'file:', 'FILE:///C:/', `https://${otherComputer}/`, 'data:,'],
  ...['/etc/', '/proc/self/', '/dev/', 'C:\\Windows\\', '%TEMP%\\', '~/', '$HOME/'],
]
const names = [
  ...['a', 'b.xml', 'Line', 'Line.gantry', 'Line.zap19', 'Added.scl', 'plants', 'tags.xlsx', 'Profile', 'mixer.csv'],
  ...['.', '..', '...', ' ', '.git', 'a.', 'a ', ' a', 'a. .', 'x.xml::$DATA', 'x:y', ':x', 'x:', 'C:', '$DATA'],
  ...['CON', 'nul', 'PRN.xml', 'AUX ', 'COM1', 'com¹.scl', 'LPT9.x', 'CONIN$', 'conout$.xml', 'CLOCK$', 'null', 'zero'],
  ...[
    'passwd',
    'a*',
    'a?.xml',
    'a|b',
    '<a>',
    '"a"',
    '%2e%2e',
    '%00',
    '\0',
    'a\nb',
    '\u202Ea',
    '\uD800',
    'é',
    'e\u0301',
  ],
  ...['💥', '語', 'ＣＯＮ', 'a\uFF0Fb', '\uFEFFa', '-rf', '--help', '`a`', '$(a)', 'x'.repeat(300)],
]

/**
 * Path strings: mostly the beginning of one kind and names of others, sometimes any text, some of them in the workspace.
 * @param workspace absolute path of the first root
 */
export function pathStrings(workspace: string): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  )
  const parts = fc.array(fc.tuple(name, separators), { minLength: 1, maxLength: 5 })
  const beginning = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...beginnings) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(`${workspace}/`, `${workspace}\\`, workspace.toUpperCase(), `\\\\?\\${workspace}\\`),
    },
  )
  const built = fc
    .tuple(beginning, parts, separators)
    .map(([first, rest, last]) => first + rest.flat().slice(0, -1).join('') + (last === '//' ? last : ''))
  const long = fc.tuple(fc.constantFrom('a/', '..\\', '\\', 'CON\\', './'), fc.integer({ min: 50, max: 2000 }))
  return fc.oneof(
    { weight: 30, arbitrary: built },
    { weight: 1, arbitrary: long.map(([part, times]) => part.repeat(times)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  )
}
