/** Values of one candidate, by dimension. */
type Values<D extends string> = Record<D, string>;

/**
 * The pairs of values, of two dimensions each, that a candidate shows. A pair is possible when any candidate shows it.
 */
export function pairsOf<D extends string>(candidate: Values<D>, dimensions: readonly D[]): string[] {
  const pairs: string[] = [];
  dimensions.forEach((one, at) => {
    for (const other of dimensions.slice(at + 1))
      pairs.push(`${one}=${candidate[one]} ${other}=${candidate[other]}`);
  });
  return pairs;
}

/**
 * Chooses candidates until every pair of values that any candidate shows is shown by a chosen one. Greedy: each choice shows
 * as many new pairs as there is still one to show. The same candidates in the same order give the same choice.
 *
 * @param always candidates that are chosen first, whatever they show
 */
export function pairwise<D extends string, C extends Values<D>>(
  candidates: readonly C[],
  dimensions: readonly D[],
  always: readonly C[] = [],
): C[] {
  const shown = new Set<string>();
  const chosen: C[] = [];
  const choose = (candidate: C, pairs: string[]) => {
    chosen.push(candidate);
    for (const pair of pairs) shown.add(pair);
  };
  for (const candidate of always) choose(candidate, pairsOf(candidate, dimensions));

  // A candidate never shows more new pairs later than now, so it is looked at again only when its turn has come.
  const all = candidates.map((candidate) => ({ candidate, pairs: pairsOf(candidate, dimensions) }));
  const most = (dimensions.length * (dimensions.length - 1)) / 2;
  let waiting = all;
  for (let gain = most; gain > 0; gain -= 1) {
    const later: typeof all = [];
    for (const one of waiting) {
      const fresh = one.pairs.filter((pair) => !shown.has(pair)).length;
      if (fresh >= gain) choose(one.candidate, one.pairs);
      else if (fresh > 0) later.push(one);
    }
    waiting = later;
  }
  return chosen;
}
