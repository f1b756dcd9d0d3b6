/** Online, download, upload, CPU. */
import { type Call, type Case, nowhere, plc } from './case.ts'

const off: Call = ['simulation.power-off', { name: 'Sim' }]
const on: Call = ['simulation.power-on', { name: 'Sim' }]
const offline: Call = ['online.disconnect', plc]
const stop: Call = ['online.stop-cpu', plc]
const status = 'GET /api/devices/{deviceName}/cpu/status'

export const online: readonly Case[] = [
  {
    routes: ['POST /api/devices/{deviceName}/online'],
    input: plc,
    answer: { state: 'online', instance: 'Sim', changed: true },
    effect: ['GET /api/devices/{deviceName}/online/status', plc, { isOnline: true, instance: 'Sim' }],
    after: [offline],
    refused: ['device_unreachable', plc, [off], [on]],
    varies: ['since'],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/online'],
    before: [['online.connect', plc]],
    input: plc,
    answer: { state: 'offline', changed: true },
    effect: ['GET /api/devices/{deviceName}/online/status', plc, { isOnline: false }],
    refused: ['not_found', nowhere],
  },
  {
    routes: ['GET /api/devices/{deviceName}/online/status'],
    before: [['online.connect', plc]],
    input: plc,
    answer: { state: 'online', isReachable: true },
    after: [offline],
    shows: 'POST /api/devices/{deviceName}/online',
    refused: ['not_found', nowhere],
    varies: ['since'],
  },
  {
    routes: [status],
    before: [['online.start-cpu', plc]],
    input: plc,
    answer: { operatingState: 'RUN' },
    after: [stop],
    shows: 'POST /api/devices/{deviceName}/cpu/actions/start',
    refused: ['not_found', nowhere],
    varies: ['systemTime', 'cycles', 'cycleTime'],
  },
  {
    routes: ['POST /api/devices/{deviceName}/actions/download-sync', 'POST /api/devices/{deviceName}/actions/download'],
    before: [['blocks.update-content', { ...plc, blockName: 'Main', code: '"Data".limit := 77;' }]],
    input: { ...plc, compile: true },
    answer: { downloaded: true, instance: 'Sim' },
    effect: ['POST /api/devices/{deviceName}/actions/compare', plc, { identical: true }],
    after: [['online.download', { ...plc, compile: true }]],
    refused: ['not_found', nowhere],
    varies: ['compiled', 'report', 'size'],
  },
  {
    routes: ['POST /api/devices/{deviceName}/actions/upload-sync', 'POST /api/devices/{deviceName}/actions/upload'],
    before: [['blocks.update-content', { ...plc, blockName: 'Main', code: '"Data".limit := 99;' }]],
    input: { ...plc, overwrite: true, force: true },
    answer: { newDevice: false, replaced: 1 },
    effect: [
      'GET /api/devices/{deviceName}/blocks/{blockName}/content',
      { ...plc, blockName: 'Main' },
      { sourceText: /"Data"\.count := "Data"\.count \+ 1/ },
    ],
    refused: ['device_unreachable', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/cpu/actions/start'],
    input: plc,
    answer: { before: 'STOP', operatingState: 'RUN', changed: true },
    effect: [status, plc, { operatingState: 'RUN' }],
    after: [stop],
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/cpu/actions/stop'],
    before: [['online.start-cpu', plc]],
    input: plc,
    answer: { before: 'RUN', operatingState: 'STOP' },
    effect: [status, plc, { operatingState: 'STOP' }],
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/actions/compare'],
    before: [['blocks.create', { ...plc, name: 'OnlyHere', type: 'FC', language: 'SCL' }]],
    input: plc,
    answer: { identical: false, counts: { onlyOffline: 1 } },
    shows: 'POST /api/devices/{deviceName}/actions/download-sync',
    refused: ['not_found', nowhere],
  },
]
