/** Compares what is in libraries and in the project: types, versions, instances, master copies, objects. */
import { problem, type QueryContext } from '../../core/index.ts'
import { comparisonText } from '../../plc/edit/compare.ts'
import { requireDevice } from '../devices/index.ts'
import { type Comparable, kindNamed, requireObject } from './kinds.ts'
import { pathOf, requireCopy, requireLibrary, requireLibraryType, requireVersion } from './library.ts'

/** One side: a version of a type, a master copy, or an object of a device. */
export interface SideRequest {
  readonly library?: string | undefined
  readonly typeName?: string | undefined
  readonly version?: string | undefined
  readonly masterCopy?: string | undefined
  readonly deviceName?: string | undefined
  readonly objectName?: string | undefined
  readonly kind?: string | undefined
}

interface Side {
  readonly title: string
  readonly comparable: Comparable
}

async function sideOf(ctx: QueryContext, side: SideRequest, at: string): Promise<Side> {
  const { library = 'project', typeName, version, masterCopy, deviceName, objectName, kind } = side
  const given = [typeName, masterCopy, deviceName].filter((one) => one !== undefined)
  if (given.length !== 1)
    throw problem('invalid_input', `${at}: name a type, a master copy, or an object of a device; one of the three.`, {
      errors: [{ path: at, message: 'needs typeName, or masterCopy, or deviceName and objectName' }],
    })
  if (typeName !== undefined) {
    const type = requireLibraryType(ctx, requireLibrary(ctx, library), typeName)
    const found = requireVersion(type, version)
    return { title: `${type.name} ${found.version}`, comparable: { object: found.object } }
  }
  if (masterCopy !== undefined) {
    const copy = requireCopy(ctx, requireLibrary(ctx, library), masterCopy)
    const mains = copy.objects.filter(({ isDependency }) => isDependency !== true)
    const wanted = objectName?.toLowerCase()
    const found = mains.filter(({ name }) => wanted === undefined || name.toLowerCase() === wanted)
    if (found.length !== 1)
      throw problem(
        'invalid_input',
        `${at}/objectName: master copy "${copy.name}" holds ${mains.length} objects; name one.`,
        {
          errors: [
            {
              path: `${at}/objectName`,
              message: 'must be one of them',
              value: objectName,
              allowed: mains.map(({ name }) => name),
            },
          ],
        },
      )
    return { title: `${pathOf(copy)} (master copy)`, comparable: { object: found[0]! } }
  }
  const device = requireDevice(ctx, deviceName!)
  if (objectName === undefined)
    throw problem('invalid_input', `${at}/objectName: name the object of "${device.name}".`, {
      errors: [{ path: `${at}/objectName`, message: 'is needed beside deviceName' }],
    })
  const { kind: found, entry } = requireObject(ctx, device, objectName, kind)
  return { title: `${device.name}/${entry.name}`, comparable: await found.current(ctx, device, entry.name) }
}

/**
 * Compares two sides.
 * @throws GatewayError `not_found`, `invalid_input` (a side that names nothing, two kinds of objects)
 */
export async function compareSides(ctx: QueryContext, left: SideRequest, right: SideRequest) {
  const [a, b] = [await sideOf(ctx, left, '/left'), await sideOf(ctx, right, '/right')]
  const [from, to] = [a.comparable.object, b.comparable.object]
  if (from.kind !== to.kind)
    throw problem('invalid_input', `/right: ${b.title} is a ${to.objectKind}; ${a.title} is a ${from.objectKind}.`, {
      errors: [{ path: '/right', message: `must be a ${kindNamed(ctx, from.kind).noun}`, value: b.title }],
    })
  const compared = await kindNamed(ctx, from.kind).compare(ctx, a.comparable, b.comparable)
  const { isSameMeaning, isSameText, aspects, differences, omitted } = compared
  const view = ({ title, comparable: { object } }: Side) => ({
    title,
    name: object.name,
    kind: object.kind,
    type: object.objectKind,
    document: object.document,
  })
  return {
    identical: isSameText,
    sameMeaning: isSameMeaning,
    left: view(a),
    right: view(b),
    aspects: [...aspects],
    differences: [...differences],
    omitted,
    text: comparisonText(a.title, b.title, compared),
  }
}
