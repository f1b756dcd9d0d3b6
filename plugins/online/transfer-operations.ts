/** Download, upload and compare. What they do is loaded on first use. */

import { command, type Operation, post, problem, query, type SchemaBuilder } from '../../core/index.ts'
import { findDevice, requirePlc } from '../devices/index.ts'
import { deviceName } from '../program-objects/index.ts'
import { requireProject } from '../projects/index.ts'
import { requireAccess } from '../security/index.ts'
import { admitCredentials, credentialAliases, credentialFields } from './access.ts'
import { reach } from './connection.ts'
import { addressAliases, category, cpuState, ipAddress, placeFields } from './declarations.ts'

const flag = (t: SchemaBuilder, description: string) => t.Optional(t.Boolean({ description }))

const masterSecret = (t: SchemaBuilder) =>
  t.Optional(t.Secret('hash', { minLength: 1, description: 'Of the controller, when it has another than the device.' }))

const names = (t: SchemaBuilder, description: string) => t.Array(t.String(), { description })

/**
 * What a scope loads.
 * @throws GatewayError `invalid_input` when a flag beside it says the same or another thing
 */
function partsOf(scope: string, { software, hardware }: { software?: boolean; hardware?: boolean }) {
  if (software === undefined && hardware === undefined)
    return { software: scope !== 'Hardware', hardware: scope !== 'Software' }
  const message = 'stands instead of software and hardware; send one of the two'
  throw problem('invalid_input', `/scope: ${message}.`, { errors: [{ path: '/scope', message }] })
}

const downloadDevice = command({
  id: 'online.download',
  title: 'Download the program of a device into its controller',
  description: [
    'Steps: check, compile, plan, stop, load, start. Only what differs counts: when the controller has everything already, nothing is done (`upToDate`), unless `all` or `reinitialize` is true.',
    'Every value stays whose member is still there by name and type, wherever it is in its data block now; new members have start values. What cannot stay is in `report.lost`. In STOP that is a warning; in RUN (`inRun`) it is a 409 `values_would_be_lost`, unless `reinitializeChanged` or `reinitialize` is true. `dryRun: true` answers the same and changes nothing.',
    'The CPU must be in STOP. `stopModules: true` stops it and starts it again; `inRun: true` loads at the end of a cycle while it runs.',
    'Refused: no simulation support in the project, a program that is not compiled as it is now (unless `compile: true`) or has errors, a controller of another family, know-how protected blocks that would be replaced by others, the program of another device (the last two unless `force: true`).',
  ].join('\n\n'),
  live: true,
  lasting: 'The controller keeps the program that it was given.',
  access: 'operator',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ipAddress: ipAddress(t),
      all: flag(t, 'Load also what the controller has already. Default: false.'),
      software: flag(t, 'Load the program. Default: true.'),
      hardware: flag(t, 'Check the hardware configuration and load the description of the device. Default: true.'),
      scope: t.Optional(
        t.Enum(['Software', 'Hardware', 'HardwareAndSoftware'], {
          description: 'Instead of `software` and `hardware`: what of the two is loaded.',
        }),
      ),
      compile: flag(t, 'Compile first, when something has changed. Default: false, that is an error then.'),
      inRun: flag(t, 'Load while the CPU runs. Default: false.'),
      reinitialize: flag(t, 'All data blocks take start values. Default: false.'),
      reinitializeChanged: flag(
        t,
        'In RUN: values that cannot stay become start values, all others stay. Default: false.',
      ),
      stopModules: flag(t, 'Stop a running CPU for the download; not with inRun. Default: false.'),
      startAfter: flag(t, 'Switch to RUN in the end. Default: when the download has stopped it.'),
      force: flag(t, 'Replace protected blocks, or the program of another device. Default: false.'),
      ...credentialFields(t),
      masterSecret: masterSecret(t),
    }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      downloaded: t.Boolean(),
      upToDate: t.Boolean({ description: 'The controller has it already; nothing was loaded.' }),
      programHash: t.String(),
      packageHash: t.String({ description: 'Of the program with its sources, device and tables.' }),
      compiled: t.Boolean({ description: 'The download has compiled it.' }),
      report: t.Object(
        {
          added: names(t, 'New data blocks.'),
          removed: names(t, 'Gone.'),
          kept: names(t, 'All their values stay; new members have start values.'),
          reinitialized: names(
            t,
            'Values of them become start values: all with reinitialize, otherwise those in lost.',
          ),
          lost: t.Optional(
            t.Array(
              t.Object({
                dataBlock: t.String(),
                path: t.String({ description: 'Inside it: `.motor.speed`, `.list[…].level`; empty: all of it.' }),
                reason: t.String(),
              }),
              { description: 'Values that cannot stay; absent when all do.' },
            ),
          ),
        },
        { description: 'Data blocks.' },
      ),
      changes: t.Array(
        t.Object({
          category: category(t),
          kind: t.String(),
          name: t.String(),
          change: t.Enum(['added', 'changed', 'removed']),
        }),
        { description: 'Objects that the controller had not, or had otherwise.' },
      ),
      cpu: t.Object({ before: cpuState(t), after: cpuState(t), stopped: t.Boolean(), started: t.Boolean() }),
      steps: t.Array(t.String()),
      warnings: t.Array(t.String()),
    }),
  http: [
    post('/api/devices/{deviceName}/actions/download-sync'),
    post('/api/devices/{deviceName}/actions/download', 'async'),
  ],
  mcp: { toolset: 'online', destructive: true },
  needsInstance: true,
  aliases: {
    ipAddress: addressAliases,
    compile: ['compileFirst'],
    inRun: ['loadInRun', 'downloadInRun'],
    reinitialize: ['reinitializeDataBlocks', 'resetValues'],
    reinitializeChanged: ['reinitializeChangedDataBlocks'],
    stopModules: ['stopCpu', 'stopPlc'],
    startAfter: ['startModules', 'startCpu', 'startPlc'],
    ...credentialAliases,
  },
  example: { deviceName: 'PLC_1', compile: true, stopModules: true },
  admit: (input, ctx) => admitCredentials(input, ctx),
  async run({ deviceName: name, ipAddress: address, scope, ...given }, ctx) {
    const device = requirePlc(ctx, name)
    const request = scope === undefined ? given : { ...given, ...partsOf(scope, given) }
    const reached = await reach(ctx, device, address)
    requireAccess(ctx.actor, reached.controller, 'online.download')
    const { download } = await import('./download.ts')
    const done = await download(ctx, device, reached, request, (percent, message) => ctx.progress(percent, message))
    const place = { deviceName: device.name, instance: reached.instance.name, ipAddress: reached.address }
    return { ...place, ...done }
  },
})

const uploadDevice = command({
  id: 'online.upload',
  title: 'Upload the program of a controller into the project',
  description: [
    'Blocks, PLC data types, tag tables, watch and force tables and folders as they were downloaded, byte for byte, with numbers and protection; classes, texts and text lists of alarms too.',
    'A `deviceName` that the project does not have makes a new device like the one that was downloaded; `ipAddress` says where the controller is then.',
    'All or nothing: objects that are in the project with another content are an error (409, all of them in `errors`) unless `overwrite` is true. What is only in the project stays; `onlyOffline` lists it.',
  ].join('\n\n'),
  live: true,
  lasting: false,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ipAddress: ipAddress(t),
      overwrite: flag(t, 'Replace objects that differ. Default: false.'),
      force: flag(t, 'Replace also those that are know-how protected in the project. Default: false.'),
      ...credentialFields(t),
      masterSecret: masterSecret(t),
    }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      newDevice: t.Boolean({ description: 'The device was made.' }),
      programHash: t.String(),
      source: t.Object(
        { project: t.String(), device: t.String(), compiledAt: t.DateTime() },
        { description: 'What was downloaded.' },
      ),
      created: t.Integer(),
      replaced: t.Integer(),
      unchanged: t.Integer(),
      objects: t.Array(
        t.Object({
          category: category(t),
          kind: t.String(),
          name: t.String(),
          number: t.Optional(t.Integer()),
          folder: t.String(),
          action: t.Enum(['created', 'replaced', 'unchanged']),
        }),
      ),
      alarms: t.Enum(['created', 'replaced', 'unchanged', 'none'], {
        description:
          'Classes, texts and text lists of alarms; none: the memory card has none, those of the project stay.',
      }),
      onlyOffline: t.Array(t.Object({ category: category(t), name: t.String() })),
      warnings: t.Array(t.String()),
    }),
  http: [
    post('/api/devices/{deviceName}/actions/upload-sync'),
    post('/api/devices/{deviceName}/actions/upload', 'async'),
  ],
  mcp: { toolset: 'online', destructive: true },
  needsInstance: true,
  aliases: { ipAddress: addressAliases, overwrite: ['overwriteExisting', 'replace'], ...credentialAliases },
  example: { deviceName: 'PLC_1', overwrite: true },
  admit: (input, ctx) => admitCredentials(input, ctx),
  async run({ deviceName: name, ipAddress: address, ...request }, ctx) {
    requireProject(ctx)
    const device = findDevice(ctx, name) && requirePlc(ctx, name)
    const reached = await reach(ctx, device, address, name)
    requireAccess(ctx.actor, reached.controller, 'online.upload')
    const { upload } = await import('./upload.ts')
    const { device: stored, program, objects, ...done } = await upload(ctx, device, name, reached, request)
    const count = (action: string) => objects.filter((object) => object.action === action).length
    return {
      deviceName: stored.name,
      instance: reached.instance.name,
      ipAddress: reached.address,
      programHash: program,
      created: count('created'),
      replaced: count('replaced'),
      unchanged: count('unchanged'),
      objects,
      ...done,
    }
  },
})

const sideFields = (t: SchemaBuilder) =>
  t.Optional(
    t.Object({
      kind: t.String(),
      name: t.String({ description: 'As it is spelt there.' }),
      hash: t.String(),
      number: t.Optional(t.Integer()),
      folder: t.String(),
      modifiedAt: t.DateTime(),
    }),
  )

const compareDevice = query({
  id: 'online.compare',
  title: 'Compare the program of the project with the one on the controller',
  description:
    'By content, object by object: `equal`, `differs`, `onlyOffline`, `onlyOnline`. `differences` says what differs: code, interface, startValues, comments, properties, tags, constants, rows, number, folder, name, kind, or text when only its writing does. Start values are those of the declarations, not the present values.',
  live: true,
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      ipAddress: ipAddress(t),
      only: t.Optional(
        t.Enum(['all', 'differences'], { description: 'differences: leave out what is equal. Default: all.' }),
      ),
    }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      identical: t.Boolean({ description: 'Objects and folders are equal.' }),
      counts: t.Object(
        { equal: t.Integer(), differs: t.Integer(), onlyOffline: t.Integer(), onlyOnline: t.Integer() },
        { description: 'Of all objects.' },
      ),
      program: t.Object({
        offline: t.Optional(
          t.String({ description: 'Hash of the compiled program; absent: not compiled, or changed since.' }),
        ),
        online: t.String(),
      }),
      source: t.Object({ project: t.String(), device: t.String(), compiledAt: t.DateTime() }),
      objects: t.Array(
        t.Object({
          category: category(t),
          kind: t.String(),
          name: t.String(),
          status: t.Enum(['equal', 'differs', 'onlyOffline', 'onlyOnline']),
          differences: t.Array(t.String()),
          offline: sideFields(t),
          online: sideFields(t),
        }),
      ),
      folders: t.Array(
        t.Object({ category: category(t), path: t.String(), status: t.Enum(['equal', 'onlyOffline', 'onlyOnline']) }),
      ),
    }),
  http: [post('/api/devices/{deviceName}/actions/compare')],
  mcp: { toolset: 'online' },
  aliases: { ipAddress: addressAliases, only: ['filter'] },
  example: { deviceName: 'PLC_1', only: 'differences' },
  async run({ deviceName: name, ipAddress: address, only }, ctx) {
    const device = requirePlc(ctx, name)
    const reached = await reach(ctx, device, address)
    requireAccess(ctx.actor, reached.controller, 'online.compare')
    const { compare } = await import('./compare.ts')
    const { objects, folders, ...whole } = await compare(ctx, device, reached)
    const shown = <T extends { readonly status: string }>(list: readonly T[]) =>
      only === 'differences' ? list.filter(({ status }) => status !== 'equal') : list
    const place = { deviceName: device.name, instance: reached.instance.name, ipAddress: reached.address }
    return { ...place, ...whole, objects: shown(objects), folders: shown(folders) }
  },
})

export const transferOperations: readonly Operation[] = [downloadDevice, uploadDevice, compareDevice]
