/** The programs in `plc/compiler/fixtures/instructions` give the recorded answers (testing/recorded-programs.ts). */
import { testRecordedPrograms } from '../../../testing/recorded-programs.ts'

testRecordedPrograms('instructions')
