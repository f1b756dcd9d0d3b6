/** GSD files of the workspace: their devices and modules are in the hardware catalog, and can be added and plugged. */
import { defined, definePlugin, extend } from '../../core/index.ts'
import { parseGsdIdentifier } from '../../plc/formats/gsdml/gsdml.ts'
import { type CatalogSource, catalogSource, type SourceContext } from '../devices/index.ts'
import { type ModuleSource, moduleSource, stationSet, withModules } from '../hardware/index.ts'

const folder = () => import('./folder.ts')
const entries = () => import('./entries.ts')

async function allEntries(ctx: SourceContext) {
  const [{ gsdFiles }, { entriesOf }] = await Promise.all([folder(), entries()])
  return (await gsdFiles(ctx)).flatMap(({ file }) => (file ? entriesOf(file) : []))
}

const gsdCatalog: CatalogSource = {
  entries: allEntries,
  async find(ctx, text) {
    const wanted = parseGsdIdentifier(text)
    if (!wanted) return undefined
    const [{ gsdFile }, { entriesOf }] = await Promise.all([folder(), entries()])
    const { file } = (await gsdFile(ctx, wanted.fileName)) ?? {}
    const identifier = text.trim().toLowerCase()
    return file && entriesOf(file).find(({ orderNumber }) => orderNumber.toLowerCase() === identifier)
  },
  async files(ctx) {
    const [{ gsdFiles }, { entriesOf }] = await Promise.all([folder(), entries()])
    return (await gsdFiles(ctx)).map(({ fileName, file, fault }) => ({
      fileName,
      title: file ? `${file.vendorName} ${file.productFamily}`.trim() : '',
      entries: file ? entriesOf(file).length : 0,
      ...defined({ fault }),
      warnings: file?.warnings ?? [],
    }))
  },
  async added(ctx, device, entry) {
    const wanted = parseGsdIdentifier(entry.orderNumber)
    const { file } = (wanted && (await (await folder()).gsdFile(ctx, wanted.fileName))) ?? {}
    const point = file?.accessPoints.find(({ id }) => id === wanted?.id)
    if (!file || !point) return []
    const [{ bareStation, modulesOf }, { initialModules, unknownDataIn }] = await Promise.all([
      import('./station.ts'),
      entries(),
    ])
    const parts = [point, ...initialModules(file, point).map(({ module }) => module)]
    const unknown = [...new Set(parts)].flatMap((part) => unknownDataIn(file, part) ?? [])
    const { station, warnings } = await withModules(
      ctx,
      device,
      bareStation(device, file, point),
      modulesOf(device, file, point),
    )
    ctx.emit(stationSet, { station }, `device/${device.name}`)
    return [...warnings, ...unknown]
  },
}

const gsdModules: ModuleSource = {
  async find(ctx, identifier) {
    const wanted = parseGsdIdentifier(identifier)
    if (wanted?.kind !== 'M' && wanted?.kind !== 'SM') return undefined
    const { file } = (await (await folder()).gsdFile(ctx, wanted.fileName)) ?? {}
    if (!file) return undefined
    const isWanted = ({ id }: { readonly id: string }) => id.toLowerCase() === wanted.id.toLowerCase()
    const { moduleTypeOf, submoduleTypeOf } = await entries()
    const submodule = wanted.kind === 'SM' ? file.submodules.find(isWanted) : undefined
    const module = wanted.kind === 'M' ? file.modules.find(isWanted) : undefined
    return submodule ? submoduleTypeOf(file, submodule) : module && moduleTypeOf(file, module)
  },
  async modulesFor(ctx, stationType) {
    const wanted = parseGsdIdentifier(stationType)
    if (!wanted) return []
    const { file } = (await (await folder()).gsdFile(ctx, wanted.fileName)) ?? {}
    if (!file) return []
    const { moduleTypeOf, submoduleTypeOf } = await entries()
    return [
      ...file.modules.map((one) => moduleTypeOf(file, one)),
      ...file.submodules.map((one) => submoduleTypeOf(file, one)),
    ]
  },
}

export default definePlugin({
  name: 'gsd',
  version: '1.0.0',
  description: 'GSD files (GSDML) of the workspace extend the hardware catalog.',
  requires: ['devices', 'hardware'],
  operations: [],
  docs: [{ name: 'gsd', title: 'GSD files', text: async () => (await import('./docs.ts')).gsdPage }],
  extensions: [extend(catalogSource, gsdCatalog), extend(moduleSource, gsdModules)],
})
