/**
 * A file with everything that is read, each of its elements, attributes and texts left out, doubled and replaced in
 * turn (`fixtures/*.txt`).
 */
import { test } from 'node:test'
import { gsdFile, gsdFileName } from '../../../test/gsd-file.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import { FormatError } from '../../model/fault.ts'
import { damagedXml, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines, outline } from '../../testing/outline.ts'
import { bitsOfType } from './data-types.ts'
import { readGsdml } from './read.ts'

// Without the numbers of subslots and labels that the file usually has.
const text = gsdFile.replace(
  '</SystemDefinedSubmoduleList>',
  '<PortSubmoduleItem ID="PORT2" SubmoduleIdentNumber="0x3" TextId="T_PORT"/></SystemDefinedSubmoduleList>',
)

const linesOf = (given: string) => outline(readGsdml(given, gsdFileName), ['line'])

test('a file is read to all it has', () => {
  assertRecorded(import.meta.url, 'dense-model.txt', `${outline(readGsdml(text, gsdFileName)).join('\n')}\n`)
})

test('a file with one wrong place is refused with words and place, or read with that difference', () => {
  const whole = linesOf(text)
  const damages = damagedXml(
    text,
    ({ name, attributes, parent }) => `${parent?.name}/${name}/${attributes.TextId ?? attributes.DataType}`,
  )
  const answer = (damaged: string): string[] => {
    try {
      return changedLines(whole, linesOf(damaged), 2)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      return error.faults.map(({ code, line, path, message }) => `${code} ${line} ${path ?? ''}: ${message}`)
    }
  }
  assertRecorded(import.meta.url, 'dense-damaged.txt', tableOfAnswers(damages, answer))
})

test('data types have the lengths of the specification', () => {
  const types =
    'Bit Boolean Integer8 Integer16 Integer32 Integer64 Unsigned8 Unsigned16 Unsigned32 Unsigned64 Float32 Float64 Date,' +
    'TimeOfDay with date indication,TimeOfDay without date indication,TimeDifference with date indication,' +
    'TimeDifference without date indication,NetworkTime NetworkTimeDifference Float32+Status8 Float32+Unsigned8 ' +
    'Unsigned8+Unsigned8 OctetString2+Unsigned8 Unsigned16_S Integer16_S Unsigned8_S OctetString_S N2 N4 V2 L2 R2 T2 T4 ' +
    'D2 E2 C4 X2 X4 F_MessageTrailer4Byte F_MessageTrailer5Byte VisibleString OctetString UnicodeString8 61131_STRING ' +
    '61131_WSTRING TimeStamp TimeStampDifference TimeStampDifferenceShort Unipolar2.16 Float32+Other Other'
  const names = types
    .split(',')
    .flatMap((part) => (/indication|Date$/.test(part) && !part.includes('Bit') ? [part] : part.split(' ')))
  const told = names.map((name) => `${name}: ${bitsOfType(name, undefined)} bits, with 3 bytes ${bitsOfType(name, 3)}`)
  assertRecorded(import.meta.url, 'data-types.txt', `${told.join('\n')}\n`)
})
