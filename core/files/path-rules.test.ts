import assert from 'node:assert/strict'
import { posix, win32 } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { pathBelow } from '../../lib/path-below.ts'
import { isGatewayError } from '../contract/problems.ts'
import { absolutePath, windowsForm } from './path-rules.ts'

/** A drive, a share, and the drive letter of another share, as a gateway on Windows may have them. */
const shares = ['C:\\plant', '\\\\server\\plants\\line 1', 'P:\\']
const folders = ['/srv/plant', '/data']

/** The path that a client's path means, or what it is told. */
function meant(path: string, system = win32, roots = system === win32 ? shares : folders): string {
  try {
    return absolutePath(path, roots, system)
  } catch (error) {
    assert.ok(isGatewayError(error), String(error))
    assert.ok(error.details.suggestion, `${path}: nothing says what would be right`)
    return `${error.code}: ${error.message} ${error.details.suggestion}`
  }
}

test('paths of this computer mean what they say, on Windows and elsewhere', () => {
  const onWindows: [path: string, meant: string][] = [
    ['a.xml', 'C:\\plant\\a.xml'],
    ['a/b\\c.xml', 'C:\\plant\\a\\b\\c.xml'],
    ['./a/../b/', 'C:\\plant\\b'],
    ['C:\\plant\\a.xml', 'C:\\plant\\a.xml'],
    ['c:/plant/a.xml', 'c:\\plant\\a.xml'],
    ['P:/a', 'P:\\a'],
    // They are outside; that is told once links are resolved.
    ['D:\\x', 'D:\\x'],
    ['..\\x', 'C:\\x'],
    ['console.scl', 'C:\\plant\\console.scl'],
    ['com10/lpt', 'C:\\plant\\com10\\lpt'],
    ['a.b.c/.x/..x', 'C:\\plant\\a.b.c\\.x\\..x'],
    ['Füller 語 %41 [1] (2)', 'C:\\plant\\Füller 語 %41 [1] (2)'],
  ]
  for (const [path, wanted] of onWindows) assert.equal(meant(path), wanted)
  const elsewhere: [path: string, meant: string][] = [
    ['a.xml', '/srv/plant/a.xml'],
    ['/data/a', '/data/a'],
    ['//data/a', '/data/a'],
    ['///srv/plant//a', '/srv/plant/a'],
    ['/etc/x', '/etc/x'],
    // Names of Linux: Windows could not have them.
    ['10:30.xml', '/srv/plant/10:30.xml'],
    ['a:b.xml', '/srv/plant/a:b.xml'],
    ['CON', '/srv/plant/CON'],
    ['aux.scl', '/srv/plant/aux.scl'],
    ['tr.xml.', '/srv/plant/tr.xml.'],
    ['a*?"<>|.xml ', '/srv/plant/a*?"<>|.xml '],
  ]
  for (const [path, wanted] of elsewhere) assert.equal(meant(path, posix), wanted)
})

test('a share that is a workspace root, or in one, is used; the comparison is one of texts', () => {
  const paths = [
    '\\\\server\\plants\\line 1\\a.xml',
    '//server/plants/line 1/a.xml',
    '\\\\SERVER\\Plants\\Line 1\\a.xml',
  ]
  for (const path of paths) assert.equal(meant(path).toLowerCase(), '\\\\server\\plants\\line 1\\a.xml')
  assert.equal(meant('\\\\server\\plants\\line 1'), '\\\\server\\plants\\line 1\\'.slice(0, -1))
  const first = ['\\\\server\\plants']
  assert.equal(meant('a/b.xml', win32, first), '\\\\server\\plants\\a\\b.xml')
  assert.equal(meant('\\\\server\\plants', win32, first), '\\\\server\\plants\\')
  const outside = [
    '\\\\server\\plants\\line 2\\a.xml',
    '\\\\server\\plants\\line 1\\..\\line 2\\a.xml',
    '\\\\server\\plants\\line 10',
    '\\\\server\\other\\line 1\\a.xml',
    '\\\\server.example\\plants\\line 1\\a.xml',
    '\\\\server@SSL\\plants\\line 1\\a.xml',
    '\\\\server',
    '\\\\',
    '//',
  ]
  for (const path of outside)
    assert.match(meant(path), /^path_outside_workspace: .* is on another computer.*not contacted/)
  assert.match(meant('\\\\server\\plants\\line 1\\NUL'), /^invalid_input: .*"NUL" is the name of a device/)
})

test('what is at another place than a folder of this computer is refused alike on every system', () => {
  const places: [path: string, reason: RegExp][] = [
    ['\\\\host\\share\\a.xml', /on another computer, "host"/],
    ['//host/share/a.xml', /on another computer, "host"/],
    ['\\/host/share/a.xml', /on another computer/],
    ['/\\host\\share\\a.xml', /on another computer/],
    ['\\\\192.0.2.1@8080\\DavWWWRoot\\a', /on another computer, "192\.0\.2\.1@8080"/],
    ['\\\\.\\pipe\\gantry', /device or of the kernel/],
    ['//./pipe/gantry', /device or of the kernel/],
    ['\\\\.\\PhysicalDrive0', /device or of the kernel/],
    ['\\\\.\\C:\\plant\\a.xml', /device or of the kernel/],
    ['\\\\?\\C:\\plant\\a.xml', /device or of the kernel/],
    ['//?/C:/plant/a.xml', /device or of the kernel/],
    ['\\\\?\\UNC\\host\\share\\a.xml', /device or of the kernel/],
    ['\\\\?\\UNC\\server\\plants\\line 1\\a.xml', /device or of the kernel/],
    ['\\\\?\\GLOBALROOT\\Device\\Null', /device or of the kernel/],
    ['\\??\\C:\\plant\\a.xml', /device or of the kernel/],
    ['\\\\?', /device or of the kernel/],
    ['file:///C:/plant/a.xml', /is an address/],
    ['file://host/share/a.xml', /is an address/],
    ['FILE:/srv/plant/a.xml', /is an address/],
    ['file:a.xml', /is an address/],
    ['http://host/a.xml', /is an address/],
    ['smb://host/share/a.xml', /is an address/],
  ]
  for (const system of [win32, posix])
    for (const [path, reason] of places) {
      const said = meant(path, system)
      assert.match(said, /^path_outside_workspace: /, path)
      assert.match(said, reason)
      assert.ok(said.includes(`"${path}"`), said)
    }
  for (const path of ['C:\\plant\\a.xml', 'c:/plant/a.xml'])
    assert.match(meant(path, posix), /^path_outside_workspace: .* drive of Windows.*\(\/srv\/plant\)/)
})

test('the path that was meant is named, where there is one', () => {
  const cases: [path: string, system: typeof win32, right: string][] = [
    ['file:///C:/plant/a%20b.xml', win32, 'Send "C:\\plant\\a b.xml".'],
    ['file:///srv/plant/a%20b.xml', posix, 'Send "/srv/plant/a b.xml".'],
    ['\\\\?\\C:\\plant\\a.xml', win32, 'Send "C:\\plant\\a.xml".'],
    ['\\\\?\\UNC\\server\\plants\\a.xml', win32, 'Send "\\\\server\\plants\\a.xml".'],
    ['dir\\x.xml::$DATA', win32, 'Send a name without ":", such as "x.xml".'],
    ['x:y.xml', win32, 'Send a name without ":", such as "x-y.xml".'],
    ['tr.xml.', win32, 'Send "tr.xml".'],
    ['sub/nul.xml', win32, 'Send another name, such as "nul_.xml".'],
    ['file:///C:/plant/a.xml', posix, 'inside a workspace root (/srv/plant)'],
    ['http://host/a.xml', win32, 'inside a workspace root (C:\\plant)'],
  ]
  for (const [path, system, right] of cases) assert.ok(meant(path, system).includes(right), meant(path, system))
})

test('names that are none on Windows are refused there, wherever in the path they are', () => {
  const names: [name: string, reason: RegExp][] = [
    ...'CON,con,NUL,PRN,AUX,aux.scl,COM1,com9.xml,LPT1.txt,COM¹,NUL.tar.gz,CONIN$,conout$,con .txt,Nul .xml'
      .split(',')
      .map((name): [string, RegExp] => [name, /is the name of a device/]),
    ['x.xml::$DATA', /a stream inside of the file/],
    ['file.xml:Zone.Identifier', /a stream inside of the file/],
    ['x.xml:', /a stream inside of the file/],
    [':x', /a stream inside of the file/],
    ['CON:', /a stream inside of the file/],
    ['x:y.xml', /a drive .* or .* a stream/],
    ['C:foo', /a drive/],
    ['C:foo/x.xml', /a drive/],
    ['tr.xml.', /ends with a dot/],
    ['tr.xml. .', /ends with a dot/],
    ['tr.xml ', /ends with a blank/],
    ['...', /ends with a dot/],
    ['. ', /ends with a blank/],
    ['a*.xml', /has "\*"/],
    ['a?', /has "\?"/],
    ['a|b', /has "\|"/],
    ['a<b', /has "<"/],
    ['a"b', /has "\\""/],
    ['a\nb', /has "\\n"/],
    ['a\u0001b', /has "\\u0001"/],
  ]
  for (const [name, reason] of names)
    for (const path of [name, `sub/${name}`, `C:\\plant\\${name}`, `${name}\\x.xml`, `P:/sub\\${name}/`]) {
      const said = meant(path)
      assert.match(said, /^invalid_input: /, path)
      assert.match(said, reason, path)
      assert.ok(said.includes(`"${path}`), said)
    }
})

test('a drive without a folder leaves open which one it means', () => {
  for (const path of ['C:', 'c:a', 'Z:sub\\a.xml', 'C:..\\a'])
    assert.match(meant(path), /^invalid_input: .* a drive of which it knows no/)
})

test('empty paths and NUL characters are none anywhere', () => {
  for (const system of [win32, posix])
    for (const path of ['', ' ', '\t', '\0', 'a\0b', 'NUL\0.xml', '\\\\host\0\\share'])
      assert.match(meant(path, system), /^invalid_input: ".*" is not a path\./)
})

test('forms of Windows that are names elsewhere', () => {
  assert.equal(windowsForm('a:b.xml'), undefined)
  assert.equal(windowsForm('a/$DATA'), undefined)
  assert.equal(windowsForm('a\\b.xml')?.suggestion, 'a/b.xml')
  assert.equal(windowsForm('d/x.xml::$data')?.suggestion, 'd/x.xml')
  assert.equal(windowsForm('x.xml:s:$DATA')?.suggestion, 'x.xml')
})

test('whatever is taken on Windows is on a drive, or inside of a root that is a share, with names that files can have', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\\',
      '/',
      '..',
      '.',
      ':',
      '?',
      'C:',
      'UNC',
      'CON',
      'x.xml',
      'server',
      'plants',
      'line 1',
      ' ',
      '$DATA',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = pieces.join('')
      const said = meant(path)
      if (/^(invalid_input|path_outside_workspace): /.test(said)) return
      const { root } = win32.parse(said)
      if (!/^[a-z]:\\$/i.test(root))
        assert.ok(
          shares.some((share) => pathBelow(share, said, win32) !== undefined),
          `${path} is ${said}`,
        )
      assert.doesNotMatch(said.slice(root.length), /[:*?"<>|]|[. ](\\|$)/)
    }),
    { numRuns: 5000 },
  )
})
