/** A compare as a page: what is shown of added, removed and changed objects, whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FolderContent } from '../folder/folder.ts'
import { tablesOf } from '../folder/sheets.ts'
import { diffContents } from './diff.ts'
import { diffHtml } from './diff-html.ts'

const culture = 'en-US'
const contentOf = (files: Readonly<Record<string, string>>): FolderContent => ({
  program: Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
  ...{ sheets: [], hardware: [] },
})
const block = (name: string, members: string, body: string) =>
  `FUNCTION "${name}" : Void\n${members === '' ? '' : `  VAR_INPUT\n${members}  END_VAR\n`}BEGIN\n${body}END_FUNCTION\n`

const code = (rows: readonly string[]) =>
  `<table class="code"><colgroup><col style="width:3rem"><col><col style="width:3rem"><col></colgroup>${rows.join('')}</table>`
/** A line beside its counterpart; undefined: there is none. */
const line = (left: [number, string] | undefined, right: [number, string] | undefined, from = '', to = from) => {
  const cell = (one: [number, string] | undefined, mark: string) =>
    one === undefined
      ? '<td class="no"></td><td></td>'
      : `<td class="no">${one[0]}</td><td${mark === '' ? '' : ` class="${mark}"`}>${one[1]}</td>`
  return `<tr>${cell(left, from)}${cell(right, to)}</tr>`
}

test('counts, a list with links, tables of what differs, and code line by line', async () => {
  const left = contentOf({
    'Motor.scl': block('Motor', '    a : Bool;\n', '  // one\n  #a := TRUE;\n  // two\n  // gone\n  // last\n'),
    'sub/Old.scl': block('Old', '', '  ;\n'),
    'Same.scl': block('Same', '', '  ;\n'),
    'Bad.xml': '<Document',
  })
  const right = contentOf({
    'Motor.scl': block('Motor', '    a : Int;\n', '  // one\n  #a := 1 < 2;\n  // new\n  // two\n  // last\n'),
    'Fan.scl': block('Fan', '    speed : Int;\n', '  // blow\n'),
    'Same.scl': block('Same', '', '  ;\n'),
  })
  const page = diffHtml(await diffContents(left, right, culture), { left: 'v1 & v2', right: '<work>', culture })
  const title = 'v1 &amp; v2 → &lt;work&gt;'
  assert.ok(page.includes(`<title>${title}</title>`))
  const main = /<main>(.*)<\/main>/s.exec(page)?.[1] ?? ''
  const [head = '', ...sections] = main.split(/(?=<section )/)
  const heads = [
    ['added', 'FC Fan', 'Fan.scl'],
    ['changed', 'FC Motor', 'Motor.scl'],
    ['removed', 'FC Old', 'sub/Old.scl'],
  ].map(
    ([change, name, file]) => `<span class="${change}">${change}</span> ${name} <small class="note">${file}</small>`,
  )
  const lines = head.split('\n')
  assert.deepEqual(lines.toSpliced(3, 1), [
    `<h1>${title}</h1>`,
    '<p>1 added, 1 removed, 1 changed, 1 the same</p>',
    '<p class="key"><span class="added">added</span><span class="removed">removed</span><span class="changed">changed</span></p>',
    '<ul>',
    ...heads.map((one, i) => `<li><a href="#o${i + 1}">${one}</a>`),
    '</ul>',
    '',
  ])
  assert.match(
    lines[3] ?? '',
    /^<table><tr><th>Side<\/th><th>File<\/th><th>Cannot be read<\/th><\/tr><tr><td>left<\/td><td>Bad\.xml:1:\d+<\/td><td>[^<]+<\/td><\/tr><\/table>$/,
  )
  const parts = sections.map((section) => section.trim().split('\n'))
  const start = (i: number, name: string) => `<section id="o${i + 1}" data-object="${name}"><h2>${heads[i]}</h2>`
  const network = (change: string, numbers: string) =>
    `<h3><span class="${change}">${change}</span> Network ${numbers}</h3>`
  const [added = [], changed = [], removed = []] = parts
  assert.equal(added[0], start(0, 'Fan'))
  const declared = ['VAR_INPUT', '   speed : Int;', 'END_VAR'].map((text, at) =>
    line(undefined, [at + 1, text], '', 'added'),
  )
  assert.equal(added[1], code(declared))
  assert.deepEqual(added.slice(2), [
    `${network('added', '1')}${code([line(undefined, [1, '  // blow'], '', 'added')])}</section>`,
  ])
  assert.equal(removed[0], start(2, 'Old'))
  assert.doesNotMatch(removed.join(''), /class="(added|changed)"/)
  // The code is shown once: in the lines, not in the table.
  assert.equal(
    changed[0],
    `${start(1, 'Motor')}<table><tr><th>What</th><th>Where</th><th>Before</th><th>After</th></tr><tr class="changed"><td>interface</td><td>Input.a</td><td>Bool</td><td>Int</td></tr><tr class="changed"><td>comments</td><td>network 1, in the code</td><td>["// one","// two","// gone","// last"]</td><td>["// one","// new","// two","// last"]</td></tr></table>`,
  )
  assert.deepEqual(changed.slice(1), [
    '',
    `${network('changed', '1')}${code([
      line([1, '  // one'], [1, '  // one']),
      line([2, '  #a := TRUE;'], [2, '  #a := 1 &lt; 2;'], 'changed'),
      line(undefined, [3, '  // new'], '', 'added'),
      line([3, '  // two'], [4, '  // two']),
      line([4, '  // gone'], undefined, 'removed'),
      line([5, '  // last'], [5, '  // last']),
    ])}</section>`,
  ])
})

test('tables of tags in spreadsheets are objects of the program; what is wrong with a file is noted with its place', async () => {
  const notes: Parameters<typeof tablesOf>[1] = []
  const csv = [
    'Name;Path;Data Type;Logical Address;Comment',
    'Start;Line;Bool;%I0.0;go',
    'Stop;Line;Bool;%I0.1;',
    'Free;;Int;%MW4;',
  ]
  const objects = await tablesOf(
    [
      { path: 'in/Own.csv', bytes: Buffer.from(csv.join('\n')) },
      { path: 'list.csv', bytes: Buffer.from('a;b\n1;2\n') },
    ],
    notes,
  )
  assert.deepEqual(
    objects.map(({ object, file }) => [
      object.name,
      file,
      object.tags?.map(({ name, dataType, logicalAddress }) => [name, dataType, logicalAddress]),
    ]),
    [
      [
        'Line',
        'in/Own.csv',
        [
          ['Start', 'Bool', '%I0.0'],
          ['Stop', 'Bool', '%I0.1'],
        ],
      ],
      ['Own', 'in/Own.csv', [['Free', 'Int', '%MW4']]],
    ],
  )
  assert.deepEqual(
    notes.map(({ code, severity, file, line: at }) => [code, severity, file, at]),
    [['not-checked', 'information', 'list.csv', 1]],
  )
  assert.deepEqual(await tablesOf([], notes), [])
})
