/** The programs in `plc/compiler/fixtures/program` are linked as recorded (testing/recorded.ts). */
import { testRecordedPrograms } from '../testing/recorded.ts'

testRecordedPrograms('program')
