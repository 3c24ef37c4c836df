import type { Aftermath as AftermathName } from '../../history/vocabulary.ts';
import type { Aftermath } from './aftermath.ts';
import { answerNewAsk } from './answer-new-ask.ts';
import { followUp } from './follow-up.ts';
import { messageWhileStreaming } from './message-while-streaming.ts';
import { watch } from './watch.ts';

/** Every aftermath that the scenario plays. A new one is one file and one line here. */
export const aftermaths: readonly Aftermath[] = [answerNewAsk, messageWhileStreaming, followUp, watch];

/** @throws Error when no such aftermath is played yet. */
export function aftermathOf(name: AftermathName): Aftermath {
  const found = aftermaths.find((aftermath) => aftermath.name === name);
  if (!found)
    throw new Error(`no aftermath named ${name}; there are: ${aftermaths.map((a) => a.name).join(', ')}`);
  return found;
}
