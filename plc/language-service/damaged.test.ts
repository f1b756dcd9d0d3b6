/**
 * What names mean in texts with one wrong word (`fixtures/damaged.txt`), and in a program whose files come, change and
 * go, beside one that was made anew.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../test/random.ts'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { damagedSource, tableOfAnswers } from '../testing/damage.ts'
import { changedLines } from '../testing/outline.ts'
import type { Declared } from './declared.ts'
import { outlineOf } from './outline.ts'
import { ProgramFiles } from './program.ts'

const paths = ['motor.scl', 'line.scl', 'old.awl', 'conveyor.s7dcl']
const texts = new Map(paths.map((path) => [path, fixtureText(import.meta.url, path)]))

async function program(): Promise<ProgramFiles> {
  const made = new ProgramFiles()
  for (const [path, text] of texts) made.setText(path, text)
  await made.readOther('tags.xml', new TextEncoder().encode(fixtureText(import.meta.url, 'tags.xml')))
  return made
}

/** Each name that means something, with what it means; declarations have their type. */
function meanings(files: ProgramFiles, path: string): string[] {
  const text = files.textOf(path) ?? ''
  return files.occurrences(path).map(({ start, end, declared, isDeclaration, isLocal }) => {
    const { kind, key, section, dataType, file } = declared
    const what = `${section ?? kind} ${key.replaceAll('\0', '.')}`
    const where = isDeclaration ? `: ${dataType}` : ` of ${file || 'the system'}`
    return `${text.slice(start, end)} ${isDeclaration ? 'declares' : isLocal ? 'is own' : 'is'} ${what}${where}`
  })
}

test('a text with one wrong word keeps the meaning of its other names', async () => {
  const files = await program()
  const told: string[] = []
  for (const [path, text] of texts) {
    files.setText(path, text)
    const whole = meanings(files, path)
    const answer = (damaged: string): string[] => {
      files.setText(path, damaged)
      return changedLines(whole, meanings(files, path), 3)
    }
    told.push(`── ${path}\n`, tableOfAnswers(damagedSource(text), answer))
    files.setText(path, text)
    assert.deepEqual(meanings(files, path), whole)
  }
  assertRecorded(import.meta.url, 'damaged.txt', told.join(''))
})

test('files that come, change and go mean what a program of the same files means', () => {
  const random = randomFrom(7)
  const chosen = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const type = (name: string, member: string, of: string) =>
    `TYPE "${name}"\nSTRUCT\n${member} : ${of};\nEND_STRUCT;\nEND_TYPE\n`
  const block = (name: string, of: string, code: string) =>
    `FUNCTION_BLOCK "${name}"\nVAR\nown : "${of}";\nEND_VAR\nBEGIN\n${code}\nEND_FUNCTION_BLOCK\n`
  const made = ['T', 'U'].flatMap((name) => [
    ...['a', 'b'].flatMap((member) => ['Int', '"T"', '"U"'].map((of) => type(name, member, of))),
    ...['#own.a := #own.b.a;', '"F"(own := 1); // b'].map((code) => block('F', name, code)),
  ])
  const names = ['a.scl', 'b.scl', 'c.scl', 'd.xml']
  for (let run = 0; run < 60; run++) {
    const files = new ProgramFiles()
    // In the order in which they came.
    const there = new Map<string, string | readonly Declared[]>()
    for (let step = 0; step < 12; step++) {
      const path = chosen(names)
      const kind = random()
      if (kind < 0.2) {
        files.remove(path)
        there.delete(path)
      } else if (path === 'd.xml' || kind < 0.3) {
        const objects = outlineOf(chosen(made.slice(0, 4)), path).parts.map(({ object }) => object)
        files.setDeclared(path, objects)
        there.set(path, objects)
      } else {
        const text = chosen(made)
        files.setText(path, text)
        there.set(path, text)
      }
      const anew = new ProgramFiles()
      for (const [one, what] of there)
        if (typeof what === 'string') anew.setText(one, what)
        else anew.setDeclared(one, what)
      const answers = (of: ProgramFiles) => ({
        paths: [...of.paths].sort(),
        objects: of
          .everyObject()
          .map(({ name, file }) => `${name} ${file}`)
          .sort(),
        declarations: ['t', 'U', 'f', 'x'].map((name) =>
          of.declarations(name).map(({ kind: is, key }) => `${is} ${key}`),
        ),
        members: of.withKey('T\0A').length,
        names: names.map((one) => [of.textOf(one), of.declaredBy(one)?.length, meanings(of, one)]),
        with: of.pathsWith('OWN').sort(),
      })
      assert.deepEqual(answers(files), answers(anew), `run ${run}, step ${step}`)
    }
  }
})

test('a change of code alone keeps what was found in other files; one of declarations finds it again', () => {
  const files = new ProgramFiles()
  files.setText('t.scl', 'TYPE "T"\nSTRUCT\na : Int; // first\nEND_STRUCT;\nEND_TYPE\n')
  const code = (statement: string) =>
    `FUNCTION "F" : Void\nVAR_TEMP x : "T"; END_VAR\nBEGIN\n${statement}\nEND_FUNCTION\n`
  files.setText('f.scl', code('#x.a := 1;'))
  files.setText('g.scl', code('"F"();').replace('"F" : Void', '"G" : Void'))
  const found = files.occurrences('g.scl')
  files.setText('f.scl', code('#x.a := 2;'))
  files.setText('t.scl', 'TYPE "T"\nSTRUCT\na : Int; // second\nEND_STRUCT;\nEND_TYPE\n')
  assert.equal(files.occurrences('g.scl'), found)
  files.setText('t.scl', 'TYPE "T"\nSTRUCT\nb : Int;\nEND_STRUCT;\nEND_TYPE\n')
  assert.notEqual(files.occurrences('g.scl'), found)
  assert.deepEqual(
    files.occurrences('f.scl').map(({ declared }) => declared.name),
    ['F', 'x', 'T', 'x'],
  )
  files.remove('t.scl')
  assert.deepEqual(
    files.occurrences('f.scl').map(({ declared }) => declared.name),
    ['F', 'x', 'x'],
  )
})
