/** Lengths of the data types of cyclic data (GSDML specification, DataItemTypeEnumT; IEC 61158-5-10 and 61158-6-10). */

const bits: Readonly<Record<string, number>> = {
  Bit: 1,
  Boolean: 8,
  Integer8: 8,
  Integer16: 16,
  Integer32: 32,
  Integer64: 64,
  Unsigned8: 8,
  Unsigned16: 16,
  Unsigned32: 32,
  Unsigned64: 64,
  Float32: 32,
  Float64: 64,
  Date: 56,
  'TimeOfDay with date indication': 48,
  'TimeOfDay without date indication': 32,
  'TimeDifference with date indication': 48,
  'TimeDifference without date indication': 32,
  NetworkTime: 64,
  NetworkTimeDifference: 64,
  TimeStamp: 96,
  TimeStampDifference: 96,
  TimeStampDifferenceShort: 64,
  Status8: 8,
  OctetString2: 16,
  'Unipolar2.16': 16,
  Unsigned16_S: 16,
  Integer16_S: 16,
  Unsigned8_S: 8,
  OctetString_S: 16,
  N2: 16,
  N4: 32,
  V2: 16,
  L2: 16,
  R2: 16,
  T2: 16,
  T4: 32,
  D2: 16,
  E2: 16,
  C4: 32,
  X2: 16,
  X4: 32,
  F_MessageTrailer4Byte: 32,
  F_MessageTrailer5Byte: 40,
}

/** Types whose length the item gives, in bytes. */
const withLength = new Set(['VisibleString', 'OctetString', 'UnicodeString8', '61131_STRING', '61131_WSTRING'])

/** Whether the specification has a type: `Float32+Status8` is a type of two parts. */
export function isKnownType(type: string): boolean {
  return withLength.has(type) || type.split('+').every((part) => bits[part] !== undefined)
}

/**
 * Bits of a data item; undefined when they are unknown. An unknown type is as long as its item says.
 * @param length the attribute Length, bytes
 */
export function bitsOfType(type: string, length: number | undefined): number | undefined {
  const fixed = type.split('+').reduce<number | undefined>((sum, part) => {
    const own = bits[part]
    return sum === undefined || own === undefined ? undefined : sum + own
  }, 0)
  return fixed ?? (length === undefined ? undefined : length * 8)
}
