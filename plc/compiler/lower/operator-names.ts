/** Operators as SCL writes them. */

export type ArithmeticOperator = '+' | '-' | '*' | '/' | 'MOD'
export type LogicOperator = 'AND' | 'OR' | 'XOR'
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='
