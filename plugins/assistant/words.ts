/** The words of a question that mean something. */

/** Words that find everything and nothing. */
const fillers = new Set(
  'a an and are as at be by can could do does for from has have how i in is it its me my of on or please show tell than that the their then there these this to us was we what when where which who why will with would you your der die das den dem ein eine einer einen ist sind wie was wo wer warum und oder mit für von zu im in auf ich mir bitte zeige kann wird nicht not'.split(
    ' ',
  ),
)

/** Words of a question without those that mean nothing. */
export function wordsOf(question: string): string[] {
  const words = question.match(/"[^"\n]{1,100}"|[\p{L}\p{N}_%#.-]{2,100}/gu) ?? []
  const plain = words.map((word) => word.replace(/^["'.]+|["'.?]+$/g, ''))
  return [...new Set(plain)].filter((word) => word.length > 1 && !fillers.has(word.toLowerCase()))
}
