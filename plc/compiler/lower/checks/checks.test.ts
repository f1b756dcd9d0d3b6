/** The programs in `plc/compiler/fixtures/checks` give the recorded answers (testing/recorded.ts). */
import { testRecordedPrograms } from '../../../testing/recorded.ts'

testRecordedPrograms('checks')
