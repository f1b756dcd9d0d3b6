/** The operations that export and import hardware as AML. Their implementation is loaded on first use. */
import { command, type Operation, post, problem, type SchemaBuilder } from '../../core/index.ts'
import { requireDevice } from '../devices/index.ts'
import {
  engineeringVersion,
  exportAliases,
  exportRules,
  exportTarget,
  importAliases,
  importSource,
} from '../program-objects/index.ts'
import type { ImportOption } from './import.ts'

const exportHardware = command({
  id: 'cax.export-hardware',
  title: 'Export the hardware of a device as AML',
  description: `CAx data in AutomationML (CAEX 2.15), as TIA Portal V16 to V21 writes and reads it: racks, modules, addresses, channels, tags of inputs and outputs, subnets, IO systems, links. What an imported file held and nobody interprets is written back. The same hardware gives the same bytes. ${exportRules}`,
  input: (t) =>
    t.Object({
      deviceName: t.String({ minLength: 1, maxLength: 200, description: 'Name of the device; case does not matter.' }),
      scope: t.Optional(
        t.Enum(['device', 'project'], {
          description: 'project: all devices of the project in one file. Default: device.',
        }),
      ),
      ...exportTarget(t),
      engineeringVersion: engineeringVersion(t),
    }),
  output: (t) =>
    t.Object({
      name: t.String(),
      format: t.String({ description: 'aml.' }),
      engineeringVersion: t.String(),
      devices: t.Array(t.String(), { description: 'Names of the devices in the file.' }),
      exportPath: t.Optional(t.String({ description: 'The file that was written.' })),
      size: t.Integer({ description: 'Bytes of the file.' }),
      content: t.Optional(t.String({ description: 'The text, when no exportPath was given.' })),
      warnings: t.Array(t.String(), { description: 'What is not in the file.' }),
    }),
  http: [
    post('/api/devices/{deviceName}/actions/export-hardware-async', 'async'),
    post('/api/devices/{deviceName}/actions/export-hardware'),
    post('/api/devices/{deviceName}/hardware/actions/export'),
  ],
  mcp: { toolset: 'cax' },
  needsInstance: true,
  aliases: { ...exportAliases, engineeringVersion: ['version', 'targetVersion'] },
  example: { deviceName: 'PLC_1', exportPath: 'PLC_1.aml' },
  async run(input, ctx) {
    return (await import('./export.ts')).exportHardware(ctx, input)
  },
})

const options: Readonly<Record<string, ImportOption>> = {
  movetoparkinglot: 'MoveToParkingLot',
  parkinglot: 'MoveToParkingLot',
  '0': 'MoveToParkingLot',
  overwritetiadevice: 'OverwriteTiaDevice',
  overwrite: 'OverwriteTiaDevice',
  '1': 'OverwriteTiaDevice',
  retaintiadevice: 'RetainTiaDevice',
  retain: 'RetainTiaDevice',
  '2': 'RetainTiaDevice',
}

/** The option of a request, in any spelling that clients use. */
function importOption(text: string | undefined): ImportOption | undefined {
  const option = text === undefined ? undefined : options[text.toLowerCase().replace(/[^a-z0-9]/g, '')]
  if (text === undefined || option) return option
  const message = 'must be MoveToParkingLot, OverwriteTiaDevice or RetainTiaDevice'
  throw problem('invalid_input', `/importOption: "${text}" ${message}.`, {
    errors: [{ path: '/importOption', message, value: text, allowed: [...new Set(Object.values(options))] }],
  })
}

const importedFields = (t: SchemaBuilder) => ({
  imported: t.Integer({ description: 'Devices created or overwritten.' }),
  created: t.Integer(),
  overwritten: t.Integer(),
  retained: t.Integer(),
  parked: t.Integer({ description: 'Devices of the project that went to the parking lot.' }),
  devices: t.Array(
    t.Object({
      name: t.String(),
      station: t.String({ description: 'Name of the station in the file.' }),
      kind: t.String({ description: 'PLC, HMI, IO, Drive, Switch or Other.' }),
      orderNumber: t.String(),
      action: t.String({ description: 'created, overwritten or retained.' }),
      parked: t.Optional(t.String({ description: 'Name of the device in the parking lot that was there before.' })),
      items: t.Integer({ description: 'Racks, modules, submodules, interfaces.' }),
      tags: t.Integer(),
    }),
  ),
  items: t.Integer({ description: 'Of the devices that were imported.' }),
  subnets: t.Integer({ description: 'Subnets of the file.' }),
  tags: t.Integer(),
  links: t.Integer({ description: 'Links between ports.' }),
  engineeringVersion: t.Optional(t.String({ description: 'Version of TIA Portal that wrote the file.' })),
  warnings: t.Array(t.String()),
})

const importAliasesOf = {
  filePath: [...importAliases.filePath, 'amlFilePath', 'amlPath'],
  content: ['xmlContent', 'amlContent', 'aml'],
}

const importHardware = command({
  id: 'cax.import-hardware',
  title: 'Import hardware from an AML file',
  description:
    'CAx data of TIA Portal V16 to V21, or of a planning tool: devices with racks, modules, addresses, channels, tags, subnets, nodes, IO systems, links. A device that the project has too (by its GUID, else by its name) goes to the parking lot, is overwritten (its program stays) or retained. Order numbers that the catalog does not have are kept as they are; `warnings` tell them with element and line. An ID that stands twice, a link without its ends or a value that is none is an error with element and line (422), and nothing is imported; `continueOnError` leaves out what is wrong.',
  input: (t) =>
    t.Object({
      ...importSource(t, 'The text of the file'),
      importOption: t.Optional(
        t.String({
          maxLength: 40,
          description:
            'MoveToParkingLot, OverwriteTiaDevice or RetainTiaDevice: for devices that the project has too. Default: MoveToParkingLot.',
        }),
      ),
      continueOnError: t.Optional(t.Boolean({ description: 'Leave out what is wrong. Default: false.' })),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [
    post('/api/projects/devices/actions/import-hardware-sync'),
    post('/api/projects/devices/actions/import-hardware', 'async'),
  ],
  mcp: { toolset: 'cax', destructive: true },
  needsInstance: true,
  aliases: {
    ...importAliasesOf,
    importOption: ['importOptions', 'option', 'caxImportOption', 'caxImportOptions'],
    continueOnError: importAliases.continueOnError,
  },
  example: { filePath: 'station.aml', importOption: 'MoveToParkingLot' },
  async run(input, ctx) {
    const option = importOption(input.importOption)
    return (await import('./import.ts')).importHardware(ctx, { ...input, importOption: option })
  },
})

const importDevice = command({
  id: 'cax.import-device',
  title: 'Replace the hardware of a device with that of an AML file',
  description:
    'The file holds this device alone, as `cax.export-hardware` writes it; its program stays. A file without the device, or with others too, is a 422: `cax.import-hardware` takes those.',
  input: (t) =>
    t.Object({
      deviceName: t.String({ minLength: 1, maxLength: 200, description: 'Name of the device; case does not matter.' }),
      ...importSource(t, 'The text of the file'),
    }),
  output: (t) => t.Object(importedFields(t)),
  http: [post('/api/devices/{deviceName}/hardware/actions/import')],
  mcp: { toolset: 'cax', destructive: true },
  needsInstance: true,
  aliases: importAliasesOf,
  example: { deviceName: 'PLC_1', filePath: 'PLC_1.aml' },
  async run({ deviceName, ...source }, ctx) {
    const { name } = requireDevice(ctx, deviceName)
    const { importHardware: run } = await import('./import.ts')
    const result = await run(ctx, { ...source, importOption: 'OverwriteTiaDevice' })
    const others = result.devices.filter((one) => one.name.toLowerCase() !== name.toLowerCase()).map((one) => one.name)
    // Nothing of a command that fails is kept.
    if (others.length > 0 || result.devices.length === 0)
      throw problem(
        'unacceptable_content',
        others.length === 0
          ? `The file holds no device; the hardware of "${name}" is wanted.`
          : `The file holds ${others.map((one) => `"${one}"`).join(', ')}; the hardware of "${name}" alone is wanted.`,
        { suggestion: 'POST /api/projects/devices/actions/import-hardware takes files of any devices.' },
      )
    return result
  },
})

export const caxOperations: readonly Operation[] = [exportHardware, importHardware, importDevice]
