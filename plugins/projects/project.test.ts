/** What the events of projects leave in the state: the open project, its revisions, the history of opened ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { State } from '../../core/state/state.ts'
import { isModified, type OpenedProject, projectHistory, projectSlice, requireProject } from './project.ts'

function newState() {
  const state = new State()
  for (const one of projectSlice.collections) state.register(one)
  for (const { event, reduce } of projectSlice.reductions) state.reductions.on(event.type, reduce, 'projects')
  const apply = (type: string, data: unknown, time = 0) =>
    state.fold(data, { type, time, jobId: undefined, actor: undefined })
  return { state, apply }
}

const named = (name: string): OpenedProject => ({
  ...{ id: `id of ${name}`, name, path: `/w/${name}`, author: '', comment: '', version: 'V19', cultures: ['en-US'] },
  ...{ createdAt: 1, modifiedAt: 2, simulationSupport: false },
})

test('the history has the 50 projects that were opened or saved last, each once', () => {
  const { state, apply } = newState()
  const open = (name: string, openedAt: number) =>
    apply('projects.opened', { project: named(name), how: 'opened', openedAt })
  const names = () => [...state.read(projectHistory).values()].map(({ name }) => name)
  for (let i = 1; i <= 50; i++) open(`P${i}`, i)
  assert.deepEqual([names().length, names()[0], names().at(-1)], [50, 'P1', 'P50'])
  open('P1', 51)
  open('P51', 52)
  assert.deepEqual([names().length, names()[0], names().at(-2), names().at(-1)], [50, 'P3', 'P1', 'P51'])
  apply('projects.saved', { projectId: 'id of P51', name: 'New', path: '/w/New', savedAt: 53, files: 'f' })
  assert.deepEqual([names().length, names()[0], names().at(-1)], [50, 'P4', 'New'])
  assert.deepEqual(state.read(projectHistory).get('/w/New'), { path: '/w/New', name: 'New', lastAccess: 53 })
  apply('projects.saved', { projectId: 'id of P51', name: 'New', path: '/w/New', savedAt: 54, files: 'f' })
  assert.deepEqual([names().length, names()[0]], [50, 'P4'])
  apply('projects.history-removed', { paths: ['/w/P4', '/w/None'] })
  assert.deepEqual([names().length, names()[0]], [49, 'P5'])
})

test('a project is modified from a change to the next save; one of exports until it is saved', () => {
  const { state, apply } = newState()
  const now = () => {
    const project = requireProject(state)
    return [isModified(project), project.modifiedAt, project.savedAt, project.savedFiles]
  }
  apply('projects.opened', { project: { ...named('P'), savedAt: 3 }, how: 'opened', openedAt: 10 })
  assert.deepEqual(now(), [false, 2, 3, undefined])
  apply('projects.simulation-support-set', { enabled: true }, 20)
  assert.deepEqual(now(), [true, 20, 3, undefined])
  assert.equal(requireProject(state).simulationSupport, true)
  apply('projects.loaded', { projectId: 'id of P', files: 'f1' }, 21)
  assert.deepEqual(now(), [false, 3, 3, 'f1'])
  apply('projects.loaded', { projectId: 'id of P' }, 22)
  assert.deepEqual(now(), [false, 3, 3, 'f1'])
  apply('projects.simulation-support-set', { enabled: false }, 30)
  apply('projects.saved', { projectId: 'id of P', name: 'Q', path: '/w/Q', savedAt: 40, files: 'f2' }, 40)
  assert.deepEqual(now(), [false, 30, 40, 'f2'])
  assert.deepEqual([requireProject(state).name, requireProject(state).path], ['Q', '/w/Q'])
  apply('projects.opened', { project: named('I'), how: 'imported', openedAt: 50 })
  assert.deepEqual(now(), [true, 2, undefined, undefined])
  apply('projects.loaded', { projectId: 'id of I' }, 51)
  assert.deepEqual(now(), [false, 2, undefined, undefined])
})
