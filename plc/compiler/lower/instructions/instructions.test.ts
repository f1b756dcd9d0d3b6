/** The programs in `plc/compiler/fixtures/instructions` give the recorded answers (testing/recorded.ts). */
import { testRecordedPrograms } from '../../../testing/recorded.ts'

testRecordedPrograms('instructions')
