/**
 * Imports of a file that is another in one place (fixtures/import-changes.txt): what is made, what is told, what is
 * refused. Each import goes into the project as the ones before have left it.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectedProblem } from '../../core/jobs/failure.ts'
import { openTestGateway } from '../../test/harness.ts'
import { newProject, plc } from '../../test/online.ts'
import { assertRecorded } from '../../test/recorded.ts'

type Result = { devices: { name: string; action: string; parked?: string }[]; warnings: string[] } & Record<
  string,
  unknown
>

interface Links {
  links: { id: string; device: string; port: string; partner: string; partnerPort: string }[]
}

test('a file with one place that is another', async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Plant')
  await at.call('devices.add', { name: 'IO_1', orderNumber: '6ES7 155-6AU01-0BN0' })
  await at.call('hardware.plug-module', { ...plc, orderNumber: '6ES7 521-1BL00-0AB0', name: 'Inputs' })
  await at.call('hardware.plug-module', { ...plc, orderNumber: '6ES7 522-1BH01-0AB0', name: 'Outputs' })
  await at.call('devices.configure-network', { ...plc, ipAddress: '10.0.3.4', subnet: 'Net' })
  await at.call('hardware.assign-io-controller', { deviceName: 'IO_1', controller: 'PLC_1', deviceNumber: 9 })
  const port = 'X1 P1'
  await at.call('hardware.link-ports', { ...plc, port, partner: 'IO_1', partnerPort: port })
  await at.call('tags.add', { ...plc, name: 'Go', dataType: 'Bool', logicalAddress: '%I0.3' })
  await at.call('cax.export-hardware', { ...plc, exportPath: 'all.aml', scope: 'project' })
  const text = await readFile(join(at.dir, 'workspace/all.aml'), 'utf8')
  const told: string[] = []
  const run = async (what: string, change: (text: string) => string, more: object = {}) => {
    const content = change(text)
    told.push(
      `${what}${content === text && what !== 'as it is' ? ' (NOTHING IS CHANGED)' : ''} ${JSON.stringify(more)}`,
    )
    try {
      const { devices, warnings, ...counts } = await at.call<Result>('cax.import-hardware', { content, ...more })
      told.push(`  ${JSON.stringify(counts)}`)
      for (const { name, action, parked } of devices)
        told.push(`  ${name} ${action}${parked === undefined ? '' : `, parked ${parked}`}`)
      told.push(...warnings.map((warning) => `  ! ${warning}`))
      const { links } = await at.call<Links>('hardware.topology')
      told.push(...links.map((link) => `  ${link.device} ${link.port} - ${link.partner} ${link.partnerPort}`))
    } catch (error) {
      const known = expectedProblem(error)
      if (known === undefined) throw error
      told.push(`  ✗ ${known.code} ${known.message}`)
      for (const one of (known.details as { errors?: object[] }).errors ?? []) told.push(`    ${JSON.stringify(one)}`)
    }
  }
  const retain = { importOption: 'RetainTiaDevice' }
  const overwrite = { importOption: 'OverwriteTiaDevice' }
  await run('as it is', (all) => all, retain)
  await run('as it is', (all) => all, overwrite)
  await run('as it is', (all) => all)
  await run('the PLC under a new name', (all) => all.replaceAll('PLC_1', 'PLC_7'), retain)
  await run('two devices of one name', (all) => all.replaceAll('IO_1', 'PLC_1'), overwrite)
  await run('a name that is none', (all) => all.replaceAll('PLC_1', ' '), overwrite)
  await run('a name that is too long', (all) => all.replaceAll('IO_1', 'x'.repeat(200)), overwrite)
  await run('an order number that nobody knows', (all) => all.replaceAll('521-1BL00', '599-9ZZ99'), overwrite)
  // Nobody knows where it fits.
  const refused = async (operation: string, more: object) => {
    const end = await at.call(operation, { ...plc, moduleName: 'Inputs', ...more }).then(() => 'done', expectedProblem)
    told.push(`  ${operation}: ${end === 'done' ? end : (end as Error | undefined)?.message}`)
  }
  await refused('hardware.move-module', { slot: 4 })
  await refused('hardware.replace-module', { orderNumber: '6ES7 521-1BH00-0AB0' })
  await run('two of them', (all) => all.replace(/521-1BL00|522-1BH01/g, '599-9ZZ99'), overwrite)
  await run('no firmware', (all) => all.replaceAll('"FirmwareVersion"', '"Firmware"'), overwrite)
  await run('the subnet of another type', (all) => all.replace('>Ethernet<', '>Profibus<'), overwrite)
  await run('a tag of an unknown type', (all) => all.replace('>Bool<', '>Boool<'), overwrite)
  await run('an address of rubbish', (all) => all.replace('"StartAddress"', '"Start"'), overwrite)
  await run('an address of rubbish, go on', (all) => all.replace('"StartAddress"', '"Start"'), {
    ...overwrite,
    continueOnError: true,
  })
  await run('a device of rubbish', (all) => all.replace('</CAEXFile>', ''), overwrite)
  await run('no role', (all) => all.replaceAll('/Device"', '/Devise"'), overwrite)
  await run('no role, go on', (all) => all.replaceAll('/Device"', '/Devise"'), { ...overwrite, continueOnError: true })
  await run('as it is', (all) => all)
  const headModule = (all: string) =>
    all.replaceAll('515-2AM02-0AB0', '155-6AU01-0BN0').replace('>CPU<', '>HeadModule<')
  await run('the CPU is a head module', headModule, overwrite)
  await run('as it is', (all) => all, overwrite)
  const another = (all: string) =>
    all
      .replace(/ID="[^"]*" Name="IO_1 station"/, 'ID="00000000-0000-0000-0000-000000000001" Name="IO_9 station"')
      .replaceAll('IO_1', 'IO_9')
  await run('an IO device more', another, retain)
  await at.call('devices.add', { name: 'IO_3', orderNumber: '6ES7 155-6AU01-0BN0' })
  const { links } = await at.call<Links>('hardware.topology')
  for (const { id } of links) await at.call('hardware.unlink-ports', { linkId: id })
  await at.call('hardware.link-ports', { ...plc, port: 'X1 P2', partner: 'IO_3', partnerPort: 'X1 P2' })
  await at.call('hardware.link-ports', { ...plc, port, partner: 'IO_3', partnerPort: port })
  told.push('the port has another cable now')
  await run('as it is', (all) => all, overwrite)
  const renumbered = (all: string) => {
    const [, id = ''] = /ID="([^"]*)" Name="Port_2"/.exec(all) ?? []
    return all.replaceAll(id, id.replace(/^..../, 'ffff'))
  }
  await run('a port with another ID', renumbered, overwrite)
  await at.call('devices.delete', { deviceName: 'IO_9' })
  // Each communication processor has its X1: the interfaces of a device have names of their own.
  for (const [i, name] of ['A', 'B', 'C'].entries()) {
    await at.call('hardware.plug-module', { ...plc, orderNumber: '6GK7 543-1AX00-0XE0', name })
    await at.call('devices.configure-network', { ...plc, interface: `${name}.X1`, ipAddress: `10.0.${4 + i}.1` })
  }
  await at.call('hardware.create-connection', { ...plc, partnerAddress: '10.9.9.9' })
  await at.call('hardware.create-subnet', { name: 'Aside' })
  const whole = await at.call<{ content: string; warnings: string[] }>('cax.export-hardware', {
    ...plc,
    scope: 'project',
  })
  told.push('as it is then', ...whole.warnings.map((warning) => `  ! ${warning}`))
  told.push(
    `  subnets ${[...whole.content.matchAll(/Name="(\w+)">\s*<Attribute Name="Type"/g)].map((match) => match[1])}`,
  )
  await at.call('cax.import-hardware', { content: whole.content, ...overwrite })
  const { interfaces } = await at.call<{ interfaces: { interface: string; ipAddress?: string }[] }>('devices.get', plc)
  told.push(...interfaces.map((one) => `  ${one.interface} ${one.ipAddress}`))
  // What is parked gets no name that a device of the file has.
  await run('a device with the next name of the parking lot', (all) => all.replaceAll('PLC_1', 'IO_1_3'))
  const long = 'x'.repeat(127)
  await run('two devices of one long name', (all) => all.replaceAll('IO_1', long).replaceAll('PLC_1', long))
  assertRecorded(import.meta.url, 'import-changes.txt', `${told.join('\n')}\n`)
})
