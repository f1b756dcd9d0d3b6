/** Fields that several operations have: what names a station, a screen, an object, a tag; and the answer of a list. */
import type { SchemaBuilder, TSchema } from '../../core/index.ts'
import { screenTypes } from './objects/screen-kinds.ts'

export const stationName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the HMI device; case does not matter.' })

/** Other names of {@link stationName} where the field is `stationName`. */
export const stationAliases = { stationName: ['deviceName', 'station', 'hmiName'] }

/** The station that a request may leave out when the project has one. */
export const onlyStationName = (t: SchemaBuilder) =>
  t.Optional(t.String({ minLength: 1, description: 'HMI device; may be left out when there is one.' }))

export const screenName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the screen; case does not matter.' })

/** Says among which screens a name is looked up. */
export const screenType = (t: SchemaBuilder) =>
  t.Optional(
    t.Enum([...screenTypes], {
      description: 'Kind of the screen that has the name: each kind has names of its own. Default: Screen.',
    }),
  )
/** The same for what a station shows. */
export const shownScreenType = (t: SchemaBuilder) =>
  t.Optional(
    t.Enum(['Screen', 'ScreenPopup', 'ScreenSlidein'], {
      description: 'Kind of the screen that has the name. Default: Screen.',
    }),
  )
/** Leaves out the screens of other kinds in a list. */
export const onlyScreenType = (t: SchemaBuilder) =>
  t.Optional(t.Enum([...screenTypes], { description: 'Only screens of this kind. Default: of every kind.' }))

export const objectName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Name of the object.' })
export const tagName = (t: SchemaBuilder) => t.String({ minLength: 1, maxLength: 200, description: 'HMI tag.' })

/** The station of a screen, which may be left out when its name is enough. */
export const screenStation = (t: SchemaBuilder) => ({
  deviceName: t.Optional(
    t.String({ minLength: 1, description: 'HMI device, when several have a screen of this name.' }),
  ),
})
export const screenStationAliases = { deviceName: ['stationName', 'station', 'device', 'hmiName'] }

/** A screen of any station. */
export const screenPlace = (t: SchemaBuilder) => ({
  screenName: screenName(t),
  screenType: screenType(t),
  ...screenStation(t),
})
/** An object of a screen. */
export const objectPlace = (t: SchemaBuilder) => ({ ...screenPlace(t), objectName: objectName(t) })
/** A tag table of a station. */
export const tablePlace = (t: SchemaBuilder) => ({
  deviceName: stationName(t),
  tableName: t.String({ minLength: 1, maxLength: 200, description: 'HMI tag table.' }),
})
/** A tag of a table. */
export const tagPlace = (t: SchemaBuilder) => ({ ...tablePlace(t), tagName: tagName(t) })

/** The answer of a list with pages. */
export const listed = <F extends string, S extends TSchema>(t: SchemaBuilder, field: F, entry: S) =>
  t.Object({
    ...({ [field]: t.Array(entry) } as Record<F, ReturnType<typeof t.Array<S>>>),
    total: t.Integer(),
    nextCursor: t.Optional(t.String()),
  })
