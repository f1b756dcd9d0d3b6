/** The programs in `plc/compiler/fixtures/checks` give the recorded answers (testing/recorded-programs.ts). */
import { testRecordedPrograms } from '../../../testing/recorded-programs.ts'

testRecordedPrograms('checks')
