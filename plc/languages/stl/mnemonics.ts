/**
 * The instructions of STL (AWL): their names in SimaticML, their international and German mnemonics, and their
 * operands. Names: STL_TE of SW.PlcBlocks.STL_v5.xsd, the same 172 in every version since v3. Mnemonics: STEP 7
 * "Statement List for S7-300 and S7-400", annex A; where TIA Portal adds a word (`OPNDI`) its spelling.
 */

/**
 * The operand of an instruction. `bit`: a bit of any area, status bit, timer or counter; `value`: anything that can be
 * loaded; `target`: anything that can be written; `pointer`: an area pointer, a double word or `AR2`; `number`: a whole
 * number; `call`: a block or instruction with its parameters.
 */
export type OperandKind =
  | 'bit'
  | 'value'
  | 'target'
  | 'timer'
  | 'counter'
  | 'label'
  | 'dataBlock'
  | 'pointer'
  | 'number'
  | 'call'

export interface StlInstruction {
  /** `StlToken/@Text` of SimaticML. */
  readonly token: string
  /** International mnemonic. Instructions with a fixed second word include it: `NOP 0`, `L DBLG`, `LAR1 AR2`. */
  readonly mnemonic: string
  readonly german: string
  /** Kinds of operands that may follow; empty for an instruction without an operand. */
  readonly operands: readonly OperandKind[]
  /** Whether the operand may be absent: `O` before an AND, shifts that take their count from ACCU 2. */
  readonly isOptional: boolean
}

/**
 * One instruction per line: name in the schema, international, German mnemonic (`.`: the same), operands; `?`:
 * optional.
 */
const table = `
A             A         U         bit
AN            AN        UN        bit
O             O         .         bit?
ON            ON        .         bit
X             X         .         bit
XN            XN        .         bit
S             S         .         bit,counter
R             R         .         bit,timer,counter
Assign        =         .         bit
Rise          FP        .         bit
Fall          FN        .         bit
A_BRACK       A(        U(
AN_BRACK      AN(       UN(
O_BRACK       O(        .
ON_BRACK      ON(       .
X_BRACK       X(        .
XN_BRACK      XN(       .
BRACKET       )         .
NEG           NOT       .
SET           SET       .
CLR           CLR       .
SAVE          SAVE      .
L             L         .         value
T             T         .         target
LC            LC        .         timer,counter
L_DBLG        L_DBLG    .
L_DILG        L_DILG    .
L_DBNO        L_DBNO    .
L_DINO        L_DINO    .
LAR1          LAR1      .         pointer
LAR2          LAR2      .         pointer
LAR1_ACCU1    LAR1      .
LAR2_ACCU1    LAR2      .
LAR1_AR2      LAR1_AR2  .
TAR1          TAR1      .         target
TAR2          TAR2      .         target
TAR1_ACCU1    TAR1      .
TAR2_ACCU1    TAR2      .
TAR1_AR2      TAR1_AR2  .
CAR           CAR       TAR
ADDAR1        +AR1      .         pointer?
ADDAR2        +AR2      .         pointer?
Pulse         SP        SI        timer
Extend        SE        SV        timer
OnDelay       SD        SE        timer
Retentive     SS        .         timer
OffDelay      SF        SA        timer
Free          FR        .         timer,counter
CU            CU        ZV        counter
CD            CD        ZR        counter
CALL          CALL      .         call
CC            CC        .         call
UC            UC        .         call
OPEN_DB       OPN       AUF       dataBlock
OPEN_DI       OPNDI     AUFDI     dataBlock
CDB           CDB       TDB
JU            JU        SPA       label
JC            JC        SPB       label
JCN           JCN       SPBN      label
JCB           JCB       SPBB      label
JNB           JNB       SPBNB     label
JBI           JBI       SPBI      label
JNBI          JNBI      SPBIN     label
JO            JO        SPO       label
JOS           JOS       SPS       label
JZ            JZ        SPZ       label
JN            JN        SPN       label
JP            JP        SPP       label
JM            JM        SPM       label
JPZ           JPZ       SPPZ      label
JMZ           JMZ       SPMZ      label
JUN           JUO       SPU       label
JL            JL        SPL       label
LOOP          LOOP      .         label
BE            BE        .
BEC           BEC       BEB
BEU           BEU       BEA
MCR_BRACK     MCR(      .
BRACK_MCR     )MCR      .
MCRA          MCRA      .
MCRD          MCRD      .
ADD           +         .         number
ADD_I         +I        .
SUB_I         -I        .
MUL_I         *I        .
DIV_I         /I        .
ADD_D         +D        .
SUB_D         -D        .
MUL_D         *D        .
DIV_D         /D        .
MOD_D         MOD       .
ADD_R         +R        .
SUB_R         -R        .
MUL_R         *R        .
DIV_R         /R        .
EQ_I          ==I       .
NE_I          <>I       .
GT_I          >I        .
LT_I          <I        .
GE_I          >=I       .
LE_I          <=I       .
EQ_D          ==D       .
NE_D          <>D       .
GT_D          >D        .
LT_D          <D        .
GE_D          >=D       .
LE_D          <=D       .
EQ_R          ==R       .
NE_R          <>R       .
GT_R          >R        .
LT_R          <R        .
GE_R          >=R       .
LE_R          <=R       .
AW            AW        UW        value?
OW            OW        .         value?
XW            XOW       .         value?
AD            AD        UD        value?
OD            OD        .         value?
XD            XOD       .         value?
SLW           SLW       .         number?
SRW           SRW       .         number?
SLD           SLD       .         number?
SRD           SRD       .         number?
SRSW          SSI       .         number?
SRSD          SSD       .         number?
RLD           RLD       .         number?
RRD           RRD       .         number?
RLDA          RLDA      .
RRDA          RRDA      .
ABS_R         ABS       .
SQR           SQR       .
SQRT          SQRT      .
EXP           EXP       .
LN            LN        .
SIN           SIN       .
COS           COS       .
TAN           TAN       .
ASIN          ASIN      .
ACOS          ACOS      .
ATAN          ATAN      .
BTI           BTI       .
ITB           ITB       .
BTD           BTD       .
DTB           DTB       .
ITD           ITD       .
DTR           DTR       .
INV_I         INVI      .
INV_D         INVD      .
NEG_I         NEGI      .
NEG_D         NEGD      .
NEG_R         NEGR      .
RND           RND       .
RND_P         RND+      .
RND_M         RND-      .
TRUNC         TRUNC     .
CAW           CAW       TAW
CAD           CAD       TAD
CAC           TAK       .
PUSH          PUSH      .
POP           POP       .
ENT           ENT       .
LEAVE         LEAVE     .
INC           INC       .         number
DEC           DEC       .         number
BLD           BLD       .         number
NOP_0         NOP_0     .
NOP_1         NOP_1     .
PSEUDO        PSEUDO    .
MOVE          MOVE      .
MOVE_BLOCK    MOVE_BLOCK .
`

/** The table joins two words that are one instruction by `_`; the schema's own names are one word. */
const twoWords = /^(NOP|L|LAR1|TAR1)_(0|1|DBLG|DILG|DBNO|DINO|AR2)$/

function word(text: string): string {
  return text.replace(twoWords, '$1 $2')
}

/** Every instruction except the two names that are not instructions, `COMMENT` and `EMPTY_LINE`. */
export const stlInstructions: readonly StlInstruction[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [token = '', mnemonic = '', german = '.', operands = ''] = line.split(/ +/)
    return {
      token,
      mnemonic: word(mnemonic),
      german: word(german === '.' ? mnemonic : german),
      operands: operands.replace('?', '').split(',').filter(Boolean) as OperandKind[],
      isOptional: operands.endsWith('?'),
    }
  })

/** Tokens of lines without an instruction. */
export const commentToken = 'COMMENT'
export const emptyToken = 'EMPTY_LINE'

const byToken = new Map(stlInstructions.map((instruction) => [instruction.token, instruction]))
/** Where two instructions share a mnemonic (`LAR1` with and without an operand), the one with an operand. */
const byMnemonic = new Map<string, StlInstruction>()
const alone = new Map<string, StlInstruction>()
for (const instruction of stlInstructions) {
  if (!byMnemonic.has(instruction.mnemonic)) byMnemonic.set(instruction.mnemonic, instruction)
  if (instruction.operands.length === 0 || instruction.isOptional) alone.set(instruction.mnemonic, instruction)
}
const byGerman = new Map(stlInstructions.map(({ german, mnemonic }) => [german, mnemonic]))

/** Whether the schema has an instruction (or a kind of line) of that name. */
export function isStlToken(token: string): boolean {
  return byToken.has(token) || token === commentToken || token === emptyToken
}

/** Returns the international mnemonic of a name of the schema; any other name is returned unchanged. */
export function mnemonicOfToken(token: string): string {
  return byToken.get(token)?.mnemonic ?? token
}

/**
 * Returns the schema's name for an instruction with or without an operand; `undefined` for words that are no
 * instruction.
 */
export function tokenOfMnemonic(mnemonic: string, hasOperand: boolean): string | undefined {
  const instruction = hasOperand ? byMnemonic.get(mnemonic) : (alone.get(mnemonic) ?? byMnemonic.get(mnemonic))
  return instruction?.token
}

/** Finds the instruction of an international mnemonic. */
export function stlInstruction(mnemonic: string): StlInstruction | undefined {
  return byMnemonic.get(mnemonic)
}

export type MnemonicSet = 'international' | 'german'

/**
 * Returns the international mnemonic of a word in one of the two sets (upper case); `undefined` when the set does not
 * have it.
 */
export function internationalMnemonic(typed: string, set: MnemonicSet): string | undefined {
  return set === 'german' ? byGerman.get(typed) : byMnemonic.get(typed)?.mnemonic
}

/**
 * Returns which of the two sets a word belongs to; `undefined` when both have it. `SE` is in both and means two
 * different timers, so it decides nothing.
 */
export function setOfMnemonic(typed: string): MnemonicSet | undefined {
  const isInternational = byMnemonic.has(typed)
  const isGerman = byGerman.has(typed)
  return isInternational === isGerman ? undefined : isGerman ? 'german' : 'international'
}
