/** The programs in `plc/compiler/fixtures/program` are linked as recorded (testing/recorded-programs.ts). */
import { testRecordedPrograms } from '../testing/recorded-programs.ts'

testRecordedPrograms('program')
