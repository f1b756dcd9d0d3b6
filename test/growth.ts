/** Tells what grows faster than its input: work counted with an input and with one that is four times as large. */

/** More than this times the work for four times the input is not in line with it; sorting stays below. */
const most = 6
/** A function that is executed less is not judged. */
const least = 3000

/** A function that was executed less with the smaller input has begun to work only with the larger. */
const seen = 200

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)

/**
 * The functions whose work grew too much, worst first, and the whole work where that did; each as a line.
 * @param few counts by function for an input
 * @param many the same for an input that is four times as large
 */
export function growth(few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>): string[] {
  const grown = [...many]
    .filter(([name, count]) => count > least && (few.get(name) ?? 0) >= seen && count > most * few.get(name)!)
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name}: ${few.get(name) ?? 0} to ${count}`)
  const [before, after] = [sum(few), sum(many)]
  return after > least && after > most * before ? [...grown, `all: ${before} to ${after}`] : grown
}
