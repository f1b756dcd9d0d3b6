/** The hardware catalog as a library: lookup, search, suggestions, type identifiers and drawings. */
export {
  CATALOG_FILE,
  type CatalogCacheStatus,
  CatalogError,
  type CatalogMatch,
  type CatalogOptions,
  HardwareCatalog,
  hardwareCatalog,
} from './catalog.ts'
export {
  CATALOG_KINDS,
  type CatalogEntry,
  type CatalogHit,
  type CatalogKind,
  type DeviceKind,
  deviceKind,
  isFailsafe,
  isStandalone,
  newestFirmware,
  typeIdentifier,
} from './entry.ts'
export { normalizeFirmware, orderNumberKey, type ParsedOrderNumber, parseOrderNumber } from './order-number.ts'
