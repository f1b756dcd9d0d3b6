import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import type { PlainSchema } from '../contract/schema.ts'
import { exitCodes } from './exit-codes.ts'
import { fieldValues } from './field-values.ts'

const upload = { type: 'object', properties: { fileName: { type: 'string' }, contentBase64: { type: 'string' } } }
const body = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    factor: { type: 'number' },
    flag: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'integer' } },
    object: { type: 'object' },
    either: { anyOf: [{ type: 'integer' }, { type: 'object' }] },
    anything: {},
    upload,
    uploadOrPath: { anyOf: [{ type: 'string' }, upload] },
    oneUpload: { oneOf: [{ type: 'string' }, upload] },
  },
} as unknown as PlainSchema

async function fileOf(t: TestContext, content: string | Uint8Array): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-fields-')
  const path = join(dir, 'Main.scl')
  await writeFile(path, content)
  return path
}

test('texts become what the schema of their field says', async () => {
  for (const [name, text, value] of [
    ['text', '12', '12'],
    ['text', 'true', 'true'],
    ['text', '[1]', '[1]'],
    ['text', '{"a":1}', '{"a":1}'],
    ['text', '', ''],
    ['count', '12', 12],
    ['count', '-7', -7],
    ['count', '1.5', '1.5'],
    ['count', '[1]', '[1]'],
    ['factor', '1.5e3', 1500],
    ['factor', '', ''],
    ['flag', 'true', true],
    ['flag', 'TRUE', true],
    ['flag', '', true],
    ['flag', '0', false],
    ['flag', 'maybe', 'maybe'],
    ['names', 'a,b', ['a', 'b']],
    ['names', '["a,b"]', ['a,b']],
    ['numbers', '1,2', [1, 2]],
    ['object', '{"a":[1]}', { a: [1] }],
    ['object', ' {"a":1}', { a: 1 }],
    ['object', 'a', 'a'],
    ['either', '{"a":1}', { a: 1 }],
    ['either', '5', 5],
    ['anything', '[1,2]', [1, 2]],
    ['anything', 'a', 'a'],
    // The gateway tells of a field that it does not know; nothing is guessed about it here.
    ['unknown', '[1]', '[1]'],
    ['unknown', '12', '12'],
    // A field may be written as in the project's programming interface.
    ['Count', '12', 12],
    ['Names', 'a', ['a']],
    ['text', '@@a', '@a'],
    ['count', '@@1', '@1'],
  ] as const)
    assert.deepEqual(await fieldValues({ [name]: text }, body), { [name]: value }, `${name}=${text}`)
  assert.deepEqual(await fieldValues({ a: '1', b: '@@' }, null), { a: '1', b: '@' })
  assert.deepEqual(await fieldValues({}, body), {})
})

test('@ and a path is the text of a file, and the file where an upload is wanted', async (t) => {
  const path = await fileOf(t, 'BEGIN // ä')
  const file = { fileName: 'Main.scl', contentBase64: Buffer.from('BEGIN // ä').toString('base64') }
  for (const name of ['upload', 'uploadOrPath', 'oneUpload', 'Upload'])
    assert.deepEqual(await fieldValues({ [name]: `@${path}` }, body), { [name]: file }, name)
  for (const name of ['text', 'count', 'names', 'object', 'anything', 'unknown'])
    assert.deepEqual(await fieldValues({ [name]: `@${path}` }, body), { [name]: 'BEGIN // ä' }, name)
})

test('a file that is missing and JSON with a fault end the command, with the field', async () => {
  for (const [name, text, message] of [
    ['text', '@none.scl', 'text: the file none.scl cannot be read (ENOENT).'],
    ['object', '{"a"', /^object: .*JSON/],
    ['names', '[1', /^names: /],
  ] as const)
    await assert.rejects(fieldValues({ [name]: text }, body), { message, exitCode: exitCodes.usage }, name)
})
