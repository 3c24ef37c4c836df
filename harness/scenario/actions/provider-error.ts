import type { Part } from '../../model/script.ts';
import { answerLive } from '../answers.ts';
import { callTurn, type Stage } from '../stage.ts';
import type { Action, Variant } from './action.ts';

/** The ask is denied, and the request that tells the model of it fails. */
const failing = (title: string, parts: Part[]): Variant => ({
  title,
  leaves: 'settled',
  asks: ['command', 'edit', 'question'],
  moments: ['ask-open'],
  script: (stage: Stage) => [callTurn(stage, 'A'), { parts }],
  perform: async (stage) => {
    await answerLive(stage, 'A', 'deny');
    return 'done';
  },
});

/**
 * The provider fails right after the ask was denied: the run is over, and the denial stands. While an ask is open its own run
 * has no request on its way that could fail, so this is the nearest that a provider's error can come to one.
 */
export const providerError: Action = {
  name: 'provider-error',
  title: 'denies it, and the next model request fails',
  variants: {
    before: failing('denies it, and the next model request is refused (429)', [
      { error: { status: 429, message: 'Too many requests.' } },
    ]),
    cut: failing('denies it, and the next answer of the model is cut in the middle', [
      { text: 'I see that the check ' },
      { cut: true },
    ]),
  },
};
