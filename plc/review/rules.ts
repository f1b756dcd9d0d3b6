/** All rules of the review, in the order of their codes. */
import type { Rule } from './rule.ts'
import { absoluteAddress } from './rules/absolute-address.ts'
import { addressAtRuntime } from './rules/address-at-runtime.ts'
import { blockCommentMissing } from './rules/block-comment-missing.ts'
import { blockSize } from './rules/block-size.ts'
import { boolCompared } from './rules/bool-compared.ts'
import { caseWithoutElse } from './rules/case-without-else.ts'
import { commentedOutCode } from './rules/commented-out-code.ts'
import { communicationUnwatched } from './rules/communication-unwatched.ts'
import { complexity } from './rules/complexity.ts'
import { concurrentWrite } from './rules/concurrent-write.ts'
import { conditionAssignedByIf } from './rules/condition-assigned-by-if.ts'
import { constantCondition } from './rules/constant-condition.ts'
import { defaultName } from './rules/default-name.ts'
import { divisionUnguarded } from './rules/division-unguarded.ts'
import { doubleNegation } from './rules/double-negation.ts'
import { duplicateCondition } from './rules/duplicate-condition.ts'
import { earlyReturn } from './rules/early-return.ts'
import { edgeMemoryShared } from './rules/edge-memory-shared.ts'
import { emptyBlock } from './rules/empty-block.ts'
import { emptyBranch } from './rules/empty-branch.ts'
import { emptyNetwork } from './rules/empty-network.ts'
import { flagMemory } from './rules/flag-memory.ts'
import { foreignInstanceRead } from './rules/foreign-instance-read.ts'
import { foreignInstanceWritten } from './rules/foreign-instance-written.ts'
import { globalAccess } from './rules/global-access.ts'
import { gotoUsed } from './rules/goto-used.ts'
import { hardwareInputWritten } from './rules/hardware-input-written.ts'
import { hmiValueUnchecked } from './rules/hmi-value-unchecked.ts'
import { identicalBranches } from './rules/identical-branches.ts'
import { indexUnguarded } from './rules/index-unguarded.ts'
import { instanceNotCalled } from './rules/instance-not-called.ts'
import { knowHowProtected } from './rules/know-how-protected.ts'
import { longExpression } from './rules/long-expression.ts'
import { loopVariableWritten } from './rules/loop-variable-written.ts'
import { magicNumber } from './rules/magic-number.ts'
import { nameCharacters } from './rules/name-characters.ts'
import { nameLength } from './rules/name-length.ts'
import { namingBlock } from './rules/naming-block.ts'
import { namingConstant } from './rules/naming-constant.ts'
import { namingDataBlock } from './rules/naming-data-block.ts'
import { namingParameter } from './rules/naming-parameter.ts'
import { namingStatic } from './rules/naming-static.ts'
import { namingTag } from './rules/naming-tag.ts'
import { namingTemporary } from './rules/naming-temporary.ts'
import { namingType } from './rules/naming-type.ts'
import { nestingDepth } from './rules/nesting-depth.ts'
import { networkTitleMissing } from './rules/network-title-missing.ts'
import { outputRead } from './rules/output-read.ts'
import { overlappingTags } from './rules/overlapping-tags.ts'
import { parameterCommentMissing } from './rules/parameter-comment-missing.ts'
import { passwordInProgram } from './rules/password-in-program.ts'
import { retentiveTimer } from './rules/retentive-timer.ts'
import { sameOperands } from './rules/same-operands.ts'
import { selfAssignment } from './rules/self-assignment.ts'
import { setWithoutReset } from './rules/set-without-reset.ts'
import { standardAccess } from './rules/standard-access.ts'
import { statementList } from './rules/statement-list.ts'
import { stringWithoutLength } from './rules/string-without-length.ts'
import { tagCommentMissing } from './rules/tag-comment-missing.ts'
import { timerWithoutTime } from './rules/timer-without-time.ts'
import { todoComment } from './rules/todo-comment.ts'
import { tooManyParameters } from './rules/too-many-parameters.ts'
import { unreachableState } from './rules/unreachable-state.ts'
import { unusedBlock } from './rules/unused-block.ts'
import { unusedConstant } from './rules/unused-constant.ts'
import { unusedDataBlock } from './rules/unused-data-block.ts'
import { unusedLabel } from './rules/unused-label.ts'
import { unusedParameter } from './rules/unused-parameter.ts'
import { unusedTag } from './rules/unused-tag.ts'
import { unusedType } from './rules/unused-type.ts'
import { watchdogRetriggered } from './rules/watchdog-retriggered.ts'
import { whileLoop } from './rules/while-loop.ts'

export const rules: readonly Rule[] = [
  absoluteAddress,
  addressAtRuntime,
  blockCommentMissing,
  blockSize,
  boolCompared,
  caseWithoutElse,
  commentedOutCode,
  communicationUnwatched,
  complexity,
  concurrentWrite,
  conditionAssignedByIf,
  constantCondition,
  defaultName,
  divisionUnguarded,
  doubleNegation,
  duplicateCondition,
  earlyReturn,
  edgeMemoryShared,
  emptyBlock,
  emptyBranch,
  emptyNetwork,
  flagMemory,
  foreignInstanceRead,
  foreignInstanceWritten,
  globalAccess,
  gotoUsed,
  hardwareInputWritten,
  hmiValueUnchecked,
  identicalBranches,
  indexUnguarded,
  instanceNotCalled,
  knowHowProtected,
  longExpression,
  loopVariableWritten,
  magicNumber,
  nameCharacters,
  nameLength,
  namingBlock,
  namingConstant,
  namingDataBlock,
  namingParameter,
  namingStatic,
  namingTag,
  namingTemporary,
  namingType,
  nestingDepth,
  networkTitleMissing,
  outputRead,
  overlappingTags,
  parameterCommentMissing,
  passwordInProgram,
  retentiveTimer,
  sameOperands,
  selfAssignment,
  setWithoutReset,
  standardAccess,
  statementList,
  stringWithoutLength,
  tagCommentMissing,
  timerWithoutTime,
  todoComment,
  tooManyParameters,
  unreachableState,
  unusedBlock,
  unusedConstant,
  unusedDataBlock,
  unusedLabel,
  unusedParameter,
  unusedTag,
  unusedType,
  watchdogRetriggered,
  whileLoop,
]

/** By code. */
export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]))
