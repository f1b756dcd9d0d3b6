/** HMI. */
import { type Call, type Case, nowhere, plc } from './case.ts'
import { hmi, unified } from './plant.ts'

const object = { screenName: 'Home', type: 'Circle', name: 'Light', left: 10, top: 20, width: 40, height: 40 }
const add: Call = ['hmi.add-object', object]
const one = { ...hmi, scriptName: 'One' }
const textList = { ...hmi, name: 'Modes', entries: [{ value: 1, text: 'Manual' }] }
const details = 'GET /api/devices/{deviceName}/hmi/screens/{screenName}/details'
const createScreen = 'POST /api/devices/{deviceName}/hmi/screens'
const addTag = 'POST /api/devices/{deviceName}/hmi/tag-tables/{tableName}/tags'

export const hmiCases: readonly Case[] = [
  {
    routes: ['GET /api/hmi/screens'],
    answer: { screens: [{ name: 'Home', width: 800, height: 480 }], total: 1 },
    shows: createScreen,
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/hmi/screens/{screenName}/objects'],
    input: {
      ...object,
      bindings: [{ property: 'visible', tag: 'Data.motor.run', converter: 'BoolToVisibility', params: {} }],
    },
    answer: { success: true, name: 'Light' },
    effect: [details, { ...hmi, screenName: 'Home' }, { objects: [{ name: 'Light', type: 'Circle', left: 10 }] }],
    refused: ['not_found', { ...object, screenName: 'Nothing' }],
  },
  {
    routes: ['POST /api/hmi/compile'],
    before: [add],
    input: { stationName: 'Panel', rebuildAll: true },
    answer: { success: true, errors: 0, stationName: 'Panel' },
    effect: [
      'GET /api/hmi/stations/{stationName}/model',
      { stationName: 'Panel' },
      (model) => JSON.stringify(model).includes('"Light"'),
    ],
    refused: ['not_found', { stationName: 'Nothing' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/screens/tree'],
    input: hmi,
    answer: { children: [{ name: 'Home' }] },
    shows: createScreen,
    refused: ['conflict', plc],
  },
  {
    routes: [details],
    before: [add],
    input: { ...hmi, screenName: 'Home' },
    answer: { name: 'Home', objects: [{ name: 'Light' }] },
    shows: 'POST /api/hmi/screens/{screenName}/objects',
    refused: ['not_found', { ...hmi, screenName: 'Nothing' }],
  },
  {
    routes: ['GET /api/hmi/unified/summary'],
    answer: {
      devices: [
        { deviceName: 'Panel', screens: 1, tags: 1 },
        { deviceName: 'Unified', tags: 1 },
      ],
    },
    shows: addTag,
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/tags/tree'],
    input: hmi,
    answer: { children: [{ name: 'Inner', tags: [{ name: 'Level' }] }] },
    shows: addTag,
    refused: ['conflict', plc],
  },
  {
    routes: ['GET /api/hmi/tags/tree'],
    answer: { devices: [{ deviceName: 'Panel' }, { deviceName: 'Unified', children: [{ name: 'Inner' }] }] },
    shows: addTag,
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/unified/tags/tree'],
    input: unified,
    answer: { children: [{ name: 'Inner', tags: [{ name: 'Flow' }] }] },
    shows: addTag,
    refused: ['conflict', hmi],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/scripts/tree'],
    input: hmi,
    answer: { children: [{ name: 'One' }] },
    shows: 'POST /api/devices/{deviceName}/hmi/scripts',
    refused: ['conflict', plc],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/scripts/{scriptName}/content'],
    before: [['hmi.update-script', { ...one, source: 'Trace("changed")' }]],
    input: one,
    answer: { name: 'One', content: /Trace/ },
    shows: 'PUT /api/devices/{deviceName}/hmi/scripts/{scriptName}',
    refused: ['not_found', { ...hmi, scriptName: 'Nothing' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/text-lists'],
    before: [['hmi.create-text-list', textList]],
    input: hmi,
    answer: { textLists: [{ name: 'Modes' }, { name: 'One' }], total: 2 },
    shows: 'POST /api/devices/{deviceName}/hmi/text-lists',
    refused: ['conflict', plc],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/text-lists/{listName}/xml'],
    before: [['hmi.create-text-list', textList]],
    input: { ...hmi, listName: 'Modes' },
    answer: /<Hmi\.TextGraphicList\.TextList[\s\S]*Manual/,
    shows: 'POST /api/devices/{deviceName}/hmi/text-lists',
    refused: ['not_found', { ...hmi, listName: 'Nothing' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/graphic-lists'],
    input: hmi,
    answer: { graphicLists: [{ name: 'One' }], total: 1 },
    shows: 'POST /api/devices/{deviceName}/hmi/graphic-lists',
    refused: ['conflict', plc],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/project-graphics'],
    before: [['hmi.import', { ...hmi, filePath: 'logo.svg' }]],
    input: hmi,
    answer: { projectGraphics: [{ name: 'logo' }], total: 1 },
    shows: 'POST /api/devices/{deviceName}/hmi/actions/import',
    refused: ['conflict', plc],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hmi/library-types/{typeName}'],
    input: { ...hmi, typeName: 'One' },
    answer: { name: 'One' },
    shows: 'POST /api/devices/{deviceName}/hmi/library-types',
    refused: ['not_found', { ...hmi, typeName: 'Nothing' }],
  },
  {
    routes: ['GET /api/hmi/library-types/detailed'],
    answer: { libraryTypes: [{ deviceName: 'Panel', name: 'One' }] },
    shows: 'POST /api/devices/{deviceName}/hmi/library-types',
  },
]
