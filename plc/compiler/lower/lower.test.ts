/** The programs in `plc/compiler/fixtures/lower` give the recorded answers (testing/recorded.ts). */
import { testRecordedPrograms } from '../../testing/recorded.ts'

testRecordedPrograms('lower')
