/** `gantry merge`, `gantry git` and the page of `gantry diff` as processes, with real git. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { importFile } from '../../../plc/formats/import.ts'
import { launcher } from '../../../test/built.ts'
import { publicDir } from '../../../test/corpus.ts'

const softstart = join(
  publicDir,
  'Czarnak+simaticml-decoder/tests/fixtures/SimaticML/PLC_1/Program blocks/999_MISC/MotorSoftstart.xml',
)
const motor = `FUNCTION_BLOCK "Motor"
VAR_INPUT
  on : Bool;
END_VAR
VAR_OUTPUT
  speed : Int;
END_VAR
BEGIN
  #speed := 100;

  // second part

  #speed := #speed + 1;
END_FUNCTION_BLOCK
`

function workplace(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-git-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const clean = Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS|GIT_)/.test(name))
  const env = { ...Object.fromEntries(clean), HOME: dir, XDG_CONFIG_HOME: join(dir, '.config') }
  const start = (command: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: dir, env, encoding: 'utf8' })
    return { code: status, stdout, stderr }
  }
  const put = (path: string, text: string) => writeFileSync(join(dir, path), text)
  const get = (path: string) => readFileSync(join(dir, path), 'utf8')
  return {
    ...{ dir, put, get },
    gantry: (...args: string[]) => start(process.execPath, [launcher, ...args]),
    git: (...args: string[]) => start('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args]),
    merge: (ending: string, base: string, ours: string, theirs: string) => {
      for (const [name, text] of Object.entries({ base, ours, theirs })) put(`${name}.${ending}`, text)
      return start(process.execPath, [
        ...[launcher, 'merge', `base.${ending}`, `ours.${ending}`, `theirs.${ending}`],
        ...['--output', `merged.${ending}`],
      ])
    },
  }
}

const changed = (text: string, from: string | RegExp, to: string): string => {
  const result = text.replace(from, to)
  assert.notEqual(result, text, String(from))
  return result
}

test('members and lines that both sides changed in a source are merged; one line that both changed is marked', (t) => {
  const { merge, get } = workplace(t)
  const ours = changed(changed(motor, '  on : Bool;\n', '  on : Bool;\n  slow : Bool;\n'), ':= 100', ':= 120')
  const theirs = changed(changed(motor, '  on : Bool;\n', '  on : Bool;\n  fast : Bool;\n'), '+ 1', '+ 2')
  const { code, stderr } = merge('scl', motor, ours, theirs)
  assert.equal(code, 0, stderr)
  assert.equal(
    get('merged.scl'),
    changed(changed(ours, '  slow : Bool;\n', '  slow : Bool;\n  fast : Bool;\n'), '+ 1', '+ 2'),
  )

  const fight = merge('scl', motor, changed(motor, '100', '1'), changed(motor, '100', '2'))
  assert.equal(fight.code, 1)
  assert.match(fight.stderr, /conflict in ours\.scl: lines 9 to 13: both sides changed them/)
  assert.match(get('merged.scl'), /<<<<<<< ours\n {2}#speed := 1;\n=======\n {2}#speed := 2;\n>>>>>>> theirs\n/)

  const twice = merge(
    'scl',
    motor,
    changed(motor, '  on : Bool;\n', '  on : Bool;\n  x : Int;\n'),
    changed(motor, '  speed : Int;\n', '  speed : Int;\n  X : Int;\n'),
  )
  assert.equal(twice.code, 1)
  assert.match(twice.stderr, /declared twice|do not fit together/)
})

test('SimaticML keeps both changes of members, networks and titles, and names what cannot be merged', async (t) => {
  const { merge, get, gantry, put } = workplace(t)
  const base = readFileSync(softstart, 'utf8').replace(/^\ufeff/, '')
  const ours = changed(
    changed(base, '<Component Name="generalConditions" />', '<Component Name="Alarm" />'),
    'Datatype="Bool"',
    'Datatype="Int"',
  )
  const member = /( *)<Member Name="FI_ManualMode"[^>]*>/.exec(base)?.[0]
  assert.ok(member)
  const theirs = changed(
    changed(
      changed(base, 'Contactor control', 'Main contactor'),
      member,
      `<Member Name="extra" Datatype="Real" />\n${member}`,
    ),
    /<SW\.Blocks\.CompileUnit(?![\s\S]*<SW\.Blocks\.CompileUnit)[\s\S]*<\/SW\.Blocks\.CompileUnit>/,
    '$&\n$&',
  )
  const { code, stderr } = merge('xml', base, ours, theirs)
  assert.equal(code, 0, stderr)
  const text = get('merged.xml')
  const { objects, faults } = await importFile(Buffer.from(text), { path: 'merged.xml' })
  assert.deepEqual(faults, [])
  const before = (await importFile(Buffer.from(base), { path: 'base.xml' })).objects[0]!
  assert.equal(objects[0]!.networks.length, before.networks.length + 1)
  assert.ok(text.includes('Main contactor'))
  const ids = [...text.matchAll(/<[\w.]+ ID="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length, 'ids are unique')
  // Against ours it has the changes of theirs, against theirs those of ours.
  const told = (a: string, b: string) =>
    JSON.parse(gantry('diff', a, b, '--format', 'json').stdout).objects.flatMap(
      ({ differences }: { differences: { path: string; change: string }[] }) =>
        differences.map(({ path, change }) => `${path} ${change}`),
    )
  assert.deepEqual(told('ours.xml', 'merged.xml'), told('base.xml', 'theirs.xml'))
  assert.deepEqual(told('theirs.xml', 'merged.xml'), told('base.xml', 'ours.xml'))

  const fight = merge(
    'xml',
    base,
    ours,
    changed(base, '<Component Name="generalConditions" />', '<Component Name="other" />'),
  )
  assert.equal(fight.code, 1)
  assert.match(fight.stderr, /conflict in ours\.xml: "MotorSoftstart"\.network 1: both sides changed it/)
  assert.equal(gantry('diff', 'ours.xml', 'merged.xml').code, 0, 'our side is kept')
  const types = merge('xml', base, ours, changed(base, 'Datatype="Bool"', 'Datatype="Real"'))
  assert.equal(types.code, 1)
  assert.match(types.stderr, /"MotorSoftstart"\.Input\.\w+: both sides changed it/)
  put('broken.xml', base.slice(0, 900))
  assert.equal(gantry('merge', 'base.xml', 'ours.xml', 'broken.xml').code, 3)
  assert.equal(gantry('merge', 'base.xml', 'ours.xml', 'nothing.xml').code, 3)
  assert.equal(gantry('merge', 'base.xml', 'ours.xml').code, 2)
})

test('git compares and merges with gantry after one command, which can be given again', (t) => {
  const { git, gantry, get, put, dir } = workplace(t)
  assert.equal(gantry('git', 'install').code, 3, 'no repository')
  git('init', '-q', '-b', 'main')
  put('.gitattributes', '*.xml text\n*.db diff=own\n')
  const first = gantry('git', 'install')
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stderr, /has "\*\.db diff=own", which stays/)
  const attributes = get('.gitattributes')
  assert.match(attributes, /^\*\.xml text\n\*\.db diff=own\n\*\.xml diff=gantry merge=gantry\n/)
  assert.match(attributes, /^\*\.db merge=gantry$/m)
  const config = get('.git/config')
  assert.equal(gantry('git', 'install').code, 0)
  assert.equal(get('.gitattributes'), attributes)
  assert.equal(get('.git/config'), config)

  cpSync(softstart, join(dir, 'Soft start.xml'))
  put('pom.xml', '<project>\n  <a>1</a>\n</project>\n')
  put('Motor.scl', motor)
  git('add', '-A')
  git('commit', '-qm', 'first')
  const base = get('Soft start.xml')
  git('checkout', '-qb', 'other')
  put('Soft start.xml', changed(base, 'Contactor control', 'Main contactor'))
  put('Motor.scl', changed(motor, '+ 1', '+ 2'))
  git('commit', '-qam', 'theirs')
  git('checkout', '-q', 'main')
  put('Soft start.xml', changed(base, '<Component Name="generalConditions" />', '<Component Name="Alarm" />'))
  put('pom.xml', '<project>\n  <a>2</a>\n</project>\n')
  put('Motor.scl', changed(motor, '100', '120'))
  const shown = git('diff').stdout
  assert.match(shown, /^-#generalConditions := .*\n\+#Alarm := /m)
  assert.match(shown, /^- {2}<a>1<\/a>$/m, 'other XML stays as it is')
  const tool = git('difftool', '--tool=gantry', '-y')
  assert.match(tool.stdout, /1 changed/, tool.stderr)
  git('commit', '-qam', 'ours')
  const merged = git('merge', '-q', 'other')
  assert.equal(merged.code, 0, merged.stdout + merged.stderr)
  assert.ok(get('Soft start.xml').includes('Main contactor') && get('Soft start.xml').includes('"Alarm" />'))
  assert.equal(get('Motor.scl'), changed(changed(motor, '100', '120'), '+ 1', '+ 2'))

  git('checkout', '-qb', 'third')
  put('Motor.scl', changed(get('Motor.scl'), '120', '3'))
  git('commit', '-qam', 'third')
  git('checkout', '-q', 'main')
  put('Motor.scl', changed(get('Motor.scl'), '120', '4'))
  git('commit', '-qam', 'fourth')
  const fight = git('merge', 'third')
  assert.equal(fight.code, 1)
  assert.match(fight.stderr, /conflict in '?Motor\.scl'?: lines/)
  assert.match(git('status', '--porcelain').stdout, /^UU Motor\.scl$/m)
  git('merge', '--abort')

  assert.equal(gantry('git', 'uninstall').code, 0)
  assert.equal(get('.gitattributes'), '*.xml text\n*.db diff=own\n')
  assert.doesNotMatch(get('.git/config'), /gantry/)
  assert.equal(gantry('git', 'install', '--global').code, 0)
  assert.match(get('.gitconfig'), /\[merge "gantry"\]/)
  assert.match(get('.config/git/attributes'), /^\*\.scl diff=gantry merge=gantry$/m)
  assert.equal(gantry('git', 'instal').code, 2)
})

test('the page of a compare marks what changed on both sides', (t) => {
  const { put, get, gantry } = workplace(t)
  const base = readFileSync(softstart, 'utf8')
  put('a.xml', base)
  put('b.xml', changed(base, '<Component Name="generalConditions" />', '<Component Name="Alarm" />'))
  const { code, stderr } = gantry('diff', 'a.xml', 'b.xml', '--format', 'html', '--out', 'page.html')
  assert.equal(code, 1, stderr)
  const page = get('page.html')
  assert.equal(page.match(/<figure><svg/g)?.length, 2)
  assert.equal(page.match(/<g data-uid="\d+" class="changed">/g)?.length, 2)
  assert.doesNotMatch(page, /<(script|link|img)\b|https?:\/\/(?!www\.w3\.org)/)
  const same = gantry('diff', 'a.xml', 'a.xml', '--format', 'html')
  assert.equal(same.code, 0)
  assert.match(same.stdout, /0 added, 0 removed, 0 changed, 1 the same/)
})
