/** A part that saves to no place of the project, or to that of another part, is a fault of its plugin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandContext } from '../../../core/index.ts'
import { archiveProject } from '../archive/archive.ts'
import type { Project } from '../project.ts'
import { indexProject } from '../search/search.ts'
import { outermostOf, saveProject } from './save.ts'

const project = { name: 'P', path: '/w/P' } as Project

/** Saves a project whose parts have these files. */
function save(...parts: readonly (readonly string[])[]) {
  const told: string[] = []
  const ctx = {
    extensions: () =>
      parts.map((paths, i) => ({
        ...{ name: `part${i + 1}`, order: -i, folders: [] },
        save: async () => paths.map((path) => ({ path, content: '' })),
      })),
    signal: new AbortController().signal,
    progress: (percent: number, message: string) => void told.push(`${percent} ${message}`),
  }
  return { saved: saveProject(ctx as unknown as CommandContext, project), told }
}

test('paths lie in the project', async () => {
  for (const path of ['', '/a', 'a/', 'a//b', './a', 'a/../b', '..', 'a\\b'])
    await assert.rejects(save([path]).saved, {
      message: `part "part1" saves to "${path}", which is not a path inside the project`,
    })
})

test('a file is that of one part, in any case of its name; parts come in their order', async () => {
  const { saved, told } = save(['a/B.json'], ['other.json', 'A/b.json'], [])
  await assert.rejects(saved, { message: 'parts "part2" and "part1" both save "a/B.json"' })
  assert.deepEqual(told, ['0 Collecting part3', `${50 / 3} Collecting part2`, `${100 / 3} Collecting part1`])
})

test('what is cancelled stops at the next part, or the next file', async () => {
  const done: string[] = []
  const ctx = {
    extensions: () => [
      {
        ...{ name: 'part', order: 0, folders: [] },
        ...{ save: async () => done.push('saved'), search: async () => done.push('searched') },
      },
    ],
    signal: AbortSignal.abort(new Error('cancelled')),
    progress: () => undefined,
    files: {
      resolve: async (path: string) => path,
      stat: async () => undefined,
      list: async () => [{ name: 'P.gantry', isDirectory: false }],
      read: async () => done.push('read'),
    },
  } as unknown as CommandContext
  const saved = { ...project, version: 'V19', revision: 1, savedRevision: 1 } as Project
  await assert.rejects(saveProject(ctx, saved), /^Error: cancelled$/)
  await assert.rejects(indexProject(ctx, saved), /^Error: cancelled$/)
  await assert.rejects(archiveProject(ctx, saved, {}), /^Error: cancelled$/)
  assert.deepEqual(done, [])
})

test('of what goes, the outermost folders are removed and the files outside of them', () => {
  const away = new Set(['a/b/c/1', 'a/b/2', 'a/3', 'd/4', '5'])
  const free = ['a/b', 'a/b/c', 'd', 'e']
  assert.deepEqual(outermostOf(away, free), { folders: ['a/b', 'd'], single: ['a/3', '5'] })
})
